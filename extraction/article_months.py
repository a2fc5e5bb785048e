"""The calendar of a publication: how many of its texts are of each month, and which months lack.

Publication → years of months. A month without texts is a gap, one with far fewer than usual a thin
one; whether a web archive was asked for it stands beside.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from statistics import median

from django.db.models import Count
from django.db.models.functions import TruncMonth
from django.utils import timezone

from extraction.models import Article
from feeds.models import Crawl, CrawlKind
from feeds.watching.tallies import tally

MONTHS = "months"  # name of figures that are kept; ":" and the publication follow
# Web archives begin with 1996, the year in which the Internet Archive did.
FIRST_YEAR = 1996
# Years that are shown of a publication whose texts do not go back as far.
YEARS_SHOWN = 5
# A month with a third of the usual number is thin: papers bring half as much in a slow December.
THIN_SHARE = 1 / 3
_LONGER_THAN_A_MONTH = timedelta(days=32)


class MonthState(StrEnum):
    FULL = "full"
    THIN = "thin"
    EMPTY = "empty"
    PRESENT = "present"  # it has not ended
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Month:
    """A month with its texts, and the last crawl that asked a web archive for it."""

    first: date
    n_texts: int
    state: MonthState
    crawl: Crawl | None = None

    @property
    def last(self) -> date:
        return (self.first + _LONGER_THAN_A_MONTH).replace(day=1) - timedelta(days=1)

    @property
    def lacks(self) -> bool:
        """Whether it is worth to look for more."""
        return self.state in {MonthState.EMPTY, MonthState.THIN}


@dataclass(frozen=True, slots=True)
class Calendar:
    """Years of twelve months each, the newest first, with the usual number of texts a month."""

    years: tuple[tuple[int, tuple[Month, ...]], ...]
    usual: int
    counted_at: datetime | None = None  # where that is not now

    @property
    def first_year(self) -> int:
        return self.years[-1][0]


def calendar_of(publication_id: int, now: datetime, since: int | None = None) -> Calendar:
    """Count a publication's texts by month of the present zone.

    Begins with the year of its first text, or with `since` where that is earlier.
    """
    name = f"{MONTHS}:{publication_id}"
    kept = tally(name, lambda _: _counts(publication_id), now)
    counts = {date.fromisoformat(month): int(n) for month, n in kept.figures.items()}
    today = timezone.localdate(now)
    asked = list(
        Crawl.objects.filter(
            publication=publication_id, kind=CrawlKind.ARCHIVE, last_day__isnull=False
        ).order_by("-created_at")
    )
    present = today.replace(day=1)
    ended = [n for first, n in counts.items() if first < present]
    usual = median(ended) if ended else 0
    year = min([first.year for first in counts] + [today.year - YEARS_SHOWN + 1])
    year = max(min(year, since or year), FIRST_YEAR)
    years = tuple(
        (
            one,
            tuple(_month(date(one, number, 1), counts, usual, present, asked) for number in _YEAR),
        )
        for one in range(today.year, year - 1, -1)
    )
    return Calendar(years, round(usual), kept.counted_at)


def count_named(name: str) -> Callable[[datetime], dict[str, int]] | None:
    """Give what counts the figures of a name; None for names that are not of this module."""
    head, _, key = name.partition(":")
    if head != MONTHS or not key.isdigit():
        return None
    return lambda _: _counts(int(key))


_YEAR = range(1, 13)


def _counts(publication_id: int) -> dict[str, int]:
    """Count by the first day of each month, in one query that reads the dates of all texts."""
    rows = Article.shown.filter(publication=publication_id, in_corpus=True).order_by()
    months = rows.annotate(month=TruncMonth("dated_at")).values_list("month").annotate(n=Count("*"))
    return {moment.date().isoformat(): n for moment, n in months}


def _month(
    first: date,
    counts: dict[date, int],
    usual: float,
    present: date,
    asked: Sequence[Crawl],
) -> Month:
    n_texts = counts.get(first, 0)
    if first >= present:
        state = MonthState.PRESENT if first == present else MonthState.FUTURE
    elif not n_texts:
        state = MonthState.EMPTY
    else:
        state = MonthState.THIN if n_texts < usual * THIN_SHARE else MonthState.FULL
    month = Month(first, n_texts, state)
    return replace(month, crawl=next((crawl for crawl in asked if _covers(crawl, month)), None))


def _covers(crawl: Crawl, month: Month) -> bool:
    begin, end = crawl.first_day, crawl.last_day
    return bool(begin and end and begin <= month.last and end >= month.first)
