import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text import comparable as module
from extraction.text import digest
from extraction.text.comparable import comparable, comparable_parts
from extraction.text.digest import text_digest


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(digest).failed == 0


@pytest.mark.parametrize(
    ("variant", "plain"),
    [
        ("THE Council  met\n on Tuesday.", "the council met on tuesday."),
        ("It’s the ‘robots’ again", "it's the 'robots' again"),
        ("“Quoted” and «guillemets»", '"quoted" and "guillemets"'),
        ("back`tick", "back'tick"),
        ("no\u00a0break \ufb01sh", "no break fish"),
        ("Cafe\u0301", "café"),
        ("soft\u00adhyphen", "softhyphen"),
        ("Straße", "strasse"),
        ("", ""),
    ],
)
def test_comparable_unifies_spelling(variant, plain):
    assert comparable(variant) == plain


@given(st.text())
def test_comparable_is_idempotent(text):
    once = comparable(text)

    assert comparable(once) == once


@given(st.text(st.characters(max_codepoint=127)))
def test_comparable_of_ascii_equals_the_general_way(text):
    # a trailing letter outside ASCII takes the general way
    assert comparable(text) + " é" == comparable(text + " é").strip() or not text.strip()


def test_text_digest_of_copies_is_the_same():
    assert text_digest("“Maas” is\nSOUR`s") == text_digest('"maas"  is sour\'s')


def test_text_digest_tells_texts_apart():
    assert text_digest("maas is sour") != text_digest("maas is sour.")


def test_text_digest_of_white_space_is_empty():
    assert text_digest(" \n\u00a0") == ""


def test_text_digest_is_blake2b_128():
    # b2sum -l 128 of "abc"
    assert text_digest("ABC") == "cf4ab791c62b8d2b2109c90275287816"


SIGNS = st.text(st.sampled_from("aZ \n`'‘’“”«´–é\u00adﬁ½ßİ\u00a0\x1c"), max_size=30)


@given(SIGNS, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_parts_of_a_text_are_what_each_is_alone(text, spans):
    assert list(comparable_parts(text, spans)) == [comparable(text[a:b]) for a, b in spans]
