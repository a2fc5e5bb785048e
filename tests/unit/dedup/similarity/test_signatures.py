import doctest
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import signatures
from dedup.similarity.signatures import (
    MAX_CHARACTERS,
    MAX_FINGERPRINTS,
    MIN_FINGERPRINTS,
    distinct,
    shingles,
    signature,
)

TEXTS = st.text(max_size=400)


def words(n, start=0):
    return " ".join(f"word{number}" for number in range(start, start + n))


def arrays_of(text):
    made = signature(text)
    return [made.fingerprints.tolist(), made.shingles.tolist(), made.words.tolist()]


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(signatures).failed == 0


@given(TEXTS)
def test_fingerprints_and_shingles_ascend_without_repetition(text):
    made = signature(text)

    assert made.fingerprints.tolist() == sorted(set(made.fingerprints.tolist()))
    assert made.shingles.tolist() == sorted(set(made.shingles.tolist()))
    assert (made.fingerprints.dtype, made.shingles.dtype) == (np.int64, np.uint64)


@given(TEXTS)
def test_every_word_has_its_marks_and_numbers_are_facts(text):
    made = signature(text)

    assert made.n_words == len(made.words) == len(made.numbers) == len(made.facts)
    assert not (made.numbers & ~made.facts).any()


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_distinct_is_what_a_set_gives(values):
    assert distinct(np.array(values, np.uint64)).tolist() == sorted(set(values))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The council met.", "the  COUNCIL\nmet"),
        ("“Maas” is sour", "'maas' is sour!"),
        ("news\N{SOFT HYPHEN}paper", "newspaper"),
        ("ﬁve ｒａｎｄ", "five rand"),
        ("Cafe\N{COMBINING ACUTE ACCENT}", "Café"),
        ("STRASSE", "straße"),
    ],
)
def test_case_quotes_space_and_compatibility_forms_make_no_difference(one, other):
    assert arrays_of(one) == arrays_of(other)


@pytest.mark.parametrize(
    ("text", "numbers", "facts"),
    [
        ("Rates rose 5 percent in Paarl", [0, 0, 1, 0, 0, 0], [1, 0, 1, 0, 0, 1]),
        ("r2m b12 x_y", [1, 1, 0], [1, 1, 0]),
        ("कमल ४२", [0, 1], [0, 1]),
    ],
)
def test_words_with_digits_are_numbers_and_with_capitals_facts(text, numbers, facts):
    made = signature(text)

    assert made.numbers.astype(int).tolist() == numbers
    assert made.facts.astype(int).tolist() == facts


@pytest.mark.parametrize(
    ("text", "n_fingerprints", "n_shingles"),
    [
        ("", 0, 0),
        ("… !? \n", 0, 0),
        ("🎉🎉", 0, 0),
        ("Photos", 1, 1),
        ("two words", 1, 1),
        ("one two three four", 1, 2),
        ("one two three four five", 2, 3),
        ("one two three four five six", 3, 4),
        (words(20), 16, 18),
        ("again " * 100_000, 1, 1),
    ],
)
def test_short_and_repeating_texts_have_few_grams(text, n_fingerprints, n_shingles):
    made = signature(text)

    assert (len(made.fingerprints), len(made.shingles)) == (n_fingerprints, n_shingles)


def test_one_gram_in_fourteen_is_a_fingerprint_and_a_book_has_the_smallest():
    n_of = {n: len(signature(words(n)).fingerprints) for n in (100, 1600, 60_000)}

    assert n_of[100] == MIN_FINGERPRINTS
    assert 81 <= n_of[1600] <= 147  # 114 expected, standard deviation 11
    assert n_of[60_000] == MAX_FINGERPRINTS


def test_a_text_within_another_shares_its_sampled_fingerprints():
    part, whole = signature(words(800, 400)), signature(words(1600))
    common = set(part.fingerprints.tolist()) & set(whole.fingerprints.tolist())

    assert common == set(part.fingerprints.tolist())


def test_beyond_the_limit_nothing_counts():
    text = ("x" * 49 + " ") * (MAX_CHARACTERS // 50)

    assert arrays_of(text + " and more" * 1000) == arrays_of(text)


def test_signs_that_become_many_do_not_go_beyond_the_limit():
    ligature = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}"  # 18 letters, three blanks

    assert signature(ligature * 100_000).n_words == signature(ligature * 60_000).n_words


def test_a_very_long_word_is_cut_so_that_no_form_of_it_is_remembered():
    assert signature("x" * 1000).n_words == 1000 // 64 + 1


def test_lone_surrogates_and_nul_are_read():
    assert signature("a\x00b \ud800 c").n_words == 3


def test_shingles_stand_in_the_order_of_the_text():
    in_order = shingles(signature("a b c d a b c").words)

    assert len(in_order) == 5
    assert in_order[0] == in_order[4]


def test_another_process_makes_the_same_signature():
    text = "Twelve officials of the municipality were suspended on Tuesday."
    program = (
        "from dedup.similarity.signatures import signature;"
        f"made = signature({text!r});"
        "print(made.fingerprints.tolist(), made.shingles.tolist())"
    )

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    made = signature(text)
    assert printed == f"{made.fingerprints.tolist()} {made.shingles.tolist()}\n"
