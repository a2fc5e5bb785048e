"""What is at an address that somebody typed: a home page, feeds that really are some, samples.

`investigate` runs inside a web request, so the whole is bounded: fetch the address; if it is a
page, fetch what it declares as feeds; guess known paths only when that gave none; parse each
candidate before it is offered; fetch three articles as samples. A host is asked at most a few
times in parallel, robots.txt is obeyed, private addresses are refused. What goes wrong is a
sentence that names the step (screens 5.2).

Samples are returned as they came. What they look like as stored texts is for the caller, who may
know the extraction; this app does not.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.conf import settings

from feeds.crawler.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.discovery import (
    GIVEN,
    KNOWN_PATH,
    KNOWN_PATHS,
    FeedCandidate,
    HomePage,
    known_paths,
    read_home_page,
)
from feeds.crawler.exchange import Expectation, FetchRequest, FetchResult, NetworkPolicy
from feeds.crawler.feed_document import ParsedFeed
from feeds.crawler.feed_parser import parse_feed
from feeds.crawler.found_feeds import FoundFeed, found_feed, judge
from feeds.crawler.http import Fetcher
from feeds.crawler.outcomes import Outcome
from feeds.crawler.revisit import duration_words
from feeds.crawler.robots_book import RobotsBook
from feeds.network import PROXY_LOOKUP, network_policy
from feeds.publications import find_publication, site_of

TOTAL_SECONDS = 15.0  # of a web request, samples included
REQUEST_SECONDS = 8.0  # one slow candidate must not eat the whole
SAMPLE_SHARE = 0.25  # of the whole is kept back for the samples
MAX_CANDIDATES = 15
N_SAMPLES = 3
ROBOTS = "robots.txt"  # how a candidate was found
PARALLEL_PER_HOST = 3
MAX_SITEMAPS = 3  # of those that robots.txt names and that call themselves news


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """How the search goes out: network limits, user agents, seconds for the whole.

    ``browser_agent`` is tried once on a 403, to tell the editor whether permitting it would help
    (COR-70); empty: never.
    """

    network: NetworkPolicy
    user_agent: str
    browser_agent: str = ""
    total_seconds: float = TOTAL_SECONDS


@dataclass(frozen=True, slots=True)
class Investigation:
    """What is at an address. ``problem`` is a sentence when nothing can be offered.

    ``known_publication`` is the slug of the publication that has this home page already.
    ``tried`` lists what was asked, one sentence each, for the editor who wonders.
    """

    address: str
    name: str = ""
    home_url: str = ""
    language: str = ""
    feeds: tuple[FoundFeed, ...] = ()
    samples: tuple[FetchResult, ...] = ()
    problem: str = ""
    known_publication: str = ""
    needs_browser_agent: bool = False
    crawl_delay_seconds: float | None = None
    tried: tuple[str, ...] = ()

    @property
    def good_feeds(self) -> tuple[FoundFeed, ...]:
        return tuple(feed for feed in self.feeds if feed.is_good)


@dataclass(slots=True)
class _Search:
    """The running search: what its steps share."""

    terms: SearchTerms
    now: datetime
    fetcher: Fetcher
    robots: RobotsBook
    deadline: float
    slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)
    agent: str = ""


class _NothingFoundError(Exception):
    """Raised by a step of the search with the sentence for the form; `_search` catches it."""


def site_terms() -> SearchTerms:
    """Give the terms of this site's settings."""
    return SearchTerms(
        network=network_policy(),
        user_agent=settings.CRAWL_USER_AGENT,
        browser_agent=settings.CRAWL_BROWSER_USER_AGENT,
    )


def investigate(address: str, terms: SearchTerms, now: datetime) -> Investigation:
    """Find out what is at an address: a home page, a feed, a section or a single article.

    Takes at most some `terms.total_seconds`. Nothing is written; the database is asked whether
    the home page is known. Never raises for what the web does.
    """
    try:
        start = canonicalize(address)
    except BadUrl as problem:
        return Investigation(address, problem=str(problem))
    found = asyncio.run(_search(address, start, terms, now))
    if not found.home_url:
        return found
    known = find_publication(canonicalize(found.home_url))
    return replace(found, known_publication=known.slug if known else "")


async def _search(
    address: str, start: CanonicalUrl, terms: SearchTerms, now: datetime
) -> Investigation:
    network = replace(
        terms.network, total_seconds=min(REQUEST_SECONDS, terms.network.total_seconds)
    )
    async with Fetcher(network, lookup=PROXY_LOOKUP) as fetcher:
        search = _Search(
            terms=terms,
            now=now,
            fetcher=fetcher,
            robots=RobotsBook(fetcher, terms.user_agent),
            deadline=asyncio.get_running_loop().time() + terms.total_seconds,
            agent=terms.user_agent,
        )
        try:
            found = await _steps(search, start, is_typed="://" not in address)
        except _NothingFoundError as problem:
            found = Investigation(address, problem=str(problem))
        finally:
            await search.robots.close()
        return replace(
            found,
            address=address,
            needs_browser_agent=search.agent != terms.user_agent,
            tried=tuple(search.tried),
        )


async def _steps(search: _Search, start: CanonicalUrl, *, is_typed: bool) -> Investigation:
    """Address → page or feed → candidates → feeds → samples."""
    first = await _first(search, start, is_typed=is_typed)
    parsed = parse_feed(first.body, first.content_type, first.final_url)
    if parsed.is_feed:
        found = await _from_feed(search, first, parsed)
    else:
        _require_html(first)
        found = await _from_page(search, first)
    if not found.feeds:
        raise _NothingFoundError(_no_feed_sentence(found.home_url))
    home = canonicalize(found.home_url)
    samples = await _samples(search, found.feeds)
    return replace(found, samples=samples, crawl_delay_seconds=search.robots.crawl_delay(home.host))


async def _first(search: _Search, start: CanonicalUrl, *, is_typed: bool) -> FetchResult:
    result = await _fetch(search, start.url)
    if is_typed and result.outcome in {Outcome.CONNECTION_ERROR, Outcome.TIMEOUT}:
        # Somebody typed a bare name, for which https was a guess.
        plain = await _fetch(search, "http://" + start.url.removeprefix("https://"))
        result = plain if plain.exchanges else result
    if result.outcome in {Outcome.FORBIDDEN, Outcome.CHALLENGE} and search.terms.browser_agent:
        search.agent = search.terms.browser_agent
        again = await _fetch(search, result.final_url)
        if again.outcome.is_answer:
            return again
        search.agent = search.terms.user_agent
        raise _NothingFoundError(
            f"{_sentence(result)} Asking once more like a browser did not help: {_sentence(again)}"
        )
    if not result.outcome.is_answer:
        raise _NothingFoundError(_sentence(result))
    return result


async def _from_feed(search: _Search, first: FetchResult, parsed: ParsedFeed) -> Investigation:
    """Take the address as a feed; its home page tells the name and its sisters."""
    given = found_feed(FeedCandidate(first.final_url, parsed.title, GIVEN), parsed, search.now)
    home_url = parsed.home_url or canonicalize("/", first.final_url).url
    page = await _fetch(search, home_url)
    if not page.outcome.is_answer or _is_no_html(page):
        return Investigation(
            "", _name("", parsed.title, home_url), home_url, parsed.language, (given,)
        )
    home = read_home_page(page.body, page.final_url, page.content_type)
    declared = [item for item in home.candidates if item.how != KNOWN_PATH]
    sisters = await _feeds(search, declared, known={canonicalize(given.url).key})
    language = parsed.language or home.language
    name = _name(home.title, parsed.title, page.final_url)
    return Investigation("", name, page.final_url, language, judge([given, *sisters]))


async def _from_page(search: _Search, first: FetchResult) -> Investigation:
    """Look at a home page, a section or an article: feeds of the page, then of its home."""
    home = read_home_page(first.body, first.final_url, first.content_type)
    home_url = canonicalize("/", first.final_url).url
    candidates = [*_declared(home), *await _news_sitemaps(search, home_url)]
    feeds = await _feeds(search, candidates, known=set())
    if not feeds and canonicalize(first.final_url).key != canonicalize(home_url).key:
        page = await _fetch(search, home_url)
        if page.outcome.is_answer and not _is_no_html(page):
            home = read_home_page(page.body, page.final_url, page.content_type)
            home_url = page.final_url
            feeds = await _feeds(search, _declared(home), known=set())
    if not feeds:
        feeds = await _feeds(search, known_paths(home_url), known=set())
    title = feeds[0].title if feeds else ""
    return Investigation(
        "", _name(home.title, title, home_url), home_url, home.language, judge(feeds)
    )


def _declared(home: HomePage) -> list[FeedCandidate]:
    return [candidate for candidate in home.candidates if candidate.how != KNOWN_PATH]


async def _news_sitemaps(search: _Search, home_url: str) -> list[FeedCandidate]:
    """List the news sitemaps that the site's robots.txt names."""
    host = canonicalize(home_url).host
    try:
        async with asyncio.timeout_at(search.deadline):
            policy = await search.robots.policy_of(host, home_url)
    except TimeoutError:
        return []
    named = [url for url in policy.sitemaps if "news" in url.rpartition("/")[2].lower()]
    found = []
    for url in named[:MAX_SITEMAPS]:
        try:
            found.append(FeedCandidate(canonicalize(url, home_url).url, "", ROBOTS))
        except BadUrl:
            continue
    return found


async def _feeds(
    search: _Search, candidates: Sequence[FeedCandidate], known: set[str]
) -> list[FoundFeed]:
    """Fetch and parse candidates; those that are feeds, in their order, each document once."""
    chosen = [item for item in candidates if canonicalize(item.url).key not in known]
    results = await asyncio.gather(
        *(_fetch(search, item.url, Expectation.FEED) for item in chosen[:MAX_CANDIDATES])
    )
    feeds, keys = [], set(known)
    for candidate, result in zip(chosen, results, strict=False):
        if not result.outcome.is_answer:
            continue
        key = canonicalize(result.final_url).key
        parsed = parse_feed(result.body, result.content_type, result.final_url)
        if parsed.is_feed and key not in keys:
            keys.add(key)
            feeds.append(found_feed(replace(candidate, url=result.final_url), parsed, search.now))
    return feeds


async def _samples(search: _Search, feeds: Sequence[FoundFeed]) -> tuple[FetchResult, ...]:
    """Fetch up to three articles: from different feeds where there are several, newest first."""
    ticked = [feed for feed in feeds if feed.is_good] or list(feeds)
    urls: dict[str, str] = {}
    for rank in range(N_SAMPLES):
        for feed in ticked:
            if rank < len(feed.entry_urls) and len(urls) < N_SAMPLES:
                url = feed.entry_urls[rank]
                urls.setdefault(canonicalize(url).key, url)
    results = await asyncio.gather(*(_fetch(search, url, is_last=True) for url in urls.values()))
    return tuple(results)


async def _fetch(
    search: _Search,
    url: str,
    expects: Expectation = Expectation.ANY,
    *,
    is_last: bool = False,
) -> FetchResult:
    """Fetch under the search's deadline and the host's share of parallel requests."""
    host = canonicalize(url).host
    slot = search.slots.setdefault(host, asyncio.Semaphore(PARALLEL_PER_HOST))
    reserve = 0.0 if is_last else search.terms.total_seconds * SAMPLE_SHARE
    request = FetchRequest(url, user_agent=search.agent, expects=expects)
    try:
        async with asyncio.timeout_at(search.deadline - reserve), slot:
            result = await search.fetcher.fetch(request, search.robots.decide)
    except TimeoutError:
        words = duration_words(search.terms.total_seconds)
        sentence = f"No time was left for it within {words}."
        result = FetchResult(url, Outcome.TIMEOUT, sentence, search.now, 0)
    search.tried.append(f"{url}: {_sentence(result)}")
    return result


def _require_html(result: FetchResult) -> None:
    if _is_no_html(result):
        kind = result.content_type.partition(";")[0] or "an unknown type"
        raise _NothingFoundError(f"The address answers with {kind}: not HTML and not a feed.")
    if not result.body.strip():
        raise _NothingFoundError("The address answers with an empty page.")


def _is_no_html(result: FetchResult) -> bool:
    kind = result.content_type.partition(";")[0].strip().lower()
    return (
        bool(kind)
        and "html" not in kind
        and "xml" not in kind
        and b"<html" not in result.body[:2_000].lower()
    )


def _no_feed_sentence(home_url: str) -> str:
    host = canonicalize(home_url).host
    usual = ", ".join(KNOWN_PATHS[:4])
    return (
        f"No feed was found at {host}: its pages name none, and at the usual addresses "
        f"({usual} …) there is none."
    )


def _name(page_title: str, feed_title: str, url: str) -> str:
    if feed_title and page_title.startswith(feed_title):
        return feed_title  # "Isibani" of "Isibani: the paper of the valley"
    return page_title or feed_title or site_of(canonicalize(url).host)


# What an outcome means to somebody who typed an address; the fetcher's own words follow.
_STEPS = {
    Outcome.DNS_ERROR: "The name of the host is not known (DNS).",
    Outcome.CONNECTION_ERROR: "The host refuses the connection.",
    Outcome.TIMEOUT: "The host did not answer in time.",
    Outcome.NOT_FOUND: "There is no such page (404).",
    Outcome.GONE: "The page is gone for good (410).",
    Outcome.FORBIDDEN: "The site forbids the visit (403).",
    Outcome.RATE_LIMITED: "The site asks to come back later (429).",
    Outcome.CHALLENGE: "A bot guard answered instead of the site.",
    Outcome.ROBOTS_FORBID: "robots.txt forbids the visit, so this stops here.",
    Outcome.PRIVATE_ADDRESS: "The address is private and is not visited.",
    Outcome.TOO_MANY_REDIRECTS: "The address redirects in a loop or too often.",
    Outcome.TOO_LARGE: "The answer is too large.",
    Outcome.UNEXPECTED_TYPE: "The address answers with a file, not a page.",
    Outcome.BAD_ENCODING: "The answer is broken (compression).",
    Outcome.SERVER_ERROR: "The server reports an error of its own.",
    Outcome.CLIENT_ERROR: "The server refuses the request.",
}


def _sentence(result: FetchResult) -> str:
    if result.outcome.is_answer:
        return f"answered ({result.status})."
    return " ".join(filter(None, (_STEPS.get(result.outcome, ""), result.error)))
