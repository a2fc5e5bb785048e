"""Fragments under `/part/…`: for htmx only; a reader who opens one is sent to its page."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

PART_ALONE = "part_alone.html"
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def is_fragment_request(request: HttpRequest) -> bool:
    """Whether htmx asks, for a part of a page that stands already."""
    return request.headers.get("HX-Request") == "true"


def lead_to_page(request: HttpRequest, address: str) -> HttpResponse:
    """Answer who opened a fragment by itself with a link to the page that shows it."""
    return render(request, PART_ALONE, {"address": address}, status=404)


def part_of(page: str) -> Callable[[View[P]], View[P]]:
    """Refuse direct navigation to a fragment with a link to the page that shows it."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if is_fragment_request(request):
                return view(request, *args, **kwargs)
            context = {"address": reverse(page, kwargs=kwargs or None)}
            return render(request, PART_ALONE, context, status=400)

        return answer

    return decorate
