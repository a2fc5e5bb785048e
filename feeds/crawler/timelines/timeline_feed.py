"""Answers of a microblog's timeline → `ParsedFeed`; the address tells that it is one."""

from feeds.crawler.documents.feed_document import (
    MAX_TITLE_LENGTH,
    FeedEntry,
    FeedKind,
    ParsedFeed,
    no_feed,
)
from feeds.crawler.timelines.networks import read_timeline


def parse_timeline(body: bytes, url: str) -> ParsedFeed:
    """Read what came from a timeline as a feed whose entries are posts.

    Parameters
    ----------
    body
        JSON in UTF-8.
    url
        Final address of the answer: of the timeline itself, or with a place in it.
    """
    answer = read_timeline(url, body)
    if answer.problem:
        return no_feed(answer.problem)
    entries = (
        FeedEntry(url=post.address, published_at=post.posted_at, author=post.byline, is_post=True)
        for post in answer.posts
    )
    byline = answer.posts[0].byline if answer.posts else ""
    return ParsedFeed(
        kind=FeedKind.TIMELINE,
        title=(answer.title or byline)[:MAX_TITLE_LENGTH],
        entries=tuple(entries),
        n_items=answer.n_items,
        timeline=answer,
    )
