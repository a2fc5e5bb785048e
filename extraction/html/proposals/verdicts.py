"""Did a draft's rules make an article better? What two extractions say of a page → a verdict.

More words are no gain by themselves. A text gets better by agreeing more with what is known of it
(a text marked by hand, else JSON-LD's `articleBody`), or by losing lines that are only links or
stand on other pages too. A field gets better by agreeing with more of the independent sources
(feed, JSON-LD, Open Graph, headings), or by losing a value that stands on most pages. What differs
and is neither better nor worse for all we know has changed: it is never called the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from extraction.html.proposals.known_pages import tokens_of
from presentation.wording.figures import counted
from presentation.wording.times import day

# A body that agrees this much better or worse with a known text has really changed: a line or two.
_SCORE_STEP = 0.005
_RUN_TOKENS = 4  # a run of words that is hardly ever common by chance
# So short a reference is a teaser, not the text.
_LEAST_REFERENCE_TOKENS = 60
# What stands where a byline is expected: calls to the reader. "Sign up" was met on real papers.
_CALL = re.compile(
    r"\b(?:sign[ -]?(?:up|in)|log[ -]?in|register|subscribe|newsletter|read more|share)\b",
    re.IGNORECASE,
)
# Words lost without a reason that a good change may cost, as a share of the text.
_TOLERATED_SHARE = 0.01


class RuleOutcome(StrEnum):
    """How a draft does on one article, the worst last."""

    BETTER = "better"
    SAME = "same"
    CHANGED = "changed"
    UNMATCHED = "unmatched"  # read without the rules for the body, of which none matches
    WORSE = "worse"
    FAILS = "fails"


_LOST = frozenset({RuleOutcome.WORSE, RuleOutcome.FAILS})
_UNMATCHED_WORDS = "no rule for the body matches, the text is read without one"


@dataclass(frozen=True, slots=True)
class ReadFields:
    """What an extraction says of a page."""

    title: str = ""
    authors: tuple[str, ...] = ()
    day: str = ""  # ISO date of publication
    text: str = ""
    published: str = ""  # with the minute, in words: `20 Nov 2026, 10:30`
    modified: str = ""
    section: str = ""
    has_body_rule: bool = False  # its rules name the body
    body_rule_matched: bool = False


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """What is known of a page from elsewhere; a field's tuple has one value for each source."""

    titles: tuple[str, ...] = ()
    authors: tuple[tuple[str, ...], ...] = ()
    days: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    text: str = ""  # gold or `articleBody`
    link_texts: frozenset[str] = frozenset()  # texts of all links of the page
    recurring: frozenset[str] = frozenset()  # lines that stand on several pages of the sample
    # Titles, authors and ends of titles that stand on most pages: the layout's.
    common_values: frozenset[str] = frozenset()
    is_article: bool = True  # galleries and short notices need no body


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of which a draft reads something else; of a text the number of its words."""

    name: str  # title, author, published, modified, section, text
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """The outcome with what led to it, as words for the editor."""

    outcome: RuleOutcome
    reasons: tuple[str, ...] = ()
    changes: tuple[FieldChange, ...] = ()


def judge(now: ReadFields, draft: ReadFields, evidence: PageEvidence) -> RuleVerdict:
    """Compare what a page says now with what it says by the draft.

    Returns
    -------
    RuleVerdict
        `FAILS` when a field or the text is lost; `WORSE` when any part got worse; `UNMATCHED` when
        an article has none of this, and body rules that all match nothing; `BETTER` when any part
        got better and none worse; `CHANGED` when anything else differs; `SAME` where nothing does.
    """
    changes = changes_between(now, draft)
    verdict = _verdict(now, draft, evidence)
    is_changed = changes and verdict.outcome is RuleOutcome.SAME
    outcome = RuleOutcome.CHANGED if is_changed else verdict.outcome
    reasons = verdict.reasons or tuple(map(_said, changes))
    if draft.has_body_rule and not draft.body_rule_matched and evidence.is_article and draft.text:
        reasons = (*reasons, _UNMATCHED_WORDS)
        if outcome not in _LOST:
            outcome = RuleOutcome.UNMATCHED
    return RuleVerdict(outcome, reasons, changes)


def changes_between(now: ReadFields, draft: ReadFields) -> tuple[FieldChange, ...]:
    """List the fields that differ, but for capitals and punctuation of titles and names."""
    found = []
    if tokens_of(now.title) != tokens_of(draft.title):
        found.append(FieldChange("title", now.title, draft.title))
    if list(map(tokens_of, now.authors)) != list(map(tokens_of, draft.authors)):
        found.append(FieldChange("author", "; ".join(now.authors), "; ".join(draft.authors)))
    before, after = (one.published or _in_words("date", one.day) for one in (now, draft))
    for name, was, is_ in (
        ("published", before, after),
        ("modified", now.modified, draft.modified),
        ("section", now.section, draft.section),
    ):
        if was != is_:
            found.append(FieldChange(name, was, is_))
    if now.text != draft.text:
        found.append(FieldChange("text", _n_words(now.text), _n_words(draft.text)))
    return tuple(found)


def _n_words(text: str) -> str:
    n = len(text.split())
    return f"{n} {'word' if n == 1 else 'words'}"


def _said(change: FieldChange) -> str:
    return f"{change.name}: {change.before or 'none'} → {change.after or 'none'}"


def _verdict(now: ReadFields, draft: ReadFields, evidence: PageEvidence) -> RuleVerdict:
    failures = _failures(now, draft, evidence)
    if failures:
        return RuleVerdict(RuleOutcome.FAILS, tuple(failures))
    # The headline is metadata: a line that only repeats it is none of the text.
    echoes = {draft.title, *evidence.titles}
    parts = [
        _field("title", (now.title, draft.title), evidence.titles, evidence),
        _field(
            "author", _joined((now.authors, draft.authors)), _joined(evidence.authors), evidence
        ),
        _field("date", (now.day, draft.day), evidence.days, evidence),
        # A section is rightly that of most pages: only its sources judge it.
        _section((now.section, draft.section), evidence.sections),
        _body(now.text, draft.text, replace(evidence, link_texts=evidence.link_texts | echoes)),
    ]
    changed = [part for part in parts if part.reasons]
    for outcome in (RuleOutcome.WORSE, RuleOutcome.BETTER):
        if any(part.outcome is outcome for part in changed):
            first = [part for part in changed if part.outcome is outcome]
            rest = [part for part in changed if part.outcome is not outcome]
            return RuleVerdict(outcome, tuple(r for part in first + rest for r in part.reasons))
    return RuleVerdict(RuleOutcome.SAME, tuple(r for part in changed for r in part.reasons))


def is_call(author: str) -> bool:
    """Whether a byline is a call to the reader, and no name.

    Examples
    --------
    >>> is_call("Sign up"), is_call("Anne Jacobs")
    (True, False)
    """
    return bool(_CALL.search(author))


def _joined(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(", ".join(found) for found in names)


def _failures(now: ReadFields, draft: ReadFields, evidence: PageEvidence) -> list[str]:
    found = []
    if now.text and not draft.text:
        found.append("no body found")
    if now.title and not draft.title:
        found.append("title lost")
    if now.authors and not draft.authors and any(evidence.authors):
        found.append("author lost")
    if now.day and not draft.day:
        found.append("date lost")
    return found


def _field(
    name: str, values: Sequence[str], sources: Sequence[str], evidence: PageEvidence
) -> RuleVerdict:
    """Compare a field's value now with the draft's."""
    now, draft = values
    if tokens_of(now) == tokens_of(draft):
        return RuleVerdict(RuleOutcome.SAME)
    change = _said(FieldChange(name, _in_words(name, now), _in_words(name, draft)))
    was_common, is_common = now in evidence.common_values, draft in evidence.common_values
    if was_common != is_common:
        outcome = RuleOutcome.BETTER if was_common else RuleOutcome.WORSE
        return RuleVerdict(
            outcome, (f"{change}; “{now if was_common else draft}” is on most pages",)
        )
    if affix_of(now, draft) in evidence.common_values:
        return RuleVerdict(RuleOutcome.BETTER, (f"{change}; the site’s own words are gone",))
    if affix_of(draft, now) in evidence.common_values:
        return RuleVerdict(RuleOutcome.WORSE, (f"{change}; the site’s own words come in",))
    if name == "author" and draft and is_call(now) != is_call(draft):
        return _call_verdict(now, draft, change)
    return _by_sources(values, sources, change)


def _in_words(name: str, value: str) -> str:
    return day(date.fromisoformat(value)) if name == "date" and value else value


def _section(values: Sequence[str], sources: Sequence[str]) -> RuleVerdict:
    now, draft = values
    if tokens_of(now) == tokens_of(draft):
        return RuleVerdict(RuleOutcome.SAME)
    return _by_sources(values, sources, _said(FieldChange("section", now, draft)))


def _call_verdict(now: str, draft: str, change: str) -> RuleVerdict:
    outcome = RuleOutcome.BETTER if is_call(now) else RuleOutcome.WORSE
    call = now if is_call(now) else draft
    return RuleVerdict(outcome, (f"{change}; “{call}” is a call to the reader",))


def _by_sources(values: Sequence[str], sources: Sequence[str], change: str) -> RuleVerdict:
    """Judge a field by how many of its sources agree with it now and then."""
    now, draft = values
    before, after = _n_agreeing(now, sources), _n_agreeing(draft, sources)
    if after == before and not draft:
        return RuleVerdict(RuleOutcome.WORSE, (f"{change}; lost",))
    if after == before:
        is_found = bool(draft) and not now and not sources
        outcome = RuleOutcome.BETTER if is_found else RuleOutcome.SAME
        return RuleVerdict(outcome, (f"{change}; found now" if is_found else change,))
    counts = f"{after} of {len(sources)} sources agree, {before} before"
    outcome = RuleOutcome.BETTER if after > before else RuleOutcome.WORSE
    return RuleVerdict(outcome, (f"{change}; {counts}",))


def affix_of(longer: str, shorter: str) -> str:
    """Give what a value has around another one that it holds; empty where it does not.

    Examples
    --------
    >>> affix_of("Rain at last | Karoo Courier", "Rain at last")
    '| Karoo Courier'
    """
    if not shorter or longer == shorter or shorter not in longer:
        return ""
    return " ".join(longer.replace(shorter, " ", 1).split())


def _n_agreeing(value: str, sources: Sequence[str]) -> int:
    wanted = sorted(tokens_of(value))
    return sum(bool(wanted) and sorted(tokens_of(source)) == wanted for source in sources)


def _body(now: str, draft: str, evidence: PageEvidence) -> RuleVerdict:
    if now == draft:
        return RuleVerdict(RuleOutcome.SAME)
    n_more = len(draft.split()) - len(now.split())
    words = f"{'+' if n_more > 0 else '−' if n_more < 0 else '±'}{abs(n_more)} words"
    if len(tokens_of(evidence.text)) >= _LEAST_REFERENCE_TOKENS:
        gain = agreement(draft, evidence.text) - agreement(now, evidence.text)
        if abs(gain) >= _SCORE_STEP:
            outcome = RuleOutcome.BETTER if gain > 0 else RuleOutcome.WORSE
            side = "nearer to" if gain > 0 else "farther from"
            return RuleVerdict(outcome, (f"{words}, {side} the known text",))
    return _by_lines(now, draft, evidence, words)


def _by_lines(now: str, draft: str, evidence: PageEvidence, words: str) -> RuleVerdict:
    """Judge by the lines that came and went."""
    before, after = now.split("\n"), draft.split("\n")
    gone = [line for line in before if line not in set(after)]
    come = [line for line in after if line not in set(before)]
    n_links = sum(line in evidence.link_texts or line in evidence.recurring for line in gone)
    lost = sum(
        len(line.split()) for line in _foreign_to(gone, evidence) if not _is_within(line, draft)
    )
    n_noise = sum(line in evidence.link_texts or line in evidence.recurring for line in come)
    if lost > _TOLERATED_SHARE * len(now.split()):
        return RuleVerdict(
            RuleOutcome.WORSE, (f"{words}, {lost} of them no link and on no other page",)
        )
    if n_noise > n_links:
        return RuleVerdict(
            RuleOutcome.WORSE,
            (f"{words}, {counted(n_noise, 'line')} of links or of the layout came in",),
        )
    if n_links:
        return RuleVerdict(
            RuleOutcome.BETTER,
            (f"{words}, {counted(n_links, 'line')} of links or of the layout gone",),
        )
    return RuleVerdict(RuleOutcome.SAME, (words,))


def _foreign_to(lines: Sequence[str], evidence: PageEvidence) -> list[str]:
    """Lines that are neither a link nor of the layout: the article's, for all we know."""
    return [
        line for line in lines if line not in evidence.link_texts and line not in evidence.recurring
    ]


def _is_within(line: str, text: str) -> bool:
    """Whether a line only moved, or was joined with another one."""
    return " ".join(line.split()) in " ".join(text.split())


def agreement(text: str, reference: str) -> float:
    """F1 of two texts over the sets of their 4-token runs, 0 to 1.

    Examples
    --------
    >>> agreement("a b c d e", "a b c d e")
    1.0
    """
    one, other = _runs(text), _runs(reference)
    if not one or not other:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens_of(text)
    return {
        tuple(words[at : at + _RUN_TOKENS]) for at in range(max(1, len(words) - _RUN_TOKENS + 1))
    }
