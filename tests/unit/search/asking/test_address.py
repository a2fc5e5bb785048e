"""One state, one address."""

import pytest
from django.http import QueryDict

from search.asking.address import Address, unknown_names


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("q=braai", "q=braai"),
        ("q=braai&ql=simple&in=articles&copies=once&sort=new&ctx=12&n=50", "q=braai"),
        ("to=2026&from=2025&q=braai&ql=cql", "q=braai&ql=cql&from=2025&to=2026"),
        ("pub=b&q=x&pub=a&pub=b&pub=", "q=x&pub=a&pub=b"),
        ("q=a&q=b", "q=b"),
        ("q=+braai+", "q=braai"),
        ('q=[lemma="go"]&ql=cql', 'q=[lemma="go"]&ql=cql'),
        ("q=a%26b%3Dc", "q=a%26b=c"),
        ("zzz=1", ""),
        ("", ""),
    ],
)
def test_an_address_is_canonical(given, canonical):
    address = Address.read(QueryDict(given))

    assert str(address) == canonical
    assert str(Address.parse(canonical)) == canonical


def test_a_change_drops_the_place_in_the_list():
    address = Address.parse("q=braai&sort=old&after=100&hit=3-4")

    assert str(address.change(pub=["karoo"])) == "q=braai&pub=karoo&sort=old"
    assert str(address.change(in_="both")) == "q=braai&in=both&sort=old"
    assert str(address.change(after="150")) == "q=braai&sort=old&after=150"


def test_one_value_of_a_filter_can_be_taken_away():
    address = Address.parse("q=braai&pub=a&pub=-b")

    assert str(address.without("pub", "a")) == "q=braai&pub=-b"
    assert str(address.without("pub")) == "q=braai"


def test_filters_and_query_part_leave_the_rest():
    address = Address.parse("q=braai&in=both&from=2026&ctx=20&after=50&hit=1-2&asof=7")

    assert str(address.filters()) == "in=both&from=2026"
    assert str(address.query_part()) == "q=braai&in=both&from=2026&after=50&hit=1-2&asof=7"


def test_unknown_parameters_are_named():
    assert unknown_names(["q", "zzz", "aaa", "format"], ["format"]) == ["aaa", "zzz"]
