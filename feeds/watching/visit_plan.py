"""The visits that are planned: how many fall into each hour of the next days, host by host.

Read side of `/status/plan/`. Of each page the next visit alone is known; a feed's further ones
depend on what that visit brings.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, QuerySet, Value

from feeds.models import Host, Page, VisitPurpose

HOUR = timedelta(hours=1)
DAYS = 7  # each weekday once; later visits are planned anew before they come
HOURS = DAYS * 24
_HOUR_SECONDS = HOUR.total_seconds()
HOSTS_SHOWN = 12  # the rest are sites of a few visits each


@dataclass(frozen=True, slots=True)
class PlannedHour:
    """One hour: visits in it, and the host that has more of them than its delay has room for."""

    start: datetime
    n: int
    crowded: str = ""


@dataclass(frozen=True, slots=True)
class VisitPlan:
    """Visits by hour from `hours[0]` on, by host, those due before, and those after the days.

    Hosts are the `HOSTS_SHOWN` with most visits in the hours.
    """

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
    return Page.objects.waiting().of_running_publications()


def visit_plan(pages: QuerySet[Page], now: datetime) -> VisitPlan:
    """Count the planned visits, in one query: a range of the index for each hour."""
    first = now.replace(minute=0, second=0, microsecond=0)
    starts = [first + HOUR * place for place in range(HOURS)]
    end = first + HOUR * HOURS
    found = [
        pages.filter(due_at__gt=now, due_at__gte=start, due_at__lt=start + HOUR)
        .order_by()
        .values_list(Value(place), "host")
        .annotate(n=Count("*"))
        for place, start in enumerate(starts)
    ]
    counts = [Counter[int]() for _ in starts]
    for place, host, n in found[0].union(*found[1:], all=True):
        counts[place][host] = n
    crowded = _crowded(counts)
    most = sum(counts, Counter[int]()).most_common(HOSTS_SHOWN)
    names = _names({host for host, _ in most} | set(crowded.values()))
    return VisitPlan(
        hours=[
            PlannedHour(start, counts[place].total(), names.get(crowded.get(place, 0), ""))
            for place, start in enumerate(starts)
        ],
        hosts=[(names[host], n) for host, n in most],
        n_overdue=pages.filter(due_at__lte=now).count(),
        n_later=pages.filter(due_at__gte=end).count(),
    )


def _names(hosts: set[int]) -> dict[int, str]:
    return dict(Host.objects.filter(pk__in=hosts).values_list("pk", "name"))


def _crowded(counts: Sequence[Counter[int]]) -> dict[int, int]:
    """Find the host that cannot keep to an hour for its delay, of several the one asked most.

    Hosts by place of the hour in `counts`; hours that all can keep to are left out.
    """
    longest = Host.objects.aggregate(longest=Max("delay_seconds"))["longest"]
    if not longest:
        return {}
    # Nearly no host has so much to do that its delay need be read.
    busy = {host for hour in counts for host, n in hour.items() if n * longest > _HOUR_SECONDS}
    delays = dict(
        Host.objects.filter(pk__in=busy, delay_seconds__gt=0).values_list("pk", "delay_seconds")
    )
    found: dict[int, int] = {}
    for place, hour in enumerate(counts):
        for host, n in hour.most_common() if not busy.isdisjoint(hour) else ():
            if n * (delays.get(host) or 0) > _HOUR_SECONDS:
                found[place] = host
                break
    return found
