"""Pages that are erased: their archived records are overwritten, their rows emptied.

Pages → places in the archive, tombstones there, and rows that say when something was fetched and
how it ended, not what or from where.
"""

import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from feeds.archive.outside import is_outside, path_of
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.archive.erasing import Place, records_of_fetch
from feeds.models import Crawl, CrawlAddress, FeedItem, Fetch, Page
from feeds.network import archive
from feeds.removal.quoting import Quotes, documents_of
from feeds.tombstones import digest_of_key

logger = logging.getLogger(__name__)

_ERASED = "erased:"
_IS_EMPTIED = Q(key__startswith=_ERASED)


def pages_below(page_ids: Collection[int]) -> list[int]:
    """Keys of pages and of those below them: threads of comments, with their further pages."""
    found = set(page_ids)
    newest = found
    while newest:
        below = Page.objects.filter(parent__in=newest).values_list("pk", flat=True)
        newest = set(below) - found
        found |= newest
    return sorted(found)


def are_held(page_ids: Collection[int], now: datetime) -> bool:
    """Whether a visit of one of the pages is under way: its bytes may come any moment."""
    return Page.objects.filter(pk__in=page_ids, lease_until__gt=now).exists()


def rest(page_ids: Collection[int]) -> None:
    """Let pages never be visited again; who held one without end holds it no more."""
    Page.objects.filter(pk__in=page_ids).reschedule(None)


def archived_places(page_ids: Collection[int], quotes: Quotes) -> list[Place]:
    """Find all records of all visits to pages, and those that quote them.

    What stays in files of other crawlers is not ours to change: it is only told in the log, and no
    row points at it any more in the end.

    Files that are gone have none. Where there is a store, one that is neither here nor there lies
    on the machine that wrote it: FileNotFoundError, and StoreAwayError of a store that is away.
    """
    places = archive()
    own = Fetch.objects.filter(page__in=page_ids, archive_offset__isnull=False)
    found: dict[Place, None] = {}
    for filename, offset in (
        *own.values_list("archive_file", "archive_offset"),
        *documents_of(quotes).values_list("archive_file", "archive_offset"),
    ):
        if not filename or offset is None:
            continue
        if is_outside(filename):
            left = path_of(filename)
            logger.warning("erased, but still at byte %s of %s, no file of ours", offset, left)
            continue
        with places.whole(filename) as path:
            if path.exists():
                start = _record_before(filename, offset)
                group = records_of_fetch(path, offset, start)
                found |= dict.fromkeys(replace(place, filename=filename) for place in group)
    return list(found)


def _record_before(filename: str, offset: int) -> int:
    """Where the nearest earlier fetch's record begins, so that less of the file is read."""
    earlier = Fetch.objects.filter(archive_file=filename, archive_offset__lt=offset)
    return earlier.order_by("-archive_offset").values_list("archive_offset", flat=True).first() or 0


def forget_records(page_ids: Collection[int]) -> None:
    """Let no row point at records that were overwritten; pages have no document any more."""
    for fetch in Fetch.objects.filter(page__in=page_ids).select_related("host"):
        site = f"https://{fetch.host.name}/"
        Fetch.objects.filter(pk=fetch.pk).update(
            url=site, final_url=site, hops=[], error="", digest="", archive_file="",
            archive_offset=None, archive_length=None, rendered_offset=None, rendered_length=None,
            rights_said=[],
        )  # fmt: skip
    Page.objects.filter(pk__in=page_ids).update(
        content_fetch=None, content_digest="", etag="", last_modified=""
    )


def _forget_crawls(page_ids: Collection[int]) -> None:
    """Take the addresses of pages out of what crawls were asked for and found on them."""
    pages = Page.objects.filter(pk__in=page_ids).exclude(_IS_EMPTIED)
    addresses = {
        row.key: (row.url, f"https://{row.host.name}/") for row in pages.select_related("host")
    }
    urls = [url for url, _ in addresses.values()]
    CrawlAddress.objects.filter(found_on__in=urls).update(found_on="")
    for crawl in Crawl.objects.filter(addresses__page__in=page_ids).distinct():
        seeds = [
            [addresses.get(_key_of(address), ("", address))[1], *rest]
            for address, *rest in crawl.seeds
        ]
        if seeds != crawl.seeds:
            Crawl.objects.filter(pk=crawl.pk).update(seeds=seeds)


def _key_of(address: str) -> str:
    try:
        return canonicalize(address).key
    except BadUrl:
        return ""


def empty_pages(page_ids: Collection[int]) -> None:
    """Leave nothing in pages by which their addresses could be told. Needs a transaction."""
    forget_records(page_ids)
    _forget_crawls(page_ids)
    FeedItem.objects.filter(page__in=page_ids).delete()
    CrawlAddress.objects.filter(page__in=page_ids).delete()
    for page in Page.objects.filter(pk__in=page_ids).exclude(_IS_EMPTIED).select_related("host"):
        Page.objects.filter(pk=page.pk).update(
            url=f"https://{page.host.name}/", key=f"{_ERASED}{digest_of_key(page.key)}", slug="",
            guid="", feed_headline="", feed_author="", feed_description="", due_reason="",
            last_error="", lease_owner="", lease_until=None, quarantined_at=None,
        )  # fmt: skip
    rest(page_ids)
