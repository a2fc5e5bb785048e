"""`/status/plan/`: the visits of the next seven days, hour by hour, and their pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.models import PageKind
from feeds.watching.plan_counts import PURPOSES, PlanCounts, PlanFilter, plan_counts
from feeds.watching.visit_plan import HOUR, PlannedHour
from presentation.wording.times import stamp

ROWS_PER_PAGE = 50
_HOURS_A_DAY = 24
_LONGEST_NAME = 253  # of a host, RFC 1035
KIND_WORDS = {
    PageKind.FEED: "feeds",
    PageKind.ARTICLE: "articles",
    PageKind.COMMENTS: "comment threads",
    PageKind.POST: "posts of timelines",
    PageKind.INDEX: "index pages",
    PageKind.SAMPLE: "samples",
    PageKind.RIGHTS: "files on rights",
}
PURPOSE_WORDS = {
    "new": "new pages and feeds",
    "planned": "pages visited again by plan",
    "asked": "pages asked for",
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

    filter: PlanFilter
    at: datetime | None = None

    @classmethod
    def of(cls, request: HttpRequest) -> "PlanChoice":
        kind, purpose = request.GET.get("kind", ""), request.GET.get("purpose", "")
        wanted = PlanFilter(
            request.GET.get("host", "").replace("\0", "")[:_LONGEST_NAME],
            kind if kind in PageKind.values else "",
            purpose if purpose in PURPOSES else "",
        )
        return cls(wanted, _hour(request.GET.get("at", "")))

    def address(self, **changes: str) -> str:
        """Address of the page with other values; an empty one is left out."""
        given = self.filter
        values = {"host": given.host, "kind": given.kind, "purpose": given.purpose} | changes
        return "?" + urlencode({name: value for name, value in values.items() if value})


@require_safe
def plan(request: HttpRequest) -> HttpResponse:
    now, wanted = timezone.localtime(), PlanChoice.of(request)
    counts = plan_counts(wanted.filter, now)
    found = counts.plan
    context = {
        "now": now,
        "wanted": wanted.filter,
        "plan": found,
        "counted_at": counts.counted_at,
        "days": _days(found.hours, wanted),
        "most": max((hour.n for hour in found.hours), default=0),
        "clock": range(_HOURS_A_DAY),
        "kinds": _kinds(counts, wanted),
        "purposes": _purposes(counts, wanted),
        "held": counts.held,
        "hosts": [(name, n, wanted.address(host=name)) for name, n in found.hosts],
        "all_hosts": wanted.address(host=""),
        "all_purposes": wanted.address(purpose=""),
        "crowded": [hour for hour in found.hours if hour.crowded],
    }
    return render(request, "feeds/plan.html", context | _rows(request, wanted))


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


def _kinds(counts: PlanCounts, wanted: PlanChoice) -> list[tuple[str, str, int, str]]:
    """Kinds of page that wait for a visit: value, words, number, address."""
    return [
        (kind.value, words, counts.kinds[kind.value], wanted.address(kind=kind.value))
        for kind, words in KIND_WORDS.items()
        if counts.kinds.get(kind.value)
    ]


def _purposes(counts: PlanCounts, wanted: PlanChoice) -> list[tuple[str, str, int, str]]:
    """List what the visits are for: value in the address, words, number, address."""
    return [
        (value, words, counts.purposes[PURPOSES[value]], wanted.address(purpose=value))
        for value, words in PURPOSE_WORDS.items()
        if counts.purposes.get(PURPOSES[value])
    ]


def _rows(request: HttpRequest, wanted: PlanChoice) -> dict[str, Any]:
    """Rows of the hour that was clicked."""
    if wanted.at is None:
        return {}
    rows = wanted.filter.pages().filter(due_at__gte=wanted.at, due_at__lt=wanted.at + HOUR)
    page = Paginator(
        rows.select_related("host", "publication").order_by("due_at", "pk"), ROWS_PER_PAGE
    ).get_page(request.GET.get("p"))
    address = wanted.address(at=wanted.at.isoformat())
    return {"page": page, "hour_words": stamp(timezone.localtime(wanted.at)), "address": address}
