"""Documents that quote a page beside its own: what lists it says its title, summary, even its text.

Pages that are erased → the archived documents of the feeds, index pages and sitemaps that listed
them, from the first that did to the last. Of a page that a crawl found it is the document in which
its address stood. Nothing else is searched: how much is read follows from how long it was listed.

While a feed goes on listing what was erased, no copy is kept of its documents (`names_erased`).
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.links import unwrap
from feeds.crawler.documents.feed_document import FeedEntry
from feeds.crawler.outcomes import Outcome
from feeds.models import CrawlAddress, FeedItem, Fetch, Page, PageKind, Tombstone
from feeds.tombstones import buried, digest_of_guid, digest_of_key

_LISTS = (PageKind.FEED, PageKind.INDEX)


@dataclass(frozen=True, slots=True)
class Quotes:
    """Lists that named some pages, and the fetches whose documents did."""

    lists: tuple[int, ...] = ()
    fetches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Listing:
    """Since when and until when a list named a page."""

    list_id: int
    host_id: int
    first_at: datetime
    last_at: datetime


def quotes_of(page_ids: Collection[int]) -> Quotes:
    """Find the documents that listed pages."""
    listings = {*_listed_by_feeds(page_ids), *_found_by_crawls(page_ids)}
    fetches = {pk for listing in listings for pk in _documents(listing)}
    lists = {listing.list_id for listing in listings}
    return Quotes(tuple(sorted(lists)), tuple(sorted(fetches)))


def _listed_by_feeds(page_ids: Collection[int]) -> Iterator[_Listing]:
    rows = FeedItem.objects.filter(page__in=page_ids)
    columns = ("feed__page_id", "feed__page__host_id", "first_seen_at", "last_seen_at")
    return (_Listing(*row) for row in rows.values_list(*columns))


def _found_by_crawls(page_ids: Collection[int]) -> Iterator[_Listing]:
    """Find the lists on which crawls found pages; a story that links another keeps its record."""
    rows = CrawlAddress.objects.filter(page__in=page_ids).exclude(found_on="")
    found = dict(rows.order_by("found_at").values_list("found_on", "found_at"))
    for url, found_at in found.items():
        try:
            key = canonicalize(url).key
        except BadUrl:
            continue
        lists = Page.objects.filter(key=key, kind__in=_LISTS)
        for pk, host_id in lists.values_list("pk", "host_id"):
            yield _Listing(pk, host_id, found_at, found_at)


def _documents(listing: _Listing) -> Iterable[int]:
    """Keys of the fetches of a list while it named a page, with later ones of the same document.

    What a list named was written at the end of the visit that saw it: its document came before.
    """
    rows = Fetch.objects.filter(page=listing.list_id, host=listing.host_id, outcome=Outcome.OK)
    before = rows.filter(started_at__lte=listing.first_at).order_by("-started_at")
    first = before.values_list("started_at", flat=True).first() or listing.first_at
    digests = set(
        rows.filter(started_at__gte=first, started_at__lte=listing.last_at)
        .order_by()
        .values_list("digest", flat=True)
    )
    others = rows.filter(started_at__gt=listing.last_at).exclude(digest__in=digests)
    after = others.order_by("started_at").values_list("started_at", flat=True).first()
    found = rows.filter(started_at__gte=first, archive_offset__isnull=False)
    if after is not None:
        found = found.filter(started_at__lt=after)
    return found.values_list("pk", flat=True)


def documents_of(quotes: Quotes) -> QuerySet[Fetch]:
    """Choose the rows of the fetches that hold the documents."""
    return Fetch.objects.filter(pk__in=quotes.fetches)


def forget(quotes: Quotes) -> None:
    """Let no row point at the documents, and the lists be read whole at their next visits."""
    documents_of(quotes).update(
        archive_file="", archive_offset=None, archive_length=None,
        rendered_offset=None, rendered_length=None,
    )  # fmt: skip
    Page.objects.filter(content_fetch__in=quotes.fetches).update(
        content_digest="", etag="", last_modified=""
    )


def names_erased(publication_id: int, entries: Iterable[FeedEntry]) -> bool:
    """Whether a document lists something that was erased."""
    if not Tombstone.objects.exists():
        return False
    digests = set()
    for entry in entries:
        if entry.guid:
            digests.add(digest_of_guid(publication_id, entry.guid))
        try:
            digests.add(digest_of_key(canonicalize(unwrap(entry.url)).key))
        except BadUrl:
            continue
    return bool(buried(digests))
