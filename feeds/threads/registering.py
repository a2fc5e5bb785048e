"""Threads of readers' comments are put into the frontier, those of a batch of articles at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.comment_systems import systems
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.frontier import NewPage, add_pages, ensure_hosts
from feeds.models import Host, Page, PageKind
from feeds.threads.look_times import first_look

_MAX_REASON = 200  # what the column holds


@dataclass(frozen=True, slots=True)
class ArticleThread:
    """A thread that an article's page names; `opened_at` is the article's date."""

    article: Page
    reference: ThreadReference
    opened_at: datetime | None = None


def register(threads: Sequence[ArticleThread], now: datetime) -> list[int | None]:
    """Put threads into the frontier and return the page of each.

    None for one that can only be named, for a bad address, and for one that was erased. Repeating
    it changes nothing.
    """
    addresses = [_address(thread.reference) for thread in threads]
    keys = {address.key for address in addresses if address is not None}
    if not keys:
        return [None] * len(threads)
    known = dict(Page.objects.filter(key__in=keys).values_list("key", "pk"))
    fresh = {
        address.key: (thread, address)
        for thread, address in reversed(list(zip(threads, addresses, strict=True)))
        if address is not None and address.key not in known
    }
    ids = known | _add_all(list(reversed(fresh.values())), now)
    return [None if address is None else ids.get(address.key) for address in addresses]


def _address(reference: ThreadReference) -> CanonicalUrl | None:
    try:
        return canonicalize(systems.first_url(reference))
    except BadUrl:
        return None


def _add_all(fresh: Sequence[tuple[ArticleThread, CanonicalUrl]], now: datetime) -> dict[str, int]:
    """Add threads that are not known yet; those of a batch leave room for each other."""
    ids = ensure_hosts((address.host for _, address in fresh), now)
    hosts = Host.objects.in_bulk(ids.values())
    planned: dict[int, list[datetime]] = {}
    found = []
    for thread, address in fresh:
        article = thread.article
        page = Page(
            url=address.url,
            key=address.key,
            host=hosts[ids[address.host]],
            kind=PageKind.COMMENTS,
            publication=article.publication,
            found_at=now,
            feed_published_at=thread.opened_at or article.feed_published_at or article.found_at,
        )
        others = planned.setdefault(page.host_id, [])
        due_at, reason = first_look(page, now, others)
        others.append(due_at)
        found.append(new_page(article.pk, page, due_at, reason))
    return dict(add_pages(found, now).ids)


def new_page(article_id: int | None, page: Page, due_at: datetime, reason: str) -> NewPage:
    """Give a page of a thread as the frontier takes it."""
    return NewPage(
        url=page.url,
        key=page.key,
        host=page.host.name,
        kind=PageKind.COMMENTS,
        publication_id=page.publication_id,
        parent_id=article_id,
        due_at=due_at,
        due_reason=reason[:_MAX_REASON],
        published_at=page.feed_published_at,
    )
