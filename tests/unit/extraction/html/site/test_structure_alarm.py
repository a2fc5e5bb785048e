"""When a series of pages means that a site has changed, and when it means nothing."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from site_pages import extracted, site_article

from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.structure_alarm import FIELDS, PageFacts, Signal, find_changes

MONDAY = datetime(2026, 3, 2, 8, tzinfo=UTC)
WELL = {"n_characters": 3000, "fields": frozenset(FIELDS), "familiarity": 0.9}


def series(*states):
    """Pages six hours apart; each state replaces some facts of a page that is well."""
    return [
        PageFacts(number, MONDAY + timedelta(hours=6 * number), **(WELL | state))
        for number, state in enumerate(states)
    ]


STRANGE = {"familiarity": 0.1}
SHORT = {"n_characters": 200}
NAMELESS = {"fields": frozenset({"title", "date"})}


@pytest.mark.parametrize(
    ("ill", "signal", "subject"),
    [
        (STRANGE, Signal.TEMPLATE, "places"),
        (SHORT, Signal.COVERAGE, "length"),
        (NAMELESS, Signal.COVERAGE, "authors"),
    ],
)
def test_change_is_named_with_its_day_and_the_pages_around_it(ill, signal, subject):
    [found] = find_changes(series(*[{}] * 20, *[ill] * 4))

    assert (found.signal, found.subject) == (signal, subject)
    assert (found.page_before, found.page_after) == (19, 20)
    assert found.since == MONDAY + timedelta(days=5)
    assert (found.n_ill, found.n_before, found.n_ill_before) == (4, 20, 0)


def test_rule_that_stops_matching():
    well, ill = {"rules": {"body": True, "title": True}}, {"rules": {"body": False, "title": True}}

    [found] = find_changes(series(*[well] * 20, *[ill] * 3))

    assert (found.signal, found.subject, found.page_after) == (Signal.RULE, "body", 20)


def test_rules_that_never_matched_are_told_of_without_pages_before():
    """Rules were published that fit no page; what reads in their place finds the texts."""
    dead = {"rules": {"body 1": False, "body 2": False, "title 1": True, "remove 1": False}}

    [found] = find_changes(series(*[{}] * 5, *[dead] * 8))

    assert (found.signal, found.subject, found.n_ill) == (Signal.UNMATCHED, "body", 8)
    assert (found.page_before, found.page_after) == (None, 5)
    assert find_changes(series(*[dead] * 7)) == []


def test_a_rule_that_another_one_stands_in_for_is_told_of():
    well, ill = {"rules": {"body 1": True}}, {"rules": {"body 1": False, "body 2": True}}

    [found] = find_changes(series(*[well] * 20, *[ill] * 4))

    assert (found.signal, found.subject) == (Signal.RULE, "body 1")
    assert find_changes(series(*[ill] * 20)) == []  # a rule for another layout


def test_rule_that_was_withdrawn_is_no_matter():
    well, ill = {"rules": {"body": True}}, {"rules": {"body": False}}

    assert find_changes(series(*[well] * 20, *[ill] * 4, {})) == []


@pytest.mark.parametrize(
    "states",
    [
        [],
        [{}] * 30,
        [{}] * 20 + [STRANGE] * 2,  # two pages may be a gallery each
        [{}] * 7 + [STRANGE] * 9,  # too little before to compare with
        [{}] * 20 + [STRANGE] * 6 + [{}],  # over again
        [SHORT, {}, {}] * 8 + [SHORT] * 4,  # a site of many short texts
        [{"familiarity": None}] * 20,
    ],
)
def test_no_change(states):
    assert find_changes(series(*states)) == []


def test_older_pages_are_forgotten():
    found = find_changes(series(*[STRANGE] * 100, *[{}] * 56, *[STRANGE] * 4))

    assert [evidence.n_before for evidence in found] == [56]


def test_redesign_of_a_site_is_noticed_within_five_pages():
    """The same articles in another template."""
    old = (b"<main>", b"<nav>", b"<footer>", b"<div class='article-body'>")
    site, facts, noticed = SiteKnowledge(), [], []
    for number in range(24):
        body = site_article(number, notice="")
        if number >= 16:
            for place, element in enumerate(old):
                body = body.replace(element, b"<div class='c-%d'>" % place)
        page = extracted(body)
        known = site.familiarity(page.sketch.keys)
        facts.append(
            PageFacts(
                number,
                MONDAY + timedelta(hours=number),
                len(page.text),
                frozenset(FIELDS),
                known.places if known else None,
            )
        )
        site.learn(page.sketch)
        noticed += [(number, found.page_after) for found in find_changes(facts)]

    assert noticed[0][1] == 16
    assert noticed[0][0] < 21


def test_order_of_articles_raises_nothing():
    numbers = list(range(30))
    random.Random(3).shuffle(numbers)
    site, facts = SiteKnowledge(), []
    for place, number in enumerate(numbers):
        page = extracted(site_article(number))
        known = site.familiarity(page.sketch.keys)
        shown = known.places if known else None
        facts.append(PageFacts(place, MONDAY, len(page.text), frozenset(FIELDS), shown))
        site.learn(page.sketch)
        assert find_changes(facts) == []
