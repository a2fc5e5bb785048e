"""`/markings/`: markings of one's own and of others, and drawing lines for a new one."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from presentation.wording.figures import counted
from search.answers.answering import answer
from search.asking.address import Address
from search.asking.controls import chips_of
from search.asking.form import form_at, reader_of
from search.asking.request import request_of
from search.engine.query.errors import QueryError
from search.marking.drawing import MOST_LINES, draw
from search.marking.forms import NewMarkingForm
from search.marking.markings import (
    MarkingRefusedError,
    MarkingToMake,
    make_marking,
    remove_marking,
    seen_by,
)
from search.models import Marking

PATIENCE_SECONDS = 0.5  # for the number of hits, which stands above the form
PERMISSION = "search.add_marking"


@dataclass(frozen=True, slots=True)
class MarkingRow:
    """A marking in the list, with how many lines the reader has sorted."""

    marking: Marking
    query: str
    n_sorted: int
    is_own: bool


@require_safe
@login_required
def markings(request: HttpRequest) -> HttpResponse:
    origin = Address.parse(request.GET.get("query", ""))
    return _page(request, origin, NewMarkingForm(initial={"query": str(origin)}))


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def add_marking(request: HttpRequest) -> HttpResponse:
    form = NewMarkingForm(request.POST)
    origin = Address.parse(request.POST.get("query", ""))
    if not form.is_valid():
        return _page(request, origin, form)
    asked = form_at(origin, request.user)
    if not asked.has_query or not asked.can_run:
        form.add_error(None, "This query cannot be run, so there is nothing to mark.")
        return _page(request, origin, form)
    values, wanted = form.cleaned_data, form.to_draw()
    try:
        drawn = draw(request_of(asked, after=""), wanted)
        row = make_marking(
            MarkingToMake(
                values["name"], values["categories"], origin, wanted.seed, values["is_shared"]
            ),
            drawn,
            request.user,
            timezone.now(),
        )
    except (QueryError, MarkingRefusedError) as error:
        form.add_error(None, str(error))
        return _page(request, origin, form)
    messages.success(request, f"{counted(row.n_lines, 'line')} drawn for “{row.name}”.")
    return redirect("marking", row.pk)


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def remove(request: HttpRequest, marking_id: int) -> HttpResponse:
    row = get_object_or_404(Marking, pk=marking_id, owner=request.user)
    remove_marking(row)
    messages.success(request, f"“{row.name}” is removed with all its marks.")
    return redirect("markings")


def _page(request: HttpRequest, origin: Address, form: NewMarkingForm) -> HttpResponse:
    context = {
        "origin": origin,
        "query": origin.get("q"),
        "chips": chips_of(origin, reader_of(request).publications) if origin.pairs else (),
        "n_hits": _count(request, origin) if origin.pairs else None,
        "most_lines": MOST_LINES,
        "form": form,
        "rows": _rows(request),
    }
    status = 400 if form.errors else 200
    return render(request, "search/markings.html", context, status=status)


def _count(request: HttpRequest, origin: Address) -> int | None:
    """Count the hits that lines are drawn from; None where it would keep the reader waiting."""
    asked = form_at(origin, request.user)
    if not asked.has_query or not asked.can_run:
        return None
    try:
        so_far = answer(request_of(asked, after=""), PATIENCE_SECONDS)
    except QueryError:
        return None
    return so_far.hits.total if so_far.is_done else None


def _rows(request: HttpRequest) -> list[MarkingRow]:
    own_marks = Q(markers__person=request.user, markers__marks__value__isnull=False)
    rows = seen_by(request.user).annotate(n_sorted=Count("markers__marks", filter=own_marks))
    # Counting by groups, Django leaves out the order of the model.
    newest_first = rows.order_by("-created_at", "-pk")
    return [
        MarkingRow(
            row,
            Address.parse(row.parameters).get("q"),
            row.n_sorted,
            row.owner_id == request.user.pk,
        )
        for row in newest_first
    ]
