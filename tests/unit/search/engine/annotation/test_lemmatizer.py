"""Lemmas by form and tag."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.annotation.lemmatizer import lemma, lemmas
from search.engine.annotation.tagset import TAGS


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
        ("people", "NNS", "person"),
        ("United", "NNP", "United"),
        ("Jan", "NNP", "Jan"),
        # Slips of the treebanks: flead, fre, penn.
        ("fled", "VBD", "flee"),
        ("freed", "VBN", "free"),
        ("penned", "VBN", "pen"),
        ("businessmen", "NNS", "businessman"),
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


@pytest.mark.parametrize(
    ("tagged", "expected"),
    [
        ("It/PRP 's/VBZ been/VBN fun/NN", "it have be fun"),
        ("He/PRP ’s/VBZ not/RB really/RB got/VBN it/PRP", "he have not really get it"),
        ("It/PRP 's/VBZ lost/VBN", "it be lose"),
        ("Who/WP 's/VBZ", "who be"),
        ("Zuma/NNP 's/POS been/VBN", "Zuma 's be"),
    ],
)
def test_the_clitic_is_has_before_some_participles(tagged, expected):
    words, tags = zip(*(token.split("/") for token in tagged.split()), strict=True)

    assert lemmas(words, tags) == expected.split()


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=20),
    st.sampled_from(sorted(TAGS)),
)
def test_every_word_has_a_lemma(word, tag):
    assert lemma(word, tag)
