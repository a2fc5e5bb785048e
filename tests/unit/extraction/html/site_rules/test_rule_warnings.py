"""Warnings of rules on pages: dead, several, overlapping, never used, slow; none for good rules."""

import pytest

from extraction.html.markup.parse import parse_html
from extraction.html.site_rules.body_patterns import between
from extraction.html.site_rules.rule_warnings import match_rule, warnings_of
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

SOURCE = """<html><body><h1>Rain</h1><h2>Late</h2><h2>Later</h2>
<div class="story"><p>It rained.</p><div class="promo"><p>Subscribe</p></div></div></body></html>"""
PAGES = [(parse_html(SOURCE), SOURCE) for _ in range(4)]
STORY = Rule(RuleField.BODY, RuleKind.CSS, ".story")
PROMO = Rule(RuleField.REMOVE, RuleKind.CSS, ".promo")


def warned(*rules):
    return [" ".join(said) for said in warnings_of([match_rule(rule, PAGES) for rule in rules])]


def test_good_rules_have_no_warning():
    pattern = Rule(RuleField.BODY, RuleKind.REGEX, between('class="story">', "</body"))

    assert warned(Rule(RuleField.TITLE, RuleKind.CSS, "h1"), STORY, PROMO) == ["", "", ""]
    assert warned(pattern) == [""]


@pytest.mark.parametrize(
    ("rule", "beginning"),
    [
        (Rule(RuleField.TITLE, RuleKind.CSS, ".none"), "Matches nothing: nothing on 4 pages."),
        (Rule(RuleField.TITLE, RuleKind.XPATH, "//h3"), "Dead path: nothing on 4 pages."),
        (Rule(RuleField.TITLE, RuleKind.XPATH, "//H1"), "Dead: matches nothing on 4 pages. Tags"),
        (Rule(RuleField.TITLE, RuleKind.CSS, "h2"), "Matches several elements on 4 pages, up to 2"),
        (Rule(RuleField.BODY, RuleKind.XPATH, "//p/text()"), "Names text, no element"),
        (Rule(RuleField.TITLE, RuleKind.REGEX, "x*"), "The pattern matches every value"),
        (Rule(RuleField.REMOVE, RuleKind.TEXT, "rained"), "So short a text"),
    ],
)
def test_a_rule_by_itself(rule, beginning):
    assert warned(rule)[0].startswith(beginning)


def test_a_rule_behind_one_that_always_matches_is_never_used():
    first, second = warned(STORY, Rule(RuleField.BODY, RuleKind.CSS, "div"))

    assert (first, second.startswith("Never used")) == ("", True)


def test_rules_that_take_the_same_overlap():
    twice = Rule(RuleField.REMOVE, RuleKind.XPATH, "//div[@class='promo']")
    body = Rule(RuleField.REMOVE, RuleKind.CSS, "div.story")

    assert warned(PROMO, twice)[1] == "Overlaps: another removal takes the same on 4 pages."
    assert warned(STORY, body)[0] == "Overlaps: a removal takes the whole body on 4 pages."


def test_a_path_that_looks_at_much_is_called_slow():
    rule = Rule(RuleField.REMOVE, RuleKind.CSS, "* + *")

    assert warned(rule)[0].startswith("Slow:")
