"""The crawl stage: one slice of a crawl at a time, never more than a few pages in the frontier.

A slice reads the links of pages that were fetched meanwhile, from the archive; adds what the
crawl's policy admits to its pool; lets the next addresses into the frontier; and plans the next
slice. All effects are one transaction with the end of the lease, so a killed worker loses a slice
and nothing else. Fetching, politeness, archive and extraction are those of every page.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, F, Q, QuerySet

from feeds import leases
from feeds.archived_front_pages import (
    MAX_BARREN_DAYS,
    ask_sites,
    has_days_left,
    may_ask_site,
    plan_front_page,
    take_front_page,
)
from feeds.crawl_ends import why_no_story
from feeds.crawl_links import FoundAddress, found_addresses, seed_of
from feeds.crawler.canonical import canonicalize
from feeds.crawler.outcomes import Outcome
from feeds.crawler.slugs import slug
from feeds.crawler.web_archive import archived_address
from feeds.frontier import NewPage, add_pages
from feeds.leases import Claim, LeaseLostError
from feeds.models import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlKind,
    CrawlState,
    Page,
    PageKind,
)
from feeds.site_crawls import sitemaps_of_host
from presentation.wording.figures import counted
from presentation.wording.times import day

logger = logging.getLogger(__name__)

# In the frontier at once: a feed of the same host waits behind so many pages at most.
UNDER_WAY = 20
FOLLOWED_AT_ONCE = 20
PAUSE = timedelta(seconds=3)
# The pool of one crawl; COR-100 was 230,000 pages of a whole domain.
MAX_ADDRESSES = 300_000
COUNTED_ROLES = (AddressRole.STORY, AddressRole.PAGE)
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]
_DISASTERS = (OSError, OperationalError, InterfaceError)


@dataclass(frozen=True, slots=True)
class CrawlSlices:
    """What a run did: crawls worked on, addresses that are new to their pools."""

    n_claimed: int = 0
    n_found: int = 0
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class _Read:
    """An address whose page has come or has failed, with what it leads to."""

    address: CrawlAddress
    found: tuple[FoundAddress, ...]
    n_links: int


def run(limit: int, terms: Claim) -> CrawlSlices:
    """Work on a slice of up to `limit` crawls."""
    claimed = leases.claim(Crawl.objects.filter(state=CrawlState.RUNNING), limit, terms)
    n_found = quarantined = 0
    for crawl in Crawl.objects.filter(pk__in=claimed).select_related("publication"):
        try:
            n_found += _slice(crawl, terms)
        except LeaseLostError:
            logger.info("crawl %s is somebody else's by now", crawl.pk)
        except _DISASTERS:
            raise
        except Exception as error:
            # One crawl is one item of the batch: what broke it stands on its row.
            logger.exception("slice of crawl %s", crawl.pk)
            quarantined += leases.fail(crawl, terms.owner, repr(error), terms.now)
    return CrawlSlices(len(claimed), n_found, quarantined)


def _slice(crawl: Crawl, terms: Claim) -> int:
    now = terms.now
    arrived = list(
        _settled(crawl).select_related("page__content_fetch").order_by("pk")[:FOLLOWED_AT_ONCE]
    )
    reads = [_read(crawl, address) for address in arrived if not may_ask_site(address)]
    with transaction.atomic():
        ask_sites([address for address in arrived if may_ask_site(address)], now)
        n_found = sum(_take(crawl, read, now) for read in reads)
        plan_front_page(crawl, now)
        _release(crawl, now)
        leases.complete_or_undo(crawl, terms.owner, **_next(crawl, now))
    return n_found


def _settled(crawl: Crawl) -> QuerySet[CrawlAddress]:
    """Addresses in the frontier whose visit is over, well or badly."""
    visited = Q(page__visited_at__gte=F("released_at"), page__outcome__in=_ANSWERS)
    # A feed's next visit is always planned; its last one tells enough.
    listed = Q(page__kind=PageKind.FEED, page__visited_at__isnull=False)
    over = Q(page__due_at=None) | Q(page__quarantined_at__isnull=False) | visited | listed
    return _under_way(crawl).filter(over)


def _under_way(crawl: Crawl) -> QuerySet[CrawlAddress]:
    return CrawlAddress.objects.filter(crawl=crawl, released_at__isnull=False, followed_at=None)


# --- What came ------------------------------------------------------------------------------------


def _read(crawl: Crawl, address: CrawlAddress) -> _Read:
    page = address.page
    named = _named_sitemaps(crawl, address)
    if page is None or page.content_fetch is None:
        return _Read(address, named, 0)
    found = found_addresses(crawl, address, page.content_fetch)
    return _Read(address, named + found.addresses, found.n_links)


def _named_sitemaps(crawl: Crawl, address: CrawlAddress) -> tuple[FoundAddress, ...]:
    """Give the sitemaps of robots.txt, which came with the first turn of a seed's host."""
    if address.role != AddressRole.SITEMAP or address.depth:
        return ()
    home = canonicalize("/", address.url)
    if canonicalize(seed_of(crawl, address).url).key != home.key:
        return ()  # the editor named one file
    urls = sitemaps_of_host(home, settings.CRAWL_USER_AGENT)
    return tuple(FoundAddress(canonicalize(url), AddressRole.SITEMAP) for url in urls)


def _take(crawl: Crawl, read: _Read, now: datetime) -> int:
    """Put what a page leads to into the pool; returns how many addresses are new there."""
    address, found = read.address, read.found
    if address.role == AddressRole.SNAPSHOT:
        found = take_front_page(crawl, address, found)
    n_new = _add(crawl, address, found, now)
    address.followed_at, address.n_links, address.n_new = now, read.n_links, n_new
    address.save(update_fields=["followed_at", "n_links", "n_new", "snapshot_at"])
    return n_new


def _add(crawl: Crawl, address: CrawlAddress, found: Sequence[FoundAddress], now: datetime) -> int:
    rows = {item.address.key: item for item in found}
    pool = CrawlAddress.objects.filter(crawl=crawl)
    known = set(pool.filter(key__in=rows).values_list("key", flat=True))
    room = MAX_ADDRESSES - pool.count() if rows else 0
    fresh = [item for key, item in rows.items() if key not in known][: max(room, 0)]
    CrawlAddress.objects.bulk_create(
        [
            CrawlAddress(
                crawl=crawl,
                url=item.address.url,
                key=item.address.key,
                role=item.role,
                seed=address.seed,
                depth=address.depth + 1,
                found_on=address.url,
                found_at=now,
                snapshot_at=address.snapshot_at,
            )
            for item in fresh
        ],
        ignore_conflicts=True,
    )
    return len(fresh)


# --- What comes next ------------------------------------------------------------------------------


def _release(crawl: Crawl, now: datetime) -> None:
    """Let the next addresses into the frontier, as far as the limits of their seeds go."""
    n_free = UNDER_WAY - _under_way(crawl).count()
    left = _left(crawl)
    chosen = []
    for address in _releasable(crawl, left)[: max(n_free, 0)]:
        if address.role in COUNTED_ROLES:
            if left[address.seed] < 1:
                continue
            left[address.seed] -= 1
        chosen.append(address)
    if not chosen:
        return
    pages = {address.pk: _new_page(crawl, address, now) for address in chosen}
    report = add_pages(list(pages.values()), now)
    for address in chosen:
        page = pages[address.pk]
        address.page_id, address.released_at = report.ids[page.key], now
        if page.key not in report.added:
            _visit_known(crawl, address, report.ids[page.key], now)
    CrawlAddress.objects.bulk_update(chosen, ["page", "released_at"])


def _left(crawl: Crawl) -> dict[int, int]:
    """Count the pages that may still be fetched for each seed."""
    released = CrawlAddress.objects.filter(
        crawl=crawl, released_at__isnull=False, role__in=COUNTED_ROLES
    )
    used = Counter(dict(released.order_by().values_list("seed").annotate(n=Count("pk"))))
    return {number: seed[1] - used[number] for number, seed in enumerate(crawl.seeds)}


def _releasable(crawl: Crawl, left: dict[int, int]) -> QuerySet[CrawlAddress]:
    full = [number for number, n in left.items() if n < 1]
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
    return waiting.exclude(seed__in=full, role__in=COUNTED_ROLES).order_by("depth", "pk")


def _new_page(crawl: Crawl, address: CrawlAddress, now: datetime) -> NewPage:
    own = canonicalize(address.url)
    asked, reason = own, f"crawl {crawl.pk}"
    if address.role == AddressRole.STORY and address.snapshot_at is not None:
        asked = canonicalize(archived_address(crawl.archive_url, own.url, address.snapshot_at))
        reason += f", as archived about {day(address.snapshot_at)}"
    is_story = address.role == AddressRole.STORY
    return NewPage(
        url=asked.url,
        key=own.key,
        host=asked.host,
        kind=PageKind.ARTICLE if is_story else PageKind.INDEX,
        publication_id=crawl.publication_id,
        slug=slug(own.url) if is_story else "",
        due_at=now,
        due_reason=reason,
    )


def _visit_known(crawl: Crawl, address: CrawlAddress, page_id: int, now: datetime) -> None:
    """Visit a page that was known before: never visited ones, and what lists further links.

    A story that is stored already is not fetched again; one that an editor names by itself is
    tried once more where it had failed.
    """
    rows = Page.objects.filter(pk=page_id, due_at=None)
    if address.role == AddressRole.STORY:
        failed = rows.filter(visited_at=None)
        if crawl.kind == CrawlKind.ADDRESSES:
            named = Page.objects.filter(pk=page_id)
            failed = failed | rows.filter(content_fetch=None)
            failed = failed | named.filter(quarantined_at__isnull=False)
        rows = failed
    rows.exclude(kind=PageKind.FEED).update(
        due_at=now, due_reason=f"crawl {crawl.pk}", quarantined_at=None, attempts=0
    )


def _next(crawl: Crawl, now: datetime) -> dict[str, object]:
    """Give the columns of the crawl after its slice: when it goes on, or how it ended."""
    kept: dict[str, object] = {
        "next_day": crawl.next_day,
        "n_barren_days": crawl.n_barren_days,
    }
    is_over = (
        not _under_way(crawl).exists()
        and not _releasable(crawl, _left(crawl)).exists()
        and not has_days_left(crawl)
    )
    if not is_over:
        return kept | {"due_at": now + PAUSE}
    reason = _end_reason(crawl)
    return kept | {"state": CrawlState.DONE, "ended_at": now, "end_reason": reason}


def _end_reason(crawl: Crawl) -> str:
    n_left = CrawlAddress.objects.filter(crawl=crawl, released_at=None).count()
    if n_left:
        left = counted(n_left, "further address is", "further addresses are")
        return f"the page limit was reached; {left} known"
    if crawl.n_barren_days >= MAX_BARREN_DAYS:
        return f"{MAX_BARREN_DAYS} days in a row brought no other front page"
    return why_no_story(crawl) or "all that was found is visited"
