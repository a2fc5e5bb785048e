from dataclasses import replace

import pytest

from extraction.html.site_rules.rule_check import RuleProblem, check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind


def tag_rule(tag, name="", value="", **more):
    return Rule(
        RuleField.REMOVE,
        RuleKind.TAG,
        tag_type=tag,
        attribute_name=name,
        attribute_value=value,
        **more,
    )


@pytest.mark.parametrize(
    "rule",
    [
        tag_rule("div", "class", "byline"),
        tag_rule("div", "class", "author.*", value_is_regex=True),
        tag_rule("gu-island", "data-name", "Byline"),
        tag_rule("p", "style", "text-align: center"),
        Rule(RuleField.BODY, RuleKind.CSS, selector="article > div.body p"),
        Rule(RuleField.REMOVE, RuleKind.CSS, selector="p + p, h2 ~ p, li:nth-child(2n+1)"),
        Rule(RuleField.DATE, RuleKind.XPATH, selector="//meta[@name='date']/@content"),
        Rule(RuleField.BODY, RuleKind.XPATH, selector="//div[.//time]//p[@class='a//b'][div//p]"),
        Rule(RuleField.REMOVE, RuleKind.TEXT, selector="This story may not be reproduced."),
        Rule(RuleField.REMOVE, RuleKind.REGEX, selector="^Subscribe to"),
        Rule(RuleField.TITLE, RuleKind.REGEX, selector=r"<h2\b[^>]*>(.*?)</h2>"),
        Rule(RuleField.AUTHOR, RuleKind.JSON, selector="@graph.author.0.name"),
    ],
)
def test_good_rule_has_no_problem(rule):
    assert check_rule(rule) == ()


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (
            tag_rule("div", "span", "style"),
            RuleProblem(
                "attribute_name", "“span” is a tag, not an attribute: are the fields swapped?"
            ),
        ),
        (tag_rule(""), RuleProblem("tag_type", "Name the tag, such as div.")),
        (tag_rule("div.byline"), RuleProblem("tag_type", "“div.byline” is not the name of a tag.")),
        (
            tag_rule("div", "", "byline"),
            RuleProblem("attribute_name", "Name the attribute that has this value."),
        ),
        (
            tag_rule("div", "class=x", "y"),
            RuleProblem("attribute_name", "“class=x” is not the name of an attribute."),
        ),
        (
            tag_rule("div", "class", "(", value_is_regex=True),
            RuleProblem(
                "attribute_value", "The pattern cannot be read: missing ): (. At character 1."
            ),
        ),
        (
            Rule(RuleField.TITLE, RuleKind.REGEX, selector=r"<h1>(?=x)"),
            RuleProblem(
                "selector",
                "The pattern cannot be read: invalid perl operator: (?=. At character 5.",
            ),
        ),
        (
            Rule(RuleField.BODY, RuleKind.JSON, selector="article.body"),
            RuleProblem(
                "kind",
                "The body is named by its element or a pattern: use CSS, XPath, a tag or RE2.",
            ),
        ),
        (
            Rule(RuleField.AUTHOR, RuleKind.JSON, selector="author..name"),
            RuleProblem("selector", "A key is missing between two dots. At character 8."),
        ),
        (
            Rule(RuleField.REMOVE, RuleKind.JSON, selector="author"),
            RuleProblem("kind", "Embedded data is not part of the text and needs no removal."),
        ),
        (
            Rule(RuleField.BODY, RuleKind.CSS, selector="div..x"),
            RuleProblem(
                "selector",
                "The CSS selector cannot be read: Expected ident, got <DELIM '.'>. At character 5.",
            ),
        ),
        (
            Rule(RuleField.TITLE, RuleKind.XPATH, selector="//h:h2"),
            RuleProblem(
                "selector",
                "The expression cannot be evaluated: Undefined namespace prefix."
                " Write h2, not h:h2.",
            ),
        ),
        (
            Rule(RuleField.TITLE, RuleKind.XPATH, selector="//*/following::*"),
            RuleProblem(
                "selector",
                "It takes too long: every element seems to be compared with every other.",
            ),
        ),
        (
            Rule(
                RuleField.BODY, RuleKind.XPATH, selector="//*[contains(string(../..), string(.))]"
            ),
            RuleProblem(
                "selector",
                "It takes too long: every element seems to be compared with every other.",
            ),
        ),
        (
            Rule(RuleField.REMOVE, RuleKind.CSS, selector="* ~ * ~ *"),
            RuleProblem(
                "selector",
                "It takes too long: every element seems to be compared with every other.",
            ),
        ),
        (
            Rule(
                RuleField.REMOVE,
                RuleKind.XPATH,
                selector="//*[preceding-sibling::*[preceding-sibling::*]]",
            ),
            RuleProblem(
                "selector",
                "It takes too long: every element seems to be compared with every other.",
            ),
        ),
        (
            Rule(RuleField.AUTHOR, RuleKind.JSON, selector="author." + "9" * 5000),
            RuleProblem(
                "selector",
                "A position has at most nine digits. At character 8.",
            ),
        ),
        (
            Rule(RuleField.BODY, RuleKind.CSS, selector=" "),
            RuleProblem("selector", "Write the selector or the expression."),
        ),
        (
            Rule(RuleField.BODY, RuleKind.CSS, selector="p" * 501),
            RuleProblem("selector", "It is longer than 500 characters."),
        ),
        (
            Rule(RuleField.BODY, RuleKind.XPATH, selector="//a" + "[.//b]" * 6),
            RuleProblem(
                "selector", "It searches the whole page more than 6 times, which takes too long."
            ),
        ),
        (
            Rule(RuleField.TITLE, RuleKind.TEXT, selector="Some static text."),
            RuleProblem("kind", "A static text can only be removed."),
        ),
        (
            Rule(RuleField.REMOVE, RuleKind.TEXT, selector=" "),
            RuleProblem("selector", "Write the text that is to be removed."),
        ),
    ],
)
def test_mistake_is_an_error_with_a_sentence(rule, problem):
    assert problem in [replace(found, position=None) for found in check_rule(rule)]


def test_error_has_the_position_of_its_character():
    rule = Rule(RuleField.BODY, RuleKind.CSS, selector="div..x")

    assert [problem.position for problem in check_rule(rule)] == [4]


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        (tag_rule("dvi"), "tag_type"),
        (tag_rule("div", "klass", "style"), "attribute_value"),
        (tag_rule("div", "class", "x*", value_is_regex=True), "attribute_value"),
        (tag_rule("div", "class", "x", split_index=1), "split_index"),
        (Rule(RuleField.REMOVE, RuleKind.TEXT, selector="Share"), "selector"),
    ],
)
def test_slip_is_a_warning(rule, part):
    assert [(problem.part, problem.is_error) for problem in check_rule(rule)] == [(part, False)]


@pytest.mark.parametrize(
    "expression",
    ["count(//*[count(//*[count(//*)>0])>0])", "//p[//b]", "//p[a or //b]", "//p[following::p]"],
)
def test_expression_that_searches_the_page_for_each_element_is_refused(expression):
    problems = check_rule(Rule(RuleField.TITLE, RuleKind.XPATH, selector=expression))

    assert [(problem.part, problem.is_error) for problem in problems] == [("selector", True)]
    assert problems[0].sentence.startswith("A condition in brackets")
