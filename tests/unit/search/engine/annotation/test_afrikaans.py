"""Afrikaans lemmas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.annotation.afrikaans import afrikaans_lemma, without_participle_prefix
from search.engine.annotation.tagset import UNIVERSAL_TAGS


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("Die", "DET", "die"),
        ("is", "AUX", "wees"),
        ("skole", "NOUN", "skool"),
        ("gearresteer", "VERB", "arresteer"),
        ("ingeskakel", "VERB", "inskakel"),
        ("Wes-Kaap", "PROPN", "Wes-Kaap"),
        ("zwibbelinge", "NOUN", "zwibbeling"),
        ("’n", "DET", "'n"),
        (".", "PUNCT", "."),
        ("iets", "no-tag", "iets"),
        ("Seisoenkaartjie", "NOUN", "seisoenkaart"),
        ("stoeltjies", "NOUN", "stoel"),
        ("knoppie", "NOUN", "knop"),
        ("strokie", "NOUN", "strokie"),
        ("bakkies", "NOUN", "bakkie"),
        ("Bietjie", "PROPN", "Bietjie"),
        ("geëet", "VERB", "eet"),
        ("boonste", "ADJ", "boonste"),
        ("buitenste", "ADJ", "buitenste"),
        ("grootste", "ADJ", "groot"),
        ("honger", "ADJ", "honger"),
    ],
)
def test_lemma_of_form_and_tag(word, tag, lemma):
    assert afrikaans_lemma(word, tag) == lemma


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("gekoppel", "koppel"),
        ("uitgelig", "uitlig"),
        ("bymekaargemaak", "bymekaarmaak"),
        ("geëet", "eet"),
        ("opgeëis", "opeis"),
        ("geïgnoreer", "ignoreer"),
        ("geürineer", "urineer"),
        ("geoefen", "oefen"),
        ("gee", None),
        ("verkoop", None),
    ],
)
def test_participles_lose_their_prefix(form, expected):
    assert without_participle_prefix(form) == expected


@given(st.text(min_size=1, max_size=20), st.sampled_from(sorted(UNIVERSAL_TAGS)))
def test_every_word_has_a_lemma(word, tag):
    assert afrikaans_lemma(word, tag)
