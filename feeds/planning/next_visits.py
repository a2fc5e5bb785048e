"""The next planned visit to a page: the plan of ages applied to rows."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import xxhash

from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.timing.page_visits import Found, PageLife, PlannedVisit, next_visit
from feeds.models import Page, PageKind, VisitPurpose
from feeds.planning.findings import plan_clock, published_at

_PARTS = 1000


def may_change(page: Page) -> bool:
    """Whether a page is of those that are visited again: what a web archive keeps never changes."""
    return (
        page.kind == PageKind.ARTICLE
        and page.publication.visit_share > 0
        and original_address(page.url) == page.url
    )


def planned_visit(
    page: Page, found: Mapping[int, Found], now: datetime, dated_at: datetime | None = None
) -> PlannedVisit | None:
    """Give the next visit to a page that was visited just now, or none; loads its publication.

    `dated_at` is its date, where that is known better than by the feed.
    """
    if not may_change(page):
        return None
    number = xxhash.xxh32_intdigest(page.key.encode())
    clock = plan_clock(page)
    life = PageLife(
        published_at=dated_at or published_at(page),
        now=clock.shows(now),
        # The page's own: the same at every visit.
        spread=number % _PARTS / _PARTS,
        lot=number // _PARTS % _PARTS / _PARTS,
        open_until=page.open_until,
    )
    visit = next_visit(life, found)
    if visit is None:
        return None
    return replace(visit, at=clock.moment(visit.at), reason=f"{visit.reason}{clock.words}")


def plan_anew(page: Page, visit: PlannedVisit | None, note: str = "") -> int:
    """Write another plan of a page that nobody holds and whose plan still stands; 1 if it did."""
    rows = Page.objects.filter(pk=page.pk, lease_owner="", due_at=page.due_at)
    if visit is None:
        return rows.reschedule(None, due_reason="", purpose=VisitPurpose.FIRST, attempts=0)
    reason = f"{visit.reason}{note}"
    return rows.reschedule(visit.at, due_reason=reason, purpose=VisitPurpose.PLANNED, attempts=0)
