"""What happened to the crawl in a span of days: a dip of the crawl is no dip of the language.

Input → output: days and publications → feeds added, rules for a layout changed, hosts that refuse
us since then, as far as the database knows today.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from extraction.models import RuleVersion
from feeds.models import Feed, Host
from presentation.wording.figures import counted

MOST_MARKS = 60  # more would be a fence under the axis


@dataclass(frozen=True, slots=True)
class CrawlMark:
    """An event: its day, what it was, and the page that tells more."""

    day: dt.date
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class CrawlMarks:
    """The newest events, oldest first, and how many earlier ones are left out."""

    listed: tuple[CrawlMark, ...]
    n_left_out: int = 0


def crawl_marks(
    first_day: dt.date, last_day: dt.date, publications: tuple[str, ...] = ()
) -> CrawlMarks:
    """List the events of some publications (all if none is named).

    Where they are more than fit, the feeds that were added on a day are one event.
    """
    start = timezone.make_aware(dt.datetime.combine(first_day, dt.time()))
    span = _Span(start, start + (last_day - first_day) + dt.timedelta(days=1), publications)
    added, marks = _made(Feed.objects.all(), span), [*_rules(span), *_blocks(span)]
    marks += _days_of_feeds(added) if len(added) + len(marks) > MOST_MARKS else _feeds(added)
    marks.sort(key=lambda mark: (mark.day, mark.words))
    return CrawlMarks(tuple(marks[-MOST_MARKS:]), max(0, len(marks) - MOST_MARKS))


@dataclass(frozen=True, slots=True)
class _Span:
    """A span of time, the end excluded, and the publications asked for."""

    start: dt.datetime
    end: dt.datetime
    publications: tuple[str, ...]


def _feeds(added: list["_Made"]) -> Iterator[CrawlMark]:
    for made in added:
        words = f"{counted(made.n, 'feed')} of {made.name} added"
        yield CrawlMark(made.day, words, reverse("source", args=[made.slug]))


def _days_of_feeds(added: list["_Made"]) -> Iterator[CrawlMark]:
    """Sum the feeds of all publications by day."""
    by_day: dict[dt.date, list[_Made]] = {}
    for made in added:
        by_day.setdefault(made.day, []).append(made)
    for day, same in by_day.items():
        if len(same) == 1:
            yield from _feeds(same)
            continue
        n_feeds = counted(sum(made.n for made in same), "feed")
        words = f"{n_feeds} of {counted(len(same), 'publication')} added"
        yield CrawlMark(day, words, reverse("sources"))


def _rules(span: _Span) -> Iterator[CrawlMark]:
    rows = RuleVersion.objects.filter(published_at__gte=span.start, published_at__lt=span.end)
    if span.publications:
        rows = rows.filter(publication__slug__in=span.publications)
    for version in rows.select_related("publication"):
        if version.published_at is not None:
            words = f"version {version.number} of the rules for {version.publication.name}"
            address = reverse("source", args=[version.publication.slug])
            yield CrawlMark(timezone.localdate(version.published_at), words, f"{address}#rules")


def _blocks(span: _Span) -> Iterator[CrawlMark]:
    rows = Host.objects.filter(blocked_since__gte=span.start, blocked_since__lt=span.end)
    if span.publications:
        rows = rows.filter(pages__publication__slug__in=span.publications).distinct()
    for name, moment in rows.values_list("name", "blocked_since"):
        if moment is not None:
            day = timezone.localdate(moment)
            yield CrawlMark(day, f"{name} refuses us since then", reverse("host", args=[name]))


@dataclass(frozen=True, slots=True)
class _Made:
    """How many rows of a publication were made on a day."""

    day: dt.date
    slug: str
    name: str
    n: int


def _made(rows: QuerySet[Any], span: _Span) -> list[_Made]:
    """Count rows of the span by day and publication."""
    rows = rows.filter(created_at__gte=span.start, created_at__lt=span.end)
    if span.publications:
        rows = rows.filter(publication__slug__in=span.publications)
    named = rows.values_list("created_at", "publication__slug", "publication__name")
    days = Counter((timezone.localdate(moment), slug, name) for moment, slug, name in named)
    return [_Made(*key, n) for key, n in days.items()]
