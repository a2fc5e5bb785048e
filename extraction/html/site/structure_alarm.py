"""Has a site changed its pages? A series of facts per page → a finding with its day and evidence.

Three signals, each a series of well or ill per page: a rule matches nothing; the page shows little
of what is common on the site; the text is far shorter than usual, or a field is missing that pages
have. A signal speaks when its newest pages are ill in a row that is too long to be chance, given
how often single pages were ill before. Ill pages here and there (a gallery, a page without author)
raise the rate before and so the row that is needed. A fourth signal needs no pages before: none of
a field's rules has matched on any page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from statistics import median

# Rows as long as this happen by chance in fewer than one of ten thousand places.
_CHANCE = 1e-4
# Pages of a section come in bunches, which the chance above does not know of.
LEAST_ILL = 3
# So many pages must have been judged before the row.
LEAST_BEFORE = 8
# Ill: below this share of what pages usually show of the site's places; of the usual length.
_FAMILIAR_SHARE = 0.5
LENGTH_SHARE = 0.2
# How many of the newest pages are looked at; older ones say how the site was, not how it is.
SERIES_PAGES = 60
_REMOVALS = "remove"  # the field of rules that take something away
FIELDS = ("title", "authors", "date")


class Signal(StrEnum):
    """What has changed."""

    RULE = "rule"
    UNMATCHED = "unmatched"
    TEMPLATE = "template"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What one page says of the site's structure.

    Attributes
    ----------
    page
        Whatever names the page to the caller.
    n_characters
        Of its text.
    fields
        Those of `FIELDS` that were found.
    familiarity
        Share of the site's common places that the page shows, 0 to 1; None while unknown.
    rules
        Part of the rules to whether it matched.
    """

    page: int
    at: datetime
    n_characters: int
    fields: frozenset[str] = frozenset()
    familiarity: float | None = None
    rules: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DesignEvidence:
    """One signal: since which page, how many pages in a row, how often pages were ill before.

    There is no page before where nothing has changed: rules that never matched.
    """

    signal: Signal
    subject: str  # "places", "length", a field, or a part of the rules
    since: datetime
    page_before: int | None
    page_after: int
    n_ill: int
    n_before: int
    n_ill_before: int


def find_changes(facts: Sequence[PageFacts]) -> list[DesignEvidence]:
    """Find the signals that speak, the earliest first.

    Parameters
    ----------
    facts
        Pages of one site in order of time; only the newest `SERIES_PAGES` count.
    """
    series = list(facts[-SERIES_PAGES:])
    found = [
        *_template(series),
        *_length(series),
        *(evidence for name in FIELDS for evidence in _field(series, name)),
        *_rules(series),
        *_unmatched(series),
    ]
    return sorted(found, key=lambda evidence: evidence.since)


def _template(series: Sequence[PageFacts]) -> list[DesignEvidence]:
    judged = [facts for facts in series if facts.familiarity is not None]
    usual = _usual([facts.familiarity or 0.0 for facts in judged])

    def is_ill(facts: PageFacts) -> bool:
        return (facts.familiarity or 0.0) < _FAMILIAR_SHARE * usual

    return _row(judged, is_ill, Signal.TEMPLATE, "places")


def _length(series: Sequence[PageFacts]) -> list[DesignEvidence]:
    usual = _usual([facts.n_characters for facts in series])

    def is_ill(facts: PageFacts) -> bool:
        return facts.n_characters < LENGTH_SHARE * usual

    return _row(series, is_ill, Signal.COVERAGE, "length")


def _field(series: Sequence[PageFacts], name: str) -> list[DesignEvidence]:
    return _row(series, lambda facts: name not in facts.fields, Signal.COVERAGE, name)


def _rules(series: Sequence[PageFacts]) -> list[DesignEvidence]:
    """Judge only the rules in force: those that the newest page was read with."""
    parts = series[-1].rules if series else {}
    return [
        evidence
        for part in parts
        for evidence in _row(
            [facts for facts in series if part in facts.rules],
            lambda facts, part=part: not facts.rules[part],  # type: ignore[misc]
            Signal.RULE,
            part,
        )
    ]


def _unmatched(series: Sequence[PageFacts]) -> list[DesignEvidence]:
    """Find fields in force of whose rules none matches on any page, so that others read them.

    Removals are left alone: what they take away may come back any day.
    """
    fields = {part.partition(" ")[0] for part in series[-1].rules} if series else set()
    found = []
    for name in sorted(fields - {_REMOVALS}):
        judged = [(facts, [part for part in facts.rules if _is_of(part, name)]) for facts in series]
        ruled = [(facts, parts) for facts, parts in judged if parts]
        is_dead = not any(facts.rules[part] for facts, parts in ruled for part in parts)
        if is_dead and len(ruled) >= LEAST_BEFORE:
            first, n = ruled[0][0], len(ruled)
            found.append(
                DesignEvidence(Signal.UNMATCHED, name, first.at, None, first.page, n, 0, 0)
            )
    return found


def _is_of(part: str, field_name: str) -> bool:
    """Say whether a part of the rules, such as “body 2”, is of a field."""
    return part.partition(" ")[0] == field_name


def _usual(values: Sequence[float]) -> float:
    """Median of the older half, which a change of the last pages does not reach."""
    older = values[: max(LEAST_BEFORE, len(values) // 2)]
    return median(older) if older else 0.0


def _row(
    series: Sequence[PageFacts],
    is_ill: Callable[[PageFacts], bool],
    signal: Signal,
    subject: str,
) -> list[DesignEvidence]:
    """Evidence of the ill row at the end of a series, where it is too long for chance."""
    ill = [is_ill(facts) for facts in series]
    n_row = next((n for n, one in enumerate(reversed(ill)) if not one), len(ill))
    n_before = len(series) - n_row
    if n_row < LEAST_ILL or n_before < LEAST_BEFORE:
        return []
    n_ill_before = sum(ill[:n_before])
    # Laplace's rule of succession: a row of ill pages after n pages of which k were ill.
    rate = (n_ill_before + 1) / (n_before + 2)
    if rate**n_row > _CHANCE:
        return []
    first = series[n_before]
    return [
        DesignEvidence(
            signal,
            subject,
            since=first.at,
            page_before=series[n_before - 1].page,
            page_after=first.page,
            n_ill=n_row,
            n_before=n_before,
            n_ill_before=n_ill_before,
        )
    ]
