"""The crawl stage: one slice of a crawl at a time, never more than some pages in the frontier.

A slice reads the links of pages that were fetched meanwhile, from the archive; adds what the
crawl's policy admits to its pool; lets the next addresses into the frontier; and plans the next
slice. All effects are one transaction with the end of the lease, so a killed worker loses a slice
and nothing else. Fetching, politeness, archive and extraction are those of every page.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.traps import SeenPage, Traps
from feeds.crawler.outcomes import Outcome
from feeds.crawls import site_crawls
from feeds.crawls.archived_front_pages import (
    MAX_BARREN_DAYS,
    ask_sites,
    has_front_pages_left,
    may_ask_site,
    take_front_page,
)
from feeds.crawls.links import FoundAddress, found_addresses, likely_pattern, seed_of
from feeds.crawls.listed_copies import plan_list, take_list
from feeds.crawls.pool import Finds, add_found
from feeds.crawls.releasing import has_pages_left, has_releasable, release, under_way
from feeds.crawls.site_crawls import sitemaps_of_host
from feeds.crawls.trapped import (
    drop_trapped,
    have_read_again,
    is_reading_again,
    look_for_traps,
    pages_to_read_again,
)
from feeds.models import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlKind,
    CrawlState,
    PageKind,
    VisitPurpose,
)
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from feeds.work.row_updates import update_rows
from presentation.wording.figures import counted, grouped
from presentation.wording.times import day

# Pages whose links one slice reads; where as many have come, the next slice does not wait.
FOLLOWED_AT_ONCE = 200
# Addresses after which a slice reads no further page: a sitemap names up to 50,000, and what a
# slice holds in memory must not grow with their number.
FOUND_AT_ONCE = 20_000
PAUSE = timedelta(seconds=3)  # shorter than a host's usual delay, so a slot never waits long
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]
NOTHING_FETCHED = "nothing could be fetched"
NO_ARTICLE = "none looks like a story"
_MAX_REASON = 200  # what the column holds
_LISTS = {CrawlKind.SITE, CrawlKind.SITEMAP}
_WORKED_ON = (CrawlState.RUNNING, CrawlState.LISTING)


@dataclass(frozen=True, slots=True)
class _Read:
    """An address whose page has come or has failed, with what it leads to."""

    address: CrawlAddress
    found: tuple[FoundAddress, ...]
    n_links: int
    shown: SeenPage | None = None


def run(limit: int, terms: Claim) -> Report:
    """Work on a slice of up to `limit` crawls; counts addresses that are new to their pools."""
    is_repeated = Q(state=CrawlState.DONE, repeat_days__isnull=False)
    running = Crawl.objects.filter(Q(state__in=_WORKED_ON) | is_repeated)
    running = running.select_related("publication")
    return run_each(running, limit, terms, _slice)


def _slice(crawl: Crawl, terms: Claim) -> Report:
    now = terms.now
    if crawl.state == CrawlState.DONE:
        return _again(crawl, terms)
    settled = list(
        _settled(crawl).select_related("page__content_fetch").order_by("pk")[:FOLLOWED_AT_ONCE]
    )
    unasked = [address for address in settled if may_ask_site(address)]
    reads = _reads(crawl, [address for address in settled if not may_ask_site(address)])
    again = pages_to_read_again(crawl, FOLLOWED_AT_ONCE)
    read_again = _reads(crawl, again)
    with transaction.atomic():
        held = Crawl.objects.select_for_update().filter(pk=crawl.pk, lease_owner=terms.owner)
        words = held.values_list("is_rescheduled", "trap_choices").first()
        is_rescheduled, crawl.trap_choices = words or (None, {})
        ask_sites(unasked, now)
        if is_reading_again(crawl):
            last = read_again[-1].address if read_again else None
            is_over = len(read_again) == len(again) < FOLLOWED_AT_ONCE
            have_read_again(crawl, last, is_over=is_over)
        traps = look_for_traps(crawl, [read.shown for read in reads if read.shown])
        n_found = _take(crawl, reads, traps, now)
        n_found += _take_again(crawl, read_again, traps, now)
        if crawl.kind == CrawlKind.ARCHIVE:
            plan_list(crawl, now)
        is_dropping = False
        if not _is_late(crawl, now):
            is_dropping = drop_trapped(crawl, traps)
            release(crawl, now)
        # What an editor has made of it since the claim stands: paused, resumed or stopped.
        after = _place(crawl) if is_rescheduled else _next(crawl, now)
        is_more = len(reads) + len(unasked) < len(settled) or len(settled) == FOLLOWED_AT_ONCE
        if is_more or is_dropping or is_reading_again(crawl):
            after |= {"due_at": now} if after.get("due_at") else {}
        leases.complete_or_undo(crawl, terms.owner, **after)
    return Report(done=Counter(pages_found=n_found))


def _again(crawl: Crawl, terms: Claim) -> Report:
    """Begin a crawl anew whose day has come."""
    with transaction.atomic():
        if leases.complete(crawl, terms.owner, repeat_days=None):
            site_crawls.begin_again(crawl, terms.now, settings.CRAWL_USER_AGENT)
    return Report()


def _settled(crawl: Crawl) -> QuerySet[CrawlAddress]:
    """Addresses in the frontier whose visit is over, well or badly."""
    visited = Q(page__visited_at__gte=F("released_at"), page__outcome__in=_ANSWERS)
    # A feed's next visit is always planned; its last one tells enough.
    listed = Q(page__kind=PageKind.FEED, page__visited_at__isnull=False)
    # A page with a planned visit was visited before.
    known = Q(page__purpose=VisitPurpose.PLANNED)
    over = Q(page__due_at=None) | Q(page__quarantined_at__isnull=False) | visited | listed | known
    return under_way(crawl).filter(over)


# --- What came ------------------------------------------------------------------------------------


def _reads(crawl: Crawl, addresses: Sequence[CrawlAddress]) -> list[_Read]:
    """Read what has come, as far as one slice can hold it; the first page always."""
    reads: list[_Read] = []
    n_found = 0
    for address in addresses:
        if n_found > FOUND_AT_ONCE:
            break
        reads.append(_read(crawl, address))
        n_found += len(reads[-1].found)
    return reads


def _read(crawl: Crawl, address: CrawlAddress) -> _Read:
    page = address.page
    named = _named_sitemaps(crawl, address)
    if page is None or page.content_fetch is None:
        return _Read(address, named, 0)
    found = found_addresses(crawl, address, page.content_fetch)
    return _Read(address, named + found.addresses, found.n_links, found.shown)


def _named_sitemaps(crawl: Crawl, address: CrawlAddress) -> tuple[FoundAddress, ...]:
    """Give the sitemaps of robots.txt, which came with the first turn of a seed's host."""
    if address.role != AddressRole.SITEMAP or address.depth:
        return ()
    home = canonicalize("/", address.url)
    if canonicalize(seed_of(crawl, address).url).key != home.key:
        return ()  # the editor named one file
    urls = sitemaps_of_host(home, settings.CRAWL_USER_AGENT)
    return tuple(FoundAddress(canonicalize(url), AddressRole.SITEMAP) for url in urls)


def _take(crawl: Crawl, reads: Sequence[_Read], traps: Traps, now: datetime) -> int:
    """Put what pages lead to into the pool; returns how many addresses are new there."""
    lists = [read.address for read in reads if read.address.role == AddressRole.LIST]
    n_listed = sum(take_list(crawl, address, now) for address in lists)
    others = [read for read in reads if read.address.role != AddressRole.LIST]
    n_new = add_found(crawl, [_finds(crawl, read, traps) for read in others], now)
    for read, n in zip(others, n_new, strict=True):
        read.address.followed_at, read.address.n_links, read.address.n_new = now, read.n_links, n
    columns = ["followed_at", "n_links", "n_new", "snapshot_at"]
    update_rows([read.address for read in others], columns)
    return n_listed + sum(n_new)


def _finds(crawl: Crawl, read: _Read, traps: Traps) -> Finds:
    found = read.found
    if read.address.role == AddressRole.SNAPSHOT:
        found = take_front_page(crawl, read.address, found)
    return Finds(read.address, [item for item in found if not traps.holds(item.address.url)])


def _take_again(crawl: Crawl, reads: Sequence[_Read], traps: Traps, now: datetime) -> int:
    """Put what pages named that was left then into the pool; what is known there stays."""
    finds = [
        Finds(read.address, [item for item in read.found if not traps.holds(item.address.url)])
        for read in reads
    ]
    n_new = add_found(crawl, finds, now)
    grown = [read.address for read, n in zip(reads, n_new, strict=True) if n]
    for read, n in zip(reads, n_new, strict=True):
        read.address.n_new = (read.address.n_new or 0) + n
    update_rows(grown, ["n_new"])
    return sum(n_new)


# --- What comes next ------------------------------------------------------------------------------


def _next(crawl: Crawl, now: datetime) -> dict[str, object]:
    """Give the columns of the crawl after its slice: when it goes on, or how it ended."""
    kept = _place(crawl)
    if crawl.state == CrawlState.LISTING and crawl.listed_at is not None:
        return kept | {"state": CrawlState.LISTED}
    is_late = _is_late(crawl, now)
    is_over = is_late or (
        not is_reading_again(crawl)
        and not under_way(crawl).exists()
        and not has_releasable(crawl)
        and not (has_front_pages_left(crawl) and has_pages_left(crawl))
    )
    if not is_over:
        return kept | {"due_at": now + PAUSE}
    if is_late:
        site_crawls.take_back(crawl, f"crawl {crawl.pk} has ended")
    reason = _late_reason(crawl) if is_late else _end_reason(crawl)
    again = crawl.created_at + timedelta(days=crawl.repeat_days) if crawl.repeat_days else None
    ended = {"state": CrawlState.DONE, "ended_at": now, "end_reason": reason}
    return kept | ended | ({"due_at": max(again, now)} if again else {})


def _is_late(crawl: Crawl, now: datetime) -> bool:
    """Whether the time limit of a crawl is over."""
    hours = crawl.max_hours
    return hours is not None and now >= crawl.created_at + timedelta(hours=hours)


def _late_reason(crawl: Crawl) -> str:
    n_waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None).count()
    hours = counted(crawl.max_hours or 0, "hour", "hours")
    left = counted(n_waiting, "further address is", "further addresses are")
    return f"its time of {hours} was over; {left} known"


def _place(crawl: Crawl) -> dict[str, object]:
    names = ["next_day", "n_barren_days", "listed_at", "n_listed"]
    names += ["n_known", "n_released", "last_served", "traps", "trap_sentences"]
    return {name: getattr(crawl, name) for name in names}


def _end_reason(crawl: Crawl) -> str:
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
    n_waiting = waiting.exclude(role=AddressRole.SNAPSHOT).count()
    if n_waiting:
        left = counted(n_waiting, "further address is", "further addresses are")
        return f"the page limit was reached; {left} known"
    if crawl.n_listed == 0:
        return "the archive has no copy of this front page of these days"
    if crawl.next_day is not None and has_front_pages_left(crawl):
        return f"the page limit was reached; days up to {day(crawl.next_day)} were not looked at"
    if crawl.n_barren_days >= MAX_BARREN_DAYS:
        return f"{MAX_BARREN_DAYS} days in a row brought no other front page"
    return _why_no_article(crawl) or "all that was found is visited"


def _why_no_article(crawl: Crawl) -> str:
    """Say why nothing could be fetched or no address is an article; empty where all went well."""
    pool = CrawlAddress.objects.filter(crawl=crawl)
    if not pool.filter(page__content_fetch__isnull=False).exists():
        return _why_nothing(crawl)
    if crawl.kind not in _LISTS or pool.filter(role=AddressRole.ARTICLE).exists():
        return ""
    lists = pool.filter(page__content_fetch__isnull=False, n_links__gt=0)
    longest = lists.select_related("page__content_fetch").order_by("-n_links").first()
    if longest is None or longest.page is None or longest.page.content_fetch is None:
        return "the pages that came have no links: they may need a script to show them"
    pattern = likely_pattern(longest, longest.page.content_fetch)
    such = f", such as {pattern}" if pattern else ""
    advice = f"give a pattern that says which are{such}"
    n_links = grouped(longest.n_links or 0)
    sentence = f"{n_links} addresses, {NO_ARTICLE}: {advice}"
    return sentence if len(sentence) <= _MAX_REASON else sentence.removesuffix(such)


def _why_nothing(crawl: Crawl) -> str:
    failed = CrawlAddress.objects.filter(crawl=crawl, page__isnull=False)
    errors = failed.exclude(page__last_error="").order_by("pk")
    last = errors.values_list("page__last_error", flat=True).first()
    return f"{NOTHING_FETCHED}: {last}"[:_MAX_REASON] if last else ""
