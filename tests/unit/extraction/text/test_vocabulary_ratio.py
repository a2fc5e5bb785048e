"""The vocabulary ratio: distinct and running words outside the English vocabulary."""

import pytest

from extraction.text.language_model import words_of
from extraction.text.vocabulary_ratio import NO_WORDS, vocabulary_ratio


def test_distinct_words_count_once_and_running_words_as_often_as_they_stand():
    ratio = vocabulary_ratio(words_of("The qwxyz, the qwxyz and the qwxyz: the house."))

    assert (ratio.distinct, ratio.running, ratio.n_distinct) == (1 / 4, 3 / 9, 4)


def test_words_of_the_south_african_list_count_as_english():
    words = words_of("Eish, the Gogo gave the tsotsi amagwinya, the qwxyz")

    assert vocabulary_ratio(words).distinct == 1 / 7


def test_no_words_have_no_ratio():
    assert vocabulary_ratio([]) == NO_WORDS


@pytest.mark.parametrize(
    ("text", "opinion", "has_say"),
    [
        ("the council said that the road would be mended", "English by that test", True),
        ("umkhandlu uthe umgwaqo uzolungiswa ngaphambi kobusika ngokushesha okukhulu manje",
         "not English by that test", True),
        ("the road", "English by that test", False),
    ],
)  # fmt: skip
def test_the_opinion_needs_some_words(text, opinion, has_say):
    ratio = vocabulary_ratio(words_of(text))

    assert (ratio.opinion, ratio.has_say) == (opinion, has_say)
