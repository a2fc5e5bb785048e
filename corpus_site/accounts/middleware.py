"""Who may read at all: everybody who has signed in, and all the world if the setting says so."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from presentation.fragments import is_fragment_request


class ReadersMiddleware(LoginRequiredMiddleware):
    """Send readers without an account to the sign-in page unless READING_WITHOUT_SIGN_IN is on.

    A part of a page that is polled after the session has ended makes its page load again instead,
    so that no sign-in form appears inside a list.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        if settings.READING_WITHOUT_SIGN_IN:
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)

    def handle_no_permission(  # type: ignore[override] # any answer will do
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        if is_fragment_request(request):
            return HttpResponse(status=401, headers={"HX-Refresh": "true"})
        return super().handle_no_permission(request, view_func)
