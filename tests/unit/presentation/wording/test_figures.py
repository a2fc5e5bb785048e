"""Figures as they are written everywhere."""

import doctest

import pytest

from presentation.wording import figures


def test_examples_hold():
    assert doctest.testmod(figures).failed == 0


def test_the_group_space_is_narrow_and_does_not_break():
    assert figures.grouped(1_204_771) == "1\u202f204\u202f771"


@pytest.mark.parametrize(
    ("n", "words"),
    [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (12_000, "12\u202f000 pages")],
)
def test_the_noun_follows_its_number(n, words):
    assert figures.counted(n, "page") == words


@pytest.mark.parametrize(("value", "words"), [(7.256, "7.26"), (-3.5, "−3.50"), (10, "10.0")])
def test_a_rate_below_ten_has_two_decimals(value, words):
    assert figures.rate(value) == words
