"""The robots.txt of all hosts that a batch meets: known ones from memory, others fetched once.

Redirects lead to hosts that nobody planned to visit; their robots.txt is read before they are. What
was fetched is kept in `fetched`, for the database after the loop.
"""

import asyncio
from dataclasses import dataclass

from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.exchange import (
    MAX_ROBOTS_BYTES,
    FetchRequest,
    FetchResult,
    FetchStoppedError,
)
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.robots import RobotsDecision, RobotsPolicy, product_token
from feeds.crawler.outcomes import Outcome

# Outcomes that tell nothing about the rules: the host cannot be asked now.
_NO_ANSWER = frozenset(
    {
        Outcome.DNS_ERROR,
        Outcome.CONNECTION_ERROR,
        Outcome.TIMEOUT,
        Outcome.PRIVATE_ADDRESS,
        Outcome.BAD_URL,
        Outcome.BAD_ENCODING,
    }
)


@dataclass(frozen=True, slots=True)
class FetchedRobots:
    """A robots.txt that was asked for in this batch.

    `is_fresh` is False where none could be had, and `policy` then an old one or a refusal.
    """

    host: str
    result: FetchResult
    policy: RobotsPolicy
    is_fresh: bool


class RobotsBook:
    """Answers `decide` for every URL of a batch; make one for each event loop.

    Parameters
    ----------
    fetcher : Fetcher
        The batch's own.
    user_agent : str
        Sent with the requests; its product token chooses the group.
    known : dict
        Policies by host (`host` or `host:port`) that need not be fetched.
    """

    def __init__(
        self, fetcher: Fetcher, user_agent: str, known: dict[str, RobotsPolicy] | None = None
    ) -> None:
        self._fetcher = fetcher
        self._user_agent = user_agent
        self._agent = product_token(user_agent)
        self._policies = dict(known or {})
        self._stale: dict[str, RobotsPolicy] = {}
        self._failures: dict[str, Outcome] = {}
        self._running: dict[str, asyncio.Task[RobotsPolicy]] = {}
        self.fetched: list[FetchedRobots] = []

    async def decide(self, url: str) -> RobotsDecision:
        """Say whether a URL may be fetched; a failure to find out raises its outcome.

        Raises
        ------
        FetchStoppedError
            With the outcome of the request for robots.txt where that was no answer; the fetcher
            turns it into the outcome of the page.
        """
        target = parse_target(url)
        policy = await self.policy_of(target.netloc, url)
        decision = policy.allows(url)
        if not decision.is_final:
            outcome = self._failures.get(target.netloc, Outcome.SERVER_ERROR)
            raise FetchStoppedError(outcome, decision.reason)
        return decision

    async def policy_of(self, host: str, url: str) -> RobotsPolicy:
        """Return the policy of a host; several askers wait for one request."""
        if host in self._policies:
            return self._policies[host]
        if host not in self._running:
            self._running[host] = asyncio.ensure_future(self._fetch(host, url))
        return await asyncio.shield(self._running[host])

    def learn(self, host: str, policy: RobotsPolicy) -> None:
        """Take a policy that is known and fresh."""
        self._policies[host] = policy

    def forget(self, host: str) -> None:
        """Ask a host anew, such as one that was not there under https."""
        for known in (self._policies, self._running, self._failures):
            known.pop(host, None)

    def learn_stale(self, host: str, policy: RobotsPolicy) -> None:
        """Take a policy that counts only if a new one cannot be had (RFC 9309, 2.4)."""
        self._stale[host] = policy

    def take_fetched(self) -> tuple[FetchedRobots, ...]:
        """Return what was fetched since the last call."""
        taken = tuple(self.fetched)
        self.fetched.clear()
        return taken

    def crawl_delay(self, host: str) -> float | None:
        """Return a host's Crawl-delay as far as it is known."""
        policy = self._policies.get(host)
        return policy.crawl_delay if policy else None

    async def close(self) -> None:
        """End requests that nobody waits for any more."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _fetch(self, host: str, url: str) -> RobotsPolicy:
        request = FetchRequest(
            url=parse_target("/robots.txt", base=url).url,
            max_bytes=MAX_ROBOTS_BYTES,
            user_agent=self._user_agent,
        )
        result = await self._fetcher.fetch(request)
        policy = self._read(result)
        is_fresh = policy.is_reachable
        if not is_fresh:
            outcome = result.outcome
            self._failures[host] = Outcome.SERVER_ERROR if outcome.is_answer else outcome
            policy = self._stale.get(host, policy)
        self._policies[host] = policy
        self.fetched.append(FetchedRobots(host, result, policy, is_fresh))
        return policy

    def _read(self, result: FetchResult) -> RobotsPolicy:
        if result.outcome in _NO_ANSWER:
            return RobotsPolicy.unreachable(self._agent, result.error)
        if result.outcome is Outcome.TOO_MANY_REDIRECTS:
            return RobotsPolicy.of_text("", self._agent)  # RFC 9309, 2.3.1.2: as if there were none
        if result.outcome is Outcome.TOO_LARGE:  # what was read counts (RFC 9309, 2.5)
            return RobotsPolicy.parse(result.body, 200, self._agent)
        return RobotsPolicy.parse(result.body, result.status, self._agent)
