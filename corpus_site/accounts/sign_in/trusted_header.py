"""Signing in by a header that a proxy sets after it has asked who this is (Shibboleth, mod_auth_…).

The header is believed only from the networks that the settings name: from everywhere else anybody
could write it.
"""

import ipaddress
import re
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import login, logout
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from corpus_site.accounts.models import SignInWay
from corpus_site.accounts.sign_in.arrivals import Arrival, ArrivalRefusedError, arrive

_BACKEND = "corpus_site.accounts.backends.RoleBackend"
_SUBJECT = "signed_in_by_header"
# Shibboleth parts the values of an attribute by semicolons, others by commas.
_BETWEEN = re.compile(r"[;,]")


class TrustedHeaderMiddleware:
    """Keep the session of whoever the proxy names; end it when the proxy names nobody any more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.SIGN_IN_HEADER:
            raise MiddlewareNotUsed
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = _named(request)
        kept = request.session.get(_SUBJECT, "")
        if kept and kept != named:
            logout(request)
        if named and not request.user.is_authenticated:
            try:
                user = arrive(_to_arrival(request, named), timezone.now())
            except ArrivalRefusedError as refusal:
                context = {"said": str(refusal)}
                return render(request, "accounts/not_signed_in.html", context, status=403)
            login(request, user, backend=_BACKEND)
            request.session[_SUBJECT] = named
        return self._get_response(request)


def _named(request: HttpRequest) -> str:
    """Give the name in the header, empty unless one of our own proxies asks."""
    try:
        address = ipaddress.ip_address(str(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return ""
    form = getattr(address, "ipv4_mapped", None) or address
    if not any(form in network for network in settings.SIGN_IN_HEADER_FROM):
        return ""
    return request.headers.get(settings.SIGN_IN_HEADER, "").strip()


def _to_arrival(request: HttpRequest, name: str) -> Arrival:
    said = request.headers.get(settings.SIGN_IN_HEADER_GROUPS, "")
    groups = (group.strip() for group in _BETWEEN.split(said))
    return Arrival(
        SignInWay.HEADER,
        name,
        name.partition("@")[0],
        request.headers.get(settings.SIGN_IN_HEADER_EMAIL, ""),
        groups=frozenset(group for group in groups if group),
    )
