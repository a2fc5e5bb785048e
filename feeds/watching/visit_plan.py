"""The visits that are planned: how many fall into each hour of the next days, host by host.

Read side of `/status/plan/`. Of each page the next visit alone is known; a feed's further ones
depend on what that visit brings.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, QuerySet, Value

from feeds.models import Host, Page, PublicationState, VisitPurpose

HOUR = timedelta(hours=1)
DAYS = 7  # each weekday once; later visits are planned anew before they come
HOURS = DAYS * 24


@dataclass(frozen=True, slots=True)
class PlannedHour:
    """One hour: visits in it, and the host that has more of them than its delay has room for."""

    start: datetime
    n: int
    crowded: str = ""


@dataclass(frozen=True, slots=True)
class VisitPlan:
    """Visits by hour from `hours[0]` on, by host, those due before, and those after the days."""

    hours: Sequence[PlannedHour]
    hosts: Sequence[tuple[str, int]]
    n_overdue: int
    n_later: int

    @property
    def n_planned(self) -> int:
        return sum(hour.n for hour in self.hours)


@dataclass(frozen=True, slots=True)
class HeldHost:
    """A host whose planned visits wait: what was asked of it today, and until when they wait."""

    name: str
    n_requests: int
    n_visits: int
    n_waiting: int
    until: datetime


def held_hosts(pages: QuerySet[Page], now: datetime) -> list[HeldHost]:
    """List the hosts whose share of planned visits is used up, with what waits there."""
    hosts = {host.pk: host for host in Host.objects.filter(visits_from__gt=now)}
    due = pages.filter(host__in=hosts, purpose=VisitPurpose.PLANNED, due_at__lte=now)
    waiting = dict(due.order_by().values_list("host").annotate(n=Count("*"))) if hosts else {}
    return [
        HeldHost(host.name, host.n_requests, host.n_visits, waiting[pk], host.visits_from)
        for pk, host in hosts.items()
        if host.visits_from and pk in waiting
    ]


def planned_pages() -> QuerySet[Page]:
    """Pages with a visit to come whose publication runs."""
    return Page.objects.waiting().filter(publication__state=PublicationState.ACTIVE)


def visit_plan(pages: QuerySet[Page], now: datetime) -> VisitPlan:
    """Count the planned visits, in one query: a range of the index for each hour."""
    first = now.replace(minute=0, second=0, microsecond=0)
    starts = [first + HOUR * place for place in range(HOURS)]
    end = first + HOUR * HOURS
    found = [
        pages.filter(due_at__gt=now, due_at__gte=start, due_at__lt=start + HOUR)
        .order_by()
        .values("host__name", place=Value(place))
        .annotate(n=Count("*"))
        for place, start in enumerate(starts)
    ]
    counts: dict[int, Counter[str]] = {place: Counter() for place in range(HOURS)}
    for row in found[0].union(*found[1:], all=True):
        counts[row["place"]][row["host__name"]] += row["n"]
    room = _room([host for hosts in counts.values() for host in hosts])
    return VisitPlan(
        hours=[
            PlannedHour(start, counts[place].total(), _crowded(counts[place], room))
            for place, start in enumerate(starts)
        ],
        hosts=sum(counts.values(), Counter[str]()).most_common(),
        n_overdue=pages.filter(due_at__lte=now).count(),
        n_later=pages.filter(due_at__gte=end).count(),
    )


def _room(names: Sequence[str]) -> dict[str, float]:
    """How many requests an hour each host's delay has room for."""
    hosts = Host.objects.filter(name__in=set(names), delay_seconds__gt=0)
    delays = hosts.values_list("name", "delay_seconds")
    return {name: HOUR.total_seconds() / delay for name, delay in delays if delay}


def _crowded(counts: Counter[str], room: dict[str, float]) -> str:
    """Name the host that cannot keep to its hour, the one with most visits first."""
    return next((name for name, n in counts.most_common() if n > room.get(name, n)), "")
