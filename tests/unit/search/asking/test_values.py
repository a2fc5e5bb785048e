"""Parameters of statistic pages: texts of the address to checked values."""

import datetime as dt

import pytest

from search.asking.values import FreeText, OneOf, Reader, Switch, WholeNumber, read_parameter

READER = Reader(dt.date(2026, 11, 20))
BY = OneOf("by", "By", (("word", "word"), ("lemma", "lemma")))
LEAST = WholeNumber("min", "At least", 5, 1, 100)


def whole(text):
    if text != text.strip("?"):
        raise ValueError("No question marks.")
    return text.upper()


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (BY, None, "word"),
        (BY, "", "word"),
        (BY, " lemma ", "lemma"),
        (LEAST, None, 5),
        (LEAST, "007", 7),
        (Switch("fold", "Fold"), None, False),
        (Switch("fold", "Fold"), "1", True),
        (FreeText("q2", "Query", check=whole), "braai", "BRAAI"),
        (FreeText("q2", "Query"), None, ""),
    ],
)
def test_a_text_becomes_a_value(parameter, text, value):
    given = read_parameter(parameter, text, READER)

    assert (given.value, given.error) == (value, "")


@pytest.mark.parametrize(
    ("parameter", "text", "message"),
    [
        (BY, "colour", "“colour” is not among: word, lemma."),
        (LEAST, "0", "“0” is not a whole number from 1 to 100."),
        (LEAST, "1e2", "“1e2” is not a whole number"),
        (LEAST, "9" * 5000, "is not a whole number"),
        (LEAST, "²", "is not a whole number"),
        (Switch("fold", "Fold"), "yes", "“yes” is neither 1 nor left out."),
        (FreeText("q2", "Query", most_chars=3), "braai", "More than 3 characters."),
        (FreeText("q2", "Query", check=whole), "braai?", "No question marks."),
    ],
)
def test_a_wrong_text_is_kept_and_named_and_the_default_taken(parameter, text, message):
    given = read_parameter(parameter, text, READER)

    assert message in given.error
    assert given.text == text
    assert given.value == parameter.read(parameter.default, READER)


def test_the_default_may_be_left_out_of_addresses():
    assert read_parameter(BY, "word", READER).is_default
    assert not read_parameter(BY, "lemma", READER).is_default
