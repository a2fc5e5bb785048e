"""`/articles/`: the list of articles, newest first."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from search.articles.browsing import browse
from search.articles.filters import BrowseRequest
from search.forms import BrowseForm


@require_safe
def articles(request: HttpRequest) -> HttpResponse:
    form = BrowseForm(request.GET)
    is_valid = form.is_valid()
    page = browse(form.to_request() if is_valid else BrowseRequest())
    given = form.given()
    context = {
        "form": form,
        "page": page,
        "unknown": form.unknown_names(),
        "given": given,
        "given_query": urlencode(given),
        "is_filtered": bool(given),
        "next_query": ""
        if page.next_after is None
        else urlencode(given | {"after": form.write_after(page.next_after)}),
    }
    return render(request, "search/articles.html", context, status=200 if is_valid else 400)
