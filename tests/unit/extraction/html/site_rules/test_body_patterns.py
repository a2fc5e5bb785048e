"""Bodies named by a pattern over the source: the piece between two marks, and what it becomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.algorithms.scored_page import kept_text, read_page
from extraction.html.extract_page import extract_page
from extraction.html.page import Extractor, PageInput
from extraction.html.site_rules.body_patterns import between, body_html
from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules

PAGE = """<html><body><p>Menu</p>
Rain at last.<br>It fell on <b>Beaufort West</b> (all night).<!-- end? -->
<!-- more --><p>Read also: snow.</p></body></html>"""


def rule(pattern):
    return Rule(RuleField.BODY, RuleKind.REGEX, pattern)


def extracted(*patterns, page=PAGE):
    rules = SiteRules(tuple(map(rule, patterns)))
    return extract_page(PageInput(page.encode(), content_type="text/html", rules=rules))


def test_the_body_is_what_stands_between_two_pieces():
    """Loose text with line breaks: no element holds it alone."""
    found = extracted(between("<p>Menu</p>", "<!-- end? -->"))

    assert found.text == "Rain at last.\nIt fell on Beaufort West (all night)."
    assert found.extractor is Extractor.RULE
    assert [report.matched for report in found.rule_reports] == [True]


def test_without_a_group_the_whole_match_is_the_body():
    assert extracted("It fell.*?night").text == "It fell on Beaufort West (all night"


def test_the_first_pattern_that_matches_wins():
    found = extracted("no such <piece>(.*)", "Rain (at) last")

    assert found.text == "at"
    assert [report.matched for report in found.rule_reports] == [False, True]


def test_a_pattern_that_matches_nothing_leaves_the_page_to_others():
    assert extracted("nothing").extractor is not Extractor.RULE


def test_removals_apply_to_lines_of_the_page_and_the_pattern_has_their_kinds():
    page = "<html><body><div><h2>Late</h2><p>First words.</p></div>end</body></html>"

    found = extracted("<div>(.*?)</div>", page=page)

    assert [block.kind.value for block in found.blocks] == ["heading", "paragraph"]


def test_the_editors_rule_as_an_algorithm_knows_patterns():
    rules = SiteRules((rule(between("<p>Menu</p>", "<!-- end? -->")),))
    read = read_page(PageInput(PAGE.encode(), content_type="text/html", rules=rules))

    scored = ExtractorChoice.parse("rule").run(read)
    assert kept_text(read, scored) == "Rain at last.\nIt fell on Beaufort West (all night)."


@pytest.mark.parametrize(("pattern", "n_errors"), [("(a", 1), (r"(?<=a)b", 1), ("a(.*?)b", 0)])
def test_patterns_are_checked_by_re2(pattern, n_errors):
    assert sum(problem.is_error for problem in check_rule(rule(pattern))) == n_errors


SIGNS = st.characters(codec="ascii", exclude_categories=["Cc"])
PIECES = st.text(SIGNS, min_size=1).map(str.strip).filter(bool)


@given(PIECES, PIECES, st.text("xyz <p>", max_size=20))
def test_between_finds_its_own_marks(start, end, body):
    html = body_html(rule(between(start, end)), f"{start}{body}{end}")

    assert f"{body}{end}".startswith(html)
