import os

import pytest
from lxml import etree

from extraction.html.extract_page import extract_page
from extraction.html.markup.limited_paths import PathTooSlow, is_large, run_path
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from extraction.html.site_rules.rules import (
    TOO_SLOW,
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    SiteRules,
    find,
)
from extraction.html.site_rules.static_text import remove_static_text

# Refused at save, but a table that is brought in may hold it.
SLOW = "//*[string(.)=string(../..)]"
WORDS = "The council met on Monday to speak about the water of the town and its price. "
LARGE = "".join(f"<p class='a{n}'>{n} {WORDS}</p>" for n in range(20_000))
PAGE = f"<html><body><h1>Water</h1><div id='text'>{LARGE}</div></body></html>"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("//h1", ["h1"]),
        ("//p[position() < 3]/@class", ["a0", "a1"]),
        ("//h1/text()", ["Water"]),
        ("count(//p)", 20_000.0),
        ("boolean(//article)", False),
        ("string(//h1)", "Water"),
        ("//article", []),
    ],
)
def test_large_page_gives_what_the_path_finds(expression, expected):
    root = parse_html(PAGE)
    path = etree.XPath(expression, smart_strings=False)

    found = run_path(path, root)

    assert is_large(root)
    assert found == path(root)
    named = [getattr(item, "tag", item) for item in found] if isinstance(found, list) else found
    assert named == expected


def test_variables_reach_the_path_on_a_large_page():
    root = parse_html(PAGE)

    assert run_path(etree.XPath("//p[@class=$name]"), root, name="a7") == [root.find(".//p[8]")]


def test_path_that_cannot_be_evaluated_says_so_on_a_large_page():
    with pytest.raises(etree.XPathEvalError, match="Undefined variable"):
        run_path(etree.XPath("//p[@class=$unknown]"), parse_html(PAGE))


def test_rule_that_takes_minutes_is_stopped_and_leaves_no_process():
    with pytest.raises(RuleError, match="stopped after searching") as problem:
        find(Rule(RuleField.REMOVE, RuleKind.XPATH, SLOW), parse_html(PAGE))

    assert isinstance(problem.value.__cause__, PathTooSlow)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_rule_that_takes_minutes_is_reported_and_the_page_read_without_it():
    rules = SiteRules((Rule(RuleField.BODY, RuleKind.XPATH, SLOW),))

    page = extract_page(PageInput(body=PAGE.encode(), rules=rules))

    (report,) = page.rule_reports
    assert (report.part, report.matched, report.problem) == ("body 1", False, TOO_SLOW)
    assert page.text.count(WORDS.strip()) > 1_000


def test_static_text_goes_from_a_large_page():
    root = parse_html(PAGE.replace("</body>", "<div>Support our paper today!</div></body>"))

    assert remove_static_text(root, "Support our  paper today!") == 1
    assert "Support" not in "".join(root.itertext())


def test_usual_page_is_not_large():
    assert not is_large(parse_html("<h1>Water</h1>" + f"<p>{WORDS}</p>" * 400))
