"""An element picked on a stored page, its neighbours and the selectors suggested for it."""

import pytest
from known_site import known_page

from extraction.html.markup.parse import parse_html
from extraction.html.proposals.picking import outline_rows, pick
from extraction.html.site_rules.rule_warnings import match_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

PAGES = [parse_html(known_page(number).body.decode()) for number in range(5)]


def number_of(root, path):
    return list(root.iter()).index(root.xpath(path)[0])


def test_pick_describes_the_element_and_what_is_around_it():
    root = PAGES[0]

    picked = pick(root, number_of(root, "//p[@class='byline']"), RuleField.AUTHOR, PAGES)

    assert (picked.name, picked.path) == ("p.byline", "/html/body/main/p")
    around = [picked.parent, picked.child, picked.before, picked.after]
    paths = ["//main", "//p/span", "//h1", "//div[@class='story']"]
    assert around == [number_of(root, path) for path in paths]
    assert picked.text.startswith("By ")


@pytest.mark.parametrize(
    ("path", "selector", "n_once"),
    [
        ("//span[@class='name']", ".name", 5),
        ("//div[@class='story']", ".story", 5),
        ("//div[@class='related']//a", ".related a", 0),
    ],
)
def test_first_suggestion_matches_most_and_takes_least(path, selector, n_once):
    root = PAGES[0]

    best = pick(root, number_of(root, path), RuleField.REMOVE, PAGES).suggestions[0]

    assert (best.rule.selector, best.n_once, best.n_pages) == (selector, n_once, 5)


def test_one_of_many_is_offered_with_the_list_around_it():
    root = PAGES[0]
    number = number_of(root, "//div[@class='related']//a")

    offered = pick(root, number, RuleField.REMOVE, PAGES).suggestions[-1]

    assert (offered.rule.selector, offered.n_once, offered.is_around) == (".related", 5, True)


@pytest.mark.parametrize("number", [-1, 10_000])
def test_pick_of_no_element_is_none(number):
    assert pick(PAGES[0], number, RuleField.BODY, PAGES) is None


def test_a_selector_that_is_given_up_as_too_slow_is_not_offered():
    page = parse_html(f"<body>{'<article><p>Rain.</p></article>' * 50_000}")

    picked = pick(page, number_of(page, "body/article/p"), RuleField.BODY, [page])

    assert [one.rule.selector for one in picked.suggestions] == ["article > p", "p"]


def test_outline_has_the_numbers_of_the_tree():
    root = PAGES[0]

    rows = outline_rows(root)

    elements = list(root.iter())
    assert all(" ".join(elements[row.number].itertext()).split() for row in rows)
    assert [row.name for row in rows if row.name.startswith(("h1", "div.story", "div#"))] == [
        "h1.headline",
        "div#post-01234",
    ]


def test_outline_shows_menus_as_one_row_and_no_script():
    page = "<nav><ul><li>News</li><li>Sport</li></ul></nav><div>Text<script>x()</script></div>"

    rows = outline_rows(parse_html(f"<body>{page}<p><b>A</b> b</p></body>"))

    assert [(row.name, row.text) for row in rows] == [
        ("nav", "News Sport"),
        ("div", "Text"),
        ("p", "A b"),
    ]


@pytest.mark.parametrize(
    ("kind", "selector", "expected"),
    [
        (RuleKind.CSS, ".story", 5),
        (RuleKind.CSS, "#post-01234", 1),
        (RuleKind.TEXT, "The Karoo Herald, since 1904.", 5),
        (RuleKind.REGEX, "^Read also", 0),
        (RuleKind.CSS, "div..x", 0),
    ],
)
def test_rule_matches_on_so_many_pages(kind, selector, expected):
    rule = Rule(RuleField.REMOVE, kind, selector)

    assert match_rule(rule, [(page, "") for page in PAGES]).n_matching == expected
