"""Features: those of a text do not depend on its neighbours; letters are the same by both ways."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.language_features import BUCKET_BITS, features, letters_of

TEXTS = st.lists(st.text("abc ḓé", max_size=12).map(letters_of), min_size=1, max_size=6)
ROWS = np.arange(2 << BUCKET_BITS, dtype=np.int32).reshape(-1, 2) % 1009


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_letters_are_lower_case_with_single_blanks(text):
    slow = re.sub(r"[\W\d_]+", " ", text.lower()).strip()

    assert letters_of(text) == slow


def test_letters_of_newspaper_signs():
    assert letters_of("“Eish!” – R2.5m… it’s 9\u00a0am\nNow") == "eish r m it s am now"


@given(TEXTS)
def test_sums_of_a_text_do_not_depend_on_its_neighbours(texts):
    together = features(texts).sums(ROWS)

    alone = [features([text]).sums(ROWS)[0] for text in texts]
    assert together.tolist() == [row.tolist() for row in alone]


def test_features_are_ngrams_and_words():
    found = features(["die kat", "", "kat"])

    # " die kat ": nine bytes, hence 7 + 6 + 5 n-grams; " kat ": 3 + 2 + 1; two words and one.
    assert (found.ends - found.starts).tolist() == [[7, 0, 3], [6, 0, 2], [5, 0, 1], [2, 0, 1]]
    last_word = found.buckets[found.starts[3, 0] + 1]
    assert found.buckets[found.starts[3, 2]] == last_word


def test_words_that_differ_in_one_letter_have_other_buckets():
    words = features([" ".join(f"woord{letter}" for letter in "abcdefghij")])

    assert len(set(words.buckets[-11:-1].tolist())) == 10
