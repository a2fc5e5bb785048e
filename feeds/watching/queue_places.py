"""Where a page stands in its host's queue, and when it is likely to be fetched.

Page → how many are visited before it, a moment. Counted in the index of a host's pages and no
further than `MOST_COUNTED`, whatever waits there.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet

from feeds.models import CrawlAddress, Page, VisitPurpose

MOST_COUNTED = 1_000  # a day's work of a host that is asked every 90 s; more is "more"


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """How many pages come first, `MOST_COUNTED` for more than that; the likely moment, at best."""

    n_before: int
    is_more: bool
    likely_at: datetime


def place_of(page: Page, now: datetime) -> QueuePlace | None:
    """Find the place of a page; None where no visit is to come. Its host must have been read.

    New pages and those asked for take turns; planned visits come behind both.
    """
    if page.due_at is None or page.quarantined_at is not None:
        return None
    waiting = Page.objects.waiting().filter(host=page.host_id)
    own = waiting.filter(purpose=page.purpose).filter(
        Q(due_at__lt=page.due_at) | Q(due_at=page.due_at, pk__lt=page.pk), due_at__lte=page.due_at
    )
    n = _counted(own, MOST_COUNTED + 1)
    is_planned = page.purpose == VisitPurpose.PLANNED
    for purpose in {VisitPurpose.FIRST, VisitPurpose.ASKED} - {page.purpose}:
        there = waiting.filter(purpose=purpose, due_at__lte=max(now, page.due_at))
        n += _counted(there, MOST_COUNTED + 1 if is_planned else n)
    delay = page.host.delay_seconds or settings.CRAWL_MIN_DELAY_SECONDS
    n_before = min(n, MOST_COUNTED)
    free_at = max(now, page.host.next_at)
    likely_at = max(page.due_at, free_at + n_before * timedelta(seconds=delay))
    return QueuePlace(n_before, n > MOST_COUNTED, likely_at)


def n_before_in_crawl(address: CrawlAddress) -> int:
    """Count what a crawl asks an address's host for before it, up to `MOST_COUNTED` + 1."""
    pool = CrawlAddress.objects.filter(
        crawl=address.crawl_id, seed=address.seed, host=address.host, released_at=None
    )
    nearer = Q(depth__lt=address.depth) | Q(depth=address.depth, pk__lt=address.pk)
    return _counted(pool.filter(nearer), MOST_COUNTED + 1)


def _counted(rows: QuerySet[Page] | QuerySet[CrawlAddress], most: int) -> int:
    return rows.order_by()[:most].count() if most else 0
