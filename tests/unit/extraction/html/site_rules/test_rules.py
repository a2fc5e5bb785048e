import pytest
from bs4 import BeautifulSoup
from lxml import etree

from extraction.html.markup.parse import parse_html
from extraction.html.site_rules.rules import (
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    find,
    remove_matches,
    value_of,
)

PAGE = """
<html><body>
<div class="meta author-box wide"><span class="author">By <b>Thandi Nkosi</b></span></div>
<div class="author-2">Second</div>
<p id="date">5 June 2024</p>
<meta name="date" content="2024-06-05">
<time datetime="2024-06-05T10:00:00+02:00"></time>
</body></html>
"""


def tag_rule(tag="div", name="", value="", **more):
    return Rule(
        RuleField.AUTHOR,
        RuleKind.TAG,
        tag_type=tag,
        attribute_name=name,
        attribute_value=value,
        **more,
    )


def first_value(rule):
    matches = find(rule, parse_html(PAGE))
    return value_of(rule, matches[0]) if matches else None


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule(RuleField.AUTHOR, RuleKind.CSS, selector="span.author b"), "Thandi Nkosi"),
        (
            Rule(RuleField.AUTHOR, RuleKind.XPATH, selector="//span[@class='author']/b"),
            "Thandi Nkosi",
        ),
        (
            Rule(RuleField.DATE, RuleKind.XPATH, selector="//meta[@name='date']/@content"),
            "2024-06-05",
        ),
        (Rule(RuleField.DATE, RuleKind.XPATH, selector="string(//p[@id='date'])"), "5 June 2024"),
        (Rule(RuleField.DATE, RuleKind.CSS, selector="meta[name=date]"), "2024-06-05"),
        (Rule(RuleField.DATE, RuleKind.CSS, selector="time"), "2024-06-05T10:00:00+02:00"),
        (Rule(RuleField.DATE, RuleKind.CSS, selector="h6.absent"), None),
        (tag_rule("span", "class", "author"), "By Thandi Nkosi"),
        (tag_rule("div", "class", "author-box"), "By Thandi Nkosi"),
        (tag_rule("div", "class", "meta author-box wide"), "By Thandi Nkosi"),
        (tag_rule("div", "class", "author"), None),
        (tag_rule("div", "class", "^author.*$", value_is_regex=True), "By Thandi Nkosi"),
        (tag_rule("div", "class", r"^author-\d$", value_is_regex=True), "Second"),
        (tag_rule("p", "id"), "5 June 2024"),
        (tag_rule("p"), "5 June 2024"),
    ],
)
def test_rule_finds_the_value(rule, expected):
    assert first_value(rule) == expected


@pytest.mark.parametrize(
    ("split_string", "split_index", "expected"),
    [
        ("<b>", 1, "Thandi Nkosi"),
        ("<b>", -1, "Thandi Nkosi"),
        ("<b>", 0, "By"),
        ("<b>", 2, ""),
        ("absent", 0, "By Thandi Nkosi"),
        ("absent", 1, ""),
    ],
)
def test_split_takes_one_piece_of_the_html(split_string, split_index, expected):
    rule = tag_rule("span", "class", "author", split_string=split_string, split_index=split_index)

    assert first_value(rule) == expected


@pytest.mark.parametrize(
    ("tag", "name", "value"),
    [
        ("div", "class", "wide"),
        ("div", "class", "meta author-box wide"),
        ("p", "id", "date"),
        ("div", "class", "author"),
    ],
)
def test_tag_rule_matches_what_beautiful_soup_matches(tag, name, value):
    expected = [
        element.get_text() for element in BeautifulSoup(PAGE, "lxml").find_all(tag, {name: value})
    ]

    found = [
        str(etree.tostring(match, method="text", encoding="unicode", with_tail=False))
        for match in find(tag_rule(tag, name, value), parse_html(PAGE))
    ]

    assert found == expected


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            Rule(RuleField.BODY, RuleKind.CSS, selector="div..x"),
            "The CSS selector cannot be read: Expected ident, got <DELIM '.'>.",
        ),
        (
            Rule(RuleField.BODY, RuleKind.XPATH, selector="//div["),
            "The XPath cannot be read: Invalid expression.",
        ),
        (
            Rule(RuleField.BODY, RuleKind.XPATH, selector="//div[re:test(., 'a')]"),
            "The expression cannot be evaluated: Undefined namespace prefix.",
        ),
        (
            tag_rule("div", "class", "(a", value_is_regex=True),
            "The pattern cannot be read: missing ): (a.",
        ),
        (
            tag_rule("div", "class", r"(a)\1", value_is_regex=True),
            "The pattern cannot be read: invalid escape sequence: \\1.",
        ),
    ],
)
def test_broken_rule_says_why(rule, sentence):
    with pytest.raises(RuleError) as caught:
        find(rule, parse_html(PAGE))

    assert str(caught.value) == sentence


SOURCE = """<html><head><script type="application/ld+json">
{"@graph": [{"@type": "Organization", "name": "Karoo"},
 {"@type": "NewsArticle", "author": [{"name": "Ann <b>Botha</b>"}, {"name": "Sipho"}], "n": 7,}]}
</script></head><body><h2 class="x">The <i>headline</i></h2><p>Subscribe to us</p>
<div><p>She said: Subscribe to us</p></div></body></html>"""


@pytest.mark.parametrize(
    ("kind", "selector", "expected"),
    [
        (RuleKind.REGEX, r"<h2\b[^>]*>(.*?)</h2>", ["The headline"]),
        (RuleKind.REGEX, r"Organi\w+", ["Organization"]),
        (RuleKind.REGEX, r"^(a+)+$", []),
        (RuleKind.JSON, "@graph.author.name", ["Ann Botha", "Sipho"]),
        (RuleKind.JSON, "@graph.author.1.name", ["Sipho"]),
        (RuleKind.JSON, "@graph.1.n", ["7"]),
        (RuleKind.JSON, "@graph.author", []),
        (RuleKind.JSON, "@graph.9.n", []),
    ],
)
def test_rule_finds_values_in_the_source(kind, selector, expected):
    rule = Rule(RuleField.AUTHOR, kind, selector=selector)

    assert find(rule, parse_html(SOURCE), SOURCE) == expected


def test_removal_by_pattern_takes_innermost_elements_with_such_a_text():
    page = parse_html(SOURCE)

    n_removed = remove_matches(Rule(RuleField.REMOVE, RuleKind.REGEX, "^Subscribe to"), page)

    assert (n_removed, [p.text for p in page.iter("p")]) == (1, ["She said: Subscribe to us"])


@pytest.mark.parametrize(
    ("field", "expected"),
    [(RuleField.DATE, "2024-06-05T10:00:00+02:00"), (RuleField.SECTION, "This morning")],
)
def test_date_of_an_element_is_its_machine_readable_one(field, expected):
    page = parse_html("<time datetime='2024-06-05T10:00:00+02:00'>This morning</time>")
    rule = Rule(field, RuleKind.CSS, "time")

    assert value_of(rule, find(rule, page)[0]) == expected


def test_runaway_pattern_ends():
    page = parse_html(f"<div class='{'a' * 20_000}b'>x</div>")

    assert find(tag_rule("div", "class", "^(a+)+$", value_is_regex=True), page) == []


def test_remove_matches_takes_elements_and_keeps_what_follows():
    root = parse_html("<div>one<i class='x'>two</i>three<i class='x'>four</i></div>")

    n_removed = remove_matches(
        Rule(
            RuleField.REMOVE,
            RuleKind.TAG,
            tag_type="i",
            attribute_name="class",
            attribute_value="x",
        ),
        root,
    )

    assert (n_removed, "".join(root.itertext())) == (2, "onethree")
