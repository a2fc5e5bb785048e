"""Fragments under `/part/…`: for htmx only; a reader who opens one is sent to its page."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def part_of(page: str) -> Callable[[View[P]], View[P]]:
    """Refuse direct navigation to a fragment with a link to the page that shows it."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.headers.get("HX-Request") != "true":
                context = {"address": reverse(page, kwargs=kwargs or None)}
                return render(request, "corpus_site/part_alone.html", context, status=400)
            return view(request, *args, **kwargs)

        return answer

    return decorate
