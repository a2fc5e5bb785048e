"""What goes wrong in a simulated year: on the papers' side, and on our own."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from faulty_papers import BANNER, REFUSED, RESET, SLOW_DOWN, UNWELL
from integration.feeds.origin import Answer, answer, not_found
from soak.papers import DAY, HOUR, LAYOUTS, TEXT, Paper

FORBIDDING = answer(b"User-agent: *\nDisallow: /\n", 200, TEXT)
# A site that is away for less is back before anybody could act.
TOLD_FROM = 1.5 * DAY
# After its end a fault's alarm may still be opened by what was planned before it.
TOLD_AFTER = 12 * HOUR
CLOSED_WITHIN = 4 * DAY

Trouble = Callable[[str], Answer | None]


def _on_articles(given: Answer) -> Trouble:
    return lambda path: given if path.startswith("/2") else None


@dataclass(frozen=True, slots=True)
class SiteKind:
    """A kind of fault of a site: how long it lasts, and as what it may be told."""

    name: str
    trouble: Trouble
    days: tuple[float, float]
    told_as: frozenset[str]
    keeps_from_feed: bool = False
    needs_articles: bool = False  # it shows at articles alone, so it is told by as many as fail
    is_read: bool = False  # its answers are taken for pages, so texts have to come to prove its end


SITE_KINDS = (
    SiteKind(
        "site answers 503",
        lambda _path: UNWELL,
        (0.1, 4),
        frozenset({"down", "slowed"}),
        keeps_from_feed=True,
    ),
    SiteKind(
        "articles answer 403",
        _on_articles(REFUSED),
        (1, 5),
        frozenset({"block", "unstored"}),
        needs_articles=True,
    ),
    SiteKind(
        "connections are reset",
        lambda _path: RESET,
        (0.1, 3),
        frozenset({"down", "network"}),
        keeps_from_feed=True,
    ),
    SiteKind(
        "pages drawn by scripts",
        _on_articles(BANNER),
        (2, 5),
        frozenset({"empty"}),
        needs_articles=True,
        is_read=True,
    ),
    SiteKind(
        "429 with half an hour",
        lambda _path: SLOW_DOWN,
        (1, 4),
        frozenset({"slowed", "down"}),
        keeps_from_feed=True,
    ),
    SiteKind(
        "robots.txt forbids all",
        lambda path: FORBIDDING if path == "/robots.txt" else None,
        (3, 6),
        frozenset({"robots"}),
        keeps_from_feed=True,
    ),
)
# Faults without an end of their own, or without an alarm that must come.
SILENT, MOVED, GONE, REDESIGN = "silent", "feed moves", "feed is gone", "redesign"
KILLED, FULL, AWAY = "worker killed", "disk full", "database away"
OTHER_KINDS = (SILENT, MOVED, GONE, REDESIGN)
OWN_KINDS = (KILLED, KILLED, FULL, AWAY)
_FULL_HOURS = (1, 12)
_MOST_DAYS = 45.0
_MOST_DRAWN = 200  # tries for a fault that fits between those that are there
# So many stories that did not come, or failed, are told by the alarms' own bounds (one in a million
# by chance, or once in ten years, with holidays); fewer need not be.
TOLD_BY_FAILED, TOLD_BY_SILENCE = 12, 25
# The habits of a paper are known after a fortnight; silence is none of a newcomer's before.
HABITS_KNOWN_AFTER = 21 * DAY
# Of stories, after which a site that brought pages without a text is asked for them again.
WELL_RUN = 2
# What a paper's trouble may be told as besides: what it has not brought meanwhile.
_AFTERMATH = frozenset({"missed", "fewer", "quiet"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: at which paper (none for our own side), from when until when."""

    name: str
    begin: datetime
    end: datetime
    paper: str = ""
    kind: SiteKind | None = None
    n_stories: int = 0  # that came meanwhile, or would have come
    knows_habits: bool = False

    @property
    def must_be_told(self) -> frozenset[str]:
        """Kinds of alarms of which one has to come; empty where none need."""
        if self.kind is not None:
            is_short = self.end - self.begin < TOLD_FROM
            is_thin = self.kind.needs_articles and self.n_stories < TOLD_BY_FAILED
            return frozenset() if is_short or is_thin else self.kind.told_as
        if self.name == SILENT:
            is_seen = self.knows_habits and self.n_stories >= TOLD_BY_SILENCE
            return frozenset({"quiet", "fewer"}) if is_seen else frozenset()
        return {
            GONE: frozenset({"feed"}),
            FULL: frozenset({"disk"}),
        }.get(self.name, frozenset())

    @property
    def may_be_told(self) -> frozenset[str]:
        """Kinds of alarms that it explains; a killed worker explains none."""
        if self.kind is not None:
            # A feed that fails may be told before its host, pages that shrink before they are many.
            first = {"feed"} if self.kind.keeps_from_feed else {"structure"}
            return self.kind.told_as | _AFTERMATH | first
        return {
            SILENT: _AFTERMATH,
            GONE: _AFTERMATH | {"feed"},
            REDESIGN: frozenset({"structure", "empty"}),
            FULL: frozenset({"disk", "missed"}),
        }.get(self.name, frozenset())

    def is_on(self, now: datetime) -> bool:
        return self.begin <= now < self.end

    def touches(self, begin: datetime, end: datetime) -> bool:
        """Whether an alarm of this time may be about this fault."""
        return begin < self.end + CLOSED_WITHIN and end > self.begin


def plan(
    n: int, papers: Sequence[Paper], span: tuple[datetime, datetime], seed: int = 14
) -> list[Fault]:
    """Draw faults over a span, half of them our own; no paper has two at a time."""
    chance, (begin, end) = random.Random(seed), span
    found = [_of_ours(chance, number, span) for number in range(n // 2)]
    taken: dict[str, list[Fault]] = {paper.name: [] for paper in papers}
    for number in range(n - n // 2):
        for _ in range(_MOST_DRAWN):
            paper = chance.choice(papers)
            moment = begin + chance.random() * (end - begin)
            fault = _of_site(chance, number, paper, moment)
            others = taken[paper.name]
            if fault.end < end - DAY and not any(_are_near(fault, other) for other in others):
                others.append(fault)
                found.append(fault)
                break
    return sorted(found, key=lambda fault: fault.begin)


def _are_near(one: Fault, other: Fault) -> bool:
    """Whether an alarm could be of either; a feed that is gone is away until somebody acts."""
    apart = CLOSED_WITHIN + 2 * DAY
    return one.begin < other.end + apart and other.begin < one.end + apart


def _of_ours(chance: random.Random, number: int, span: tuple[datetime, datetime]) -> Fault:
    begin, end = span
    name = OWN_KINDS[number % len(OWN_KINDS)]
    hours = chance.uniform(*_FULL_HOURS) if name == FULL else 0.0
    moment = begin + chance.random() * (end - begin - DAY)
    return Fault(name, moment, moment + hours * HOUR)


def _of_site(chance: random.Random, number: int, paper: Paper, moment: datetime) -> Fault:
    place = number % (len(SITE_KINDS) + len(OTHER_KINDS))
    if place < len(SITE_KINDS):
        kind = SITE_KINDS[place]
        days = chance.uniform(*kind.days)
        if kind.needs_articles:
            days = max(days, min(1.2 * TOLD_BY_FAILED / paper.stories_a_day, _MOST_DAYS))
        return Fault(kind.name, moment, moment + days * DAY, paper.name, kind)
    name = OTHER_KINDS[place - len(SITE_KINDS)]
    days = 4.0
    if name == SILENT:
        days = min(max(6.0, 1.2 * TOLD_BY_SILENCE / paper.stories_a_day), _MOST_DAYS)
    return Fault(name, moment, moment + days * DAY, paper.name)


def begin_at(paper: Paper, fault: Fault, number: int) -> None:
    """Let a fault begin at its paper."""
    if fault.kind is not None:
        paper.trouble = fault.kind.trouble
    elif fault.name == MOVED:
        paper.move_feed(f"/rss-{number}")
    elif fault.name == GONE:
        paper.move_feed(f"/news-{number}", left=not_found)
    elif fault.name == REDESIGN:
        paper.layouts.append((fault.begin, (paper.layouts[-1][1] + 1) % len(LAYOUTS)))


def end_at(paper: Paper, fault: Fault) -> None:
    """Let a fault be over; a feed that is gone stays gone."""
    if fault.kind is not None:
        paper.trouble = lambda _path: None
