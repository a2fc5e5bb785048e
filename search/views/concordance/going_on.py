"""`/part/counting/`, `/part/waiting/<view>/`: a long query goes on while its page is read.

A concordance shows its first lines before all hits are found; a statistic needs all of them. Both
pages say how far the search has come; this part searches on and sends the reader to the finished
page. Who leaves cancels.
"""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from presentation.fragments import is_fragment_request, lead_to_page
from search.answers.answering import FOREVER, answer
from search.answers.searching import Counting, search
from search.asking.address import Address
from search.asking.form import QueryForm, form_of
from search.asking.request import SearchRequest, request_of
from search.engine.query.errors import QueryError
from search.views.concordance.query_tabs import QUERY_TABS, kept_part

PAGE_SECONDS = 0.3  # after so long a page that shows nothing new feels broken
WHOLE = "whole"  # of an address: wait for all hits, for readers without script
_STOP = "stop"
_LINES = "search"  # the view that needs no more than the hits of its first lines


@dataclass(frozen=True, slots=True)
class GoingOn:
    """How far a search has come, in parts of the corpus; addresses to go on, stop and wait."""

    view: str
    n_done: int
    n_segments: int
    n_hits: int
    on: str
    stop: str
    whole: str

    @property
    def has_lines(self) -> bool:
        """Whether what was found is shown already."""
        return self.view == _LINES


def patience_of(request: HttpRequest, form: QueryForm) -> float:
    """Return how long a page may search: without end if the address asks for the whole answer."""
    if request.GET.get(WHOLE) != "1":
        return PAGE_SECONDS
    form.unknown = [name for name in form.unknown if name != WHOLE]
    return FOREVER


def lines_going_on(address: Address, counting: Counting, n_hits: int) -> GoingOn:
    """Return how far a concordance has come; going on stays at its generation and place."""
    parameters = str(address.change(after=counting.mark))
    return _going_on(_LINES, parameters, (counting.n_done, counting.n_segments, n_hits))


def hits_going_on(
    request: HttpRequest, wanted: SearchRequest, view: str, *, is_stopped: bool = False
) -> GoingOn | None:
    """Search for as long as a page may, or not at all; None when all hits are found.

    Raises
    ------
    QueryError
    """
    so_far = answer(wanted, 0.0 if is_stopped else PAGE_SECONDS)
    if so_far.is_done:
        return None
    counts = so_far.n_done, so_far.n_segments, so_far.hits.total
    return _going_on(view, _parameters(request), counts)


def _going_on(view: str, parameters: str, counts: tuple[int, int, int]) -> GoingOn:
    part = reverse("part-counting") if view == _LINES else reverse("part-waiting", args=[view])
    on = f"{part}?{parameters}"
    return GoingOn(view, *counts, on, f"{on}&{_STOP}=1", f"{reverse(view)}?{parameters}&{WHOLE}=1")


def _parameters(request: HttpRequest) -> str:
    kept = request.GET.copy()
    for name in (_STOP, WHOLE):
        kept.pop(name, None)
    return kept.urlencode()


@require_safe
def going_on_part(request: HttpRequest, view: str = _LINES) -> HttpResponse:
    """Search on for a while; when all is found, send the reader to the finished page."""
    if view not in dict(QUERY_TABS):
        raise Http404
    form = form_of(request)
    address = f"{reverse(view)}?{_parameters(request)}"
    if view == _LINES:
        address = form.address.change(after=form.address.values("after")).at(reverse(view))
    else:
        form = form.like(kept_part(form.address))
    if not is_fragment_request(request):
        return lead_to_page(request, address)
    if not form.has_query or not form.can_run:
        return HttpResponse(status=400)
    is_stopped = request.GET.get(_STOP) == "1"
    try:
        found = _search_on(request, form, view, is_stopped=is_stopped)
    except QueryError as error:
        return render(request, "search/_going_on.html", {"view": view, "error": error.message})
    if found is None:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    context = {"going_on": found, "is_stopped": is_stopped}
    return render(request, "search/_going_on.html", context)


def _search_on(
    request: HttpRequest, form: QueryForm, view: str, *, is_stopped: bool
) -> GoingOn | None:
    wanted = request_of(form)
    if view != _LINES:
        return hits_going_on(request, wanted, view, is_stopped=is_stopped)
    page = search(wanted, with_facets=False, patience=0.0 if is_stopped else PAGE_SECONDS)
    if page.counting is None:
        return None
    return lines_going_on(form.address, page.counting, page.total)
