"""Requests that are refused before any page sees them, and those that a page failed on.

In words for whoever runs the site; programs that ask the API get them as JSON.
"""

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.views.defaults import server_error

from corpus_site.accounts.networks import API_PATH
from corpus_site.api.refusals import Refusal


def fault(request: HttpRequest) -> HttpResponse:
    """Say that something failed here; what it was stands in the log."""
    if request.path.startswith(API_PATH):
        to_do = "Try again later; if it lasts, tell the admins of this site what was asked."
        return Refusal(500, "A fault of ours.", to_do).answer()
    return server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say which host name is not known here, which is a setting; else that it was not readable."""
    host = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    # Not through request.get_host(), which is what has failed.
    return render(None, "400.html", {"host": host[:200]}, status=400)


def forged_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say why a form was not accepted: too old, without cookie, or from another address."""
    context = {
        "is_other_origin": reason.startswith("Origin checking failed"),
        "is_without_cookie": reason == REASON_NO_CSRF_COOKIE,
    }
    return render(request, "403_csrf.html", context, status=403)
