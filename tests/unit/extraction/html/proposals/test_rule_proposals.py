"""Rules proposed from pages whose values are known, and the repair after a redesign."""

from dataclasses import replace

import pytest
from known_site import NEW, OLD, known_page

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from extraction.html.proposals.body_proposals import propose_body
from extraction.html.proposals.rule_proposals import propose_values
from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import RuleField, RuleKind, SiteRules


def best_rules(pages):
    body = propose_body(pages)[0]
    values = [proposals[0].rule for proposals in propose_values(pages).values()]
    return SiteRules((*values, body.body.rule, *(removal.rule for removal in body.removals)))


@pytest.mark.parametrize(
    ("field", "expected"),
    [(RuleField.TITLE, ".headline"), (RuleField.AUTHOR, ".name"), (RuleField.DATE, ".date")],
)
def test_propose_values_finds_where_a_field_stands(field, expected):
    pages = [known_page(number) for number in range(6)]

    best = propose_values(pages)[field][0]

    assert (best.rule.selector, best.n_once, best.n_agree, best.n_known) == (expected, 6, 6, 6)


def test_every_proposal_can_be_saved():
    pages = [known_page(number) for number in range(6)]

    values = [each.rule for proposals in propose_values(pages).values() for each in proposals]
    bodies = [rule for each in propose_body(pages) for rule in (each.body, *each.removals)]

    for rule in [*values, *(each.rule for each in bodies)]:
        assert [problem for problem in check_rule(rule) if problem.is_error] == []


def test_propose_values_counts_pages_that_disagree():
    pages = [known_page(number) for number in range(6)]
    pages[0] = replace(pages[0], title="Another headline altogether")

    best = propose_values(pages)[RuleField.TITLE][0]

    assert (best.n_once, best.n_agree, best.n_known) == (6, 5, 6)


def test_propose_values_says_nothing_of_what_is_not_known():
    pages = [replace(known_page(number), authors=(), title="") for number in range(4)]

    assert list(propose_values(pages)) == [RuleField.DATE]


@pytest.mark.parametrize("pages", [[], [known_page(1)]])
def test_one_page_proves_nothing(pages):
    assert propose_values(pages) == {}
    assert propose_body(pages) == ()


def test_propose_body_takes_the_container_and_removes_what_never_is_text():
    best = propose_body([known_page(number) for number in range(6)])[0]

    assert best.body.rule.selector == ".story"
    assert [removal.rule.selector for removal in best.removals] == [".related"]
    assert (best.body.n_agree, best.body.n_once, best.mean_score) == (6, 6, 1.0)


def test_propose_body_removes_recurring_wording_that_has_no_name():
    pages = [known_page(number, has_related=False) for number in range(5)]
    notice = (
        b"<p>Write to us at the usual address if this story is wrong.</p></div><div class='foot'"
    )
    pages = [
        replace(
            page,
            body=page.body.replace(
                b"</div></main><div class='foot'", notice + b"></div></main><div"
            ),
        )
        for page in pages
    ]

    best = propose_body(pages)[0]

    assert [(r.rule.kind, r.rule.selector) for r in best.removals] == [
        (RuleKind.TEXT, "Write to us at the usual address if this story is wrong.")
    ]


@pytest.mark.parametrize("layout", [OLD, NEW])
def test_proposed_rules_extract_pages_that_they_were_not_made_from(layout):
    rules = best_rules([known_page(number, layout) for number in range(8)])

    for number in range(20, 26):
        unseen = known_page(number, layout)
        page = extract_page(PageInput(body=unseen.body, content_type="text/html", rules=rules))
        assert page.text == unseen.text
        assert (page.title, page.authors) == (unseen.title, unseen.authors)
        assert page.published_at.date() == unseen.day


def test_known_texts_found_in_a_new_layout_are_the_repair():
    """The values are those of the old pages, the markup is the new one."""
    repaired = best_rules([known_page(number, NEW) for number in range(5)])

    assert [rule.selector for rule in repaired.rules] == [
        ".c-title", ".c-who__name", ".c-when", ".c-story", ".c-readnext"
    ]  # fmt: skip
