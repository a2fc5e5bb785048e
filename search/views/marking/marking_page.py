"""`/markings/<id>/`: lines with their categories, marked by form or by keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from presentation.fragments import is_fragment_request
from search.answers.search_lines import SearchLine, search_lines
from search.asking.address import Address
from search.engine.concordance.kwic import PageRequest
from search.marking.forms import CategoryForm, marks_in
from search.marking.markings import (
    MarkingRefusedError,
    add_category,
    carry,
    mark,
    open_marks,
    seen_by,
)
from search.marking.places import find_lines
from search.marking.results import LEFT_OUT, markers_seen, names_of
from search.models import LineMark, MarkedLine, Marker, Marking
from search.models.marking import DELETED, LONGEST_NOTE, MOST_CATEGORIES
from search.opened_index import current_snapshot
from search.views.concordance.concordance_lines import LineAddresses, node_width, runs_left
from search.views.marking.marking_list import PERMISSION

LINES_OF_A_PAGE = 50
LEFT, DIFFER = "left", "differ"
_MOST_DIGITS = 10  # of the number of a page; Python refuses to read some thousand


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A line with the reader's own mark; `others` are those of all, once they are opened.

    `shown` is None for a line that the generation lacks.
    """

    line: MarkedLine
    shown: SearchLine | None
    address: str
    value: str
    note: str
    others: tuple[tuple[str, str, str], ...]

    @property
    def runs_left(self) -> bool:
        """Whether the line is read from right to left."""
        shown = self.shown
        return shown is not None and runs_left(f"{shown.node} {shown.right} {shown.left}")


@require_safe
@login_required
def marking(request: HttpRequest, marking_id: int) -> HttpResponse:
    return _page(request, get_object_or_404(seen_by(request.user), pk=marking_id), CategoryForm())


def _page(request: HttpRequest, row: Marking, category_form: CategoryForm) -> HttpResponse:
    own = row.markers.filter(person_id=request.user.pk).first()
    show = request.GET.get("show", "")
    lines = _chosen(row, own, show)
    page = Paginator(lines, LINES_OF_A_PAGE).get_page(request.GET.get("p"))
    rows = list(_rows(row, page, own, markers_seen(row, request.user) if row.is_open else []))
    shown = [one.shown for one in rows if one.shown is not None]
    address = reverse("marking", args=[row.pk])
    context: dict[str, Any] = {
        "marking": row,
        "query": Address.parse(row.parameters).get("q"),
        "search": Address.parse(row.parameters).at(reverse("search")),
        "page": page,
        "rows": rows,
        "node_width": node_width(shown),
        "values": [*enumerate(row.categories, 1), (DELETED, LEFT_OUT)],
        "longest_note": LONGEST_NOTE,
        "show": show,
        "shows": _shows(row),
        "address": f"{address}?{urlencode({'show': show} if show else {})}{'&' if show else ''}p=",
        "n_sorted": own.marks.filter(value__isnull=False).count() if own else 0,
        "may_mark": not row.is_open,
        "is_own": row.owner_id == request.user.pk,
        "n_markers": row.markers.count(),
        "newest": current_snapshot().generation,
        "category_form": None if len(row.categories) >= MOST_CATEGORIES else category_form,
    }
    status = 400 if category_form.errors else 200
    return render(request, "search/marking.html", context, status=status)


def _shows(row: Marking) -> list[tuple[str, str]]:
    """Return what lines the page can be narrowed to."""
    found = [("", "all lines"), (LEFT, "not sorted yet")]
    found += [(str(value), name) for value, name in names_of(row).items()]
    return [*found, (DIFFER, "people differ")] if row.is_open else found


def _chosen(row: Marking, own: Marker | None, show: str) -> QuerySet[MarkedLine]:
    """Narrow the lines by the reader's own marks, or to those that people sorted otherwise."""
    lines = row.lines.order_by("number")
    own_marks = LineMark.objects.filter(marker=own, value__isnull=False)
    if show == LEFT:
        return lines.exclude(pk__in=own_marks.values("line"))
    if show == DIFFER and row.is_open:
        return lines.annotate(n=Count("marks__value", distinct=True)).filter(n__gt=1)
    if show in map(str, names_of(row)):
        return lines.filter(pk__in=own_marks.filter(value=int(show)).values("line"))
    return lines


def _rows(
    row: Marking, page: Page[MarkedLine], own: Marker | None, everybody: Sequence[Marker]
) -> Iterator[MarkRow]:
    lines = list(page.object_list)
    found = find_lines(lines, current_snapshot(), row.generation, PageRequest())
    shown = iter(search_lines([line for line in found if line is not None]))
    addresses = LineAddresses(Address.parse(row.parameters))
    names = names_of(row)
    marks: dict[int, dict[int, LineMark]] = {}
    seen = [*everybody, *([own] if own else [])]
    for one in LineMark.objects.filter(line__in=lines, marker__in=seen):
        marks.setdefault(one.line_id, {})[one.marker_id] = one
    for line, place in zip(lines, found, strict=True):
        text = None if place is None else next(shown)
        said = marks.get(line.pk, {})
        mine = said.get(own.pk) if own else None
        yield MarkRow(
            line,
            text,
            "" if text is None else addresses.text(text),
            "" if mine is None or mine.value is None else str(mine.value),
            mine.note if mine else "",
            tuple(
                (person.name, "" if one.value is None else names[one.value], one.note)
                for person in everybody
                for one in filter(None, [said.get(person.pk)])
            ),
        )


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def mark_lines(request: HttpRequest, marking_id: int) -> HttpResponse:
    """Keep marks: of a page's form, or of the line that a key was pressed on."""
    row = get_object_or_404(seen_by(request.user), pk=marking_id)
    try:
        mark(row, request.user, marks_in(request.POST), timezone.now())
    except (MarkingRefusedError, ValueError) as error:
        refused = isinstance(error, MarkingRefusedError)
        sentence = str(error) if refused else "This is no mark of this page."
        if is_fragment_request(request):
            return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")
        messages.error(request, sentence)
    if is_fragment_request(request):
        return HttpResponse(status=204)
    return redirect(_next_page(request, row))


def _next_page(request: HttpRequest, row: Marking) -> str:
    """Stay on the page, or turn it; lines that are sorted leave the page of those that are not."""
    show, number = request.POST.get("show", ""), request.POST.get("p", "1")
    at = int(number) if number.isdecimal() and len(number) < _MOST_DIGITS else 1
    turns = request.POST.get("go") == "next" and show != LEFT
    kept = {"show": show} if show else {}
    return f"{reverse('marking', args=[row.pk])}?{urlencode(kept | {'p': at + turns})}"


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def add(request: HttpRequest, marking_id: int) -> HttpResponse:
    """Add a category."""
    row = get_object_or_404(Marking, pk=marking_id, owner=request.user)
    form = CategoryForm(request.POST)
    if form.is_valid():
        try:
            add_category(row, form.cleaned_data["name"])
        except MarkingRefusedError as error:
            form.add_error("name", str(error))
        else:
            return redirect("marking", row.pk)
    row.refresh_from_db()
    if row.is_open or len(row.categories) >= MOST_CATEGORIES:  # the page asks for none any more
        messages.error(request, str(form.errors["name"][0]))
        return redirect("marking", row.pk)
    return _page(request, row, form)


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def open_all(request: HttpRequest, marking_id: int) -> HttpResponse:
    row = get_object_or_404(Marking, pk=marking_id, owner=request.user)
    open_marks(row, timezone.now())
    messages.success(request, "The marks are opened; none is changed any more.")
    return redirect("marking-results", row.pk)


@require_POST
@permission_required(PERMISSION, raise_exception=True)
def carry_on(request: HttpRequest, marking_id: int) -> HttpResponse:
    row = get_object_or_404(Marking, pk=marking_id, owner=request.user)
    try:
        copy = carry(row, request.user, timezone.now())
    except MarkingRefusedError as error:
        messages.error(request, str(error))
        return redirect("marking", row.pk)
    n_carried = copy.lines.count()
    messages.success(
        request,
        f"{n_carried} of {copy.n_lines} lines are carried to generation {copy.generation}; "
        f"{copy.n_lines - n_carried} are not there, or have other words at their place.",
    )
    return redirect("marking", copy.pk)
