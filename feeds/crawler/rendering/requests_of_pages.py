"""What a page asks for while a browser draws it: fetched as all else is, refused, or remembered.

Request of a page → an answer, or None. Only what may put text into a page is fetched: scripts, what
they ask for by GET, and style sheets, without which some scripts do not go on. It goes through the
fetcher with its checks of addresses and with robots.txt; one request at a time to a host, behind
its Crawl-delay where it has one. Scripts and style sheets are remembered as long as they are fresh
(RFC 9111, 4.2), so that the pages of a site ask for them once.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from feeds.crawler.addressing.links import is_click_through
from feeds.crawler.fetching.exchange import Expectation, FetchRequest, FetchResult
from feeds.crawler.fetching.http import Clock, Fetcher, Gate
from feeds.crawler.timing.conditional import freshness

# Of one page, remembered answers not counted: bounds on what a page may make us do, set far above
# what an article's scripts and data need, twice the largest page that is read.
MOST_REQUESTS = 60
MOST_BYTES = 20_000_000
# Kept in a worker: scripts and style sheets of some sites.
_KEPT_BYTES = 48_000_000
# Where nothing is said a script is asked for again after an hour; none is kept for over a day.
_UNSAID_FRESH = timedelta(hours=1)
_MOST_FRESH = timedelta(days=1)
_KEPT_RESOURCES = frozenset({"script", "stylesheet"})
_RESOURCES = _KEPT_RESOURCES | {"xhr", "fetch"}
# Hosts that count readers or show what others sell; a page has its text without them. What serves
# nothing else only: their names are those of the companies' own domains.
_COUNTING_HOST = re.compile(
    r"(?:^|\.)(?:google-analytics\.com|googletagmanager\.com|googletagservices\.com"
    r"|scorecardresearch\.com|chartbeat\.(?:com|net)|hotjar\.com|quantserve\.com|newrelic\.com"
    r"|nr-data\.net|facebook\.net|moatads\.com|permutive\.(?:app|com)|amazon-adsystem\.com"
    r"|rubiconproject\.com|pubmatic\.com|openx\.net|casalemedia\.com|adsrvr\.org|sentry\.io"
    r"|onesignal\.com|segment\.(?:io|com)|mixpanel\.com|clarity\.ms|parsely\.com|permutive\.com)$"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a page: its kind is Chromium's word (`script`, `xhr`, `image` …)."""

    url: str
    method: str
    resource: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a page gets: a status, a type and the decoded bytes."""

    status: int
    content_type: str
    body: bytes = field(repr=False)


class RememberedAnswers:
    """Scripts and style sheets by address, those left longest unused go first. For one process."""

    def __init__(self, most_bytes: int = _KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._kept: OrderedDict[str, tuple[datetime, Answered]] = OrderedDict()

    def get(self, url: str, now: datetime) -> Answered | None:
        found = self._kept.get(url)
        if found is None or found[0] <= now:
            return None
        self._kept.move_to_end(url)
        return found[1]

    def keep(self, url: str, result: FetchResult, answer: Answered, now: datetime) -> None:
        """Keep an answer for as long as its server calls it fresh."""
        seconds = freshness(result.headers, now).seconds
        fresh = _UNSAID_FRESH if seconds is None else timedelta(seconds=min(seconds, 86_400))
        if fresh <= timedelta(0) or len(answer.body) > self._most_bytes:
            return
        former = self._kept.pop(url, None)
        self._n_bytes += len(answer.body) - (len(former[1].body) if former else 0)
        self._kept[url] = (now + min(fresh, _MOST_FRESH), answer)
        while self._n_bytes > self._most_bytes:
            _, (_, oldest) = self._kept.popitem(last=False)
            self._n_bytes -= len(oldest.body)


@dataclass(frozen=True, slots=True)
class Web:
    """What the requests of pages go through: that of a batch of visits.

    `gate` is robots.txt, asked for every address; `crawl_delay` gives the seconds that the
    robots.txt of a host asks for between two requests, 0 for none.
    """

    fetcher: Fetcher
    gate: Gate
    crawl_delay: Callable[[str], float]
    remembered: RememberedAnswers
    clock: Clock


class RequestsOfPage:
    """Answers what one page asks for.

    Parameters
    ----------
    web : Web
        Through which all goes.
    request : FetchRequest
        That of the page: its name, and what signs in at its host.
    """

    def __init__(self, web: Web, request: FetchRequest) -> None:
        self._web = web
        self._request = request
        self._hosts: dict[str, asyncio.Lock] = {}
        # The page itself has just been asked for.
        self._asked_hosts: set[str] = {_host(request.url)}
        self._n_bytes = 0
        self.n_of_host: dict[str, int] = {}

    @property
    def n_requests(self) -> int:
        """Requests that left the machine."""
        return sum(self.n_of_host.values())

    async def answer(self, asked: Asked) -> Answered | None:
        """Give what a page asks for; None for what it does not get."""
        if not is_wanted(asked):
            return None
        known = self._web.remembered.get(asked.url, self._web.clock())
        if known is not None:
            return known
        host = _host(asked.url)
        async with self._hosts.setdefault(host, asyncio.Lock()):
            if self.n_requests >= MOST_REQUESTS or self._n_bytes >= MOST_BYTES:
                return None
            self.n_of_host[host] = self.n_of_host.get(host, 0) + 1
            if host in self._asked_hosts:
                await asyncio.sleep(self._web.crawl_delay(host))
            self._asked_hosts.add(host)
            return await self._fetch(asked)

    async def _fetch(self, asked: Asked) -> Answered | None:
        is_own = _host(asked.url) == _host(self._request.url)
        request = replace(
            self._request,
            url=asked.url,
            etag=None,
            last_modified=None,
            expects=Expectation.ANY,
            credentials=self._request.credentials if is_own else (),
            secret_query="",
            jar=self._request.jar if is_own else None,
        )
        result = await self._web.fetcher.fetch(request, self._web.gate)
        if result.status is None or not (result.outcome.is_answer or result.status >= 400):
            return None
        self._n_bytes += len(result.body)
        answer = Answered(result.status, result.content_type, result.body)
        if result.outcome.is_answer and asked.resource in _KEPT_RESOURCES:
            self._web.remembered.keep(asked.url, result, answer, self._web.clock())
        return answer


def is_wanted(asked: Asked) -> bool:
    """Whether a request may be answered: pictures, fonts, films, forms and trackers are not.

    Examples
    --------
    >>> is_wanted(Asked("https://a.example/app.js", "GET", "script"))
    True
    >>> is_wanted(Asked("https://www.google-analytics.com/collect", "GET", "xhr"))
    False
    """
    if asked.method != "GET" or asked.resource not in _RESOURCES:
        return False
    try:
        parts = urlsplit(asked.url)
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"}:
        return False
    return not _COUNTING_HOST.search(parts.hostname or "") and not is_click_through(asked.url)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
