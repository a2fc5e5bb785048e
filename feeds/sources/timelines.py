"""What is at an address that is written like a microblog's: a timeline to be followed, or none.

Typed address → the interface's own address, with an account's number where one is meant. On a host
that has no such interface it costs one request.
"""

from dataclasses import replace

from feeds.crawler.documents.found_feeds import FoundFeed, found_feed
from feeds.crawler.documents.home_page import GIVEN, FeedCandidate
from feeds.crawler.fetching.visit_words import visit_sentence
from feeds.crawler.timelines import mastodon
from feeds.crawler.timelines.addresses import TimelineWish
from feeds.crawler.timelines.timeline_feed import parse_timeline
from feeds.sources.site_search import NothingFoundError, SiteSearch


async def find_timeline(search: SiteSearch, wish: TimelineWish) -> FoundFeed | None:
    """Find the timeline that is meant; None where its host has none.

    Raises NothingFoundError where nothing but a timeline can be meant, and it is not given.
    """
    title, url = "", wish.timeline
    if wish.handle:
        looked_up = await search.fetch(mastodon.lookup_url(wish.root, wish.handle))
        number, title = mastodon.read_account(looked_up.body)
        if not looked_up.outcome.is_answer or not number:
            return None
        url = mastodon.account_url(wish.root, number)
    result = await search.fetch(url)
    parsed = parse_timeline(result.body, url)
    if result.outcome.is_answer and parsed.timeline is not None:
        found = found_feed(FeedCandidate(url, title, GIVEN), parsed, search.now)
        # One without posts, or without new ones, is what was asked for.
        return replace(found, title=title or found.title, is_good=True)
    if wish.is_sure or wish.handle:
        said = parsed.problem if result.body else ""
        raise NothingFoundError(
            f"This is a timeline that is not shown to strangers. {visit_sentence(result)} {said}"
        )
    return None
