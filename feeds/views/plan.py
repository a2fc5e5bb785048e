"""`/status/plan/`: the visits of the next seven days, hour by hour, and their pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.models import Page, PageKind, VisitPurpose
from feeds.watching.visit_plan import (
    HOUR,
    PlannedHour,
    held_hosts,
    planned_pages,
    visit_plan,
)
from presentation.wording.times import stamp

ROWS_PER_PAGE = 50
HOSTS_SHOWN = 12  # the rest are sites of a few visits each
_HOURS_A_DAY = 24
KIND_WORDS = {
    PageKind.FEED: "feeds",
    PageKind.ARTICLE: "articles",
    PageKind.COMMENTS: "comment threads",
    PageKind.INDEX: "index pages",
    PageKind.SAMPLE: "samples",
    PageKind.RIGHTS: "files on rights",
}
# By the value in the address, which is not empty for new pages.
PURPOSE_WORDS = {
    "new": (VisitPurpose.FIRST, "new pages and feeds"),
    "planned": (VisitPurpose.PLANNED, "pages visited again by plan"),
    "asked": (VisitPurpose.ASKED, "pages asked for"),
}


@dataclass(frozen=True, slots=True)
class HourCell:
    """One hour in the table, and the address of its rows."""

    hour: PlannedHour
    address: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """What the address asks for; anything unreadable in it is left out."""

    host: str = ""
    kind: str = ""
    purpose: str = ""
    at: datetime | None = None

    @classmethod
    def of(cls, request: HttpRequest) -> "PlanChoice":
        kind, purpose = request.GET.get("kind", ""), request.GET.get("purpose", "")
        return cls(
            request.GET.get("host", "").replace("\0", ""),
            kind if kind in PageKind.values else "",
            purpose if purpose in PURPOSE_WORDS else "",
            _hour(request.GET.get("at", "")),
        )

    def address(self, **changes: str) -> str:
        """Address of the page with other values; an empty one is left out."""
        values = {"host": self.host, "kind": self.kind, "purpose": self.purpose} | changes
        return "?" + urlencode({name: value for name, value in values.items() if value})


@require_safe
def plan(request: HttpRequest) -> HttpResponse:
    now, wanted = timezone.localtime(), PlanChoice.of(request)
    pages = planned_pages()
    of_host = pages.filter(host__name=wanted.host) if wanted.host else pages
    of_kind = of_host.filter(kind=wanted.kind) if wanted.kind else of_host
    chosen = of_kind
    if wanted.purpose:
        chosen = of_kind.filter(purpose=PURPOSE_WORDS[wanted.purpose][0])
    found = visit_plan(chosen, now)
    context = {
        "now": now,
        "wanted": wanted,
        "plan": found,
        "days": _days(found.hours, wanted),
        "most": max((hour.n for hour in found.hours), default=0),
        "clock": range(_HOURS_A_DAY),
        "kinds": _kinds(of_host, wanted),
        "purposes": _purposes(of_kind, wanted),
        "held": held_hosts(chosen, now),
        "hosts": [(name, n, wanted.address(host=name)) for name, n in found.hosts[:HOSTS_SHOWN]],
        "all_hosts": wanted.address(host=""),
        "all_purposes": wanted.address(purpose=""),
        "crowded": [hour for hour in found.hours if hour.crowded],
    }
    return render(request, "feeds/plan.html", context | _rows(request, chosen, wanted))


def _hour(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
        return at.replace(minute=0, second=0, microsecond=0) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _days(
    hours: Sequence[PlannedHour], wanted: PlanChoice
) -> list[tuple[datetime, list[HourCell | None]]]:
    """Lay the hours out by local day and hour; hours outside the seven days are None."""
    days: dict[Any, tuple[datetime, list[HourCell | None]]] = {}
    for hour in hours:
        start = timezone.localtime(hour.start)
        _, cells = days.setdefault(start.date(), (start, [None] * _HOURS_A_DAY))
        address = wanted.address(at=start.isoformat())
        cells[start.hour] = HourCell(hour, f"{address}#rows", wanted.at == start)
    return list(days.values())


def _kinds(pages: QuerySet[Page], wanted: PlanChoice) -> list[tuple[str, str, int, str]]:
    """Kinds of page that wait for a visit: value, words, number, address."""
    counts = dict(pages.order_by().values_list("kind").annotate(n=Count("pk")))
    return [
        (kind.value, words, counts[kind.value], wanted.address(kind=kind.value))
        for kind, words in KIND_WORDS.items()
        if counts.get(kind.value)
    ]


def _purposes(pages: QuerySet[Page], wanted: PlanChoice) -> list[tuple[str, str, int, str]]:
    """List what the visits are for: value in the address, words, number, address."""
    counts = dict(pages.order_by().values_list("purpose").annotate(n=Count("pk")))
    return [
        (value, words, counts[purpose], wanted.address(purpose=value))
        for value, (purpose, words) in PURPOSE_WORDS.items()
        if counts.get(purpose)
    ]


def _rows(request: HttpRequest, pages: QuerySet[Page], wanted: PlanChoice) -> dict[str, Any]:
    """Rows of the hour that was clicked."""
    if wanted.at is None:
        return {}
    rows = pages.filter(due_at__gte=wanted.at, due_at__lt=wanted.at + HOUR)
    page = Paginator(
        rows.select_related("host", "publication").order_by("due_at", "pk"), ROWS_PER_PAGE
    ).get_page(request.GET.get("p"))
    address = wanted.address(at=wanted.at.isoformat())
    return {"page": page, "hour_words": stamp(timezone.localtime(wanted.at)), "address": address}
