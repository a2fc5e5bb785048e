"""Word lists agree with counting, sorting and cutting one by one."""

import datetime as dt
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_counts, plain_selection
from small_corpora import document, snapshot_of

from search.engine.index.documents import UNIX_EPOCH
from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.word_classes import FormFlag, flags_of, form_flags
from search.engine.statistics.vocabulary.word_list import (
    Switches,
    WordListRequest,
    WordOrder,
    vocabulary,
    word_list,
)

SMALL = settings(deadline=None, max_examples=40)


def is_word(value, switches):
    if switches.attribute == "pos":
        return True
    if not switches.digits and any(c.isdigit() for c in value):
        return False
    if switches.letters_only:
        return all(c.isalpha() or c in "'-" for c in value) and any(c.isalpha() for c in value)
    return any(c.isalnum() for c in value)


def plain_list(items, wanted):
    """Rows as (rank, value, hits, texts), all of them, in order."""
    switches = wanted.switches
    counts, texts = plain_counts(items, switches.attribute)
    words = {value: n for value, n in counts.items() if is_word(value, switches)}
    ranked = sorted(words, key=lambda value: (-words[value], value))
    rows = [(rank, value, words[value], texts[value]) for rank, value in enumerate(ranked, 1)]
    rows = [row for row in rows if row[2] >= wanted.min_hits and row[3] >= wanted.min_texts]
    keys = {
        WordOrder.HITS: lambda row: row[0],
        WordOrder.RAREST: lambda row: (row[2], row[1]),
        WordOrder.TEXTS: lambda row: (-row[3], row[1]),
        WordOrder.ALPHABET: lambda row: row[1],
    }
    return sorted(rows, key=keys[wanted.order])


requests = st.builds(
    WordListRequest,
    switches=st.builds(
        Switches,
        attribute=st.sampled_from(["lower", "word", "lemma", "pos"]),
        letters_only=st.booleans(),
        digits=st.booleans(),
    ),
    min_hits=st.integers(1, 3),
    min_texts=st.integers(1, 2),
    order=st.sampled_from(WordOrder),
    first=st.integers(0, 4),
    limit=st.integers(1, 6),
)


@SMALL
@given(batches, filters, requests)
def test_word_lists_equal_sorting_one_by_one(stories, which, wanted):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)

        found = word_list(select(snapshot, which), wanted)

        items = plain_selection(stories, which)
        expected = plain_list(items, wanted)
        rows = [(row.rank, row.value, row.hits, row.texts) for row in found.rows]
        assert rows == expected[wanted.first : wanted.first + wanted.limit]
        assert found.n_rows == len(expected)
        assert found.n_listed == sum(row[2] for row in expected)
        everything = plain_list(items, WordListRequest(switches=wanted.switches))
        assert found.n_words == sum(row[2] for row in everything)
        assert found.n_types == len(everything)
        for row in found.rows:
            assert row.c == pytest.approx(row.rank * row.hits / found.n_words)
            days = [
                item.day_number
                for item in items
                if row.value in plain_counts([item], wanted.switches.attribute)[0]
                and not item.is_undated
            ]
            assert row.first_day == min(days, default=None)


@pytest.fixture
def snapshot(tmp_path):
    return snapshot_of(
        tmp_path,
        [
            document(
                1, "I/i/PRP think/think/VBP i/i/PRP don't/do/VBP know/know/VB 7/7/CD 's/be/VBZ"
            ),
            document(2, "Kosie/kosie/NNP thinks/think/VBZ the/the/DT 4x4/4x4/NN ,/,/, can/can/NN"),
        ],
    )


def values_of(snapshot, allowed=None, **wanted):
    switches = {k: wanted.pop(k) for k in ("attribute", "letters_only", "digits") if k in wanted}
    request = WordListRequest(switches=Switches(**switches), **wanted)
    selection = select(snapshot, DocumentFilter())
    return [row.value for row in word_list(selection, request, allowed).rows]


def test_upper_and_lower_case_of_i_count_together_and_apostrophes_stay(snapshot):
    found = word_list(select(snapshot, DocumentFilter()), WordListRequest())

    assert (found.rows[0].value, found.rows[0].hits) == ("i", 2)
    assert "don't" in [row.value for row in found.rows]
    assert "," not in [row.value for row in found.rows]


@pytest.mark.parametrize(
    ("wanted", "left_out"),
    [
        ({"digits": False}, {"7", "4x4"}),
        ({"letters_only": True}, {"7", "4x4"}),
        ({"without_names": True}, {"kosie"}),
        ({"without_function_words": True}, {"i", "the", "'s", "don't"}),
        ({"min_hits": 2},
         {"think", "don't", "know", "7", "'s", "kosie", "thinks", "the", "4x4", "can"}),
    ],
)  # fmt: skip
def test_switches_leave_words_out(snapshot, wanted, left_out):
    everything = set(values_of(snapshot))

    assert everything - set(values_of(snapshot, **wanted)) == left_out


def test_a_pattern_keeps_the_ranks_of_the_whole_list(snapshot):
    values = type_values(snapshot.lexicon, "lower")
    allowed = np.zeros(values.n_values, dtype=np.bool_)
    allowed[snapshot.lexicon.find_form("thinks")] = True

    found = word_list(select(snapshot, DocumentFilter()), WordListRequest(), allowed)

    assert [(row.rank, row.value) for row in found.rows] == [(11, "thinks")]
    assert (found.n_rows, found.n_types) == (1, 11)


def test_first_days_are_days_of_publication(tmp_path):
    day = dt.date(2026, 11, 19)
    snapshot = snapshot_of(tmp_path, [document(1, "rain", day=day)])

    found = word_list(select(snapshot, DocumentFilter()), WordListRequest())

    assert UNIX_EPOCH + dt.timedelta(days=found.rows[0].first_day) == day


def test_words_are_told_by_what_they_are_made_of(tmp_path):
    forms = ["rain", "don’t", "élan", "7", "3.5", "4x4", "…", "ʼn", "@joe", "λόγος"]
    snapshot = snapshot_of(tmp_path, [document(i, form) for i, form in enumerate(forms, 1)])
    flags = form_flags(snapshot.lexicon)

    for form in forms:
        assert flags[snapshot.lexicon.find_form(form)] == flags_of(form)
    assert flags_of("4x4") == FormFlag.LETTER | FormFlag.DIGIT
    assert flags_of("élan") == FormFlag.LETTER
    assert flags_of("@joe") & FormFlag.OTHER


def test_an_empty_selection_has_no_words(snapshot):
    nothing = select(snapshot, DocumentFilter(publications=("none",)))

    assert word_list(nothing, WordListRequest()).rows == ()
    assert vocabulary(nothing, Switches()).n_words == 0


def test_a_vocabulary_that_was_counted_before_is_of_its_switches(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "Rain rain 7 sun-set"), document(2, "sun")])
    selection = select(snapshot, DocumentFilter())
    asked = [Switches(), Switches("word"), Switches(digits=False), Switches(letters_only=True)]

    first = [word_list(selection, WordListRequest(switches=switches)) for switches in asked]
    again = [word_list(selection, WordListRequest(switches=switches)) for switches in asked]

    assert again == first
    assert [page.n_types for page in first] == [4, 5, 3, 3]
    assert not vocabulary(selection, asked[0]).counts.flags.writeable
