"""What is usual and what runs away, told apart by counting: no clock, so no machine differs."""

import random

import pytest
from cssselect import HTMLTranslator
from lxml import etree

from extraction.html.site_rules.path_cost import path_cost
from extraction.html.site_rules.rule_check import MOST_LOOKS, check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

USUAL_CSS = """
    article > div.body p
    div.story-body
    #main .content p:not(.ad):not([hidden])
    p + p, h2 ~ p, li:nth-child(2n+1)
    p + p
    h2 ~ p
    p ~ p
    * + *
    li:nth-child(2n+1)
    *:last-child
    p:nth-of-type(2)
    p:only-child
    div div div p
    * *
    div[class^="author"] > a[href*="/by/"]
    p:contains("Subscribe")
    p:has(> a.more)
"""
USUAL_PATHS = """
    //h1
    //meta[@name='date']/@content
    /html/body/div[2]/div[@id='text']/p
    string(//meta[@property='article:author']/@content)
    //div[.//time]//p[@class='a//b'][div//p]
    //div[contains(concat(' ', normalize-space(@class), ' '), ' body ')]//p
    //p[contains(., 'Subscribe') or starts-with(normalize-space(.), 'Read more')]
    //*[contains(text(), 'x')]
    //p[preceding-sibling::h2]
    //p[following-sibling::p[1]]
    //p[count(preceding-sibling::p) < 3]
    //h2[. = 'Related']/following-sibling::ul[1]/li
    //*[ancestor::div[@class = 'ad']]
    //p[contains(../@class, 'x')]
    //a[normalize-space(.) = 'More']/..
    (//div[@class='date'])[last()]
    //time/@datetime | //span[@class='date']
    //div[not(.//p)][position() < 3]
    //script[@type='application/ld+json'][1]/text()
    -1 + count(//p) * 2 mod 3
    //div[div or mod]/and/or
"""
RUNS_AWAY_CSS = """
    * ~ *
    * ~ * ~ *
    p ~ * ~ *
"""
RUNS_AWAY = """
    //*/following::*
    //*/preceding::node()
    //*[contains(string(../..), string(.))]
    //*[string(.) = string(../..)]
    //*[contains(.., 'x')]
    //p[contains(.., .)]
    //*[string-length(..) > 30]
    //*[preceding-sibling::*[preceding-sibling::*]]
    //p[following-sibling::*[not(preceding-sibling::*/@id)]]
    //*[count(../*[count(../*) > 3]) > 3]
    //*[../..//*[. = 'x']]
    //*[../* = .]
"""


def lines(table):
    return [line.strip() for line in table.strip().splitlines()]


@pytest.mark.parametrize(
    ("kind", "selector"),
    [(RuleKind.CSS, each) for each in lines(USUAL_CSS)]
    + [(RuleKind.XPATH, each) for each in lines(USUAL_PATHS)],
)
def test_usual_selector_is_far_below_the_most(kind, selector):
    path = selector if kind is RuleKind.XPATH else HTMLTranslator().css_to_xpath(selector)

    assert path_cost(path) < MOST_LOOKS / 2
    assert check_rule(Rule(RuleField.REMOVE, kind, selector=selector)) == ()


@pytest.mark.parametrize(
    ("kind", "selector"),
    [(RuleKind.CSS, each) for each in lines(RUNS_AWAY_CSS)]
    + [(RuleKind.XPATH, each) for each in lines(RUNS_AWAY)],
)
def test_selector_that_runs_away_is_far_above_the_most(kind, selector):
    path = selector if kind is RuleKind.XPATH else HTMLTranslator().css_to_xpath(selector)

    assert path_cost(path) > 1.5 * MOST_LOOKS
    assert [problem.part for problem in check_rule(Rule(RuleField.REMOVE, kind, selector=selector))]


@pytest.mark.parametrize(
    ("fewer", "more"),
    [
        ("//p", "//p//a"),
        ("//p", "//p[a]"),
        ("//p[a]", "//p[a and b]"),
        ("//p[@id]", "//p[preceding-sibling::a]"),
        ("//p[.]", "//p[. = 'x']"),
        ("//p[count(..) = 1]", "//p[string-length(..) = 1]"),
        ("//p/following-sibling::a[1]", "//p/following-sibling::a"),
        ("//p/following-sibling::a[position() = 1]", "//p/following-sibling::a[position() > 1]"),
        ("//p | //a", "//p | //a | //b"),
        ("//p/a", "//p/.//a"),
        ("/..", "//.."),
        ("id('a')", "id('a')/p"),
    ],
)
def test_what_asks_for_more_costs_more(fewer, more):
    assert path_cost(fewer) < path_cost(more)


class Writer:
    """Writes expressions of XPath by its grammar."""

    def __init__(self, seed):
        self.choice = random.Random(seed).choice

    def expression(self, depth):
        left, right = (self.operand(depth) for _ in "lr")
        operator = self.choice([" and ", " or ", "=", " != ", "<", " - ", " div ", "+", " * "])
        return self.choice([left, f"{left}{operator}{right}"])

    def operand(self, depth):
        literal = self.choice(["1", ".5", "2.", "'//x['", '"a"', "last()", "- position()"])
        if not depth:
            return literal
        path = self.choice(["", "/", "//"]) + self.steps(depth)
        inner = self.expression(depth - 1)
        group = f"({path}){self.conditions(depth)}{self.choice(['/', '//'])}{self.steps(depth)}"
        call = self.choice([f"concat({inner}, string( {inner} ))", f"count({path})", "true()"])
        return self.choice([literal, path, path, f"{path} | {path}", f"({inner})", group, call])

    def steps(self, depth):
        steps = [self.step(depth) for _ in range(self.choice([1, 2, 3]))]
        return self.choice(["/", "//"]).join(steps)

    def step(self, depth):
        axis = self.choice(
            ["", "", "@", "self::", "ancestor::", "following-sibling::", "parent ::"]
        )
        test = self.choice(["p", "*", "div", "mod", "and", "text()", "node()", "comment( )", "a-b"])
        return self.choice([".", "..", f"{axis}{test}{self.conditions(depth)}"])

    def conditions(self, depth):
        return "".join(f"[{self.expression(depth - 1)}]" for _ in range(self.choice([0, 0, 1, 2])))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_expression_that_can_be_run_can_be_counted(depth):
    expressions = [Writer(seed).operand(depth) for seed in range(150)]

    for expression in expressions:
        etree.XPath(expression)
        assert path_cost(expression) >= 1, expression


@pytest.mark.parametrize(
    "selector", ["//p[(a)]", "//a:b/@c:*", "$x/p", "processing-instruction('a')"]
)
def test_rare_forms_are_read(selector):
    assert path_cost(selector) >= 1
