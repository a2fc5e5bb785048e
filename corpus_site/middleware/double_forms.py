"""A form that is sent twice, by a double click, is worked on once; both times it has one answer.

Django's token is drawn anew for each page, so the same bytes with the same token come from the same
form as it was shown. Forms that are sent in parts of a page (htmx) may be sent again as they are.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

# From the answer on: two clicks are half a second apart, and a page must load before a third.
KEPT_SECONDS = 2.0
# As long as a question may wait for its turn and work.
MOST_WAIT_SECONDS = 20.0
_FORM = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class _Sent:
    """A form on its way, and its answer with the moment at which it is forgotten."""

    is_over: threading.Event = field(default_factory=threading.Event)
    answer: HttpResponse | None = None
    until: float = float("inf")


class DoubleFormsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._sent: dict[bytes, _Sent] = {}
        self._lock = threading.Lock()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = _key(request)
        if not key:
            return self._get_response(request)
        with self._lock:
            self._forget(time.monotonic())
            first = self._sent.get(key)
            if first is None:
                own = self._sent[key] = _Sent()
        if first is not None:
            first.is_over.wait(MOST_WAIT_SECONDS)
            return _copy(first.answer) if first.answer else self._get_response(request)
        try:
            answer = self._get_response(request)
            if isinstance(answer, HttpResponse) and answer.status_code < 500:
                own.answer = _copy(answer)
            return answer
        finally:
            own.until = time.monotonic() + KEPT_SECONDS
            own.is_over.set()

    def _forget(self, now: float) -> None:
        for key in [key for key, sent in self._sent.items() if sent.until < now]:
            del self._sent[key]


def _key(request: HttpRequest) -> bytes:
    """Tell a form as it was shown to a person from all others; empty where it may be sent again."""
    if (
        request.method != "POST"
        or request.content_type != _FORM
        or "HX-Request" in request.headers
        or int(request.META.get("CONTENT_LENGTH") or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        or not request.user.is_authenticated
    ):
        return b""
    try:
        token = request.POST.get("csrfmiddlewaretoken", "")
    except OSError:  # the browser went away
        return b""
    if not token:
        return b""
    place = f"{request.user.pk} {request.get_full_path()} ".encode(errors="replace")
    return blake2b(place + request.body, digest_size=16).digest()


def _copy(answer: HttpResponse) -> HttpResponse:
    made = HttpResponse(answer.content, status=answer.status_code, headers=dict(answer.items()))
    made.cookies.update(answer.cookies)
    return made
