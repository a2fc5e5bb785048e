"""Is a site's rule right? Rule → problems as sentences, found before it is stored.

Errors cannot be run or cannot mean what was typed; warnings can, but look like a slip. The slip of
the requirements' own example (attribute name "span", attribute value "style": fields swapped) is an
error.
"""

import re
from dataclasses import dataclass, replace

from lxml import etree

from extraction.html.site_rules.path_cost import path_cost
from extraction.html.site_rules.rules import (
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    compile_pattern,
    find,
    xpath_of,
)
from extraction.html.site_rules.source_values import json_steps

MAX_SELECTOR_CHARACTERS = 500
# Each of these may visit the whole page once for every node it starts from.
MAX_DEEP_STEPS = 6
_DEEP_STEPS = (
    "//",
    "descendant::",
    "following::",
    "preceding::",
    "ancestor::",
    "descendant-or-self::",
)
# Brackets, and steps to anywhere: from the root, or along an axis that reaches the whole page.
_PREDICATE_PARTS = re.compile(r"[\[\]]|(?<![\w.)\]*])//|(?:following|preceding)::")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
# Static text that is shorter is a word, and would be cut out of sentences.
_MIN_STATIC_CHARACTERS = 12
_TAG_NAMES = """
    a abbr address article aside b bdi bdo blockquote body br button caption center code col
    colgroup dd del details dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3
    h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map
    mark menu meta nav noscript ol option p picture pre q s samp script section select small source
    span strike strong style sub summary sup table tbody td template textarea tfoot th thead time
    title tr tt u ul var video audio
"""
TAGS = frozenset(_TAG_NAMES.split())
# Names that are tags and attributes both; as an attribute they are meant.
_ALSO_ATTRIBUTES = frozenset(["title", "style", "label", "summary", "cite", "form", "menu"])
_ATTRIBUTE_NAMES = frozenset(
    ["class", "id", "style", "title", "name", "rel", "itemprop", "property", "role", "href", "src"]
)
# Nodes looked at on a page of `path_cost.N_ELEMENTS`. Usual selectors look at 1,000 to 100,000,
# `* + *`, which compares all neighbours, at 4 million; what asks each pair of elements for a third
# one, or each element for all text around it, at 20 million to a billion.
MOST_LOOKS = 12_000_000
_TRIAL = "<html><body><p class='trial'>trial</p></body></html>"


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One thing that is wrong with a rule; `part` is the name of the field of `Rule`."""

    part: str
    sentence: str
    is_error: bool = True
    position: int | None = None  # of the character it is about, counted from 0


def check_rule(rule: Rule) -> tuple[RuleProblem, ...]:
    """Check one rule; nothing is wrong when the result is empty.

    Examples
    --------
    >>> swapped = Rule(
    ...     RuleField.REMOVE,
    ...     RuleKind.TAG,
    ...     tag_type="div",
    ...     attribute_name="span",
    ...     attribute_value="style",
    ... )
    >>> check_rule(swapped)[0].sentence
    '“span” is a tag, not an attribute: are the fields swapped?'
    """
    if rule.kind is RuleKind.TAG:
        return tuple(_check_tag(rule))
    if rule.kind is RuleKind.TEXT:
        return tuple(_check_text(rule))
    if rule.kind in {RuleKind.REGEX, RuleKind.JSON}:
        return tuple(_check_source_rule(rule))
    return tuple(_check_selector(rule))


def _check_tag(rule: Rule) -> list[RuleProblem]:
    tag, name, value = rule.tag_type.strip(), rule.attribute_name.strip(), rule.attribute_value
    problems = []
    if not tag:
        problems.append(RuleProblem("tag_type", "Name the tag, such as div."))
    elif any(sign in tag for sign in ".#[]<> "):
        problems.append(RuleProblem("tag_type", f"“{tag}” is not the name of a tag."))
    elif tag.lower() not in TAGS and "-" not in tag and tag != "*":
        sentence = f"HTML has no tag “{tag}”: the page must have invented it."
        problems.append(RuleProblem("tag_type", sentence, is_error=False))
    if name.lower() in TAGS - _ALSO_ATTRIBUTES:
        sentence = f"“{name}” is a tag, not an attribute: are the fields swapped?"
        problems.append(RuleProblem("attribute_name", sentence))
    elif name and not name.replace("-", "").replace("_", "").replace(":", "").isalnum():
        problems.append(RuleProblem("attribute_name", f"“{name}” is not the name of an attribute."))
    if value and not name:
        problems.append(RuleProblem("attribute_name", "Name the attribute that has this value."))
    if (
        not rule.value_is_regex
        and value.lower() in _ATTRIBUTE_NAMES
        and name.lower() not in _ATTRIBUTE_NAMES
    ):
        sentence = f"“{value}” is the name of an attribute: are the fields swapped?"
        problems.append(RuleProblem("attribute_value", sentence, is_error=False))
    if rule.value_is_regex:
        problems += _check_pattern(value, "attribute_value")
    if rule.split_index and not rule.split_string:
        sentence = "The piece counts only with a string to split at."
        problems.append(RuleProblem("split_index", sentence, is_error=False))
    return problems


def _check_pattern(pattern: str, part: str) -> list[RuleProblem]:
    try:
        compiled = compile_pattern(pattern)
    except RuleError as error:
        return [_problem(part, error)]
    if compiled.search("") is not None:
        sentence = "The pattern matches every value, even an empty one."
        return [RuleProblem(part, sentence, is_error=False)]
    return []


def _problem(part: str, error: RuleError) -> RuleProblem:
    """Say what the reader said, with the place counted as an editor counts."""
    place = "" if error.position is None else f" At character {error.position + 1}."
    return RuleProblem(part, f"{error}{place}", position=error.position)


def _check_source_rule(rule: Rule) -> list[RuleProblem]:
    """Check a pattern or a JSON path."""
    if not rule.selector.strip():
        return [RuleProblem("selector", "Write the pattern or the path.")]
    if rule.field is RuleField.BODY and rule.kind is RuleKind.JSON:
        sentence = "The body is named by its element or a pattern: use CSS, XPath, a tag or RE2."
        return [RuleProblem("kind", sentence)]
    if rule.kind is RuleKind.REGEX:
        return _check_pattern(rule.selector, "selector")
    if rule.field is RuleField.REMOVE:
        return [RuleProblem("kind", "Embedded data is not part of the text and needs no removal.")]
    try:
        json_steps(rule.selector)
    except ValueError as error:
        sentence, position = error.args
        return [_problem("selector", RuleError(sentence, position))]
    return []


def _check_text(rule: Rule) -> list[RuleProblem]:
    if rule.field is not RuleField.REMOVE:
        return [RuleProblem("kind", "A static text can only be removed.")]
    text = " ".join(rule.selector.split())
    if not text:
        return [RuleProblem("selector", "Write the text that is to be removed.")]
    if len(text) < _MIN_STATIC_CHARACTERS:
        sentence = "So short a text may stand in any sentence; a rule for its element is safer."
        return [RuleProblem("selector", sentence, is_error=False)]
    return []


def _searches_page_in_predicate(expression: str) -> bool:
    """Whether a path that starts at the root, or goes over all other nodes, stands in brackets.

    `//*[count(//*) > 0]` visits a page of 8,000 nodes 64 million times, and so on with each level.
    """
    depth = 0
    for place in _PREDICATE_PARTS.finditer(_QUOTED.sub("''", expression)):
        depth += {"[": 1, "]": -1}.get(place[0], 0)
        if depth and place[0] not in "[]":
            return True
    return False


def _check_selector(rule: Rule) -> list[RuleProblem]:
    selector = rule.selector.strip()
    if not selector:
        return [RuleProblem("selector", "Write the selector or the expression.")]
    if len(selector) > MAX_SELECTOR_CHARACTERS:
        sentence = f"It is longer than {MAX_SELECTOR_CHARACTERS} characters."
        return [RuleProblem("selector", sentence)]
    if rule.kind is RuleKind.XPATH and sum(map(selector.count, _DEEP_STEPS)) > MAX_DEEP_STEPS:
        sentence = (
            f"It searches the whole page more than {MAX_DEEP_STEPS} times, which takes too long."
        )
        return [RuleProblem("selector", sentence)]
    if rule.kind is RuleKind.XPATH and _searches_page_in_predicate(selector):
        sentence = "A condition in brackets searches the whole page again for each element; use .//"
        return [RuleProblem("selector", sentence)]
    return _try_selector(rule)


def _try_selector(rule: Rule) -> list[RuleProblem]:
    """Read the selector, then count what it would look at on a long page."""
    try:
        find(rule, etree.fromstring(_TRIAL))
    except RuleError as error:
        hint = " Write h2, not h:h2." if "prefix" in str(error) else ""
        problem = _problem("selector", error)
        return [replace(problem, sentence=problem.sentence + hint)]
    if path_cost(xpath_of(rule)) > MOST_LOOKS:
        sentence = "It takes too long: every element seems to be compared with every other."
        return [RuleProblem("selector", sentence)]
    return []
