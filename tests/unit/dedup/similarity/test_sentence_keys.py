import doctest
from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import sentences
from dedup.similarity.sentences import (
    MIN_SENTENCE_CHARACTERS,
    SentenceKey,
    sentence_hash,
    sentence_hashes,
)

LONG = "The council met on Tuesday."


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(sentences).failed == 0


@given(st.text())
def test_sentence_hash_fits_a_signed_64_bit_column(text):
    assert -(2**63) <= sentence_hash(text) < 2**63


def test_sentence_hash_is_xxh3_cast_to_signed():
    # XXH3_64bits of the empty input, from the xxHash test vectors: 0x2D06800538D394C2
    assert sentence_hash("") == 0x2D06800538D394C2


def sentence_keys(sentences: list[str]) -> list[SentenceKey]:
    """The keys of a text of these sentences, one a line."""
    ends = [0, *accumulate(len(sentence) + 1 for sentence in sentences)]
    return sentence_hashes(
        "\n".join(sentences), [(before, end - 1) for before, end in pairwise(ends)]
    )


def test_sentence_keys_leave_out_short_sentences_but_count_them():
    short = "x" * (MIN_SENTENCE_CHARACTERS - 1)
    just_long_enough = "x" * MIN_SENTENCE_CHARACTERS

    keys = sentence_keys([short, LONG, just_long_enough])

    assert keys == [
        SentenceKey(sentence_hash(LONG.lower()), 1),
        SentenceKey(sentence_hash(just_long_enough), 2),
    ]


def test_sentence_keys_hold_a_repeated_sentence_once_at_its_first_position():
    assert sentence_keys(["Hm.", LONG, LONG.upper()]) == [
        SentenceKey(sentence_hash(LONG.lower()), 1)
    ]


def test_sentence_keys_of_nothing_are_empty():
    assert sentence_keys([]) == []


def test_sentence_hashes_read_the_spans():
    text = f"{LONG} {LONG[::-1]}"
    middle = len(LONG)

    keys = sentence_hashes(text, [(0, middle), (middle + 1, len(text))])

    assert keys == [
        SentenceKey(sentence_hash(LONG.lower()), 0),
        SentenceKey(sentence_hash(LONG[::-1].lower()), 1),
    ]
