"""`/saved/` and `/c/<short>/`: queries that users keep, and permanent links."""

from dataclasses import dataclass
from time import perf_counter

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from presentation.wording.figures import counted
from search.answers.answering import answer
from search.answers.kept_lists import numbers_to_keep
from search.asking.address import Address
from search.asking.controls import chips_of
from search.asking.form import form_at, reader_of
from search.asking.request import request_of
from search.asking.saving import (
    Numbers,
    QueryToSave,
    keep_link,
    names_of_queries,
    save_query,
    saved_queries,
)
from search.engine.query.errors import QueryError
from search.forms import SaveQueryForm, SaveSubcorpusForm
from search.models import SavedQuery
from search.views.saved.saved_feed import feed_address, new_since

PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A saved query with the addresses of its numbers of today and of what came in since."""

    query: SavedQuery
    words: str
    today: str
    n_new: int | None  # None where counting would keep the reader waiting
    new: str
    feed: str
    same: str


@require_safe
@login_required
def saved(request: HttpRequest) -> HttpResponse:
    origin = Address.parse(request.GET.get("query", ""))
    return saved_page(request, origin, SaveQueryForm(), SaveSubcorpusForm())


@require_safe
def short_link(request: HttpRequest, short: str) -> HttpResponse:  # noqa: ARG001 (Django calls it so)
    query = get_object_or_404(SavedQuery, short=short)
    return redirect(Address.parse(query.parameters).at(reverse("search")))


@require_POST
@permission_required("search.add_savedquery", raise_exception=True)
def add_query(request: HttpRequest) -> HttpResponse:
    form = SaveQueryForm(request.POST, names_of_queries(request.user))
    origin = Address.parse(request.POST.get("query", ""))
    numbers = _numbers(request, origin)
    if numbers is None and form.is_valid():
        form.add_error("query", "This query cannot be run, so there is nothing to save.")
    if numbers is None or not form.is_valid():
        return saved_page(request, origin, form, SaveSubcorpusForm())
    values = form.cleaned_data
    query = QueryToSave(origin, values["name"], values["note"])
    row = save_query(query, numbers, request.user)
    messages.success(request, f"“{row.name}” is saved with {counted(row.n_hits, 'hit')}.")
    return redirect("saved")


@require_POST
@permission_required("search.add_savedquery", raise_exception=True)
def permanent_link(request: HttpRequest) -> HttpResponse:
    origin = Address.parse(request.POST.get("query", ""))
    numbers = _numbers(request, origin)
    if numbers is None:
        return redirect(origin.at(reverse("search")))
    row = keep_link(origin, numbers, request.user)
    return redirect(Address.parse(row.parameters).at(reverse("search")))


def _numbers(request: HttpRequest, address: Address) -> Numbers | None:
    """Count what an address finds now (or of its generation); None when it cannot run."""
    form = form_at(address, request.user)
    if not form.has_query or not form.can_run:
        return None
    try:
        return numbers_to_keep(request_of(form))
    except QueryError:
        return None


@require_POST
@login_required
def remove_query(request: HttpRequest, query_id: int) -> HttpResponse:
    query = get_object_or_404(SavedQuery, pk=query_id, owner=request.user)
    query.delete()
    messages.success(request, "The query is removed; its permanent link no longer works.")
    return redirect("saved")


def saved_page(
    request: HttpRequest, origin: Address, query_form: SaveQueryForm, sub_form: SaveSubcorpusForm
) -> HttpResponse:
    """Render the page; the forms may hold errors."""
    reader = reader_of(request)
    query_form.initial = sub_form.initial = {"query": str(origin)}
    if not origin.get("q"):
        del sub_form.fields["what"], sub_form.fields["takes_comments"]
    context = {
        "origin": origin,
        "origin_query": origin.get("q") or str(origin.filters()),
        "chips": list(chips_of(origin, reader.publications)),
        "query_form": query_form,
        "subcorpus_form": sub_form,
        "queries": _query_rows(request),
    }
    status = 400 if query_form.errors or sub_form.errors else 200
    return render(request, "search/saved.html", context, status=status)


def _query_rows(request: HttpRequest) -> list[QueryRow]:
    """Make the rows; new hits are counted for half a second in all."""
    deadline = perf_counter() + PATIENCE_SECONDS
    return [_query_row(request, query, deadline) for query in saved_queries(request.user)]


def _query_row(request: HttpRequest, query: SavedQuery, deadline: float) -> QueryRow:
    address, path = Address.parse(query.parameters), reverse("search")
    return QueryRow(
        query,
        address.get("q"),
        address.without("asof").at(path),
        _count_new(request, query, deadline - perf_counter()),
        new_since(query).at(path),
        feed_address(query),
        address.at(reverse("same-today")),
    )


def _count_new(request: HttpRequest, query: SavedQuery, seconds: float) -> int | None:
    form = form_at(new_since(query), request.user)
    if seconds <= 0 or not form.can_run:
        return None
    try:
        so_far = answer(request_of(form), seconds)
    except QueryError:
        return None
    return so_far.hits.total if so_far.is_done else None
