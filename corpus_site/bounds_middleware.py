"""What one request may cost, so that no reader takes the site from the others.

Pages and API alike: seconds of processor time, a seat among few for questions that turn out heavy,
and, where reading needs no sign-in, what one address may spend in a minute.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from corpus_site.accounts.networks import API_PATH, client_address
from corpus_site.api.refusals import Refusal
from corpus_site.running.seats import Seats, Spending
from search.engine.allowance import AllowanceUsedError, allowing

MOST_SECONDS = 10.0
# A page of a good million tokens costs a tenth of this.
LIGHT_SECONDS = 0.5
# Of one address that has not signed in: a page and its parts, in a process of eight threads.
MOST_AT_ONCE = 4
SEAT_FOLDER = "seats"
_AGAIN_SECONDS = 5
spending = Spending()
seats = Seats()


class BoundsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            return self._bounded(request, f"user {request.user.pk}")
        key = f"address {client_address(request)}"
        if not settings.READING_WITHOUT_SIGN_IN or _is_known_otherwise(request):
            return self._bounded(request, key)
        return self._of_address(request, key)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AllowanceUsedError):
            return None
        return refuse(request, error, 503 if error.wait_seconds else 422)

    def _of_address(self, request: HttpRequest, key: str) -> HttpResponse:
        per_minute = settings.READER_ADDRESS_CPU_SECONDS_PER_MINUTE
        if not per_minute:
            return self._bounded(request, key)
        wait = spending.wait(key, per_minute)
        if wait or not spending.begin(key, MOST_AT_ONCE):
            return refuse(request, _too_much(wait or 1), 429)
        began = time.thread_time()
        try:
            return self._bounded(request, key)
        finally:
            spending.end(key, time.thread_time() - began, per_minute)

    def _bounded(self, request: HttpRequest, key: str) -> HttpResponse:
        with ExitStack() as held, allowing(MOST_SECONDS, _SeatWhenHeavy(key, held)):
            return self._get_response(request)


class _SeatWhenHeavy:
    """Takes a seat when a question has worked for some time; `held` gives it back."""

    def __init__(self, key: str, held: ExitStack) -> None:
        self._key = key
        self._held = held
        self._has_seat = False

    def __call__(self, used: float) -> None:
        if self._has_seat or used < LIGHT_SECONDS:
            return
        folder = settings.DATA_DIR / SEAT_FOLDER
        self._has_seat = self._held.enter_context(seats.taken(self._key, folder))
        if not self._has_seat:
            raise AllowanceUsedError(
                "This question needs much work, and as many as this machine can bear at a time "
                "are being worked on.",
                f"Ask again in {_AGAIN_SECONDS} seconds, or narrow it by a shorter period, fewer "
                "publications or a more specific query.",
                _AGAIN_SECONDS,
            )


def _is_known_otherwise(request: HttpRequest) -> bool:
    """Whether somebody shows a token, or signs in: both have bounds of their own."""
    if request.path.startswith(API_PATH):
        return "Authorization" in request.headers
    return request.path == reverse(settings.LOGIN_URL)


def _too_much(wait: int) -> AllowanceUsedError:
    return AllowanceUsedError(
        "Your address has asked for more work than one address may without signing in.",
        f"Ask again in {wait} second{'s' * (wait != 1)}, or sign in.",
        wait,
    )


def refuse(request: HttpRequest, error: AllowanceUsedError, status: int) -> HttpResponse:
    """Say what happened and what to do, as a page or as JSON."""
    headers = {"Retry-After": str(error.wait_seconds)} if error.wait_seconds else {}
    if request.path.startswith(API_PATH):
        return Refusal(status, error.happened, error.to_do).answer(headers)
    answer = render(request, "corpus_site/too_much.html", {"error": error}, status=status)
    for name, value in headers.items():
        answer[name] = value
    return answer
