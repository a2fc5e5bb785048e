"""`/part/waiting/<view>/`: the hits of a statistic page are still being searched for.

A statistic needs all hits. Where finding them takes longer than a page may, the page says how far
the search has come; this part searches on, and sends the reader to the finished page.
"""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from presentation.fragments import is_fragment_request, lead_to_page
from search.engine.query.errors import QueryError
from search.opened_index import current_snapshot
from search.requested import SearchRequest, parsed, run_slice
from search.views.counting import PAGE_SECONDS
from search.views.query_tabs import QUERY_TABS, kept_part
from search.views.search_form import form_of
from search.views.search_requests import request_of

WHOLE = "whole"  # wait for all hits: for readers without script


@dataclass(frozen=True, slots=True)
class Waiting:
    """How far a search has come, in parts of the corpus; addresses to go on, stop and wait."""

    n_done: int
    n_segments: int
    n_hits: int
    on: str
    stop: str
    whole: str


def waiting_for(
    request: HttpRequest, wanted: SearchRequest, view: str, *, is_stopped: bool = False
) -> Waiting | None:
    """Search for as long as a page may, or not at all; None when all hits are found.

    Raises
    ------
    QueryError
    """
    seconds = 0.0 if is_stopped else PAGE_SECONDS
    so_far = run_slice(current_snapshot(), wanted, parsed(wanted), None, seconds)
    if so_far.is_done:
        return None
    parameters = _parameters(request)
    part = f"{reverse('part-waiting', args=[view])}?{parameters}"
    return Waiting(
        so_far.n_done,
        so_far.n_segments,
        so_far.hits.total,
        part,
        f"{part}&stop=1",
        f"{reverse(view)}?{parameters}&{WHOLE}=1",
    )


def _parameters(request: HttpRequest) -> str:
    kept = request.GET.copy()
    for name in ("stop", WHOLE):
        kept.pop(name, None)
    return kept.urlencode()


@require_safe
def waiting_part(request: HttpRequest, view: str) -> HttpResponse:
    """Search on for a while; when all is found, send the reader to the finished page."""
    if view not in dict(QUERY_TABS):
        raise Http404
    address = f"{reverse(view)}?{_parameters(request)}"
    if not is_fragment_request(request):
        return lead_to_page(request, address)
    form = form_of(request)
    kept = form.like(kept_part(form.address))
    if not kept.has_query or not kept.can_run:
        return HttpResponse(status=400)
    is_stopped = request.GET.get("stop") == "1"
    try:
        waiting = waiting_for(request, request_of(kept), view, is_stopped=is_stopped)
    except QueryError as error:
        return render(request, "search/_waiting.html", {"waiting_error": error.message})
    if waiting is None:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return render(request, "search/_waiting.html", {"waiting": waiting, "is_stopped": is_stopped})
