"""Afrikaans tokens put together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.tokens import tokenize
from search.engine.annotation.afrikaans_tokens import LONGEST_COMPOUND, join_afrikaans


def words(text):
    return [text[start:end] for start, end in join_afrikaans(text, tokenize(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in die Wes-Kaap", ["in", "die", "Wes-Kaap"]),
        ("'n man", ["'n", "man"]),
        ("’n man", ["’n", "man"]),
        ("leer- en leesstof", ["leer-", "en", "leesstof"]),
        ("Kaap - Natal", ["Kaap", "-", "Natal"]),
        ("-voorwaardes", ["-", "voorwaardes"]),
        (
            "Mnr. Botha se foto's, bv. ma’s.",
            ["Mnr.", "Botha", "se", "foto's", ",", "bv.", "ma’s", "."],
        ),
        ("Sy is me.", ["Sy", "is", "me", "."]),
        ("", []),
    ],
)
def test_compounds_and_the_article_are_one_word(text, expected):
    assert words(text) == expected


def test_chains_of_hyphens_are_cut():
    assert max(map(len, words("a-" * 500))) <= LONGEST_COMPOUND


@given(st.text("ab-'n. ", max_size=40))
def test_joining_loses_nothing(text):
    assert "".join(words(text)) == text.replace(" ", "")
