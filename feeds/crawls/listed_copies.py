"""The list of copies that a web archive has of a front page, asked for before any of them.

Archives differ in where they give it and how; each way is tried in turn, and one without a list is
walked day by day. A list is a page like others: fetched at its host's pace, and read from our own
archive. The caller holds the transaction.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from django.db.models import QuerySet

from feeds.archive.fetches import read_archived
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.web_archive import archived_address
from feeds.crawler.documents.copy_lists import (
    LIST_LIMIT,
    Copy,
    NoListError,
    list_addresses,
    one_a_day,
    read_copies,
)
from feeds.crawler.outcomes import Outcome
from feeds.crawls.archived_front_pages import is_of_its_days
from feeds.crawls.pool import digest_of
from feeds.models import AddressRole, Crawl, CrawlAddress

# Parts of one list; each holds thousands of copies, so that more is an archive that repeats itself.
MAX_PARTS = 50
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]


def plan_list(crawl: Crawl, now: datetime) -> None:
    """Ask the archive for its list in the likeliest way, if nothing was asked yet."""
    if crawl.listed_at is None and not _lists(crawl).exists():
        _ask(crawl, 0, _first_moment(crawl), now)


def take_list(crawl: Crawl, address: CrawlAddress, now: datetime) -> int:
    """Put the copies that a list names into the pool; returns how many.

    What is no list leads to the next way of asking, and the last one to days.
    """
    listed = _copies(address)
    address.followed_at = now
    if listed is None:
        address.save(update_fields=["followed_at"])
        _ask(crawl, address.depth + 1, _first_moment(crawl), now)
        return 0
    # What lies elsewhere was not asked for: an archive may pass over the days, or repeat itself.
    copies = [copy for copy in listed if is_of_its_days(crawl, copy.moment)]
    n_new = _add_front_pages(crawl, address, copies, now)
    address.n_links, address.n_new = len(listed), n_new
    address.save(update_fields=["followed_at", "n_links", "n_new"])
    crawl.n_listed = (crawl.n_listed or 0) + n_new
    is_last = len(listed) < LIST_LIMIT or not copies
    if is_last or _lists(crawl).count() >= MAX_PARTS:
        crawl.listed_at = now
    else:
        behind = max(copy.moment for copy in copies) + timedelta(seconds=1)
        _ask(crawl, address.depth, behind, now)
    return n_new


def _lists(crawl: Crawl) -> QuerySet[CrawlAddress]:
    return CrawlAddress.objects.filter(crawl=crawl, role=AddressRole.LIST)


def _first_moment(crawl: Crawl) -> datetime:
    if crawl.first_day is None:
        raise ValueError(f"{crawl} is no crawl through an archive: it has no first day")
    return datetime.combine(crawl.first_day, time.min, UTC)


def _ask(crawl: Crawl, way: int, first: datetime, now: datetime) -> None:
    """Ask for the list from a moment on in one of the ways; with no way left there is no list.

    The way of an address is its depth.
    """
    last_day = crawl.last_day or crawl.next_day or first.date()
    last = datetime.combine(last_day, time(23, 59, 59), UTC)
    ways = list_addresses(crawl.archive_url, crawl.seeds[0][0], first, last)
    if way >= len(ways) or first > last:
        crawl.listed_at = now
        return
    address = canonicalize(ways[way])
    CrawlAddress.objects.get_or_create(
        crawl=crawl,
        digest=digest_of(address.key),
        defaults={
            "url": address.url,
            "host": address.host,
            "role": AddressRole.LIST,
            "depth": way,
            "found_at": now,
        },
    )


def _copies(address: CrawlAddress) -> list[Copy] | None:
    page = address.page
    fetch = page.content_fetch if page and page.outcome in _ANSWERS else None
    document = read_archived(fetch) if fetch else None
    if document is None:
        return None
    try:
        return read_copies(document.body)
    except NoListError:
        return None


def _add_front_pages(
    crawl: Crawl, address: CrawlAddress, copies: Sequence[Copy], now: datetime
) -> int:
    """Add one front page of each day that has none yet."""
    pool = CrawlAddress.objects.filter(crawl=crawl, role=AddressRole.SNAPSHOT)
    known = {moment.date() for moment in pool.values_list("snapshot_at", flat=True) if moment}
    rows = [
        CrawlAddress(
            crawl=crawl,
            url=copy_address.url,
            digest=digest_of(copy_address.key),
            host=copy_address.host,
            role=AddressRole.SNAPSHOT,
            found_on=address.url,
            found_at=now,
            snapshot_at=copy.moment,
        )
        for copy in one_a_day(copies)
        if copy.moment.date() not in known and (copy_address := _address(crawl, copy)) is not None
    ]
    CrawlAddress.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _address(crawl: Crawl, copy: Copy) -> CanonicalUrl | None:
    try:
        return canonicalize(archived_address(crawl.archive_url, copy.url, copy.moment))
    except BadUrl:
        return None
