"""The plan of visits as its page shows it: of now, or as it is kept where it is dear to count."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.db.models import Count, QuerySet

from feeds.models import Page, VisitPurpose
from feeds.watching.tallies import tally
from feeds.watching.visit_plan import (
    HeldHost,
    PlannedHour,
    VisitPlan,
    held_hosts,
    planned_pages,
    visit_plan,
)

# By their names in addresses, which are not empty for new pages.
PURPOSES = {
    "new": VisitPurpose.FIRST,
    "planned": VisitPurpose.PLANNED,
    "asked": VisitPurpose.ASKED,
}
PLAN = "plan"  # name of the figures that are kept; "?" and the filters follow


@dataclass(frozen=True, slots=True)
class PlanFilter:
    """Whose visits: name of a host, kind of page, a key of `PURPOSES`; "" does not narrow."""

    host: str = ""
    kind: str = ""
    purpose: str = ""

    def of_host(self) -> QuerySet[Page]:
        """Planned pages of the host, of every kind."""
        pages = planned_pages()
        return pages.filter(host__name=self.host) if self.host else pages

    def pages(self) -> QuerySet[Page]:
        """Planned pages that the whole filter lets through."""
        pages = self.of_host()
        pages = pages.filter(kind=self.kind) if self.kind else pages
        return pages.filter(purpose=PURPOSES[self.purpose]) if self.purpose else pages

    @property
    def name(self) -> str:
        """Name under which the figures are kept."""
        given = {"host": self.host, "kind": self.kind, "purpose": self.purpose}
        query = urlencode([(name, value) for name, value in given.items() if value])
        return f"{PLAN}?{query}" if query else PLAN


@dataclass(frozen=True, slots=True)
class PlanCounts:
    """Visits by hour and host, of other kinds and purposes, and what waits for its host's share.

    `counted_at` where the figures are not of now.
    """

    plan: VisitPlan
    kinds: Mapping[str, int]
    purposes: Mapping[str, int]
    held: tuple[HeldHost, ...]
    counted_at: datetime | None


def plan_counts(wanted: PlanFilter, now: datetime) -> PlanCounts:
    """Give the plan of the visits that a filter lets through."""
    found = tally(wanted.name, lambda at: _count(wanted, at), now)
    figures = found.figures
    return PlanCounts(
        VisitPlan(
            hours=[
                PlannedHour(datetime.fromisoformat(start).astimezone(now.tzinfo), n, crowded)
                for start, n, crowded in figures["hours"]
            ],
            hosts=[(name, n) for name, n in figures["hosts"]],
            n_overdue=figures["n_overdue"],
            n_later=figures["n_later"],
        ),
        figures["kinds"],
        figures["purposes"],
        tuple(
            HeldHost(
                name, asked, visits, waiting, datetime.fromisoformat(until).astimezone(now.tzinfo)
            )
            for name, asked, visits, waiting, until in figures["held"]
        ),
        found.counted_at,
    )


def count_named(name: str) -> Callable[[datetime], Any] | None:
    """Give what counts the figures of a name; None for names that are no plan's."""
    head, _, query = name.partition("?")
    if head != PLAN:
        return None
    wanted = PlanFilter(**dict(parse_qsl(query)))
    return lambda now: _count(wanted, now)


def _count(wanted: PlanFilter, now: datetime) -> dict[str, Any]:
    pages = wanted.pages()
    plan = visit_plan(pages, now)
    kinds, purposes = Counter[str](), Counter[str]()
    groups = wanted.of_host().order_by().values_list("kind", "purpose").annotate(n=Count("*"))
    for kind, purpose, n in groups:
        kinds[kind] += n
        if wanted.kind in ("", kind):
            purposes[purpose] += n
    return {
        "hours": [[hour.start.isoformat(), hour.n, hour.crowded] for hour in plan.hours],
        "hosts": [list(pair) for pair in plan.hosts],
        "n_overdue": plan.n_overdue,
        "n_later": plan.n_later,
        "kinds": dict(kinds),
        "purposes": dict(purposes),
        "held": [
            [host.name, host.n_requests, host.n_visits, host.n_waiting, host.until.isoformat()]
            for host in held_hosts(pages, now)
        ],
    }
