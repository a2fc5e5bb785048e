"""The browser of a batch of visits: which pages it draws, when, and for how long.

Pages of publications whose text is written by scripts are drawn right after their visit, while
their host is still ours; the browser is started for the first of a batch and ends with it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from django.conf import settings

from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.fetching.exchange import FetchRequest, FetchResult, Rendering
from feeds.crawler.fetching.http import Clock, Fetcher
from feeds.crawler.fetching.media_types import media_type
from feeds.crawler.fetching.robots_book import RobotsBook
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rendering.renderer import Renderer, RenderLimits, ServedPage, what_is_missing
from feeds.crawler.rendering.requests_of_pages import RememberedAnswers, RequestsOfPage, Web
from feeds.models import Page, PageKind

_DRAWN_KINDS = frozenset({PageKind.ARTICLE, PageKind.SAMPLE})
_DRAWN_TYPES = frozenset({"text/html", "application/xhtml+xml", ""})
# Kept of a lease to write what came; with less than the least a page is not begun.
_WRITING_SECONDS = 10.0
_LEAST_SECONDS = 3.0
_NO_TIME = "There was no time left at this visit."

# One for each process: the scripts of the sites it draws.
_REMEMBERED = RememberedAnswers()


def is_drawn(page: Page) -> bool:
    """Whether a page is to be drawn by a browser: an article, or a front page in a feed's place.

    A copy in a web archive is not: its scripts would ask the site of today.
    """
    if not page.publication.render_pages or original_address(page.url) != page.url:
        return False
    feed = getattr(page, "feed", None) if page.kind == PageKind.FEED else None
    return page.kind in _DRAWN_KINDS or (feed is not None and feed.kind == FeedKind.INDEX)


class Drawing:
    """The browser of one batch; open and close it in the batch's event loop."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None

    async def close(self) -> None:
        if self._renderer is not None:
            await self._renderer.__aexit__(None, None, None)

    @asynccontextmanager
    async def turn(self, page: Page, until: float) -> AsyncIterator[bool]:
        """Wait for the browser where a page needs it; gives whether it came in time.

        `until` is of the loop's clock. Asked for before the page is fetched, so that a page that
        waits in vain is given back unasked.
        """
        if not is_drawn(page) or what_is_missing():
            yield True
            return
        if self._renderer is None:
            limits = RenderLimits(max_html_bytes=settings.CRAWL_MAX_PAGE_BYTES)
            self._renderer = Renderer(limits, is_sandboxed=settings.CRAWL_BROWSER_SANDBOX)
        try:
            async with asyncio.timeout_at(until):
                await self._renderer.turn.acquire()
        except TimeoutError:
            yield False
            return
        try:
            yield True
        finally:
            self._renderer.turn.release()

    async def drawn(
        self, page: Page, request: FetchRequest, result: FetchResult, web: Web, lease_end: float
    ) -> FetchResult:
        """Draw what came for a page, inside of its turn; gives the result with the rendering.

        `lease_end` is when the page's lease ends, of the loop's clock.
        """
        if not is_drawn(page) or not _is_page(result):
            return result
        if self._renderer is None:
            return replace(result, rendering=Rendering(error=what_is_missing()))
        until = lease_end - _WRITING_SECONDS
        if until - asyncio.get_running_loop().time() < _LEAST_SECONDS:
            return replace(result, rendering=Rendering(error=_NO_TIME))
        served = ServedPage(
            result.final_url, result.body, result.content_type or "text/html", request.user_agent
        )
        # What signs in was for the address that was asked for, not for where that led.
        own = replace(request, credentials=() if result.hops else request.credentials)
        requests = RequestsOfPage(web, replace(own, url=result.final_url))
        rendering = await self._renderer.render(served, requests, until)
        return replace(result, rendering=rendering)


def web_of(fetcher: Fetcher, book: RobotsBook, clock: Clock) -> Web:
    """Give what scripts ask through: the page's own way out, and the batch's robots.txt."""
    return Web(fetcher, book.decide, lambda host: book.crawl_delay(host) or 0.0, _REMEMBERED, clock)


def _is_page(result: FetchResult) -> bool:
    is_html = media_type(result.content_type) in _DRAWN_TYPES
    return result.outcome is Outcome.OK and is_html
