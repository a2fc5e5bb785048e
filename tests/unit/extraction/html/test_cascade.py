"""The extractor chosen for a publication decides, with the default one behind it."""

import pytest

from extraction.html.extract_page import extract_page
from extraction.html.page import Extractor, PageInput
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules

WORDS = "Shops waited for more of the milk all day long in vain. " * 4
PAGE = (
    "<html><body><ul><li><a href='/'>Home</a></li></ul>"
    f"<div><p>{WORDS}</p><p>{WORDS}</p></div><aside>Short note.</aside></body></html>"
).encode()


def extracted(extractor, values=(), **more):
    return extract_page(
        PageInput(body=PAGE, extractor=extractor, extractor_values=tuple(values), **more)
    )


@pytest.mark.parametrize("name", ["tag_ratio", "text_density", "qread", "dgwc", "templateness"])
def test_chosen_algorithm_makes_the_text(name):
    page = extracted(name)

    assert page.extractor == Extractor(name)
    assert WORDS.strip() in page.text
    assert "chosen for this publication." in page.reason


def test_parameters_reach_the_algorithm():
    assert "Short note." in extracted("tag_ratio").text
    assert "Short note." not in extracted("tag_ratio", [("least_ratio", 11.0)]).text


def test_editors_body_rule_comes_first():
    rules = SiteRules((Rule(RuleField.BODY, RuleKind.CSS, selector="aside"),))

    page = extracted("text_density", rules=rules)

    assert (page.extractor, page.text) == (Extractor.RULE, "Short note.")


def test_default_answers_where_the_algorithm_finds_nothing():
    page = extracted("tag_ratio", [("least_ratio", 999.0)])

    assert page.extractor not in {Extractor.TAG_RATIO, Extractor.NONE}
    assert page.reason.startswith("Text-to-tag ratio found no text.")


def test_default_answers_where_stored_parameters_are_not_allowed():
    page = extracted("qread", [("gap_lines", 0)])

    assert page.extractor is not Extractor.QREAD
    assert page.reason.startswith("The chosen extractor cannot run: “gap_lines” is a number from")
