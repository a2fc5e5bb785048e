"""Proposed rules for the body, and for what is to be removed from it.

The container is the smallest element that holds nine tenths of the known text. Selectors of it, of
what is around it and of its larger parts are judged by the words they take: F1 against the known
text. What stands in the container on many pages and never in a known text (read-also lists,
newsletter forms) becomes a removal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from extraction.html.proposals.known_pages import (
    KnownBody,
    KnownPage,
    body_score,
    lines_of,
    read_body,
)
from extraction.html.proposals.rule_proposals import (
    DERIVED_FROM,
    LEAST_PAGES,
    LEAST_SHARE,
    MAX_PROPOSALS,
    Proposal,
    without_variants,
)
from extraction.html.proposals.selectors import PathStep, Selector, selectors_of
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

# A page agrees when the rule's text is the known one but for a line or two.
AGREEING_SCORE = 0.95
# The article's container holds nearly all words of the known text; where several parts hold it,
# each holds a good part.
_CONTAINER_SHARE = 0.9
_PART_SHARE = 0.2
_LEAST_TOKENS = 30  # a shorter text is found anywhere on a page
# Each candidate is run on every page: so many are judged, the best of them with what may be
# removed.
_MAX_CANDIDATES = 120
_MAX_WITH_REMOVALS = 5
_MAX_WITHOUT = 3
_PARAGRAPHS = PathStep("tag", tag="p")
_MAX_REMOVALS = 8  # an editor reads them all
# A selector that is a bare tag also matches whatever comes next year: it must be right on so many
# more of the pages than a named one.
_BARE_TAGS = frozenset(
    ["p", "div", "span", "td", "tr", "table", "tbody", "li", "ul", "font", "center"]
)
_BARE_HANDICAP = 0.4
# Wording that is shorter may stand in a sentence; see `rule_check`.
_LEAST_WORDING = 20
_WORDING_COST = 5.0  # wording is changed more often than names are
# A removal pays when it stands on this share of the pages.
_REMOVAL_SHARE = 0.2
_REMOVAL_CANDIDATES = 80
# A line is part of the known text from this share of its words up, none of it below the other.
_IN_TEXT, _OUT_OF_TEXT = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class BodyProposal:
    """A body rule with the removals that it needs; the figures are those of both together."""

    body: Proposal
    removals: tuple[Proposal, ...]
    mean_score: float  # mean F1 over the pages, 0 to 1


@dataclass(frozen=True, slots=True)
class _Candidate:
    selector: Selector
    chosen: tuple[frozenset[int], ...]  # lines taken on each page
    scores: tuple[float, ...]


def propose_body(pages: Sequence[KnownPage]) -> tuple[BodyProposal, ...]:
    """Propose rules for the body, best first; empty when fewer than two pages know their text."""
    known = [body for page in pages if (body := read_body(page)).n_wanted >= _LEAST_TOKENS]
    known = [body for body in known if body.total_known >= _LEAST_TOKENS]
    if len(known) < LEAST_PAGES:
        return ()
    candidates = [_judge(known, selector) for selector in _selectors(known[:DERIVED_FROM])]
    least = max(LEAST_PAGES, LEAST_SHARE * len(known))
    candidates = [c for c in candidates if sum(score > 0.5 for score in c.scores) >= least]
    # Recall first: what is too much can be removed, what is missing cannot be added.
    candidates.sort(key=lambda c: (-round(_recall(known, c), 2), -_mean(c.scores), c.selector.cost))
    whole = [c for c in candidates if c.selector.step != _PARAGRAPHS]
    plain = sorted(candidates, key=lambda c: (-round(_mean(c.scores), 2), c.selector.cost))
    whole = without_variants((c.selector, c) for c in whole)
    plain = without_variants((c.selector, c) for c in plain)
    best = [*whole[:_MAX_WITH_REMOVALS], *plain[:_MAX_WITHOUT]]
    proposals = [_with_removals(known, candidate) for candidate in dict.fromkeys(best)]
    proposals.sort(key=_rank)
    return tuple(proposals[:MAX_PROPOSALS])


def _rank(proposal: BodyProposal) -> tuple[float, ...]:
    body = proposal.body
    cost = body.cost + sum(removal.cost for removal in proposal.removals)
    handicap = _BARE_HANDICAP * body.n_pages if body.rule.selector in _BARE_TAGS else 0.0
    return (handicap - body.n_agree, -round(proposal.mean_score, 2), -body.n_once, cost)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _recall(known: Sequence[KnownBody], candidate: _Candidate) -> float:
    shares = [
        min(1.0, sum(body.n_known[at] for at in lines) / body.total_known)
        for body, lines in zip(known, candidate.chosen, strict=True)
    ]
    return _mean(shares)


def _selectors(pages: Sequence[KnownBody]) -> list[Selector]:
    votes: dict[Selector, int] = {}
    for page in pages:
        for selector in {choice for element in _containers(page) for choice in _choices(element)}:
            votes[selector] = votes.get(selector, 0) + 1
    ranked = sorted(votes, key=lambda selector: (-votes[selector], selector.cost, selector.css))
    return [selector for selector in ranked if votes[selector] >= LEAST_PAGES][:_MAX_CANDIDATES]


def _choices(element: etree._Element) -> list[Selector]:
    """Selectors of an element, and of the paragraphs directly in it."""
    found = selectors_of(element)
    children = [
        Selector(_PARAGRAPHS, choice.step, is_child=True)
        for choice in found
        if choice.above is None and choice.step.kind != "tag"
    ]
    return [*found, *children]


def _containers(page: KnownBody) -> list[etree._Element]:
    """Smallest element with nine tenths of the text, two around it, and its larger children."""
    outline = page.outline
    sums = [0]
    for n_known in page.n_known:
        sums.append(sums[-1] + n_known)
    shares = [
        sums[end] - sums[start]
        for start, end in zip(outline.first_line, outline.end_line, strict=True)
    ]
    least = _CONTAINER_SHARE * page.total_known
    inner = max((at for at, share in enumerate(shares) if share >= least), default=0)
    around: list[etree._Element] = []
    at = inner
    while at >= 0 and len(around) < 3 and outline.tags[at] not in {"body", "html"}:
        around.append(outline.elements[at])
        at = outline.parents[at]
    parts = [
        outline.elements[child]
        for child in range(inner + 1, outline.ends[inner])
        if outline.parents[child] == inner and shares[child] >= _PART_SHARE * page.total_known
    ]
    return around + parts


def _judge(pages: Sequence[KnownBody], selector: Selector) -> _Candidate:
    chosen = tuple(frozenset(lines_of(page, page.index.find(selector))) for page in pages)
    scores = [body_score(page, set(lines)) for page, lines in zip(pages, chosen, strict=True)]
    return _Candidate(selector, chosen, tuple(scores))


def _with_removals(pages: Sequence[KnownBody], candidate: _Candidate) -> BodyProposal:
    left = [set(lines) for lines in candidate.chosen]
    removals: list[Proposal] = []
    taken = {
        selector: [lines_of(page, page.index.find(selector)) for page in pages]
        for selector in _removal_selectors(pages, left)
    }
    while taken and len(removals) < _MAX_REMOVALS:
        gains = {selector: _gain(pages, left, lines) for selector, lines in taken.items()}
        selector = max(gains, key=lambda choice: (gains[choice], -choice.cost))
        if gains[selector] <= 0:
            break
        gone = [found & lines for found, lines in zip(taken.pop(selector), left, strict=True)]
        for lines, own in zip(left, gone, strict=True):
            lines.difference_update(own)
        n_matched = sum(bool(own) for own in gone)
        rule = Rule(RuleField.REMOVE, RuleKind.CSS, selector.css)
        removals.append(Proposal(rule, len(pages), n_matched, len(pages), n_matched, selector.cost))
    for wording, n_matched in _recurring_wordings(pages, left)[: _MAX_REMOVALS - len(removals)]:
        rule = Rule(RuleField.REMOVE, RuleKind.TEXT, wording)
        removals.append(Proposal(rule, len(pages), n_matched, len(pages), n_matched, _WORDING_COST))
    scores = [body_score(page, lines) for page, lines in zip(pages, left, strict=True)]
    body = Proposal(
        rule=Rule(RuleField.BODY, RuleKind.CSS, candidate.selector.css),
        n_pages=len(pages),
        n_once=sum(len(page.index.find(candidate.selector)) == 1 for page in pages),
        n_known=len(pages),
        n_agree=sum(score >= AGREEING_SCORE for score in scores),
        cost=candidate.selector.cost,
    )
    return BodyProposal(body, tuple(removals), _mean(scores))


def _gain(pages: Sequence[KnownBody], left: Sequence[set[int]], taken: Sequence[set[int]]) -> float:
    """Unwanted words that a removal takes away; negative when it takes known text with it."""
    gain, n_matched = 0.0, 0
    for page, lines, found in zip(pages, left, taken, strict=True):
        gone = found & lines
        n_matched += bool(gone)
        for at in gone:
            n_known = page.n_known[at]
            if n_known >= _IN_TEXT * page.n_tokens[at]:
                return -1.0
            gain += page.n_tokens[at] - n_known
    return gain if n_matched >= max(LEAST_PAGES, _REMOVAL_SHARE * len(pages)) else 0.0


def _recurring_wordings(
    pages: Sequence[KnownBody], left: Sequence[set[int]]
) -> list[tuple[str, int]]:
    """Take lines of many pages and of no known text out of `left`; most frequent first."""
    counts: dict[str, int] = {}
    for page, lines in zip(pages, left, strict=True):
        wordings = {page.outline.lines[at].text for at in lines if _is_foreign(page, at)}
        for wording in wordings:
            counts[wording] = counts.get(wording, 0) + 1
    known = [" ".join(page.page.text.split()) for page in pages]
    least = max(LEAST_PAGES, _REMOVAL_SHARE * len(pages))
    found = [
        (wording, count)
        for wording, count in counts.items()
        if count >= least
        and len(wording) >= _LEAST_WORDING
        and not any(wording in text for text in known)
    ]
    found.sort(key=lambda item: (-item[1], item[0]))
    recurring = {wording for wording, _ in found}
    for page, lines in zip(pages, left, strict=True):
        lines.difference_update({at for at in lines if page.outline.lines[at].text in recurring})
    return found


def _is_foreign(page: KnownBody, line: int) -> bool:
    return page.n_known[line] <= _OUT_OF_TEXT * page.n_tokens[line]


def _removal_selectors(pages: Sequence[KnownBody], left: Sequence[set[int]]) -> list[Selector]:
    """Selectors of the largest elements in the container without any known text."""
    votes: dict[Selector, int] = {}
    for page, lines in zip(pages, left, strict=True):
        found = [choice for element in _foreign(page, lines) for choice in _short(element)]
        for selector in set(found):
            if selector.step.kind != "tag" or selector.step.tag in {"aside", "nav", "footer"}:
                votes[selector] = votes.get(selector, 0) + 1
    least = max(LEAST_PAGES, _REMOVAL_SHARE * len(pages))
    ranked = sorted(votes, key=lambda selector: (-votes[selector], selector.cost, selector.css))
    return [selector for selector in ranked if votes[selector] >= least][:_REMOVAL_CANDIDATES]


def _short(element: etree._Element) -> list[Selector]:
    """Selectors of a removal: near and short ones, there are many to choose from."""
    return selectors_of(element, n_ancestors=2)


def _foreign(page: KnownBody, lines: set[int]) -> list[etree._Element]:
    outline = page.outline
    found = []
    at = 0
    while at < len(outline.elements):
        own = range(outline.first_line[at], outline.end_line[at])
        is_foreign = len(own) > 0 and all(line in lines and _is_foreign(page, line) for line in own)
        if is_foreign:
            found.append(outline.elements[at])
            at = outline.ends[at]
        else:
            at += 1
    return found
