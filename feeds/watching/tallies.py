"""Figures that take long to count are kept, and counted again by the sweep.

Counts of whole tables take seconds at ten million addresses; nobody shall wait for them at each
view. What is counted within `TALLY_DEAR_MS` is counted at each view and kept nowhere, so a small
corpus shows what is true now. Dearer figures are kept with their moment, which pages say beside
them. They rest `REST` times as long as the count took; then a sweep counts those again that
somebody looked at lately, and those that everybody looks at first: counting takes a fiftieth of a
processor at most. A view counts for itself where nothing is kept. Where no sweep has come for
several such rests, it does so if the count is quick; if not, it takes what is kept, of which it
says the age, until that is a day old: the next sweep counts. What nobody wanted for a day is
forgotten.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db.models import Q

from feeds.models import Tally

REST = 50
LONGEST_REST = timedelta(minutes=15)  # nobody takes older figures for those of now
_RESTS_WITHOUT_A_SWEEP = 4
WAITED_FOR_MS = 200  # a page has 300 in all
# Who has not looked for an hour has left; the next view takes what is there or counts.
_WANTED_FOR = timedelta(hours=1)
_NOTED_EVERY = timedelta(minutes=1)
_FORGOTTEN_AFTER = timedelta(days=1)

Count = Callable[[datetime], Any]


@dataclass(frozen=True, slots=True)
class Tallied:
    """Figures as JSON gives them, and the moment they were counted at where that is not now."""

    figures: Any
    counted_at: datetime | None = None


def tally(name: str, count: Count, now: datetime) -> Tallied:
    """Give figures as they are kept, or count them.

    Parameters
    ----------
    name
        Name under which they are kept; one of those that `count_again` knows.
    count
        Counts them; what it returns consists of dictionaries, lists, strings and numbers.
    now
        Moment of the view.
    """
    row = Tally.objects.filter(name=name).first()
    if row is None or _is_for_a_view(row, now):
        return _counted(name, count, now, row)
    if now - row.wanted_at > _NOTED_EVERY:
        Tally.objects.filter(pk=row.pk).update(wanted_at=now)
    return Tallied(row.figures, row.counted_at)


def count_first(
    count_of: Callable[[str], Count | None], now: datetime, names: Collection[str]
) -> int:
    """Count the figures of which nothing is kept, and keep those no view may wait for.

    Returns how many were counted. Others a process that has just begun may find dear once.
    """
    kept = set(Tally.objects.filter(name__in=names).values_list("name", flat=True))
    counts = {name: count for name in names if name not in kept and (count := count_of(name))}
    for name, count in counts.items():
        _counted(name, count, now, None)
    Tally.objects.filter(name__in=counts, elapsed_ms__lte=WAITED_FOR_MS).delete()
    return len(counts)


def count_again(
    count_of: Callable[[str], Count | None], now: datetime, always: Collection[str] = ()
) -> int:
    """Count the figures again that rested and that somebody looked at lately; returns how many.

    `count_of` gives the function for a name; names it does not know (any more) are forgotten, and
    those that nobody wanted for a day unless they are of `always`: these are counted again too.
    """
    others = Tally.objects.exclude(name__in=always)
    others.filter(wanted_at__lt=now - _FORGOTTEN_AFTER).delete()
    wanted = Q(wanted_at__gt=now - _WANTED_FOR) | Q(name__in=always)
    n_counted = 0
    for row in Tally.objects.filter(wanted).order_by("counted_at"):
        if now - row.counted_at < _rest(row):
            continue
        count = count_of(row.name)
        if count is None:
            row.delete()
            continue
        _counted(row.name, count, now, row, row.wanted_at)
        n_counted += 1
    return n_counted


def _counted(
    name: str, count: Count, now: datetime, row: Tally | None, wanted_at: datetime | None = None
) -> Tallied:
    """Count, and keep it if that was dear; `row` holds what was kept."""
    started = perf_counter()
    figures = count(now)
    elapsed_ms = ceil(1000 * (perf_counter() - started))
    if elapsed_ms < settings.TALLY_DEAR_MS:
        if row is not None:
            Tally.objects.filter(name=name).delete()
        return Tallied(figures)
    Tally.objects.update_or_create(
        name=name,
        defaults={
            "figures": figures,
            "counted_at": now,
            "elapsed_ms": elapsed_ms,
            "wanted_at": wanted_at or now,
        },
    )
    return Tallied(figures, now)


def _is_for_a_view(row: Tally, now: datetime) -> bool:
    """Whether a view is to count: no sweep did, and it is quick or has not been done for a day."""
    age = now - row.counted_at
    if row.elapsed_ms > WAITED_FOR_MS:
        return age > _FORGOTTEN_AFTER
    return age > _RESTS_WITHOUT_A_SWEEP * _rest(row)


def _rest(row: Tally) -> timedelta:
    return min(LONGEST_REST, timedelta(milliseconds=REST * row.elapsed_ms))
