"""The list of sources: what is shown of each publication, sought, filtered and sorted.

A thousand publications are read in a handful of statements, without an object of a model a row and
without counting articles; what is sought, filtered and sorted is done here, on small values.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from extraction.models import Article
from extraction.sites.alarms import open_alarms
from extraction.text.language_names import language_name
from feeds.models import Publication, PublicationState
from feeds.sources.naming import host_of
from feeds.watching.judgements import judgements
from feeds.watching.states import FeedState, Finding

# What "articles a day" looks back: weekdays and weekends alike.
DAYS = 7
NO_TAG = "-"  # no tag is called so
_WORST_FIRST = {state: rank for rank, state in enumerate(FeedState)}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A publication in the list; `per_day` counts articles by their dates, over the last week."""

    pk: int
    name: str
    slug: str
    host: str
    state: str
    language: str
    tags: tuple[str, ...] = ()
    n_feeds: int = 0
    n_working: int = 0
    finding: Finding | None = None
    visited_at: datetime | None = None
    next_at: datetime | None = None
    per_day: float = 0.0
    last_article_at: datetime | None = None
    alarm_since: datetime | None = None
    is_same_named: bool = False

    @property
    def outcome(self) -> str:
        """Name of the worst state of its feeds, as filters say it."""
        return self.finding.state.key if self.finding else "none"

    @property
    def language_name(self) -> str:
        return language_name(self.language) if self.language else ""

    @property
    def state_words(self) -> tuple[str, str]:
        """Tone and words of the publication's own state."""
        return publication_state(self.state)


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """What narrows and orders the list; empty values do not narrow."""

    words: str = ""
    state: str = ""
    language: str = ""
    tag: str = ""
    outcome: str = ""
    sort: str = "name"

    @property
    def is_narrow(self) -> bool:
        return any((self.words, self.state, self.language, self.tag, self.outcome))


@dataclass(frozen=True, slots=True)
class SourceList:
    """All publications, those that a filter lets through, and how many each choice would show."""

    rows: Sequence[SourceRow]
    shown: Sequence[SourceRow]
    states: Sequence[tuple[str, str, int]] = ()
    outcomes: Sequence[tuple[str, str, int]] = ()
    languages: Sequence[tuple[str, str, int]] = ()
    tags: Sequence[tuple[str, str, int]] = ()
    n_feeds: int = field(default=0)


def publication_state(state: str) -> tuple[str, str]:
    """Tone of the style sheet, and shape with word."""
    return {
        PublicationState.ACTIVE.value: ("ok", "● Active"),
        PublicationState.PAUSED.value: ("", "‖ Paused"),
        PublicationState.DRAFT.value: ("info", "+ Draft"),
    }[state]


def source_list(wanted: SourceFilter, now: datetime) -> SourceList:
    """Read all publications and choose those that are wanted, in the order that is wanted."""
    rows = _all_rows(now)
    shown = [row for row in rows if _is_wanted(row, wanted)]
    key, is_falling = _SORTS.get(wanted.sort.removeprefix("-"), _SORTS["name"])
    shown.sort(key=lambda row: row.name.casefold())
    shown.sort(key=key, reverse=is_falling != wanted.sort.startswith("-"))
    return SourceList(
        rows,
        shown,
        states=_choices((row.state for row in rows), lambda key: publication_state(key)[1]),
        outcomes=_outcome_choices(rows),
        languages=_choices((row.language for row in rows if row.language), language_name),
        tags=_choices((tag for row in rows for tag in row.tags), str),
        n_feeds=sum(row.n_feeds for row in rows),
    )


def articles_lately(publications: QuerySet[Publication], now: datetime) -> QuerySet[Publication]:
    """Annotate `n_lately`, articles dated within the last days, and `last_article_at`.

    Each is read from the index of articles by publication and date: no row of an article is
    touched, and nothing older than the days is counted.
    """
    own = Article.objects.filter(publication=OuterRef("pk")).order_by()
    lately = own.filter(dated_at__gte=now - timedelta(days=DAYS), dated_at__lte=now)
    counted = lately.values("publication").annotate(n=Count("dated_at")).values("n")
    # By order and limit, which is one look into the index: a maximum reads all of a publication.
    last = own.filter(dated_at__lte=now).order_by("-dated_at").values("dated_at")[:1]
    return publications.annotate(
        n_lately=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
        last_article_at=Subquery(last),
    )


def _all_rows(now: datetime) -> list[SourceRow]:
    feeds, tags = _feeds(now), _tags()
    alarmed = {alarm.publication_id: alarm.since for alarm in open_alarms()}
    columns = ("pk", "name", "slug", "home_url", "state", "language", "expected_languages")
    found = list(
        articles_lately(Publication.kept.all(), now).values_list(
            *columns, "n_lately", "last_article_at"
        )
    )
    names = Counter(row[1].casefold() for row in found)
    return [
        SourceRow(
            pk=pk,
            name=name,
            slug=slug,
            host=host_of(home_url),
            state=state,
            language=_language(language, expected),
            tags=tuple(tags.get(pk, ())),
            per_day=n_lately / DAYS,
            last_article_at=last,
            alarm_since=alarmed.get(pk),
            is_same_named=names[name.casefold()] > 1,
            **feeds.get(pk, {}),
        )
        for pk, name, slug, home_url, state, language, expected, n_lately, last in found
    ]


def _language(declared: str, expected: str) -> str:
    """Give the code of its first language."""
    return (expected.partition(",")[0] or declared.replace("_", "-").partition("-")[0]).lower()


def _tags() -> dict[int, list[str]]:
    links = Publication.tags.through.objects.order_by("tag__name")
    found = defaultdict(list)
    for publication, name in links.values_list("publication_id", "tag__name"):
        found[publication].append(name)
    return found


def _feeds(now: datetime) -> dict[int, dict[str, Any]]:
    """Sum up the feeds of each publication: how many, the worst finding, last and next visit."""
    found: dict[int, list[tuple[Finding, datetime | None, datetime | None]]] = defaultdict(list)
    for feed in judgements(now):
        found[feed.publication_id].append((feed.finding, feed.visited_at, feed.due_at))
    return {publication: _summed(feeds) for publication, feeds in found.items()}


def _summed(feeds: Sequence[tuple[Finding, datetime | None, datetime | None]]) -> dict[str, Any]:
    findings = [finding for finding, _, _ in feeds]
    visits = [at for _, at, _ in feeds if at]
    nexts = [at for finding, _, at in feeds if at and finding.state is not FeedState.PAUSED]
    return {
        "n_feeds": len(feeds),
        "n_working": sum(finding.state is FeedState.WORKING for finding in findings),
        "finding": min(findings, key=lambda finding: _WORST_FIRST[finding.state]),
        "visited_at": max(visits, default=None),
        "next_at": min(nexts, default=None),
    }


def _is_wanted(row: SourceRow, wanted: SourceFilter) -> bool:
    text = f"{row.name} {row.host} {' '.join(row.tags)}".casefold()
    return (
        all(word in text for word in wanted.words.casefold().split())
        and wanted.state in {"", row.state}
        and wanted.language in {"", row.language}
        and (not wanted.tag or wanted.tag in (row.tags or (NO_TAG,)))
        and wanted.outcome in {"", row.outcome}
    )


def _choices(values: Iterable[str], words: Callable[[str], str]) -> list[tuple[str, str, int]]:
    """Give each value with its words and how often it stands, by its words."""
    counts = Counter(values)
    return sorted(((key, words(key), n) for key, n in counts.items()), key=lambda row: row[1])


def _outcome_choices(rows: Sequence[SourceRow]) -> list[tuple[str, str, int]]:
    counts = Counter(row.outcome for row in rows)
    found = [
        (state.key, f"{state.shape} {state.word}", counts[state.key])
        for state in FeedState
        if counts[state.key]
    ]
    return [*found, ("none", "No feeds", counts["none"])] if counts["none"] else found


def _moment(value: datetime | None) -> float:
    return value.timestamp() if value else 0.0


# By what the list is sorted: its key, and whether the first click sorts falling.
_SORTS: dict[str, tuple[Callable[[SourceRow], Any], bool]] = {
    "name": (lambda row: row.name.casefold(), False),
    "day": (lambda row: row.per_day, True),
    "outcome": (
        lambda row: _WORST_FIRST[row.finding.state] if row.finding else len(_WORST_FIRST),
        False,
    ),
    "article": (lambda row: _moment(row.last_article_at), True),
    "visit": (lambda row: _moment(row.visited_at), True),
    "state": (lambda row: row.state, False),
}
SORTS = tuple(_SORTS)
