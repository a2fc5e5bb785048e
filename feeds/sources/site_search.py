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
from feeds.crawler.timing.politeness import MAX_CRAWL_DELAY_SECONDS
from presentation.wording.times import span

TOTAL_SECONDS = 20.0  # of a web request, samples included
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
    tried: list[str] = field(default_factory=list)
    unlikely: list[str] = field(default_factory=list)  # sentences on lists without an article

    async def fetch(
        self, url: str, expects: Expectation = Expectation.ANY, *, is_last: bool = False
    ) -> FetchResult:
        """Fetch under the search's deadline, when the host's turn has come."""
        host = canonicalize(url).host
        slot = self.slots.setdefault(host, asyncio.Semaphore(1))
        reserve = 0.0 if is_last else self.terms.total_seconds * SAMPLE_SHARE
        request = FetchRequest(url, user_agent=self.agent, expects=expects)
        try:
            async with asyncio.timeout_at(self.deadline - reserve), slot:
                await self._turn(host, url)
                result = await self.fetcher.fetch(request, self.robots.decide, self._pace)
                self.free_at[host] = self._now() + self.pause(host)
        except TimeoutError:
            words = span(self.terms.total_seconds)
            sentence = f"No time was left for it within {words}."
            result = FetchResult(url, Outcome.TIMEOUT, sentence, self.now, 0)
        self.tried.append(f"{url}: {visit_sentence(result)}")
        return result

    async def _turn(self, host: str, url: str) -> None:
        """Wait until a host may be asked; its robots.txt says how far apart, and comes first."""
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
