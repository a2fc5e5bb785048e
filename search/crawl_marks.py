"""What happened to the crawl in a span of days: a dip of the crawl is no dip of the language.

Input → output: days and publications → feeds added, rules for a layout changed, hosts that refuse
us since then, as far as the database knows today.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone

from extraction.models import SiteRule
from feeds.models import Feed, Host

MOST_MARKS = 60  # more would be a fence under the axis


@dataclass(frozen=True, slots=True)
class CrawlMark:
    """An event: its day, what it was, and the page that tells more."""

    day: dt.date
    words: str
    address: str


def crawl_marks(
    first_day: dt.date, last_day: dt.date, publications: tuple[str, ...] = ()
) -> tuple[CrawlMark, ...]:
    """List the newest events of some publications (all if none is named), oldest first."""
    start = timezone.make_aware(dt.datetime.combine(first_day, dt.time()))
    span = _Span(start, start + (last_day - first_day) + dt.timedelta(days=1), publications)
    marks = [*_feeds(span), *_rules(span), *_blocks(span)]
    marks.sort(key=lambda mark: (mark.day, mark.words))
    return tuple(marks[-MOST_MARKS:])


@dataclass(frozen=True, slots=True)
class _Span:
    """A span of time, the end excluded, and the publications asked for."""

    start: dt.datetime
    end: dt.datetime
    publications: tuple[str, ...]


def _feeds(span: _Span) -> Iterator[CrawlMark]:
    rows = Feed.objects.filter(created_at__gte=span.start, created_at__lt=span.end)
    if span.publications:
        rows = rows.filter(publication__slug__in=span.publications)
    named = rows.values_list("created_at", "publication__slug", "publication__name")
    for (day, slug, name), n in _by_day(named):
        words = f"{n} {'feed' if n == 1 else 'feeds'} of {name} added"
        yield CrawlMark(day, words, reverse("source", args=[slug]))


def _rules(span: _Span) -> Iterator[CrawlMark]:
    rows = SiteRule.objects.filter(created_at__gte=span.start, created_at__lt=span.end)
    if span.publications:
        rows = rows.filter(publication__slug__in=span.publications)
    named = rows.values_list("created_at", "publication__slug", "publication__name")
    for (day, slug, name), n in _by_day(named):
        words = f"{n} {'rule' if n == 1 else 'rules'} for the pages of {name} made"
        yield CrawlMark(day, words, reverse("source", args=[slug]))


def _blocks(span: _Span) -> Iterator[CrawlMark]:
    rows = Host.objects.filter(blocked_since__gte=span.start, blocked_since__lt=span.end)
    if span.publications:
        rows = rows.filter(pages__publication__slug__in=span.publications).distinct()
    for name, moment in rows.values_list("name", "blocked_since"):
        if moment is not None:
            day = timezone.localdate(moment)
            yield CrawlMark(day, f"{name} refuses us since then", reverse("host", args=[name]))


def _by_day(
    rows: Iterable[tuple[dt.datetime, str, str]],
) -> Iterable[tuple[tuple[dt.date, str, str], int]]:
    """Count rows by day and publication."""
    days = ((timezone.localdate(moment), slug, name) for moment, slug, name in rows)
    return Counter(days).items()
