"""One fetcher for everything that leaves the machine: requests in, results with an outcome out.

aiohttp in one event loop per batch. Redirects are followed by hand, so that address, robots.txt and
loops are looked at before every hop; bodies are kept as they came over the wire and decoded under
caps while they arrive; a deadline ends what does not end by itself. Nothing the web does raises:
it becomes an `Outcome`. RFC 9110; measured at 0.2 ms CPU a page for the exchange itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace, TracebackType
from typing import Self

import aiohttp
import yarl

from feeds.crawler.addressing.web_archive import redirect_in_archive
from feeds.crawler.fetching.challenge import find_challenge
from feeds.crawler.fetching.connections import (
    AddressGuard,
    GuardedResolver,
    Target,
    check_target,
    parse_target,
)
from feeds.crawler.fetching.exchange import (
    Exchange,
    FetchRequest,
    FetchResult,
    FetchStoppedError,
    NetworkPolicy,
)
from feeds.crawler.fetching.failures import outcome_of_error
from feeds.crawler.fetching.ip_addresses import literal_address
from feeds.crawler.fetching.names import ProxyLookup
from feeds.crawler.fetching.receiving import ReceivedBody
from feeds.crawler.fetching.robots import RobotsDecision
from feeds.crawler.fetching.sent_headers import (
    archived_headers,
    credentials_of,
    headers_of,
    host_header,
)
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import (
    header,
    outcome_of_status,
)

# Asked before every hop; the answer of robots.txt.
Gate = Callable[[str], Awaitable[RobotsDecision]]
# Seconds that a host wants between two requests; asked before each hop to the host of the last one.
Pace = Callable[[str], float]
Clock = Callable[[], datetime]

# Newspapers send Content-Security-Policy headers beyond aiohttp's 8 kB.
_MAX_HEADER_BYTES = 65_536


def utc_now() -> datetime:
    """Return the present moment; the clock of callers that bring none."""
    return datetime.now(UTC)


@dataclass(slots=True)
class _Attempt:
    """One sending of a request; whether it used a connection that had been used before."""

    is_reused: bool = False


@dataclass(slots=True)
class _Trail:
    """What has happened so far in one fetch; what it holds when something breaks is the result."""

    request: FetchRequest
    started_at: datetime
    pace: Pace | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    body: bytes = b""


class Fetcher:
    """A session with its guards; use it as an async context manager, one for each batch.

    Parameters
    ----------
    policy : NetworkPolicy
        Where connections may go and how long they may take.
    clock : callable
        Gives the moments that are stored.
    lookup : ProxyLookup, optional
        Memory of names behind a proxy, shared by the batches of a process.
    """

    def __init__(
        self,
        policy: NetworkPolicy,
        clock: Clock = utc_now,
        lookup: ProxyLookup | None = None,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._guard = AddressGuard(policy)
        self._lookup = lookup or ProxyLookup()
        self._proxy = yarl.URL(policy.proxy_url) if policy.proxy_url else None

    async def __aenter__(self) -> Self:
        policy = self._policy
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(self._guard),
            socket_factory=self._guard.make_socket,
            limit=policy.n_connections,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=policy.connect_seconds),
            max_line_size=_MAX_HEADER_BYTES,
            max_field_size=_MAX_HEADER_BYTES,
            trace_configs=[_reuse_trace()],
        )
        # aiohttp sends every request again that a server cuts off; a second request at once is
        # against the host's delay. `_exchange` repeats only what RFC 9112, 9.3.1 is about.
        self._session._retry_connection = False  # noqa: SLF001 (no public switch)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def fetch(
        self, request: FetchRequest, gate: Gate | None = None, pace: Pace | None = None
    ) -> FetchResult:
        """Fetch one document.

        Parameters
        ----------
        request : FetchRequest
            What to ask for.
        gate : callable, optional
            Asked for each URL before it is requested, redirects included.
        pace : callable, optional
            Gives the seconds between a redirect and the next request to the same host. They do not
            count towards the deadline.

        Returns
        -------
        FetchResult
            Always; whatever went wrong is its outcome, with a sentence in `error`.
        """
        begun = asyncio.get_running_loop().time()
        trail = _Trail(request, self._clock(), pace)
        outcome, error = await self._outcome(trail, gate)
        elapsed = asyncio.get_running_loop().time() - begun
        return FetchResult(
            url=request.url,
            outcome=outcome,
            error=error,
            started_at=trail.started_at,
            elapsed_ms=round(elapsed * 1000),
            exchanges=tuple(trail.exchanges),
            body=trail.body,
            user_agent=request.user_agent,
        )

    async def _outcome(self, trail: _Trail, gate: Gate | None) -> tuple[Outcome, str]:
        """Run one fetch and name how it ended."""
        seconds = self._policy.total_seconds
        try:
            async with asyncio.timeout(seconds) as deadline:
                return await self._follow(trail, gate, deadline)
        except FetchStoppedError as error:
            return error.outcome, str(error)
        except TimeoutError:
            return Outcome.TIMEOUT, f"No whole answer within {seconds:g} s."
        except (aiohttp.ClientError, OSError, ValueError) as error:
            named, words = outcome_of_error(error)
            return named, trail.request.hidden(words)

    async def _follow(
        self, trail: _Trail, gate: Gate | None, deadline: asyncio.Timeout
    ) -> tuple[Outcome, str]:
        """Go along the redirects."""
        target = parse_target(trail.request.url)
        seen = {target.url}
        while True:
            await self._check(target, gate)
            exchange = await self._exchange(target, trail)
            location = header(exchange.headers, "location")
            if exchange.status not in trail.request.followed or not location:
                return _judge(exchange, trail)
            location = redirect_in_archive(target.url, _as_utf8(location))
            netloc, target = target.netloc, parse_target(location, base=target.url)
            if target.url in seen:
                raise FetchStoppedError(
                    Outcome.TOO_MANY_REDIRECTS, f"Redirects loop at {target.url}"
                )
            if len(seen) > self._policy.max_redirects:
                message = f"More than {self._policy.max_redirects} redirects."
                raise FetchStoppedError(Outcome.TOO_MANY_REDIRECTS, message)
            seen.add(target.url)
            trail.body = b""
            if trail.pace and target.netloc == netloc:
                await _wait(trail.pace(netloc), deadline)

    async def _check(self, target: Target, gate: Gate | None) -> None:
        check_target(target, self._policy)
        if self._proxy and literal_address(target.host) is None:
            why = await self._lookup.refusal(target.host, target.port, self._guard.check_of_target)
            if why:
                raise FetchStoppedError(Outcome.PRIVATE_ADDRESS, why)
        if gate is None:
            return
        decision = await gate(target.url)
        if not decision.allowed:
            raise FetchStoppedError(Outcome.ROBOTS_FORBID, decision.reason)

    async def _exchange(self, target: Target, trail: _Trail) -> Exchange:
        """Send a request, once more if a connection kept open turns out to be closed by now."""
        attempt = _Attempt()
        n_before = len(trail.exchanges)
        try:
            return await self._send(target, trail, attempt)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if not attempt.is_reused or len(trail.exchanges) > n_before:
                raise
        return await self._send(target, trail, _Attempt())

    async def _send(self, target: Target, trail: _Trail, attempt: _Attempt) -> Exchange:
        """Send one request and read its answer; the exchange is on the trail even if that fails."""
        request = trail.request
        sent = headers_of(request, is_first=not trail.exchanges)
        started_at = self._clock()
        async with self._session.request(
            request.method,
            yarl.URL(request.sent_url(target.url), encoded=True),
            data=request.payload if request.form is None else request.form,
            headers=dict((*sent, *credentials_of(request, target, started_at))),
            allow_redirects=False,
            proxy=self._proxy,
            trace_request_ctx=attempt,
        ) as response:
            address = _peer(response) if self._proxy is None else ""
            received = ReceivedBody(response, self._policy.max_ratio)
            try:
                await received.read(request)
            finally:
                trail.body = received.body
                if request.jar is not None:
                    request.jar.take(target.url, received.headers, started_at)
                exchange = Exchange(
                    url=target.url,
                    request_headers=(("Host", host_header(target)), *sent),
                    status=response.status,
                    reason=_readable(response.reason or ""),
                    headers=archived_headers(request, received.headers),
                    raw_body=b"".join(received.chunks),
                    started_at=started_at,
                    address=address,
                    truncated=received.truncated,
                )
                trail.exchanges.append(exchange)
        return exchange


async def _wait(seconds: float, deadline: asyncio.Timeout) -> None:
    """Sleep as a host asks for; its own wish is not held against its speed."""
    if seconds <= 0:
        return
    end = deadline.when()
    if end is not None:
        deadline.reschedule(end + seconds)
    await asyncio.sleep(seconds)


def _judge(exchange: Exchange, trail: _Trail) -> tuple[Outcome, str]:
    """Name the outcome of a whole answer."""
    guard = find_challenge(exchange.status, exchange.headers, trail.body)
    if guard:
        return Outcome.CHALLENGE, f"{guard} answered instead of the site ({exchange.status})."
    outcome = outcome_of_status(exchange.status, trail.request.is_conditional)
    if outcome.is_answer:
        return outcome, ""
    return outcome, f"The server answered {exchange.status} {exchange.reason}.".replace(" .", ".")


def _readable(reason: str) -> str:
    """Give the words behind a status as a database takes them: any byte may stand there.

    RFC 9112, section 4: obs-text among them, as old servers write accents in Latin-1.
    """
    raw = reason.encode("utf-8", "surrogateescape")
    words = _as_utf8(raw.decode("latin-1"))
    return "".join(sign if sign.isprintable() else " " for sign in words).strip()


def _as_utf8(value: str) -> str:
    """Read a header's bytes as UTF-8 where they are: browsers take such Locations."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _reuse_trace() -> aiohttp.TraceConfig:
    """Make the hook that notes on an `_Attempt` that its connection is not new."""
    trace = aiohttp.TraceConfig()

    async def note(
        _session: aiohttp.ClientSession,
        context: SimpleNamespace,
        _parameters: aiohttp.TraceConnectionReuseconnParams,
    ) -> None:
        context.trace_request_ctx.is_reused = True

    trace.on_connection_reuseconn.append(note)
    return trace


def _peer(response: aiohttp.ClientResponse) -> str:
    """Address the answer came from; empty where a short one has set its connection free."""
    connection = response.connection
    transport = connection.transport if connection else None
    peer = transport.get_extra_info("peername") if transport else None
    return str(peer[0]) if peer else ""
