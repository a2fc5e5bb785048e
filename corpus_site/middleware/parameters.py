"""Lets pages name the values that hold now, though another process was told of a change."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from feeds.parameters import values


class ParametersMiddleware:
    """Read what admins have changed, once in some seconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        values.refresh()
        return self._get_response(request)
