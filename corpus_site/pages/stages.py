"""Rows of one stage: what is due, done or put aside, with the error and a second chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from corpus_site.pipeline import BY_NAME, Stage, active_rows, unfinished_rows
from feeds.models import Work
from feeds.work.leases import release_quarantine
from presentation.primary_keys import primary_key
from presentation.wording.figures import counted

ROWS_PER_PAGE = 50
STATES = {
    "due": "due now",
    "postponed": "beyond their host’s share for visits",
    "planned": "planned for later",
    "done": "done",
    "quarantined": "put aside",
}


@dataclass(frozen=True, slots=True)
class StageRow:
    """One row of a stage: its table, what it is about, and how it stands."""

    table: str
    pk: int
    address: str
    due_at: datetime | None
    attempts: int
    last_error: str
    quarantined_at: datetime | None


@require_safe
def stage_rows(request: HttpRequest, name: str) -> HttpResponse:
    stage = _stage(name)
    state = request.GET.get("state", "due")
    if state not in STATES:
        raise Http404
    now = timezone.localtime()
    page = Paginator(_Rows(stage, state, now), ROWS_PER_PAGE).get_page(request.GET.get("p"))
    context = {
        "now": now,
        "stage": stage,
        "state": state,
        "state_words": STATES[state],
        "states": STATES,
        "page": page,
    }
    return render(request, "corpus_site/stage.html", context)


@permission_required("feeds.change_page", raise_exception=True)
@require_POST
def try_again(request: HttpRequest, name: str) -> HttpResponse:
    """Release one row (`table` and `pk`) from quarantine, or all rows of the stage."""
    stage = _stage(name)
    table, row_wanted = request.POST.get("table", ""), request.POST.get("pk", "")
    released = 0
    for model in stage.models:
        rows = model.objects.all()
        if row_wanted:
            if model._meta.model_name != table:
                continue
            rows = rows.filter(pk=primary_key(row_wanted))
        released += release_quarantine(rows, timezone.now())
    messages.success(request, f"{counted(released, 'row is', 'rows are')} due again.")
    return redirect(f"{reverse('stage', args=[name])}?state=quarantined")


def _stage(name: str) -> Stage:
    if name not in BY_NAME:
        raise Http404
    return BY_NAME[name]


class _Rows(Sequence[StageRow]):
    """Rows of all tables of a stage, one table after the other, as a paginator reads them."""

    def __init__(self, stage: Stage, state: str, now: datetime) -> None:
        self._querysets = [
            _in_state(active_rows(model).annotate(subject_address=F(subject)), state, now)
            for model, subject in stage.subjects.items()
        ]
        self._counts = [rows.count() for rows in self._querysets]

    def __len__(self) -> int:
        return sum(self._counts)

    @overload
    def __getitem__(self, wanted: int) -> StageRow: ...

    @overload
    def __getitem__(self, wanted: slice) -> list[StageRow]: ...

    def __getitem__(self, wanted: int | slice) -> StageRow | list[StageRow]:
        if isinstance(wanted, int):
            return self[wanted : wanted + 1][0]
        start, stop = wanted.start or 0, min(wanted.stop, len(self))
        found: list[StageRow] = []
        for rows, n in zip(self._querysets, self._counts, strict=True):
            if start < n and stop > 0:
                found += [_row(row) for row in rows[max(start, 0) : stop]]
            start, stop = start - n, stop - n
        return found


def _in_state(rows: QuerySet[Work], state: str, now: datetime) -> QuerySet[Work]:
    if state == "quarantined":
        return rows.filter(quarantined_at__isnull=False).order_by("-quarantined_at", "pk")
    alive = rows.filter(quarantined_at=None)
    if state in {"due", "postponed"}:
        due = unfinished_rows(rows.model, now).values("pk")
        come = alive.filter(due_at__lte=now).order_by("due_at", "pk")
        return come.filter(pk__in=due) if state == "due" else come.exclude(pk__in=due)
    if state == "planned":
        return alive.filter(due_at__gt=now).order_by("due_at", "pk")
    return alive.filter(due_at=None).order_by("-pk")


def _row(row: Work) -> StageRow:
    return StageRow(
        table=row._meta.model_name or "",
        pk=row.pk,
        address=row.subject_address,  # type: ignore[attr-defined] # annotated above
        due_at=row.due_at,
        attempts=row.attempts,
        last_error=row.last_error,
        quarantined_at=row.quarantined_at,
    )
