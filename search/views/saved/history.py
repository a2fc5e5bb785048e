"""`/history/`: what one has asked, searched, named and put into folders; two of them compared."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from presentation.wording.figures import counted
from search.asking.address import Address
from search.asking.controls import Chip, chips_of
from search.asking.form import reader_of
from search.asking.history import (
    MOST_KEPT,
    folders_of,
    forget_query,
    forget_unnamed,
    name_query,
    past_queries,
    rename_folder,
    views_of,
    write_waiting,
)
from search.asking.reference_lists import MARK
from search.asking.values import Reader
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.engine.tables.table_exports import TableFile, TableFormat, write_tables
from search.forms import FolderForm, PastQueryForm
from search.models import PastQuery
from search.views.concordance.query_tabs import QUERY_TABS, WORD_TABS
from search.views.saved.comparison import compare_address
from search.views.statistics.keyness_stretches import words_of_reference

ROWS_OF_A_PAGE = 50
MOST_WORDS_CHARS = 200  # to look for
_COMPARED = "Compared with "
_PICKED = 2  # are compared
_PATIENCE_SECONDS = 1.0  # for what the database had no turn for yet
_VIEWS = dict(QUERY_TABS + WORD_TABS)
_FILTERS = ("find", "folder", "view")
_COLUMNS = (
    Column("asked", "Asked"),
    Column("view", "View"),
    Column("query", "Query"),
    Column("filters", "Filters"),
    Column("choices", "Set to"),
    Column("hits", "Hits", ColumnKind.COUNT),
    Column("generation", "Generation", ColumnKind.COUNT),
    Column("name", "Name"),
    Column("folder", "Folder"),
    Column("note", "Note"),
    Column("address", "Address"),
)


@dataclass(frozen=True, slots=True)
class PastRow:
    """A past query with its address of today, that of its numbers, and what was set, in words."""

    query: PastQuery
    view: str
    address: str
    as_then: str
    chips: tuple[Chip, ...]
    choices: str


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    picked = request.GET.getlist("pick")
    if picked or "compare" in request.GET:
        return _compare(request, picked)
    write_waiting(_PATIENCE_SECONDS)
    chosen = _chosen(request.GET)
    rows = _rows_of(request, chosen)
    export = request.GET.get("export", "")
    if export in list(TableFormat):
        return _file(request, rows, TableFormat(export))
    page: Page[PastQuery] = Paginator(rows, ROWS_OF_A_PAGE).get_page(request.GET.get("p"))
    context = {
        "page": page,
        "rows": list(_past_rows(request, page)),
        "chosen": {name: chosen.get(name, "") for name in _FILTERS},
        "is_narrowed": bool(chosen),
        "folders": folders_of(request.user),
        "views": [(name, _VIEWS.get(name, name)) for name in views_of(request.user)],
        "most_kept": MOST_KEPT,
        "kept": f"&{chosen.urlencode()}" if chosen else "",
        "back": _back(chosen, page.number),
        "formats": [(form.name, form.value) for form in TableFormat if not form.is_data],
    }
    return render(request, "search/history.html", context)


def _chosen(given: QueryDict) -> QueryDict:
    """Take what narrows the list."""
    chosen = QueryDict(mutable=True)
    for name in _FILTERS:
        text = given.get(name, "").replace("\x00", "").strip()[:MOST_WORDS_CHARS]
        if text:
            chosen[name] = text
    return chosen


def _rows_of(request: HttpRequest, chosen: QueryDict) -> QuerySet[PastQuery]:
    words, folder, view = (chosen.get(name, "") for name in _FILTERS)
    return past_queries(request.user, words, folder, view)


def _back(chosen: QueryDict, number: int) -> str:
    """Query string of the list as it is shown."""
    place = chosen.copy()
    if number > 1:
        place["p"] = str(number)
    return place.urlencode()


def _past_rows(request: HttpRequest, rows: Iterable[PastQuery]) -> Iterator[PastRow]:
    reader_on = cache(lambda day: Reader(day, request.user))
    today = reader_of(request)
    for query in rows:
        yield _row(query, today.publications, _choices(query, reader_on))


def _choices(query: PastQuery, reader_on: Callable[[date], Reader]) -> str:
    """Give the settings in words; what keyness compared with was once stored as it was written."""
    reference = QueryDict(query.parameters).get("ref", "")
    written = f"{_COMPARED}{reference}"
    if not reference or reference.startswith(MARK) or not query.choices.startswith(written):
        return query.choices
    words = words_of_reference(reference, reader_on(timezone.localdate(query.asked_at)))
    return f"{_COMPARED}{words}{query.choices.removeprefix(written)}"


def _row(query: PastQuery, publications: dict[str, str], choices: str) -> PastRow:
    address = Address.parse(query.parameters)
    view = query.view if query.view in _VIEWS else "search"
    link = f"{reverse(view)}?{query.parameters}"
    pinned = "" if address.get("asof") else f"&asof={query.generation}"
    chips = tuple(chips_of(address, publications))
    return PastRow(query, _VIEWS[view], link, f"{link}{pinned}", chips, choices)


def _file(request: HttpRequest, rows: QuerySet[PastQuery], form: TableFormat) -> HttpResponse:
    site = f"{request.scheme}://{request.get_host()}"
    lines = tuple(_cells(row, site) for row in _past_rows(request, rows))
    table = ResultTable("history", "Past queries, newest first", _COLUMNS, lines)
    about = (
        ("view", "History"),
        ("of", request.user.get_username()),
        ("date", timezone.localtime().isoformat(timespec="seconds")),
    )
    response = HttpResponse(
        write_tables(TableFile(about, (table,)), form), content_type=form.media_type
    )
    response["Content-Disposition"] = f'attachment; filename="history.{form.ending}"'
    return response


def _cells(row: PastRow, site: str) -> tuple[Cell, ...]:
    query = row.query
    values: tuple[Any, ...] = (
        timezone.localtime(query.asked_at).isoformat(sep=" ", timespec="minutes"),
        row.view,
        query.text,
        ", ".join(f"{chip.name} {chip.value}" for chip in row.chips),
        row.choices,
        query.n_hits,
        query.generation,
        query.name,
        query.folder,
        query.note,
        f"{site}{row.as_then}",
    )
    return tuple(map(Cell, values))


def _compare(request: HttpRequest, picked: list[str]) -> HttpResponse:
    keys = [int(text) for text in picked if text.isdecimal() and len(text) < len(str(2**63))]
    rows = list(past_queries(request.user).filter(pk__in=keys).exclude(text=""))
    if len(rows) != _PICKED:
        messages.error(request, "Tick two queries to compare them.")
        return redirect("history")
    newer, older = rows
    return redirect(compare_address(older.parameters, newer.parameters))


@require_POST
@login_required
def name_past_query(request: HttpRequest, query_id: int) -> HttpResponse:
    row = get_object_or_404(PastQuery, pk=query_id, owner=request.user)
    form = PastQueryForm(request.POST)
    if form.is_valid():
        name_query(row, **form.cleaned_data)
        kept = "is kept" if any(form.cleaned_data.values()) else "has no name, folder or note now"
        messages.success(request, f"“{row.title}” {kept}.")
    else:
        messages.error(request, " ".join(str(e) for errors in form.errors.values() for e in errors))
    return _return(request)


@require_POST
@login_required
def remove_past_query(request: HttpRequest, query_id: int) -> HttpResponse:
    row = get_object_or_404(PastQuery, pk=query_id, owner=request.user)
    forget_query(row)
    messages.success(request, "The query is forgotten.")
    return _return(request)


@require_POST
@login_required
def rename_past_folder(request: HttpRequest) -> HttpResponse:
    form = FolderForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(e) for errors in form.errors.values() for e in errors))
        return redirect("history")
    folder, name = form.cleaned_data["folder"], form.cleaned_data["name"]
    queries = counted(rename_folder(request.user, folder, name), "query", "queries")
    messages.success(
        request, f"{queries} in “{name}” now." if name else f"{queries} in no folder now."
    )
    return redirect(f"{reverse('history')}?{urlencode({'folder': name})}" if name else "history")


@require_POST
@login_required
def clear_history(request: HttpRequest) -> HttpResponse:
    n_gone = forget_unnamed(request.user)
    messages.success(request, f"{counted(n_gone, 'query', 'queries')} forgotten; named ones stay.")
    return redirect("history")


def _return(request: HttpRequest) -> HttpResponse:
    """Lead back to the list as it was shown."""
    given = QueryDict(request.POST.get("back", ""))
    number = given.get("p", "")
    place = _back(_chosen(given), int(number) if number.isdecimal() and len(number) < 9 else 1)
    return redirect(f"{reverse('history')}?{place}" if place else "history")
