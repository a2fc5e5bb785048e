"""What a timeline had before its first look: how much is wanted, and what it likely costs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from corpus_site.drafts import Draft, DraftFeed
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.timelines.networks import timeline_network
from feeds.crawler.timelines.past import MOST_PAST_POSTS, PastWish
from feeds.parameters.values import value

DAYS, POSTS = "days", "posts"
MOST_PAST_DAYS = 3_650
_SHOWN_DAYS = (7, 30, 365)


@dataclass(frozen=True, slots=True)
class PastEstimate:
    """What so many days of a timeline would likely be; `is_cut` where more are not read."""

    feed: DraftFeed
    n_days: int
    n_posts: int
    n_requests: int
    seconds: float
    is_cut: bool


def wish_of(n: int | None, unit: str, now: datetime) -> PastWish | None:
    """Give what was asked for as the last `n` days or posts; None for nothing."""
    if not n:
        return None
    if unit == POSTS:
        return PastWish(n)
    return PastWish(MOST_PAST_POSTS, now - timedelta(days=n))


def estimates(draft: Draft) -> Iterator[PastEstimate]:
    """Estimate a week, a month and a year of each timeline, by how many posts it showed a day."""
    delay = max(value("CRAWL_MIN_DELAY_SECONDS"), draft.crawl_delay_seconds or 0)
    for feed in draft.feeds:
        network = timeline_network(feed.url)
        if feed.kind != FeedKind.TIMELINE or network is None or feed.posts_a_day is None:
            continue
        for n_days in _SHOWN_DAYS:
            wanted = max(1, round(feed.posts_a_day * n_days))
            n_posts = min(wanted, MOST_PAST_POSTS)
            n_requests = math.ceil(n_posts / network.limit)
            is_cut = n_posts < wanted
            yield PastEstimate(feed, n_days, n_posts, n_requests, n_requests * delay, is_cut)
