"""Turns of hosts: claim them, fetch their pages in one event loop, hand over what has ended.

The network runs in an event loop, the database in sync code between its steps: while one host
takes its thirty seconds, the pages of the others are stored already and further hosts are claimed.
robots.txt is fetched in the same loop where it is missing or a day old. Nothing is written here but
leases; what becomes of the pages is the business of whoever takes the harvests.
"""

import asyncio
import logging
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error
from django.db.models import F
from django.db.models.functions import Greatest

from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.fetching.http import Fetcher, Pace
from feeds.crawler.fetching.robots import RobotsPolicy, product_token
from feeds.crawler.fetching.robots_book import FetchedRobots, RobotsBook
from feeds.crawler.outcomes import Outcome
from feeds.crawler.signing_in.log_in import log_in
from feeds.frontier import LogInTurn, Turn
from feeds.models import Host, Page, PageKind
from feeds.network import (
    PROXY_LOOKUP,
    network_policy,
    pause_seconds,
    permits_proxy,
)
from feeds.parameters.values import value
from feeds.planning import ceiling
from feeds.visiting import log_ins, probes
from feeds.visiting.drawing import Drawing, web_of
from feeds.visiting.hosts import claim_polite_turns, release_asked
from feeds.visiting.page_requests import page_request
from feeds.work.leases import Claim

logger = logging.getLogger(__name__)

# RFC 9309, 2.4: not longer than a day, unless the host cannot be asked (then up to 30 days).
ROBOTS_FRESH = timedelta(days=1)
ROBOTS_STALE = timedelta(days=30)
# Of a host that refuses us, or whose robots.txt forbids what we ask for, we ask for it this often:
# what it forbids may have changed, and with it what we may ask for.
ROBOTS_DOUBTED = timedelta(hours=1)
_DOUBTED = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE})
# A host without any delay (tests, benchmarks, our own sites) gets several pages in one turn.
PAGES_WITHOUT_DELAY = 8
# A turn begins no further page after this share of its lease: the last one may take its 30 s.
TURN_SHARE = 1 / 4
# Redirects within a host wait its Crawl-delay, up to so many seconds a page, as leases end.
MAX_PACE_SECONDS = 20.0
# Hosts are added to a running batch for so long; then its stragglers are waited for.
REFILL_SECONDS = 20.0
# Their documents name further pages.
_NAMING_PAGES = frozenset([PageKind.FEED, PageKind.INDEX])
# Turns that end within this time of each other are handed over together.
LINGER_SECONDS = 0.01

# After these the host is left alone: the rest of its turn goes back.
_LEAVE_ALONE = frozenset(
    {
        Outcome.RATE_LIMITED,
        Outcome.CHALLENGE,
        Outcome.SERVER_ERROR,
        Outcome.CONNECTION_ERROR,
        Outcome.TIMEOUT,
        Outcome.DNS_ERROR,
    }
)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What has ended since the last look: turns, and robots.txt files that were fetched."""

    turns: tuple[Turn, ...]
    robots: tuple[FetchedRobots, ...]
    now: datetime


@dataclass(slots=True)
class _Clock:
    """A clock that starts at the caller's moment and runs on with real time."""

    start: datetime
    began: float = field(default_factory=time.monotonic)

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.elapsed())

    def elapsed(self) -> float:
        return time.monotonic() - self.began


def harvests(n_hosts: int, terms: Claim) -> Generator[Harvest, None, None]:
    """Visit up to `n_hosts` hosts at a time; yields what has ended, in sync code.

    Whoever takes a harvest closes the leases of its pages and hosts before asking for the next. If
    that fails (a full disk, a lost database), closing the iterator gives everything back that was
    not recorded, the harvest at hand too, with its attempt uncounted; the hosts, which were asked,
    after their delay. So close it whatever happens:
    `with closing(harvests(...))`.
    """
    clock = _Clock(terms.now)
    turns = claim_polite_turns(n_hosts, _pages_per_host(), terms)
    if not turns:
        return
    batch = _Batch(clock, terms)
    # Not asyncio.Runner: at each step it sets a signal handler, which costs the repr of its task.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(batch.open())
        try:
            yield from _harvests(loop, batch, turns)
        finally:
            loop.run_until_complete(batch.close())
            _give_back_turns(batch.asked(), terms.owner, clock.now())
    finally:
        loop.close()


def _harvests(
    loop: asyncio.AbstractEventLoop, batch: "_Batch", turns: list[Turn]
) -> Generator[Harvest, None, None]:
    n_hosts = len(turns)
    while turns or batch.is_running:
        batch.start(turns, loop)
        harvest = loop.run_until_complete(batch.harvest())
        yield harvest
        batch.forget(harvest)
        turns = batch.claim_more(n_hosts)


class _Batch:
    """The turns that are under way in one event loop."""

    def __init__(self, clock: _Clock, terms: Claim) -> None:
        self._clock = clock
        self._terms = terms
        self._tasks: dict[asyncio.Task[Turn], Turn] = {}
        self._robots: list[FetchedRobots] = []
        self._is_dry = False
        self.unrecorded: dict[int, Turn] = {}

    @property
    def is_running(self) -> bool:
        return bool(self._tasks)

    async def open(self) -> None:
        self._fetcher = Fetcher(network_policy(), self._clock.now, PROXY_LOOKUP)
        await self._fetcher.__aenter__()
        self._by_proxy: dict[str, Fetcher] = {}
        self._drawing = Drawing()
        self._book = RobotsBook(self._fetcher, settings.CRAWL_USER_AGENT)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._drawing.close()
        await self._book.close()
        for fetcher in (self._fetcher, *self._by_proxy.values()):
            await fetcher.__aexit__(None, None, None)

    def start(self, turns: Sequence[Turn], loop: asyncio.AbstractEventLoop) -> None:
        for turn in turns:
            self.unrecorded[turn.host.pk] = turn
        for turn in log_ins.begin(turns, self._clock.now()):
            _learn_robots(self._book, turn.host, self._clock.now())
            self._tasks[loop.create_task(self._visit(turn))] = turn

    async def harvest(self) -> Harvest:
        """Wait until at least one turn has ended."""
        done, waiting = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        if waiting:
            more, _ = await asyncio.wait(waiting, timeout=LINGER_SECONDS)
            done |= more
        for task in done:
            del self._tasks[task]
        turns = tuple(task.result() for task in done)
        return Harvest(turns, self._ready_robots(), self._clock.now())

    def _ready_robots(self) -> tuple[FetchedRobots, ...]:
        """Take the robots.txt files whose host is in no running turn: that turn writes the row."""
        running = {turn.host.name for turn in self._tasks.values()}
        self._robots += self._book.take_fetched()
        ready = tuple(item for item in self._robots if item.host not in running)
        self._robots = [item for item in self._robots if item.host in running]
        return ready

    def forget(self, harvest: Harvest) -> None:
        for turn in harvest.turns:
            del self.unrecorded[turn.host.pk]
            # What was claimed in vain before these ended may be due now.
            if any(page.kind in _NAMING_PAGES for page in turn.pages):
                self._is_dry = False

    def claim_more(self, n_hosts: int) -> list[Turn]:
        """Claim hosts in place of those that have ended, once half of the places are free."""
        n_free = n_hosts - len(self._tasks)
        if self._is_dry or n_free * 2 < n_hosts or self._clock.elapsed() > REFILL_SECONDS:
            return []
        terms = Claim(self._terms.owner, self._clock.now(), self._terms.lease)
        turns = claim_polite_turns(n_free, _pages_per_host(), terms)
        self._is_dry = not turns
        return turns

    def asked(self) -> list[Turn]:
        """Give the turns that were not recorded, with what their robots.txt asks for."""
        return [
            replace(turn, crawl_delay_seconds=self._book.crawl_delay(turn.host.name))
            for turn in self.unrecorded.values()
        ]

    async def _visit(self, turn: Turn) -> Turn:
        """Fetch the pages of one host, one after the other, as long as it may be asked."""
        loop = asyncio.get_running_loop()
        name = turn.host.name
        last_start = loop.time() + self._terms.lease.total_seconds() * TURN_SHARE
        results: list[FetchResult] = []
        may_ask = await self._read_robots(turn)
        delay = self._book.crawl_delay(name)
        if may_ask and loop.time() > last_start:  # robots.txt took all the time there was
            return replace(turn, crawl_delay_seconds=delay)
        if turn.log_in is not None:
            done = await self._log_in(turn, turn.log_in) if may_ask else turn.log_in
            return replace(turn, log_in=done, crawl_delay_seconds=delay)
        if may_ask and turn.pages and probes.is_due(turn.host, turn.pages[0], self._clock.now()):
            probe = await self._fetch(turn.host, turn.pages[0], last_start, is_plain=True)
            results = [probe] if probe and probe.outcome.is_answer else []
            return replace(turn, results=tuple(results), crawl_delay_seconds=delay, probe=probe)
        for page in turn.pages:
            if not ceiling.may_go_on(turn.host, page, len(results), self._clock.now()):
                break
            result = await self._fetch(turn.host, page, last_start)
            if result is None:
                break
            account = log_ins.ended_session(turn.host, page, result, self._clock.now())
            if account is not None:
                turn = replace(turn, log_in=LogInTurn(account, signed_out=result))
                break
            results.append(result)
            is_late = loop.time() > last_start
            must_wait = bool(delay) or pause_seconds(turn.host, page.publication) > 0
            if is_late or must_wait or results[-1].outcome in _LEAVE_ALONE:
                break
        return replace(turn, results=tuple(results), crawl_delay_seconds=delay)

    async def _log_in(self, turn: Turn, login: LogInTurn) -> LogInTurn:
        """Log in where this turn is to do it; the pages come with the next one."""
        if login.terms is None:
            return login
        page = turn.pages[0]
        pause = pause_seconds(turn.host, page.publication)

        async def wait(host: str) -> None:
            wanted = max(pause, self._book.crawl_delay(host) or 0.0)
            await asyncio.sleep(min(wanted, MAX_PACE_SECONDS / 2))

        fetcher = await self._fetcher_for(turn.host, page)
        report = await log_in(fetcher, login.terms, self._book.decide, wait)
        return replace(login, report=report)

    async def _read_robots(self, turn: Turn) -> bool:
        """Read robots.txt before the first page, so that its time is not taken from the page's."""
        try:
            url = turn.pages[0].url if turn.pages else turn.robots_of
            policy = await self._book.policy_of(turn.host.name, url)
        except Exception:
            logger.exception("robots.txt of %s", turn.host.name)
            return False
        return policy.is_reachable

    async def _fetch(
        self, host: Host, page: Page, last_start: float, *, is_plain: bool = False
    ) -> FetchResult | None:
        """Fetch a page as its host is asked; plain: without a proxy, under our own name.

        None where it needs a browser that others have until it is too late to begin.
        """
        request = page_request(host, page, self._clock.now())
        if is_plain:
            request = replace(request, user_agent=settings.CRAWL_USER_AGENT)
        try:
            fetcher = self._fetcher if is_plain else await self._fetcher_for(host, page)
            async with self._drawing.turn(page, last_start) as may_begin:
                if not may_begin:
                    return None
                result = await fetcher.fetch(request, self._book.decide, self._pace())
                end = last_start + self._terms.lease.total_seconds() * (1 - TURN_SHARE)
                web = web_of(fetcher, self._book, self._clock.now)
                return await self._drawing.drawn(page, request, result, web, end)
        except Exception as error:
            # One page is one item of the batch: whatever it did to us stands on its row.
            logger.exception("fetch of page %s", page.pk)
            message = f"The fetcher failed: {type(error).__name__}."
            return FetchResult(page.url, Outcome.CONNECTION_ERROR, message, self._clock.now(), 0)

    async def _fetcher_for(self, host: Host, page: Page) -> Fetcher:
        """Give the fetcher of the host's proxy, if it has one and the publication permits it."""
        proxy = host.proxy
        if proxy is None or not proxy.is_active or not permits_proxy(host, page.publication):
            return self._fetcher
        if proxy.url not in self._by_proxy:
            policy = replace(network_policy(), proxy_url=proxy.url)
            fetcher = Fetcher(policy, self._clock.now, PROXY_LOOKUP)
            self._by_proxy[proxy.url] = await fetcher.__aenter__()
        return self._by_proxy[proxy.url]

    def _pace(self) -> Pace:
        """Share the seconds that one page's redirects may wait among the delays of robots.txt."""
        left = MAX_PACE_SECONDS

        def seconds(host: str) -> float:
            nonlocal left
            granted = min(self._book.crawl_delay(host) or 0.0, left)
            left -= granted
            return granted

        return seconds


def _pages_per_host() -> int:
    return PAGES_WITHOUT_DELAY if value("CRAWL_MIN_DELAY_SECONDS") == 0 else 1


def _learn_robots(book: RobotsBook, host: Host, now: datetime) -> None:
    """Hand a stored robots.txt to the book: as known while fresh, later as a fallback."""
    if host.robots_fetched_at is None:
        return
    agent = product_token(settings.CRAWL_USER_AGENT)
    policy = RobotsPolicy.of_text(host.robots_body, agent)
    age = now - host.robots_fetched_at
    is_doubted = host.forbidden_since is not None or host.troubled_by in _DOUBTED
    fresh = ROBOTS_DOUBTED if is_doubted else ROBOTS_FRESH
    if age < fresh and host.robots_asked_at is None:
        book.learn(host.name, policy)
    elif age < ROBOTS_STALE:
        book.learn_stale(host.name, policy)


def give_back(pages: Sequence[Page], owner: str) -> None:
    """Return claimed pages that were not tried: their attempt does not count."""
    ids = [page.pk for page in pages]
    if ids:
        Page.objects.filter(pk__in=ids, lease_owner=owner).update(
            lease_until=None, lease_owner="", attempts=Greatest(F("attempts") - 1, 0)
        )


def _give_back_turns(turns: Sequence[Turn], owner: str, now: datetime) -> None:
    try:
        give_back([page for turn in turns for page in turn.pages], owner)
        release_asked(turns, owner, now)
    except Error:  # the database is what failed: the leases run out by themselves
        logger.warning("%d turns stay leased until their leases run out", len(turns))
