"""Signing in by OpenID Connect (Core 1.0, code flow with PKCE), as universities offer it.

Authlib finds the provider's addresses and keys by its issuer and checks state, nonce, signature and
dates; here stands what its words mean for this site.
"""

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from joserfc.errors import JoseError
from requests import RequestException

from corpus_site.accounts.models import SignInWay
from corpus_site.accounts.sign_in.arrivals import Arrival, ArrivalRefusedError, arrive

log = logging.getLogger(__name__)

_NEXT = "openid_next"
_BACKEND = "corpus_site.accounts.backends.RoleBackend"
_SECONDS = 10
_FAULTS = (AuthlibBaseError, JoseError, RequestException, ValueError, KeyError)


def is_offered() -> bool:
    return bool(settings.SIGN_IN_OPENID_ISSUER)


@cache
def _client(issuer: str, name: str, secret: str) -> Any:
    """Describe the provider to Authlib, once a process."""
    return OAuth().register(
        "openid",
        client_id=name,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": settings.SIGN_IN_OPENID_SCOPE,
            "code_challenge_method": "S256",
            "timeout": _SECONDS,
        },
    )


def _provider() -> Any:
    if not is_offered():
        raise Http404
    return _client(
        settings.SIGN_IN_OPENID_ISSUER,
        settings.SIGN_IN_OPENID_CLIENT,
        settings.SIGN_IN_OPENID_SECRET,
    )


@login_not_required
@never_cache
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Send a reader to the provider; where one wanted to go is kept in the session."""
    provider = _provider()
    request.session[_NEXT] = request.GET.get("next", "")
    try:
        answer: HttpResponse = provider.authorize_redirect(
            request, request.build_absolute_uri(reverse("openid-back"))
        )
    except _FAULTS as error:
        return _failed(request, error)
    return answer


@login_not_required
@never_cache
@require_safe
def back(request: HttpRequest) -> HttpResponse:
    """Take the provider's word, checked, for who this is."""
    provider = _provider()
    wished = request.session.pop(_NEXT, "")
    try:
        token = provider.authorize_access_token(request)
        user = arrive(to_arrival(token["userinfo"]), timezone.now())
    except ArrivalRefusedError as refusal:
        return _refused(request, str(refusal), 403)
    except _FAULTS as error:
        return _failed(request, error)
    login(request, user, backend=_BACKEND)
    is_own = url_has_allowed_host_and_scheme(wished, {request.get_host()}, request.is_secure())
    return redirect(wished if wished and is_own else settings.LOGIN_REDIRECT_URL)


def to_arrival(claims: Mapping[str, Any]) -> Arrival:
    """Read the claims of OpenID Connect Core 1.0, section 5.1, and the claim that names groups."""
    email = str(claims.get("email") or "")
    groups = claims.get(settings.SIGN_IN_OPENID_GROUPS_CLAIM) or ()
    return Arrival(
        SignInWay.OPENID,
        str(claims["sub"]),
        str(claims.get("preferred_username") or email.partition("@")[0]),
        # An address that the provider did not check belongs to anybody.
        email if claims.get("email_verified", True) else "",
        str(claims.get("given_name") or ""),
        str(claims.get("family_name") or ""),
        frozenset([groups] if isinstance(groups, str) else map(str, groups)),
    )


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    log.warning("Signing in by OpenID Connect failed: %s: %s", type(error).__name__, error)
    said = "The server that vouches for you did not answer as it should. Try again in a moment."
    return _refused(request, said, 502)


def _refused(request: HttpRequest, said: str, status: int) -> HttpResponse:
    return render(request, "accounts/not_signed_in.html", {"said": said}, status=status)
