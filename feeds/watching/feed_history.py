"""What a feed has done so far: new items a day, hours of publication, honesty about change.

Read side of the feed page and of lists of feeds; days are stretches of 24 hours that end now.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from feeds.crawler.outcomes import Outcome
from feeds.models import Feed, FeedItem, Fetch, Page

DAY = timedelta(hours=24)
DAYS = 28  # four of each weekday
# What is usual is said from a week on: before, each day would be its own rule.
USUAL_FROM_DAYS = 7
# The usual range leaves out a tenth of the days at either end.
LEFT_OUT = 0.1
# Items whose hours are looked at; a busy feed brings so many in a month.
ITEMS_LOOKED_AT = 3000
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS = 24


@dataclass(frozen=True, slots=True)
class Honesty:
    """What conditional requests came to: not modified, a new document, the same one once more."""

    n_unmodified: int
    n_changed: int
    n_same: int

    @property
    def n_visits(self) -> int:
        return self.n_unmodified + self.n_changed + self.n_same


@dataclass(frozen=True, slots=True)
class PublishingHours:
    """Dated items by weekday and hour, in local time, Monday first."""

    rows: Sequence[tuple[str, Sequence[int]]]
    n_items: int

    @property
    def most(self) -> int:
        return max((n for _, hours in self.rows for n in hours), default=0)


def day_counts(now: datetime) -> dict[str, Count]:
    """Make aggregates that count the items of each of the last days; d0 is the last 24 hours."""
    return {
        f"d{place}": Count(
            "pk",
            filter=Q(
                first_seen_at__gt=now - DAY * (place + 1), first_seen_at__lte=now - DAY * place
            ),
        )
        for place in range(DAYS)
    }


def new_by_day(feed_ids: Sequence[int], now: datetime) -> dict[int, tuple[int, ...]]:
    """Count the new items of each of the last days, the oldest first, in one query."""
    rows = (
        FeedItem.objects.filter(feed__in=feed_ids, first_seen_at__gt=now - DAY * DAYS)
        .order_by()
        .values("feed")
        .annotate(**day_counts(now))
        .values_list("feed", *[f"d{place}" for place in reversed(range(DAYS))])
    )
    return {feed: tuple(days) for feed, *days in rows}


def usual_range(days: Sequence[int]) -> tuple[int, int] | None:
    """Range of the days before the last, from the first with items on; None where they are few.

    Examples
    --------
    >>> usual_range([0] * 18 + [9, 10, 10, 11, 12, 12, 12, 14, 40, 3])
    (10, 14)
    >>> usual_range([0] * 25 + [5, 5, 5]) is None
    True
    """
    before = list(days[:-1])
    while before and not before[0]:
        before.pop(0)
    # The first day brought all that the feed had listed by then.
    known = sorted(before[1:])
    if len(known) < USUAL_FROM_DAYS:
        return None
    n_out = round(len(known) * LEFT_OUT)
    return known[n_out], known[-1 - n_out]


def publishing_hours(feed: Feed) -> PublishingHours:
    """Count the newest dated items by the weekday and hour of their publication."""
    moments = (
        Page.objects.filter(listings__feed=feed, feed_published_at__isnull=False)
        .order_by("-feed_published_at")
        .values_list("feed_published_at", flat=True)[:ITEMS_LOOKED_AT]
    )
    local = [timezone.localtime(moment) for moment in moments if moment is not None]
    counts = Counter((moment.weekday(), moment.hour) for moment in local)
    rows = [
        (words, [counts[weekday, hour] for hour in range(HOURS)])
        for weekday, words in enumerate(WEEKDAYS)
    ]
    return PublishingHours(rows, len(local))


def honesty(feed: Feed, now: datetime) -> Honesty:
    """Compare what each visit of the last days said with what the document was."""
    visits = (
        Fetch.objects.filter(page=feed.page_id, started_at__gt=now - DAY * DAYS)
        .filter(outcome__in=[Outcome.OK, Outcome.NOT_MODIFIED])
        .order_by("started_at", "pk")
        .values_list("outcome", "digest")
    )
    n_unmodified = n_changed = n_same = 0
    last = ""
    for outcome, digest in visits:
        if outcome == Outcome.NOT_MODIFIED:
            n_unmodified += 1
        elif digest == last:
            n_same += 1
        else:
            n_changed += 1
            last = digest
    return Honesty(n_unmodified, n_changed, n_same)
