"""`/part/counting/`: a long query goes on while its first page is read; who leaves cancels it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from presentation.fragments import is_fragment_request, lead_to_page
from search.engine.query.errors import QueryError
from search.query_form import QueryForm
from search.running import FOREVER
from search.searching import SearchPage, search
from search.views.search_form import form_of
from search.views.search_requests import request_of

PAGE_SECONDS = 0.3  # screens.md, section 3: the page answers within 300 ms whatever happens
_WHOLE = "whole"  # wait for the total: for readers without script


def patience_of(request: HttpRequest, form: QueryForm) -> float:
    """Return how long a page may search: without end if the address asks for the whole answer."""
    if request.GET.get(_WHOLE) != "1":
        return PAGE_SECONDS
    form.unknown = [name for name in form.unknown if name != _WHOLE]
    return FOREVER


def counting_links(form: QueryForm, page: SearchPage) -> dict[str, Any]:
    """Return the addresses that ask on, stop asking, and wait for the whole answer."""
    if page.counting is None:
        return {}
    address = form.address.change(after=page.counting.mark)
    part = address.at(reverse("part-counting"))
    whole = f"{address.at(reverse('search'))}&{_WHOLE}=1"
    return {"counting": {"on": part, "stop": f"{part}&stop=1", "whole": whole}}


@require_safe
def counting_part(request: HttpRequest) -> HttpResponse:
    """Search on for a while; when all is found, send the reader to the finished page."""
    form = form_of(request)
    address = form.address.change(after=form.address.values("after")).at(reverse("search"))
    if not is_fragment_request(request):
        return lead_to_page(request, address)
    if not form.has_query or not form.can_run:
        return HttpResponse(status=400)
    is_stopped = request.GET.get("stop") == "1"
    try:
        page = search(
            request_of(form), with_facets=False, patience=0.0 if is_stopped else PAGE_SECONDS
        )
    except QueryError as error:
        return render(request, "search/_counting.html", {"counting_error": error.message})
    if page.counting is None:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    links = counting_links(form, page)
    context = {"page": page, "is_stopped": is_stopped, **links}
    return render(request, "search/_counting.html", context)
