"""Texts of the address that say what is to stand near the node."""

import pytest

from search.asking.hit_filters import HitFilter, near_condition
from search.engine.query.ast import Attribute, AttributeMatch, Or
from search.engine.query.errors import QueryError


def test_a_simple_word_ignores_case():
    condition = near_condition("Rain")

    assert isinstance(condition, AttributeMatch)
    assert (condition.attribute, condition.ignore_case) == (Attribute.WORD, True)


def test_what_begins_like_cql_is_cql():
    condition = near_condition('[pos="VB.*"]')

    assert isinstance(condition, AttributeMatch)
    assert (condition.attribute, condition.pattern) == (Attribute.TAG, "VB.*")


@pytest.mark.parametrize("text", ["rain|snow", '("rain"|"snow")'])
def test_alternatives_are_one_condition(text):
    condition = near_condition(text)

    assert isinstance(condition, Or)
    assert [part.pattern for part in condition.conditions] == ["rain", "snow"]


def test_nothing_is_no_condition():
    assert near_condition("") is None
    assert HitFilter().keeps_all


@pytest.mark.parametrize(
    "text", ["two words", '"a" "b"', "[]", "[pos=", '"a"*', '"a" :: a.word="b"']
)
def test_more_than_a_token_is_refused(text):
    with pytest.raises(QueryError):
        near_condition(text)
