"""From where the site may be used at all, and who is really asking behind a proxy."""

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from corpus_site.accounts import untrusted_proxies

HEALTH_PATH = "/healthz"
API_PATH = "/api/"  # where programs ask, which read no pages


def client_address(request: HttpRequest) -> str:
    """Return the address that asks.

    Each of our own proxies (TRUSTED_PROXIES) adds one address to the right of X-Forwarded-For;
    what stands further left was written by the client and is believed by nobody.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    if not settings.TRUSTED_PROXIES:
        return direct
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    hops = [part for part in forwarded if part]
    return hops[-settings.TRUSTED_PROXIES] if len(hops) >= settings.TRUSTED_PROXIES else direct


def is_inside(address: str) -> bool:
    """Whether an address lies in one of ALLOWED_NETWORKS; all do where none is named."""
    if not settings.ALLOWED_NETWORKS:
        return True
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a socket file has no address
        return False
    form = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(form in network for network in settings.ALLOWED_NETWORKS)


class NetworksMiddleware:
    """Answer readers from elsewhere with a page that says so; monitors are always answered."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        untrusted_proxies.note(request)
        if request.path != HEALTH_PATH and not is_inside(client_address(request)):
            return _outside(request)
        return self._get_response(request)


def _outside(request: HttpRequest) -> HttpResponse:
    if not request.path.startswith(API_PATH):
        return render(request, "accounts/outside.html", status=403)
    happened = "This site is not open to your network."
    to_do = "Ask from a network that the admins of this site have named."
    return JsonResponse(
        {"error": {"status": 403, "happened": happened, "to_do": to_do}}, status=403
    )
