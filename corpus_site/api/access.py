"""Who asks the API: a token, somebody signed in, or anybody where the site is open to all.

A token stands in the header `Authorization: Bearer …` and nowhere else: addresses end in logs and
histories. Everything here is read, so no form and no forged request can change anything.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.networks import client_address
from corpus_site.accounts.tokens import TokenFault, find_token, note_use
from corpus_site.api.limits import buckets
from corpus_site.api.refusals import Refusal, of_parameter, of_query, readable
from search.asking.values import WrongValueError
from search.engine.query.errors import QueryError

View = Callable[..., HttpResponseBase | dict[str, Any]]
_HOW_TO_GET_IN = "Make a token under “Your settings” and send it as “Authorization: Bearer …”."
_FAULTS = {
    TokenFault.MALFORMED: ("This is no token of this site.", _HOW_TO_GET_IN),
    TokenFault.UNKNOWN: ("This token is unknown here or was revoked.", _HOW_TO_GET_IN),
    TokenFault.EXPIRED: ("This token has ended.", _HOW_TO_GET_IN),
    TokenFault.INACTIVE: ("The account of this token is closed.", "Ask the admins of this site."),
}


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose bucket pays for a question, how large it is, and the token that was shown."""

    key: str
    per_minute: int
    token: ApiToken | None = None


def endpoint(*, exports: bool = False) -> Callable[[View], Callable[..., HttpResponseBase]]:
    """Make a view answer programs: who asks, how often, and refusals as JSON."""

    def wrap(view: View) -> Callable[..., HttpResponseBase]:
        @login_not_required  # sign-in is looked at here, without a redirect
        @csrf_exempt
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
            response = _answer(request, view, kwargs, exports=exports)
            add_never_cache_headers(response)
            patch_vary_headers(response, ["Authorization", "Cookie"])
            return response

        return answer

    return wrap


def _answer(
    request: HttpRequest, view: View, kwargs: dict[str, Any], *, exports: bool
) -> HttpResponseBase:
    try:
        _admit(request, exports=exports)
        found = view(request, **kwargs)
    except Refusal as refusal:
        return refusal.answer(_headers(refusal))
    except QueryError as error:
        return of_query(error).answer()
    except WrongValueError as error:
        return of_parameter(error).answer()
    return readable(found) if isinstance(found, dict) else found


def _headers(refusal: Refusal) -> dict[str, str]:
    if refusal.status == 401:
        return {"WWW-Authenticate": 'Bearer realm="Broadsheet"'}
    if refusal.status == 405:
        return {"Allow": "GET, HEAD"}
    return {"Retry-After": str(refusal.more["seconds"])} if refusal.status == 429 else {}


def _admit(request: HttpRequest, *, exports: bool) -> None:
    """Let a question in, as the owner of its token; Refusal where it may not be asked."""
    if request.method not in ("GET", "HEAD"):
        raise Refusal(405, "The API only reads.", "Ask with GET.")
    asker = _asker(request)
    _wait_if(buckets.take(asker.key, asker.per_minute), asker.per_minute)
    if asker.token is None:
        return
    if exports and not asker.token.may_export:
        to_do = "Make one that may export, under “Your settings”."
        raise Refusal(403, "This token may read, not export.", to_do)
    note_use(asker.token, timezone.now())
    request.user = asker.token.owner


def _asker(request: HttpRequest) -> Asker:
    address = f"address {client_address(request)}"
    of_address = settings.API_ADDRESS_QUESTIONS_PER_MINUTE
    header = request.headers.get("Authorization", "")
    if header:
        _wait_if(buckets.wait(address, of_address), of_address)
        found = _token_in(header)
        if isinstance(found, TokenFault):
            buckets.take(address, of_address)
            raise Refusal(401, *_FAULTS[found])
        return Asker(f"token {found.pk}", settings.API_TOKEN_QUESTIONS_PER_MINUTE, found)
    if request.user.is_authenticated:
        return Asker(f"user {request.user.pk}", settings.API_TOKEN_QUESTIONS_PER_MINUTE)
    if settings.READING_WITHOUT_SIGN_IN:
        return Asker(address, of_address)
    raise Refusal(401, "This site answers nobody it does not know.", _HOW_TO_GET_IN)


def _token_in(header: str) -> ApiToken | TokenFault:
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        return TokenFault.MALFORMED
    return find_token(text.strip(), timezone.now())


def _wait_if(seconds: float, per_minute: int) -> None:
    if seconds:
        whole = math.ceil(seconds)
        happened = f"More than {per_minute} questions a minute."
        raise Refusal(429, happened, f"Ask again in {whole} seconds.", seconds=whole)
