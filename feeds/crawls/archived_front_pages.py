"""Past front pages in a web archive, walked backwards by its list, or day by day without one.

Day by day, the copy nearest to a day is asked for; one that came before is nothing new. Its
articles are asked of the archive at that moment, and where it has none of the site itself. The
caller holds the transaction.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.web_archive import day_before, snapshot_address, snapshot_moment
from feeds.crawler.outcomes import Outcome
from feeds.crawls.links import FoundAddress
from feeds.crawls.pool import digest_of
from feeds.frontier import ensure_hosts
from feeds.models import AddressRole, Crawl, CrawlAddress, CrawlKind, CrawlState, Page

# The search ends after so many days without another front page.
MAX_BARREN_DAYS = 60
# A front page is asked for once fewer addresses than these wait.
FEW_ADDRESSES = 200
# Why a story of an archived front page is asked of its site; its fetch keeps the words.
NOT_ARCHIVED = "not in the web archive, so asked of its site"
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]


def take_front_page(
    crawl: Crawl, address: CrawlAddress, found: tuple[FoundAddress, ...]
) -> tuple[FoundAddress, ...]:
    """Step back to the day before; what a front page that came before lists is known."""
    asked = snapshot_moment(address.url)
    page = address.page
    came = page.content_fetch if page and page.outcome in _ANSWERS else None
    moment = came.seen_at or snapshot_moment(came.final_url) if came else None
    if asked is not None:
        crawl.next_day = day_before(asked.date(), moment)
    if moment is None or came is None or _came_before(crawl, address, moment, came.digest):
        crawl.n_barren_days += 1
        address.snapshot_at = None
        return ()
    address.snapshot_at = moment
    crawl.n_barren_days = 0
    return found


def _came_before(crawl: Crawl, address: CrawlAddress, moment: datetime, digest: str) -> bool:
    """Whether a front page is one that was read, or of another day than those asked for.

    An archive that does not say which moment its copy is of gives the same bytes again.
    """
    if not is_of_its_days(crawl, moment):
        return True
    read = CrawlAddress.objects.filter(
        crawl=crawl,
        role=AddressRole.SNAPSHOT,
        snapshot_at__isnull=False,
        followed_at__isnull=False,
    ).exclude(pk=address.pk)
    return read.filter(Q(snapshot_at=moment) | Q(page__content_digest=digest)).exists()


def is_of_its_days(crawl: Crawl, moment: datetime) -> bool:
    """Whether a moment lies in the days that a crawl was asked for."""
    first, last = crawl.first_day, crawl.last_day
    return (first is None or first <= moment.date()) and (last is None or moment.date() <= last)


def next_front_page(crawl: Crawl, now: datetime) -> CrawlAddress | None:
    """Give the front page that is to be asked for now, one at a time; None where none is."""
    is_begun = crawl.state == CrawlState.RUNNING and crawl.listed_at is not None
    if not is_begun or not has_front_pages_left(crawl):
        return None
    pool = CrawlAddress.objects.filter(crawl=crawl)
    front_pages = pool.filter(role=AddressRole.SNAPSHOT)
    if front_pages.filter(released_at__isnull=False, followed_at=None).exists():
        return None
    stories = pool.filter(released_at=None).exclude(role=AddressRole.SNAPSHOT)
    if stories[:FEW_ADDRESSES].count() >= FEW_ADDRESSES:
        return None
    if crawl.n_listed is not None:
        return front_pages.filter(released_at=None).order_by("-snapshot_at", "pk").first()
    return _of_next_day(crawl, now)


def _of_next_day(crawl: Crawl, now: datetime) -> CrawlAddress | None:
    """Ask an archive without a list for the copy that is nearest to the next day."""
    if crawl.next_day is None:
        return None
    front_page = crawl.seeds[0][0]
    address = canonicalize(snapshot_address(crawl.archive_url, front_page, crawl.next_day))
    row, _ = CrawlAddress.objects.get_or_create(
        crawl=crawl,
        digest=digest_of(address.key),
        defaults={
            "url": address.url,
            "host": address.host,
            "role": AddressRole.SNAPSHOT,
            "found_at": now,
        },
    )
    return row if row.released_at is None else None


def has_front_pages_left(crawl: Crawl) -> bool:
    """Whether further front pages are to be asked for."""
    if crawl.kind != CrawlKind.ARCHIVE:
        return False
    if crawl.listed_at is None:
        return True
    if crawl.n_listed is not None:
        waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
        return waiting.filter(role=AddressRole.SNAPSHOT).exists()
    return (
        crawl.next_day is not None
        and crawl.first_day is not None
        and crawl.next_day >= crawl.first_day
        and crawl.n_barren_days < MAX_BARREN_DAYS
    )


def may_ask_site(address: CrawlAddress) -> bool:
    """Whether an archive that had no copy is followed by the site itself."""
    page = address.page
    is_archived = address.role == AddressRole.ARTICLE and address.snapshot_at is not None
    return (
        is_archived
        and not address.is_live
        and page is not None
        and page.outcome not in _ANSWERS
        and page.content_fetch_id is None
    )


def ask_sites(addresses: Sequence[CrawlAddress], now: datetime) -> None:
    """Ask the sites themselves for what the archive did not have."""
    if not addresses:
        return
    live = {address.pk: canonicalize(address.url) for address in addresses}
    hosts = ensure_hosts((item.host for item in live.values()), now)
    for address in addresses:
        item = live[address.pk]
        Page.objects.filter(crawled_as=address).reschedule(
            now,
            url=item.url,
            host=hosts[item.host],
            due_reason=NOT_ARCHIVED,
            quarantined_at=None,
            attempts=0,
        )
    CrawlAddress.objects.filter(pk__in=live).update(is_live=True)
