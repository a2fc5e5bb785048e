"""What one request may cost, so that no reader takes the site from the others.

Pages and API alike: seconds of processor time, a turn to work, where who has spent least goes
first, a seat among few for questions that turn out heavy, and, where reading needs no sign-in, what
one address may spend in a minute. Files that are made while they are read have no end in seconds:
they take seats of their own, and a turn for each piece.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Self

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from corpus_site.accounts.networks import API_PATH, client_address
from corpus_site.api.refusals import Refusal
from corpus_site.running.children import child_place
from corpus_site.running.seats import PAGE_SECONDS, Seats, Spending
from corpus_site.running.streams import Cost, Stream
from corpus_site.running.turns import Turns
from feeds.crawler.documents.limited_work import children_seconds, waiting_for
from search.engine.allowance import AllowanceUsedError, Asker, allowing

MOST_SECONDS = 10.0
# A page of a good million tokens costs a tenth of this.
LIGHT_SECONDS = 0.5
# While this many work or wait for their turn, the short go first: only pages are shorter than this.
CROWDED_FROM = 4
LIGHT_IN_CROWD_SECONDS = 0.1
# How long a question works on while somebody waits who has spent less: four changes of threads.
# With 50 ms the process worked 3.5 times as long before an honest answer as alone, here 2.5 times.
TURN_SECONDS = 0.02
# How long a question waits for its first turn, and stands aside for others, in all.
MOST_WAIT_SECONDS = MOST_ASIDE_SECONDS = 10.0
# And after a child's work: little is left to do, and its places bound how many come.
WAIT_AFTER_CHILD_SECONDS = 0.3
# Who has spent this much beyond what comes back is sent away where others would go on. Who opens a
# page a second spends a tenth of what comes back.
MUCH_SPENT_SECONDS = 1.0
# Of one address that has not signed in: a class that opens a page at the same moment.
MOST_AT_ONCE = 30
# What people who have signed in may have spent, as much as one question may, before it counts where
# some go first: an editor's trials cost a second each, twenty strangers' pages a tenth of one.
KNOWN_CREDIT_SECONDS = MOST_SECONDS
# Of those whose work is counted for turns alone; comes back in a minute, as the setting's default.
_KNOWN_PER_MINUTE = 30
SEAT_FOLDER = "seats"
_AGAIN_SECONDS = 5
spending = Spending()
turns = Turns()
seats = Seats()
# Files are made while they are read, as long as it takes: few at a time, each in little memory.
EXPORT_SEAT_FOLDER = "export-seats"
export_seats = Seats()
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
            wait = spending.wait(key, per_minute) if per_minute else 0
            most = MOST_AT_ONCE if per_minute else math.inf
            n_before = -1 if wait else spending.begin(key, most)
            if n_before < 0:
                return refuse(request, _too_much(wait or 1), 429)
            rate = per_minute or _KNOWN_PER_MINUTE
            held.callback(lambda: spending.end(key, cost.seconds, rate))
            spent = spent_before(request, key, n_before)
            question = _Question(key, spent, yields=bool(per_minute))
            if not question.begin():
                return refuse(request, _crowded(spending.level(key, rate), rate), 503)
            response = self._bounded(request, question, cost)
            if isinstance(response, StreamingHttpResponse):
                return _read_under_bounds(request, response, cost, held, spent + cost.seconds)
            return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AllowanceUsedError):
            return None
        return refuse(request, error, 503 if error.wait_seconds else 422)

    def _bounded(self, request: HttpRequest, question: "_Question", cost: Cost) -> HttpResponseBase:
        with question:
            allowance = question.held.enter_context(allowing(MOST_SECONDS, question))
            before = children_seconds()
            question.held.callback(lambda: cost.add(allowance.used + children_seconds() - before))
            question.held.enter_context(waiting_for(question.place_of_child))
            return self._get_response(request)


def spent_before(request: HttpRequest, key: str, n_before: int) -> float:
    """Give the seconds that count against a question before it works.

    Of people who have signed in less than nothing: for half a second of work they go before all
    whom nobody knows. Whoever asks much at once goes behind who asks one by one.
    """
    spent, at_once = spending.rank(key), n_before * PAGE_SECONDS
    if request.user.is_authenticated:
        return max(0.0, spent - KNOWN_CREDIT_SECONDS) + at_once - LIGHT_SECONDS
    return spent + at_once


def _read_under_bounds(
    request: HttpRequest,
    response: StreamingHttpResponse,
    cost: Cost,
    held: ExitStack,
    spent: float,
) -> HttpResponseBase:
    """Let a file be made while it is read, on a seat that it keeps to its end."""
    folder = settings.DATA_DIR / EXPORT_SEAT_FOLDER
    may_wait = turns.n_asking < CROWDED_FROM
    if not held.enter_context(export_seats.taken(_key(request), folder, may_wait=may_wait)):
        return refuse(request, _NO_SEAT_FOR_FILE, 503)
    pieces = iter(response.streaming_content)  # type: ignore[arg-type]  # no page here is async
    response.streaming_content = Stream(_in_turns(pieces, spent), cost, held.pop_all())
    return response


def _in_turns(pieces: Iterator[bytes], spent: float) -> Iterator[bytes]:
    """Make each piece of a file when it is its reader's turn."""
    used = 0.0
    while True:
        turn = _Turn(spent + used, yields=False)
        turn.begin()
        began = time.thread_time()
        try:
            piece = next(pieces, None)
        finally:
            turn.end()
        used += time.thread_time() - began
        if piece is None:
            return
        yield piece


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


class _Turn(Asker):
    """The turn of one question: waited for, given up to those who have spent less, given back.

    Who `yields`, as readers do whom nobody knows, is refused where others would go on.
    """

    def __init__(self, spent: float, *, yields: bool) -> None:
        super().__init__()
        self.yields = yields
        self._before = spent
        self._used = 0.0
        self._is_mine = False
        self._aside = 0.0  # seconds that it has stood aside
        self._since = 0.0  # seconds that were used when it began

    @property
    def is_modest(self) -> bool:
        return not self.has_spent_much

    @property
    def own_spent(self) -> float:
        return self._before + self._used

    def begin(self) -> bool:
        """Wait for a turn; False where others go before who has spent much, all the time."""
        return self._take(MOST_WAIT_SECONDS, is_refused=self.has_spent_much)

    @property
    def has_spent_much(self) -> bool:
        """Whether it is sent away where others would go on."""
        return self.yields and self.own_spent >= MUCH_SPENT_SECONDS

    def let_others_go(self, used: float) -> bool:
        """Stand aside while others wait who have spent less; False where there is no more time."""
        self._used = used
        if used - self._since < TURN_SECONDS or not turns.is_wanted(self.spent):
            return True
        self.end()
        began = time.monotonic()
        rest = max(0.0, MOST_ASIDE_SECONDS - self._aside)
        is_mine = self._take(rest, is_refused=self.yields)
        self._aside += time.monotonic() - began
        self._since = used
        return is_mine

    def end(self) -> None:
        """Give the turn back, if there is one."""
        if self._is_mine:
            self._is_mine = False
            turns.end()

    def rest(self, wait: Callable[[], None]) -> None:
        """Wait for something else without a turn, and then for a turn."""
        self.end()
        wait()
        self._take(MOST_WAIT_SECONDS, is_refused=False)

    def _take(self, wait_seconds: float, *, is_refused: bool) -> bool:
        self._is_mine = turns.begin(self, wait_seconds)
        if not self._is_mine and not is_refused:
            turns.begin_beside()
            self._is_mine = True
        return self._is_mine


class _Question(_Turn):
    """A question at work: lets others go first, and takes a seat when it has worked for some time.

    Who has spent much takes a seat sooner in a crowd and waits for none.
    """

    def __init__(self, key: str, spent: float, *, yields: bool) -> None:
        super().__init__(spent, yields=yields)
        self.held = ExitStack()
        self._key = key
        self._has_seat = False

    def __enter__(self) -> Self:
        self.held.callback(self.end)
        return self

    def __exit__(self, *_: object) -> None:
        self.held.close()

    @contextmanager
    def place_of_child(self) -> Iterator[None]:
        """Wait for a place where children work, without a turn, and for a turn at its end."""
        self.end()
        with child_place(self, self._key, MOST_WAIT_SECONDS) as has_place:
            if not has_place:
                raise _busy()
            before = children_seconds()
            yield
            self._before += children_seconds() - before
        self._take(WAIT_AFTER_CHILD_SECONDS, is_refused=False)

    def hear(self, used: float) -> None:
        """Hear, between two blocks of work, how many seconds were used."""
        if not self.let_others_go(used):
            raise _busy()
        may_wait = not (self.has_spent_much and turns.n_asking >= CROWDED_FROM)
        if self._has_seat or used < (LIGHT_SECONDS if may_wait else LIGHT_IN_CROWD_SECONDS):
            return
        self.rest(lambda: self._take_seat(may_wait=may_wait))
        if not self._has_seat:
            raise _busy()

    def _take_seat(self, *, may_wait: bool) -> None:
        place = seats.taken(self._key, settings.DATA_DIR / SEAT_FOLDER, may_wait=may_wait)
        self._has_seat = self.held.enter_context(place)


def _is_known_otherwise(request: HttpRequest) -> bool:
    """Whether somebody shows a token, or signs in: both have bounds of their own."""
    if request.path.startswith(API_PATH):
        return "Authorization" in request.headers
    return request.path == reverse(settings.LOGIN_URL)


def _busy() -> AllowanceUsedError:
    return AllowanceUsedError(
        "This question needs much work, and as many as this machine can bear at a time are being "
        "worked on.",
        f"Ask again in {_AGAIN_SECONDS} seconds, or narrow it by a shorter period, fewer "
        "publications or a more specific query.",
        _AGAIN_SECONDS,
    )


def _crowded(spent: float, per_minute: float) -> AllowanceUsedError:
    """Say when what was spent will have come back."""
    wait = max(_AGAIN_SECONDS, math.ceil((spent - MUCH_SPENT_SECONDS) * 60 / per_minute))
    return AllowanceUsedError(
        "Many are asking at the moment, and your last questions needed much work.",
        f"Ask again in {wait} seconds, or sign in.",
        wait,
    )


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
    if error.wait_seconds and not request.user.is_authenticated:
        page = _page_alone(error.happened, error.to_do)
        return HttpResponse(page, status=status, headers=headers)
    answer = render(request, "corpus_site/too_much.html", {"error": error}, status=status)
    for name, value in headers.items():
        answer[name] = value
    return answer


@lru_cache(maxsize=256)
def _page_alone(happened: str, to_do: str) -> str:
    """Make a page that is the same for all: the menu was most of its cost, when it counts."""
    error = {"happened": happened, "to_do": to_do}
    return render_to_string("corpus_site/too_much_alone.html", {"error": error})
