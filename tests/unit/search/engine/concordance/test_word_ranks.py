"""Ranks of forms stay in order while the lexicon grows."""

from hypothesis import given
from hypothesis import strategies as st

from search.engine.concordance.word_ranks import Alphabet, FormOrder
from search.engine.index.lexicon.strings import StringTable, encode_strings

WORDS = st.text(st.sampled_from("abÁáZz.’3"), min_size=1, max_size=4)
ALPHABETS = st.builds(Alphabet, st.booleans(), st.booleans())


@given(st.lists(WORDS, unique=True, min_size=1), ALPHABETS, st.lists(st.integers(1, 5)))
def test_ranks_of_a_growing_table_equal_a_sort(words, alphabet, sizes):
    table = StringTable()
    order = FormOrder(table, alphabet)
    while words:
        size = sizes.pop() if sizes else len(words)
        table.extend(encode_strings(words[:size]))
        words = words[size:]

        ranks = order.ranks(len(table))

        known = table.all()
        expected = sorted(range(len(known)), key=lambda number: alphabet.key(known[number]))
        assert sorted(range(len(known)), key=ranks.__getitem__) == expected
        assert sorted(ranks.tolist()) == list(range(1, len(known) + 1))


def test_few_new_forms_are_put_in_where_they_belong(monkeypatch):
    words = [f"{number:03}" for number in range(0, 300, 2)]
    table = StringTable()
    table.extend(encode_strings(words))
    order = FormOrder(table, Alphabet(is_dictionary=True))
    order.ranks(len(table))
    monkeypatch.setattr("search.engine.concordance.word_ranks.sorted_numbers", None)

    table.extend(encode_strings(["151", "149", "999"]))
    ranks = order.ranks(len(table))

    known = table.all()
    assert sorted(known, key=lambda word: ranks[known.index(word)]) == sorted(known)
