"""What looks wrong with a draft's rules on stored pages, though each of them can be run.

Rules and pages → sentences for each rule: it matches nothing, several elements where one is meant,
what another rule matches already, or it searches so much that pages were given up.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.limited_paths import PathTooSlow
from extraction.html.site_rules.body_patterns import body_html
from extraction.html.site_rules.path_cost import path_cost
from extraction.html.site_rules.rule_check import MOST_LOOKS, check_rule
from extraction.html.site_rules.rules import (
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    find,
    xpath_of,
)
from extraction.html.site_rules.static_text import count_static_text

# A field of one value; authors and sections may stand in several elements.
_OF_ONE = frozenset({RuleField.TITLE, RuleField.DATE})
_OFTEN = 0.5  # of the pages; on fewer the page is odd, not the rule
# Of what is refused at once as too slow: an expression that comes near it is worth a word.
_SLOW_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """A rule on the pages of a sample: what it matched on each, and on how many it was too slow.

    Matches are elements, which are held so that each node has one object, values or numbers.
    """

    rule: Rule
    found: tuple[tuple[object, ...], ...]
    n_slow: int = 0

    @property
    def n_matching(self) -> int:
        return sum(map(bool, self.found))


def match_rule(rule: Rule, pages: Sequence[tuple[etree._Element, str]]) -> MatchedRule:
    """Run a rule on pages, each a tree and its source; one that cannot be run matches nothing."""
    found: list[tuple[object, ...]] = []
    n_slow = 0
    for root, source in pages:
        try:
            found.append(_matches(rule, root, source))
        except PathTooSlow:
            n_slow += 1
            found.append(())
        except RuleError as error:
            n_slow += "stopped after" in str(error)
            found.append(())
    return MatchedRule(rule, tuple(found), n_slow)


def _matches(rule: Rule, root: etree._Element, source: str) -> tuple[object, ...]:
    if rule.kind is RuleKind.TEXT:
        return tuple(range(count_static_text(root, rule.selector)))
    if rule.kind is RuleKind.REGEX and rule.field is RuleField.BODY:
        html = body_html(rule, source)
        return (html,) if html else ()
    return tuple(find(rule, root, source))


def warnings_of(matched: Sequence[MatchedRule]) -> list[tuple[str, ...]]:
    """Say what looks wrong with each rule, in the order of the rules."""
    return [
        (*_own(one), *_beside(one, matched[:place], matched)) for place, one in enumerate(matched)
    ]


def _own(one: MatchedRule) -> list[str]:
    """Say what is wrong with a rule by itself."""
    said = [problem.sentence for problem in check_rule(one.rule) if not problem.is_error]
    n_pages = len(one.found)
    if one.n_slow:
        said.append(f"Too slow: it was given up on {one.n_slow} of {n_pages} pages.")
    elif _is_costly(one.rule):
        said.append("Slow: it looks at most elements many times; name a class or an id.")
    if n_pages and not one.n_matching and not one.n_slow:
        said.append(_dead(one.rule, n_pages))
    n_several = sum(len(found) > 1 for found in one.found)
    if one.rule.field in _OF_ONE and n_several > _OFTEN * n_pages:
        most = max(map(len, one.found))
        said.append(f"Matches several elements on {n_several} pages, up to {most}: the first wins.")
    if one.rule.field is RuleField.BODY and one.rule.kind is RuleKind.XPATH and one.n_matching:
        texts = Counter(isinstance(match, str) for found in one.found for match in found)
        if not texts[False]:
            said.append("Names text, no element: a body needs elements, so it is never used.")
    return said


def _dead(rule: Rule, n_pages: int) -> str:
    if rule.kind is RuleKind.XPATH and any(name.isupper() for name in _names(rule.selector)):
        return f"Dead: matches nothing on {n_pages} pages. Tags are written in small letters."
    kind = "Dead path" if rule.kind is RuleKind.XPATH else "Matches nothing"
    return f"{kind}: nothing on {n_pages} pages."


def _names(path: str) -> list[str]:
    """Names of the steps of a path, roughly: what stands behind a slash."""
    return [step.partition("[")[0] for step in path.split("/") if step]


def _is_costly(rule: Rule) -> bool:
    if rule.kind not in {RuleKind.CSS, RuleKind.XPATH}:
        return False
    try:
        return path_cost(xpath_of(rule)) > _SLOW_SHARE * MOST_LOOKS
    except RuleError:
        return False


def _beside(
    one: MatchedRule, before: Sequence[MatchedRule], every: Sequence[MatchedRule]
) -> list[str]:
    """Say where another rule does the work of this one already, or removes what it needs."""
    if not one.n_matching or one.rule.kind is RuleKind.TEXT:
        return []
    field = one.rule.field
    earlier = [other for other in before if other.rule.field is field]
    if field is RuleField.REMOVE:
        n = sum(any(_shares(one, other, page) for other in earlier) for page in _pages(one))
        return [f"Overlaps: another removal takes the same on {n} pages."] if n else []
    said = []
    taken = [any(other.found[page] for other in earlier) for page in _pages(one)]
    if taken and all(taken):
        said.append("Never used: an earlier rule of this field matches wherever this one does.")
    removals = [other for other in every if other.rule.field is RuleField.REMOVE]
    if field is RuleField.BODY and (
        n := sum(any(_shares(one, other, page) for other in removals) for page in _pages(one))
    ):
        said.append(f"Overlaps: a removal takes the whole body on {n} pages.")
    return said


def _pages(one: MatchedRule) -> list[int]:
    """Positions of the pages on which a rule matches."""
    return [page for page, found in enumerate(one.found) if found]


def _shares(one: MatchedRule, other: MatchedRule, page: int) -> bool:
    if other.rule.kind is RuleKind.TEXT:
        return False
    return not set(one.found[page]).isdisjoint(other.found[page])
