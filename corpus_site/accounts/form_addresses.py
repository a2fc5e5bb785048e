"""Addresses that only take forms, met by a reader whose session has ended or by a link.

Nothing is ever repeated by itself: signing in leads back to the page with the form, and the reader
decides anew.
"""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from corpus_site.accounts.networks import API_PATH

SIGNED_OUT = "You were signed out; nothing was saved. Please sign in and send it again."
SIGN_IN_AND_OUT = ("sign-in", "sign-out")
# What these forms change is shown elsewhere than above them.
SHOWN_AT = {"/words/macros/": "word-lists", "/subcorpora/": "subcorpora"}


class FormAddressesMiddleware:
    """Lead to a page where Django would answer with a form's address or a bare 405.

    It stands inside the middleware of messages and outside of all views.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.path.startswith(API_PATH):
            return response
        if request.method == "GET" and response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return HttpResponseRedirect(page_above(request.path))
        if _is_signed_out_form(request) and _leads_to_sign_in(response):
            return _sign_in_again(request)
        return response

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """Where everybody may read, views refuse a form of nobody instead of asking who it is."""
        if isinstance(exception, PermissionDenied) and _is_signed_out_form(request):
            return _sign_in_again(request)
        return None


def page_above(path: str) -> str:
    """Return the nearest address above a path that the site knows; at last the home page."""
    for beginning, page in SHOWN_AT.items():
        if path.startswith(beginning):
            return reverse(page)
    parts = path.strip("/").split("/")[:-1]
    while parts:
        above = f"/{'/'.join(parts)}/"
        try:
            resolve(above)
        except Http404:
            parts.pop()
        else:
            return above
    return reverse("home")


def page_of_form(request: HttpRequest) -> str:
    """Return path and query of the page of ours that sent a form, else the home page."""
    referrer = request.headers.get("Referer", "")
    parts = urlsplit(referrer) if _is_ours(referrer, request) else None
    if parts is None or parts.path in {reverse(name) for name in SIGN_IN_AND_OUT}:
        return reverse("home")
    page = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return page if _is_ours(page, request) else reverse("home")


def _is_ours(address: str, request: HttpRequest) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


def _is_signed_out_form(request: HttpRequest) -> bool:
    return (
        request.method == "POST"
        and not request.user.is_authenticated
        and not request.path.startswith(API_PATH)
        and request.path not in {reverse(name) for name in SIGN_IN_AND_OUT}
    )


def _leads_to_sign_in(response: HttpResponseBase) -> bool:
    location = str(response.headers.get("Location", ""))
    return response.status_code == HTTPStatus.FOUND and location.startswith(
        f"{reverse('sign-in')}?"
    )


def _sign_in_again(request: HttpRequest) -> HttpResponseBase:
    messages.warning(request, SIGNED_OUT)
    return redirect_to_login(page_of_form(request), reverse("sign-in"))
