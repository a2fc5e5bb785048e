"""What is at an address that somebody typed: a home page, feeds that really are some, samples.

`investigate` is waited for by somebody, so the whole is bounded: fetch the address; if it is a
page, fetch what it declares as feeds; guess known paths only when that gave none; parse each
candidate before it is offered; fetch three articles as samples. A host is leased from the crawler
before it is asked and has one request at a time, robots.txt is obeyed, private addresses are
refused. What goes wrong is a sentence that names the step.

Samples are returned as they came. What they look like as stored texts is for the caller, who may
know the extraction; this app does not.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings

from feeds.crawler.addressing.canonical import CanonicalUrl, canonicalize
from feeds.crawler.addressing.slugs import looks_like_article
from feeds.crawler.addressing.typed_address import BadAddressError, read_typed
from feeds.crawler.documents.byte_patterns import in_bytes
from feeds.crawler.documents.feed_document import FeedKind, ParsedFeed
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.found_feeds import (
    FoundFeed,
    found_feed,
    judge,
    prefer_section,
    unread_feed,
)
from feeds.crawler.documents.home_page import (
    DECLARED,
    GIVEN,
    KNOWN_PATH,
    KNOWN_PATHS,
    FeedCandidate,
    HomePage,
    known_paths,
    read_home_page,
)
from feeds.crawler.fetching.exchange import Expectation, FetchResult
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.robots_book import RobotsBook
from feeds.crawler.fetching.visit_words import advice, home_instead, visit_sentence
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timelines.addresses import timeline_wish
from feeds.network import PROXY_LOOKUP, network_policy
from feeds.sources.host_rests import HostKeeper, HostRest, HostWait
from feeds.sources.listings import MAX_SITEMAPS, find_listings
from feeds.sources.publications import find_publication, is_of_host, site_of
from feeds.sources.site_search import (
    MOST_PAUSE_SECONDS,
    NothingFoundError,
    Progress,
    SearchTerms,
    SiteSearch,
)
from feeds.sources.timelines import find_timeline

__all__ = ["Investigation", "Progress", "SearchTerms", "investigate", "site_terms"]

REQUEST_SECONDS = 8.0  # one slow candidate must not eat the whole
MAX_CANDIDATES = 15  # with three at a time, three seconds for each within the search's time
N_SAMPLES = 3  # one may be an odd page
ROBOTS = "robots.txt"  # how a candidate was found
_PASSWORD_FIELD = in_bytes(rb"<input[^>]+type=[\"']?password")


@dataclass(frozen=True, slots=True)
class Investigation:
    """What is at an address. ``problem`` is a sentence when nothing can be offered.

    ``known_publication`` is the slug of the publication that has this home page already.
    ``tried`` lists what was asked, one sentence each, for the editor who wonders;
    ``suggestion`` is an address that may be the meant one.
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
    suggestion: str = ""

    @property
    def good_feeds(self) -> tuple[FoundFeed, ...]:
        return tuple(feed for feed in self.feeds if feed.is_good)


def site_terms() -> SearchTerms:
    """Give the terms of this site's settings."""
    return SearchTerms(
        network=network_policy(),
        user_agent=settings.CRAWL_USER_AGENT,
        browser_agent=settings.CRAWL_BROWSER_USER_AGENT,
        pause_seconds=min(float(settings.CRAWL_MIN_DELAY_SECONDS), MOST_PAUSE_SECONDS),
    )


def _unwatched(progress: Progress) -> None:
    """Let a search run that nobody watches."""


def investigate(
    address: str,
    terms: SearchTerms,
    now: datetime,
    watch: Callable[[Progress], None] = _unwatched,
) -> Investigation:
    """Find out what is at an address: a home page, a feed, a section or a single article.

    Takes at most some `terms.total_seconds`. Of the database it holds hosts meanwhile, and asks
    whether the home page is known. Never raises for what the web does; what `watch` raises, which
    is called in sync code whenever something has changed, ends the search.
    """
    try:
        start = read_typed(address)
    except BadAddressError as problem:
        return Investigation(address, problem=str(problem), suggestion=problem.suggestion)
    found = replace(_search(address, start, terms, now, watch), address=address)
    if not found.home_url:
        return found
    known = find_publication(canonicalize(found.home_url))
    return replace(found, known_publication=known.slug if known else "")


def _search(
    address: str,
    start: CanonicalUrl,
    terms: SearchTerms,
    now: datetime,
    watch: Callable[[Progress], None],
) -> Investigation:
    """Run the network in an event loop, the database in sync code between its steps."""
    keeper, began = HostKeeper(terms.total_seconds), time.monotonic()

    def take(host: str) -> HostWait | None:
        return keeper.take(host, now + timedelta(seconds=time.monotonic() - began))

    with asyncio.Runner() as runner:
        search = runner.run(_opened(terms, now))
        steps = _searched(search, start, is_typed="://" not in address)
        task = runner.get_loop().create_task(steps)
        try:
            shown = Progress()
            while not task.done():
                search.gate.serve(take)
                runner.run(search.gate.step(task))
                if search.progress != shown:
                    shown = search.progress
                    watch(shown)
            return task.result()
        finally:
            keeper.give_back(runner.run(_closed(search, task)))


async def _opened(terms: SearchTerms, now: datetime) -> SiteSearch:
    network = replace(
        terms.network, total_seconds=min(REQUEST_SECONDS, terms.network.total_seconds)
    )
    fetcher = await Fetcher(network, lookup=PROXY_LOOKUP).__aenter__()
    return SiteSearch(
        terms=terms,
        now=now,
        fetcher=fetcher,
        robots=RobotsBook(fetcher, terms.user_agent),
        deadline=asyncio.get_running_loop().time() + terms.total_seconds,
        agent=terms.user_agent,
    )


async def _closed(search: SiteSearch, task: asyncio.Task[Investigation]) -> dict[str, HostRest]:
    """End what runs still, so that a search that was stopped asks nothing any more.

    Returns how long the hosts that were asked are to be left alone.
    """
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task
    await search.robots.close()
    await search.fetcher.__aexit__(None, None, None)
    return {host: search.rest(host) for host in search.asked}


async def _searched(search: SiteSearch, start: CanonicalUrl, *, is_typed: bool) -> Investigation:
    try:
        found = await _steps(search, start, is_typed=is_typed)
    except NothingFoundError as problem:
        found = Investigation("", problem=str(problem), suggestion=problem.suggestion)
    return replace(
        found,
        needs_browser_agent=search.agent != search.terms.user_agent,
        tried=tuple(search.tried),
    )


async def _steps(search: SiteSearch, start: CanonicalUrl, *, is_typed: bool) -> Investigation:
    """Address → page or feed → candidates → feeds → samples."""
    search.step = "The address"
    wish = timeline_wish(start.url)
    timeline = await find_timeline(search, wish) if wish else None
    if wish is not None and timeline is not None:
        return Investigation("", timeline.title, wish.home_url, feeds=(timeline,))
    first = await _first(search, start, is_typed=is_typed)
    search.step = "Its feeds"
    parsed = parse_feed(first.body, first.content_type, first.final_url)
    if parsed.is_feed:
        found = await _from_feed(search, first, parsed)
    else:
        _require_html(first)
        found = await _from_page(search, first)
    if not found.feeds:
        raise NothingFoundError(_no_feed_sentence(found.home_url, first, search.unlikely))
    home = canonicalize(found.home_url)
    search.step = "Some articles"
    samples = await _samples(search, found.feeds)
    return replace(found, samples=samples, crawl_delay_seconds=search.robots.crawl_delay(home.host))


async def _first(search: SiteSearch, start: CanonicalUrl, *, is_typed: bool) -> FetchResult:
    result = await search.fetch(start.url, is_last=True)  # all that follows hangs on it
    if start.host in search.refused:
        raise NothingFoundError(search.refused[start.host])
    for other in _other_spellings(start.url, result.outcome, is_typed=is_typed):
        search.robots.forget(canonicalize(other).host)
        again = await search.fetch(other)
        if again.exchanges:
            result = again
            break
    if result.outcome in {Outcome.FORBIDDEN, Outcome.CHALLENGE} and search.terms.browser_agent:
        search.agent = search.terms.browser_agent
        again = await search.fetch(result.final_url)
        if again.outcome.is_answer:
            return again
        search.agent = search.terms.user_agent
        raise NothingFoundError(
            f"{visit_sentence(result)} Asking once more like a browser did not help: "
            f"{visit_sentence(again)} {advice(again)}"
        )
    if not result.outcome.is_answer:
        sentence = f"{visit_sentence(result)} {advice(result)}"
        raise NothingFoundError(sentence, home_instead(result))
    return result


def _other_spellings(url: str, outcome: Outcome, *, is_typed: bool) -> list[str]:
    """List what may be meant by an address whose host gives no answer at all."""
    scheme, _, rest = url.partition("://")
    if outcome is Outcome.DNS_ERROR:
        has_prefix = rest.startswith("www.")
        return [f"{scheme}://{rest.removeprefix('www.') if has_prefix else 'www.' + rest}"]
    # Somebody typed a bare name, for which https was a guess.
    if is_typed and outcome in {Outcome.CONNECTION_ERROR, Outcome.TIMEOUT}:
        return [f"http://{rest}"]
    return []


async def _from_feed(search: SiteSearch, first: FetchResult, parsed: ParsedFeed) -> Investigation:
    """Take the address as a feed; its home page tells the name and its sisters."""
    given = found_feed(FeedCandidate(first.final_url, parsed.title, GIVEN), parsed, search.now)
    home_url = parsed.home_url or canonicalize("/", first.final_url).url
    page = await search.fetch(home_url)
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


async def _from_page(search: SiteSearch, first: FetchResult) -> Investigation:
    """Look at a home page, a section or an article: feeds of the page, then of its home.

    Where there is none, the pages' own article links are followed, else the site's sitemap.
    """
    home = read_home_page(first.body, first.final_url, first.content_type)
    home_url = canonicalize("/", first.final_url).url
    pages = [first]
    candidates = [*_declared(home), *await _news_sitemaps(search, home_url)]
    feeds = await _feeds(search, candidates, known=set())
    if not feeds and canonicalize(first.final_url).key != canonicalize(home_url).key:
        page = await search.fetch(home_url)
        if page.outcome.is_answer and not _is_no_html(page):
            home = read_home_page(page.body, page.final_url, page.content_type)
            home_url = page.final_url
            pages.append(page)
            feeds = await _feeds(search, _declared(home), known=set())
    if not feeds:
        feeds = await _feeds(search, known_paths(home_url), known=set())
    if not any(feed.is_good for feed in feeds):  # none, or empty and forgotten ones
        search.step = "Story links and sitemaps"
        listings = await find_listings(search, pages, home_url)
        known = {canonicalize(feed.url).key for feed in listings}
        feeds = [feed for feed in feeds if canonicalize(feed.url).key not in known] + listings
    titles = [feed.title for feed in feeds if feed.kind is not FeedKind.INDEX]
    name = _name(home.title, titles[0] if titles else "", home_url)
    if not looks_like_article(first.final_url):
        feeds = list(prefer_section(feeds, first.final_url))
    return Investigation("", name, home_url, home.language, judge(feeds))


def _declared(home: HomePage) -> list[FeedCandidate]:
    return [candidate for candidate in home.candidates if candidate.how != KNOWN_PATH]


async def _news_sitemaps(search: SiteSearch, home_url: str) -> list[FeedCandidate]:
    """List the news sitemaps that the site's robots.txt names."""
    urls = await search.sitemaps(home_url)
    named = [url for url in urls if "news" in url.rpartition("/")[2].lower()]
    return [FeedCandidate(url, "", ROBOTS) for url in named[:MAX_SITEMAPS]]


async def _feeds(
    search: SiteSearch, candidates: Sequence[FeedCandidate], known: set[str]
) -> list[FoundFeed]:
    """Fetch and parse candidates; those that are feeds, in their order, each document once."""
    chosen = [item for item in candidates if canonicalize(item.url).key not in known]
    results = await asyncio.gather(
        *(search.fetch(item.url, Expectation.FEED) for item in chosen[:MAX_CANDIDATES])
    )
    feeds, keys = [], set(known)
    for candidate, result in zip(chosen, results, strict=False):
        if result.outcome is Outcome.TIMEOUT and candidate.how in {DECLARED, ROBOTS}:
            feeds.append(unread_feed(candidate, result.error))
        if not result.outcome.is_answer:
            continue
        key = canonicalize(result.final_url).key
        parsed = parse_feed(result.body, result.content_type, result.final_url)
        if parsed.is_feed and key not in keys:
            keys.add(key)
            feeds.append(found_feed(replace(candidate, url=result.final_url), parsed, search.now))
    return feeds


async def _samples(search: SiteSearch, feeds: Sequence[FoundFeed]) -> tuple[FetchResult, ...]:
    """Fetch up to three articles: from different feeds where there are several, newest first."""
    ticked = [feed for feed in feeds if feed.is_good] or list(feeds)
    urls: dict[str, str] = {}
    for rank in range(N_SAMPLES):
        for feed in ticked:
            if rank < len(feed.entry_urls) and len(urls) < N_SAMPLES:
                url = feed.entry_urls[rank]
                urls.setdefault(canonicalize(url).key, url)
    results = await asyncio.gather(*(search.fetch(url, is_last=True) for url in urls.values()))
    return tuple(results)


def _require_html(result: FetchResult) -> None:
    if _is_no_html(result):
        kind = result.content_type.partition(";")[0] or "an unknown type"
        raise NothingFoundError(f"The address answers with {kind}: not HTML and not a feed.")
    if not result.body.strip():
        raise NothingFoundError("The address answers with an empty page.")


def _is_no_html(result: FetchResult) -> bool:
    kind = result.content_type.partition(";")[0].strip().lower()
    return (
        bool(kind)
        and "html" not in kind
        and "xml" not in kind
        and b"<html" not in result.body[:2_000].lower()
    )


def _no_feed_sentence(home_url: str, first: FetchResult, unlikely: Sequence[str]) -> str:
    host = canonicalize(home_url).host
    if _PASSWORD_FIELD.search(first.body):
        return (
            f"{first.final_url} asks for a name and a password. Pages behind a log-in are not "
            "read: paste the address of a public page or of a feed."
        )
    usual = ", ".join(KNOWN_PATHS[:4])
    no_feed = (
        f"No feed was found at {host}: its pages name none, and at the usual addresses "
        f"({usual} …) there is none. "
    )
    if unlikely:
        return f"{no_feed}{unlikely[0]}."
    return (
        f"{no_feed}No stories are linked on its pages either, and no sitemap "
        "lists any: they may need a script to show. Paste the address of a section that lists "
        "stories, or of a feed."
    )


def _name(page_title: str, feed_title: str, url: str) -> str:
    if feed_title and page_title.startswith(feed_title):
        return feed_title  # "Isibani" of "Isibani: the paper of the valley"
    host = canonicalize(url).host
    titles = (title for title in (page_title, feed_title) if title and not is_of_host(title, host))
    return next(titles, site_of(host))
