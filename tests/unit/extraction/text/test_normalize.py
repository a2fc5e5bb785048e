"""The stored form of a text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.normalize import normalize_text

# Any string, lone surrogates too.
ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("", ""),
        ("Cafe\u0301", "Caf\u00e9"),
        ("a\u00a0b\u2009c\td", "a b c d"),
        ("one\r\ntwo\rthree\u2028four\u0085five", "one\ntwo\nthree\nfour\nfive"),
        ("  one \n\n \n two  ", "one\ntwo"),
        ("soft\u00adhyphen zero\u200bwidth \ufeffmark", "softhyphen zerowidth mark"),
        ("\u202eright\u202c \u200eleft", "right left"),
        ("nul\x00 bell\x07", "nul bell"),
        ("lone \ud800 half", "lone half"),
        ("“It’s” – … ‘so’", "“It’s” – … ‘so’"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
    ],
)
def test_normalize_brings_texts_into_their_stored_form(raw, stored):
    assert normalize_text(raw) == stored


@given(ANY_TEXT)
def test_normalize_is_idempotent(text):
    once = normalize_text(text)

    assert normalize_text(once) == once


@given(ANY_TEXT)
def test_normalized_text_can_be_stored(text):
    stored = normalize_text(text)

    stored.encode("utf-8")
    assert "\x00" not in stored
    assert unicodedata.is_normalized("NFC", stored)
    assert stored == stored.strip(" \n")


def test_letter_keeps_thirty_marks():
    """Unicode Annex 15, section 13; all marks of the longest real spelling stay."""
    stacked = "a" + "\u0316\u0323" * 40 + "b ... " + "-" * 60

    stored = normalize_text(stacked)

    assert stored.count("\u0316") + stored.count("\u0323") == 30
    assert stored.endswith("b ... " + "-" * 60)
    assert normalize_text("o\u0302\u0301") == "\u1ed1"
