"""Lemmas by form and tag."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.annotation.lemmatizer import lemma
from search.annotation.tagset import TAGS


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("went", "VBD", "go"),
        ("saw", "VBD", "see"),
        ("saw", "NN", "saw"),
        ("Children", "NNS", "child"),
        ("better", "JJR", "good"),
        ("n't", "RB", "not"),
        ("n’t", "RB", "not"),
        ("is", "VBZ", "be"),
        ("Running", "VBG", "run"),
        ("The", "DT", "the"),
        ("I", "PRP", "I"),
        ("Durban", "NNP", "Durban"),
        ("Springboks", "NNPS", "Springbok"),
        ("SPRINGBOKS", "NNPS", "SPRINGBOK"),
        ("bus", "NN", "bus"),
        ("blorped", "VBD", "blorp"),
        ("zwibbies", "NNS", "zwibby"),
        ("R", "$", "R"),
        ("38,000", "CD", "38000"),
        ("1,537,058.5", "CD", "1537058.5"),
        ("1,5", "CD", "1,5"),
        ("Sept.", "NNP", "September"),
        ("U.S.", "NNP", "U.S."),
        ("–", "SYM", "-"),
        (".", ".", "."),
        ("whatever", "no-tag", "whatever"),
    ],
)
def test_lemma_of_form_and_tag(word, tag, expected):
    assert lemma(word, tag) == expected


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=20),
    st.sampled_from(sorted(TAGS)),
)
def test_every_word_has_a_lemma(word, tag):
    assert lemma(word, tag)
