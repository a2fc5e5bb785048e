"""What one request may cost, so that no reader takes the site from the others.

Pages and API alike: seconds of processor time, a seat among few for questions that turn out heavy,
and, where reading needs no sign-in, what one address may spend in a minute. Files that are made
while they are read have no end in seconds: they take seats of their own.
"""

from collections.abc import Callable
from contextlib import ExitStack

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from corpus_site.accounts.networks import API_PATH, client_address
from corpus_site.api.refusals import Refusal
from corpus_site.running.seats import Crowd, Seats, Spending
from corpus_site.running.streams import Cost, Stream
from search.engine.allowance import AllowanceUsedError, allowing

MOST_SECONDS = 10.0
# A page of a good million tokens costs a tenth of this.
LIGHT_SECONDS = 0.5
# While half of the eight threads work, the short go first: only pages are shorter than this.
CROWDED_FROM = 4
LIGHT_IN_CROWD_SECONDS = 0.1
MOST_COSTLY_IN_CROWD = 2
# Of one address that has not signed in: a page and its parts, in a process of eight threads.
MOST_AT_ONCE = 4
SEAT_FOLDER = "seats"
_AGAIN_SECONDS = 5
spending = Spending()
crowd = Crowd()
costly = Crowd()  # questions of addresses whose last ones were no pages by their cost
seats = Seats()
# Files are made while they are read, as long as it takes: few at a time, each in little memory.
EXPORT_SEAT_FOLDER = "export-seats"
export_seats = Seats()
_CROWDED = AllowanceUsedError(
    "Many are asking at the moment, and your last questions needed much work.",
    f"Ask again in {_AGAIN_SECONDS} seconds, or sign in.",
    _AGAIN_SECONDS,
)
_NO_SEAT_FOR_FILE = AllowanceUsedError(
    "A file is being made for you already, or for as many readers as this machine can bear at a "
    "time.",
    f"Ask again in {_AGAIN_SECONDS} seconds.",
    _AGAIN_SECONDS,
)


class BoundsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key, per_minute = _key(request), _per_minute(request)
        with ExitStack() as held:
            cost = Cost()
            if per_minute:
                wait = spending.wait(key, per_minute)
                if not wait and not _is_let_in(key, held):
                    return refuse(request, _CROWDED, 503)
                if wait or not spending.begin(key, MOST_AT_ONCE):
                    return refuse(request, _too_much(wait or 1), 429)
                held.callback(lambda: spending.end(key, cost.seconds, per_minute))
            response = self._bounded(request, key, cost, yields=bool(per_minute))
            if isinstance(response, StreamingHttpResponse):
                return _read_under_bounds(request, response, cost, held)
            return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AllowanceUsedError):
            return None
        return refuse(request, error, 503 if error.wait_seconds else 422)

    def _bounded(
        self, request: HttpRequest, key: str, cost: Cost, *, yields: bool
    ) -> HttpResponseBase:
        with crowd, ExitStack() as held:
            heavy = _SeatWhenHeavy(key, held, yields=yields)
            allowance = held.enter_context(allowing(MOST_SECONDS, heavy))
            held.callback(lambda: cost.add(allowance.used))
            return self._get_response(request)


def _read_under_bounds(
    request: HttpRequest, response: StreamingHttpResponse, cost: Cost, held: ExitStack
) -> HttpResponseBase:
    """Let a file be made while it is read, on a seat that it keeps to its end."""
    folder = settings.DATA_DIR / EXPORT_SEAT_FOLDER
    may_wait = crowd.n_asking < CROWDED_FROM
    if not held.enter_context(export_seats.taken(_key(request), folder, may_wait=may_wait)):
        return refuse(request, _NO_SEAT_FOR_FILE, 503)
    pieces = iter(response.streaming_content)  # type: ignore[arg-type]  # no page here is async
    response.streaming_content = Stream(pieces, cost, held.pop_all())
    return response


def _is_let_in(key: str, held: ExitStack) -> bool:
    """While many ask, let few of those work whose questions are costly: the short go first."""
    if spending.usual(key) < LIGHT_IN_CROWD_SECONDS:
        return True
    if crowd.n_asking >= CROWDED_FROM and costly.n_asking >= MOST_COSTLY_IN_CROWD:
        return False
    held.enter_context(costly)
    return True


def _key(request: HttpRequest) -> str:
    """Who asks; an owner of a token is known only when the API has looked at it."""
    if request.user.is_authenticated:
        return f"user {request.user.pk}"
    return f"address {client_address(request)}"


def _per_minute(request: HttpRequest) -> int:
    """Seconds of work that whoever asks may cause in a minute; 0 where nobody counts."""
    if request.user.is_authenticated or not settings.READING_WITHOUT_SIGN_IN:
        return 0
    if _is_known_otherwise(request):
        return 0
    return int(settings.READER_ADDRESS_CPU_SECONDS_PER_MINUTE)


class _SeatWhenHeavy:
    """Takes a seat when a question has worked for some time; `held` gives it back.

    Who `yields`, as readers do whom nobody knows, takes one sooner in a crowd and waits for none.
    """

    def __init__(self, key: str, held: ExitStack, *, yields: bool) -> None:
        self._key = key
        self._held = held
        self._yields = yields
        self._has_seat = False

    def __call__(self, used: float) -> None:
        is_crowded = self._yields and crowd.n_asking >= CROWDED_FROM
        if self._has_seat or used < (LIGHT_IN_CROWD_SECONDS if is_crowded else LIGHT_SECONDS):
            return
        folder = settings.DATA_DIR / SEAT_FOLDER
        place = seats.taken(self._key, folder, may_wait=not is_crowded)
        self._has_seat = self._held.enter_context(place)
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
