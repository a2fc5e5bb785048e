"""A search of one site for a form: requests under a deadline, few at a time, robots.txt obeyed.

What its steps share: the fetcher, the robots book, the moment when all ends, and what was tried.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.fetching.exchange import Expectation, FetchRequest, FetchResult, NetworkPolicy
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.fetching.robots_book import RobotsBook
from feeds.crawler.fetching.visit_words import visit_sentence
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import retry_after_seconds
from feeds.crawler.timing.politeness import MAX_CRAWL_DELAY_SECONDS, HostRate, next_turn
from feeds.sources.host_gate import HostGate, HostRefusedError
from feeds.sources.host_rests import HostRest, rest_sentence
from presentation.wording.times import span

TOTAL_SECONDS = 40.0  # samples included; somebody waits for it
SAMPLE_SHARE = 0.25  # of the whole is kept back for the samples
# An editor waits: one request at a time, as far apart as a fast reader's clicks; a Crawl-delay
# is kept in full. Then the host rests for the crawler's own delay.
MOST_PAUSE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """How the search goes out: network limits, user agents, seconds for the whole.

    ``browser_agent`` is tried once on a 403, to tell the editor whether permitting it would help;
    empty: never. ``pause_seconds`` lie between two requests to a host at least.
    """

    network: NetworkPolicy
    user_agent: str
    browser_agent: str = ""
    total_seconds: float = TOTAL_SECONDS
    pause_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: its step, what is asked now, and what came of the addresses before."""

    step: str = ""
    asking: tuple[str, ...] = ()
    n_all: int = 0  # addresses that are to be asked in this step and were in those before
    tried: tuple[str, ...] = ()


class NothingFoundError(Exception):
    """Raised by a step of the search with the sentence for the form.

    `suggestion` is an address that may do instead. `discovery.investigate` catches it.
    """

    def __init__(self, sentence: str, suggestion: str = "") -> None:
        super().__init__(sentence)
        self.suggestion = suggestion


@dataclass(slots=True)
class SiteSearch:
    """The running search."""

    terms: SearchTerms
    now: datetime
    fetcher: Fetcher
    robots: RobotsBook
    deadline: float
    agent: str
    slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    free_at: dict[str, float] = field(default_factory=dict)  # by the loop's clock
    wishes: dict[str, str] = field(default_factory=dict)  # why by host that asked for time
    gate: HostGate = field(default_factory=HostGate)
    asked: set[str] = field(default_factory=set)  # hosts
    refused: dict[str, str] = field(default_factory=dict)  # sentence by host that rests too long
    step: str = ""
    asking: list[str] = field(default_factory=list)
    n_all: int = 0
    tried: list[str] = field(default_factory=list)
    unlikely: list[str] = field(default_factory=list)  # sentences on lists without an article

    async def fetch(
        self, url: str, expects: Expectation = Expectation.ANY, *, is_last: bool = False
    ) -> FetchResult:
        """Fetch under the search's deadline, when the host's turn has come."""
        host = canonicalize(url).host
        reserve = 0.0 if is_last else self.terms.total_seconds * SAMPLE_SHARE
        request = FetchRequest(url, user_agent=self.agent, expects=expects)
        self.n_all += 1
        try:
            async with asyncio.timeout_at(self.deadline - reserve):
                result = await self._ask(host, request)
        except TimeoutError:
            result = self._unasked(url, self._lateness(host))
        except HostRefusedError as refusal:
            self.refused[host] = str(refusal)
            result = self._unasked(url, str(refusal))
        self.tried.append(f"{url}: {visit_sentence(result)}")
        self.gate.news.set()
        return result

    async def _ask(self, host: str, request: FetchRequest) -> FetchResult:
        """Ask when the host is ours and its turn has come: one request at a time."""
        async with self.slots.setdefault(host, asyncio.Semaphore(1)):
            if host not in self.free_at:
                self.free_at[host] = self._now() + await self.gate.admit(host)
            self._refuse_too_early(host)
            self.asking.append(request.url)
            self.gate.news.set()
            try:
                await self._turn(host, request.url)
                result = await self.fetcher.fetch(request, self.robots.decide, self._pace)
            finally:
                self.asking.remove(request.url)
            self.free_at[host] = self._now() + self.pause(host)
            self._keep_wish(canonicalize(result.final_url).host, result)
            return result

    def _keep_wish(self, host: str, result: FetchResult) -> None:
        """Give a host the time that it asks for, here and afterwards from the crawler."""
        wish = None if result.outcome.is_answer else retry_after_seconds(result.headers, self.now)
        if wish is None and result.outcome is not Outcome.RATE_LIMITED:
            return
        turn = next_turn(self.now, HostRate(self.pause(host)), result.outcome, 1, wish)
        self.wishes[host] = turn.reason
        self.free_at[host] = self._now() + (turn.at - self.now).total_seconds()

    def _refuse_too_early(self, host: str) -> None:
        """Wait for no host that asked for more than half of the search's time."""
        seconds = self.free_at[host] - self._now()
        if host in self.wishes and seconds > self.terms.total_seconds / 2:
            raise HostRefusedError(rest_sentence(host, seconds, self.wishes[host]))

    def rest(self, host: str) -> HostRest:
        """Tell how long a host that was asked is to be left alone."""
        seconds = self.free_at.get(host, 0.0) - self._now()
        if host in self.wishes and seconds > self.pause(host):
            return HostRest(seconds, self.wishes[host])
        return HostRest(self.pause(host))

    def _unasked(self, url: str, sentence: str) -> FetchResult:
        return FetchResult(url, Outcome.TIMEOUT, sentence, self.now, 0)

    def _lateness(self, host: str) -> str:
        within = f"within {span(self.terms.total_seconds)}"
        if host in self.free_at:
            return f"No time was left for it {within}."
        return f"No time was left for it {within}: the crawler visits {host}."

    @property
    def progress(self) -> Progress:
        return Progress(self.step, tuple(self.asking), self.n_all, tuple(self.tried))

    async def _turn(self, host: str, url: str) -> None:
        """Wait until a host may be asked; its robots.txt says how far apart, and comes first."""
        await asyncio.sleep(self.free_at.get(host, 0.0) - self._now())
        self.asked.add(host)
        await self.robots.policy_of(host, url)
        await asyncio.sleep(self.free_at.get(host, 0.0) - self._now())

    def pause(self, host: str) -> float:
        """Give the seconds between two requests to a host: ours, or those of its robots.txt."""
        wish = min(self.robots.crawl_delay(host) or 0.0, MAX_CRAWL_DELAY_SECONDS)
        return max(self.terms.pause_seconds, wish)

    def _pace(self, host: str) -> float:
        """Seconds that a redirect within a host waits."""
        return self.pause(host)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    async def policy(self, home_url: str) -> RobotsPolicy | None:
        """Give robots.txt of a site; None where there was no time for it."""
        host = canonicalize(home_url).host
        try:
            async with asyncio.timeout_at(self.deadline):
                return await self.robots.policy_of(host, home_url)
        except TimeoutError:
            return None

    async def sitemaps(self, home_url: str) -> list[str]:
        """List the sitemaps that robots.txt names, in its order."""
        policy = await self.policy(home_url)
        found = []
        for url in policy.sitemaps if policy else ():
            try:
                found.append(canonicalize(url, home_url).url)
            except BadUrl:
                continue
        return found
