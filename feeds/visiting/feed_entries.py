"""What feeds list: entries → pages of the frontier, remembered by feed.

What a feed lists is remembered (FeedItem), so that the share of known entries in a document tells
whether something was missed, and old items do not come back. Pages are known by their canonical
key; an entry whose guid is known under another address is that same article.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.links import LinkFilter, unwrap
from feeds.crawler.addressing.slugs import slug
from feeds.crawler.documents.feed_document import FeedEntry, ParsedFeed
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, FeedItem, Page, PageKind, Publication
from feeds.other_addresses import PAGE_ITSELF, pages_at

_Offer = tuple[FeedEntry, CanonicalUrl]


class _Telling(NamedTuple):
    """What makes entries without a guid of their own one article, whatever their query says."""

    publication_id: int
    path: str  # the key up to its question mark
    headline: str
    published_at: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages that a document lists, against those that the feed listed before."""

    n_listed: int = 0
    n_known: int = 0
    n_added: int = 0


def filter_of(publication: Publication) -> LinkFilter:
    """Patterns of a publication; stored ones that no longer compile let everything in."""
    return LinkFilter.of_stored(publication.include_pattern, publication.exclude_pattern)


def list_entries(documents: Sequence[tuple[Feed, ParsedFeed]], now: datetime) -> dict[int, Listing]:
    """Bring entries into the frontier and remember which feed lists them."""
    offers = [(feed, _offered(feed.publication, parsed.entries)) for feed, parsed in documents]
    keys = {address.key for _, offered in offers for _, address in offered}
    if not keys:
        return {}
    ids = pages_at(keys)
    ids |= _by_guid(offers, ids)
    tellings = _tellings(offers, ids)
    ids |= _by_telling(tellings)
    fresh: dict[str | _Telling, NewPage] = {}
    for feed, offered in offers:
        for entry, address in offered:
            if address.key not in ids:
                known_by = tellings.get(address.key, address.key)
                fresh.setdefault(known_by, _new_page(entry, address, feed.publication_id, now))
    report = add_pages(list(fresh.values()), now)
    ids |= report.ids
    ids |= {
        key: report.ids[fresh[telling].key]
        for key, telling in tellings.items()
        if telling in fresh and fresh[telling].key in report.ids
    }
    listed = {
        feed.pk: {ids[address.key] for _, address in offered if address.key in ids}
        for feed, offered in offers
    }
    known = _remember(listed, now)
    return {
        feed.pk: Listing(
            n_listed=len(listed[feed.pk]),
            n_known=len(known[feed.pk]),
            n_added=sum(address.key in report.added for _, address in offered),
        )
        for feed, offered in offers
    }


def _remember(listed: Mapping[int, set[int]], now: datetime) -> dict[int, set[int]]:
    """Write that feeds list pages; returns the pages that each had listed before."""
    known: dict[int, set[int]] = {feed_id: set() for feed_id in listed}
    pages = set().union(*listed.values())
    items = FeedItem.objects.filter(feed_id__in=list(listed), page_id__in=pages)
    for feed_id, page_id in items.values_list("feed_id", "page_id"):
        known[feed_id].add(page_id)
    known = {feed_id: pages & listed[feed_id] for feed_id, pages in known.items()}
    if any(known.values()):
        items.update(last_seen_at=now)
    FeedItem.objects.bulk_create(
        [
            FeedItem(feed_id=feed_id, page_id=page_id, first_seen_at=now, last_seen_at=now)
            for feed_id, pages in listed.items()
            for page_id in sorted(pages - known[feed_id])
        ],
        ignore_conflicts=True,
    )
    return known


def _offered(publication: Publication, entries: Sequence[FeedEntry]) -> list[_Offer]:
    """Entries that the publication's patterns let in, each address once."""
    accepts = filter_of(publication)
    offered: dict[str, _Offer] = {}
    for entry in entries:
        try:
            address = canonicalize(unwrap(entry.url))
        except BadUrl:
            continue
        # Patterns are written for pages that people see.
        is_wanted = entry.is_post or accepts.decide(address.url).accepted
        if address.key not in offered and is_wanted:
            offered[address.key] = (entry, address)
    return list(offered.values())


def _by_guid(
    offers: Sequence[tuple[Feed, Sequence[_Offer]]], known: Mapping[str, int]
) -> dict[str, int]:
    """Pages that are known under the same guid and another address, by the key given now.

    A guid that stands twice in the document tells nothing.
    """
    keys: dict[tuple[int, str], str] = {}
    for feed, offered in offers:
        counts = Counter(entry.guid for entry, _ in offered if entry.guid)
        for entry, address in offered:
            if counts[entry.guid] == 1 and address.key not in known:
                keys[feed.publication_id, entry.guid] = address.key
    if not keys:
        return {}
    rows = Page.objects.filter(
        publication_id__in={publication_id for publication_id, _ in keys},
        guid__in={guid for _, guid in keys},
    )
    return {
        keys[publication_id, guid]: pk
        for publication_id, guid, pk in rows.values_list("publication_id", "guid", PAGE_ITSELF)
        if (publication_id, guid) in keys
    }


def _tellings(
    offers: Sequence[tuple[Feed, Sequence[_Offer]]], known: Mapping[str, int]
) -> dict[str, _Telling]:
    """Tell what entries say, by their keys: of those that are not known and can be told so.

    A guid that is a word of its own tells articles apart. An address without words may be
    that of all articles ("/story.php?id=7").
    """
    return {
        address.key: _Telling(
            feed.publication_id, _path(address.key), entry.headline, entry.published_at
        )
        for feed, offered in offers
        for entry, address in offered
        if address.key not in known and entry.headline and entry.published_at
        if not _is_word(entry.guid) and slug(address.url)
    }


def _by_telling(tellings: Mapping[str, _Telling]) -> dict[str, int]:
    """Find pages that were listed with the same words under another query, by the key given now."""
    if not tellings:
        return {}
    rows = Page.objects.filter(
        publication_id__in={telling.publication_id for telling in tellings.values()},
        slug__in={slug(f"https://{telling.path}") for telling in tellings.values()},
        feed_published_at__in={telling.published_at for telling in tellings.values()},
    )
    fields = ("publication_id", "key", "feed_headline", "feed_published_at", PAGE_ITSELF, "guid")
    pages = {
        _Telling(publication_id, _path(key), headline, published_at): pk
        for publication_id, key, headline, published_at, pk, guid in rows.values_list(*fields)
        if not _is_word(guid)
    }
    return {key: pages[telling] for key, telling in tellings.items() if telling in pages}


def _is_word(guid: str) -> bool:
    """Tell a guid from none, and from an address, which may change with the link."""
    return bool(guid) and not guid.startswith(("http://", "https://"))


def _path(key: str) -> str:
    return key.partition("?")[0]


def _new_page(
    entry: FeedEntry, address: CanonicalUrl, publication_id: int, now: datetime
) -> NewPage:
    return NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.POST if entry.is_post else PageKind.ARTICLE,
        publication_id=publication_id,
        slug="" if entry.is_post else slug(address.url),
        due_at=None if entry.is_post else now,
        due_reason="" if entry.is_post else "Listed by a feed.",
        guid=entry.guid,
        headline=entry.headline,
        published_at=entry.published_at,
        author=entry.author,
        description=entry.description,
    )
