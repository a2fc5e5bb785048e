"""Words of texts and their likenesses: packing, weights against a slow oracle, odd texts."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.events.tfidf import (
    IN_OPENING,
    IS_NAME,
    LEAD_CHARACTERS,
    WeighedTexts,
    lead_of,
    terms,
    unpacked,
)
from dedup.similarity.events.tfidf_words import fold, without_dates
from dedup.similarity.sentences import sentence_hash
from extraction.text.comparable import comparable

WORDS = ["sangoma", "bakkie", "veld", "Eskom", "stove", "Madiba", "taxi", "dam", "mielie", "kloof"]


def slow_likeness(texts, one, other):
    """The formula of the module's notes on words instead of hashes, without lists of holders."""
    counts = [Counter(fold(word) for word in text.split()) for text in texts]
    n_with = Counter(word for count in counts for word in count)
    idf = {word: math.log((len(texts) + 200) / (n + 2)) for word, n in n_with.items()}

    def vector(count):
        weights = {word: (1 + math.log(n)) * idf[word] for word, n in count.items()}
        norm = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {word: weight / norm for word, weight in weights.items()}

    first, second = vector(counts[one]), vector(counts[other])
    shared = first.keys() & second.keys()
    n_specific = sum(idf[word] >= 3.5 for word in shared)
    if n_specific < 3:
        return 0.0
    cosine = sum(first[word] * second[word] for word in shared)
    return cosine * (n_specific / (n_specific + 8)) ** 2


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=2, max_size=6))
def test_likenesses_are_those_of_the_formula(word_lists):
    texts = [" ".join(words) for words in word_lists]
    weighed = WeighedTexts([terms("", text) for text in texts])

    for place in range(len(texts)):
        found = weighed.like(place)
        fast = dict(zip(found.places.tolist(), found.likenesses.tolist(), strict=True))
        others = [other for other in range(len(texts)) if other != place]
        assert [fast.get(other, 0.0) for other in others] == pytest.approx(
            [slow_likeness(texts, place, other) for other in others], abs=1e-5
        )


@given(st.text(alphabet="abc dE'’é\ud800\n.", max_size=300))
def test_packed_words_are_read_back(text):
    counted = terms("Title", text)

    again = unpacked(counted.packed())

    assert again.hashes.tolist() == counted.hashes.tolist()
    assert again.counts.tolist() == counted.counts.tolist()
    assert again.marks.tolist() == counted.marks.tolist()
    assert counted.hashes.tolist() == sorted(set(counted.hashes.tolist()))


def test_bytes_of_another_length_are_refused():
    with pytest.raises(ValueError, match="7 bytes are no packed terms"):
        unpacked(b"1234567")


def test_a_word_more_often_than_is_stored_is_capped():
    assert terms("", "dam " * 400).counts.tolist() == [63]


def marked(title, text):
    """The words by their marks, each found by its hash alone."""
    found = terms(title, text)
    marks = dict(zip(found.hashes.tolist(), found.marks.tolist(), strict=True))
    words = {fold(word) for word in re.findall(r"\w+", f"{title} {text}")}
    of_word = {word: terms("", word).hashes.tolist() for word in words}
    return {word: marks[hashes[0]] for word, hashes in of_word.items() if hashes}


def test_words_of_the_opening_and_names_are_marked():
    found = marked(
        "Dam bursts",
        "Flooding follows rain. Jansenville was cut off. Farmers blame Eskom for the sluice. "
        "Mayor Deon Louw disagrees. SAPS divers came.",
    )

    assert found == {
        "dam": IN_OPENING, "burst": IN_OPENING, "flooding": IN_OPENING, "rain": IN_OPENING,
        "follow": IN_OPENING, "jansenville": IN_OPENING, "cut": IN_OPENING, "farmer": 0,
        "blame": 0, "eskom": IS_NAME, "sluice": 0, "mayor": IS_NAME, "deon": IS_NAME,
        "louw": IS_NAME, "disagree": 0, "sap": IS_NAME, "diver": 0,
    }  # fmt: skip


def test_only_title_and_lead_are_read():
    far = "x" * 9 + " "
    assert len(lead_of(far * 1000)) <= LEAD_CHARACTERS
    assert len(lead_of("y" * 5000)) == LEAD_CHARACTERS
    below = terms("Eskom", "dam " * LEAD_CHARACTERS + "sangoma")
    assert len(below.hashes) == 2


def test_recurring_sentences_are_left_out():
    standing = "Gogo answers letters about umngqusho every Thursday."
    key = sentence_hash(comparable(standing))

    with_it = terms("", f"{standing} The yeast must be warm.")
    without = terms("", f"{standing} The yeast must be warm.", {key})

    assert set(without.hashes.tolist()) < set(with_it.hashes.tolist())
    assert without.hashes.tolist() == terms("", "The yeast must be warm.").hashes.tolist()


def test_numbers_are_weighed_but_never_count_as_shared():
    words, figures = "sangoma bakkie veld", "2,461 35.8 41.9 726"
    texts = [words, words, f"{words} {figures}", f"{words} {figures.replace(',', '')}", figures]
    weighed = WeighedTexts([terms("", text) for text in texts])

    plain, table = weighed.like(0), weighed.like(2)

    assert plain.places.tolist() == [1, 2, 3]  # three words in common, whatever figures are beside
    assert plain.cosines.tolist() == pytest.approx([1.0, plain.cosines[1], plain.cosines[1]])
    assert plain.cosines[1] < 0.8
    assert table.places.tolist() == [0, 1, 3]  # not the one with four figures in common
    assert table.cosines[2] == pytest.approx(1.0)  # 2,461 is 2461


def test_window_without_texts_or_words_has_no_likenesses():
    nothing = WeighedTexts([terms("", ""), terms("", "1 2 3")])

    assert nothing.like(0).places.tolist() == []
    assert np.all(nothing.like(1).likenesses == 0)


@pytest.mark.parametrize(
    ("title", "masked"),
    [
        ("Weather for Tuesday 16 June", ("weather for # # #", True)),
        ("Weer vir Dinsdag", ("weer vir #", True)),
        ("Shacks burn in Masiphumelele", ("shacks burn in masiphumelele", False)),
        ("", ("", False)),
    ],
)
def test_dates_of_titles_are_masked(title, masked):
    assert without_dates(title) == masked
