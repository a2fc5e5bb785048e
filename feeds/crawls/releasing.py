"""Which addresses of a crawl's pool go into the frontier next, and how many at once.

Never more than a few of each host, so that a feed of the same host waits behind these at most,
and as many hosts beside each other as wait; of a crawl through a web archive never more than its
budget of requests a minute allows. The caller holds the transaction.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from django.db.models import Count, QuerySet

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.slugs import slug
from feeds.crawler.addressing.web_archive import archived_address
from feeds.crawls.archived_front_pages import next_front_page
from feeds.frontier import NewPage, add_pages
from feeds.models import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlKind,
    Fetch,
    Page,
    PageKind,
)
from feeds.work.row_updates import update_rows
from presentation.wording.times import day

# Of one host in the frontier at once: a feed of it waits behind so many pages at most.
UNDER_WAY = 20
# Of one crawl in the frontier at once: a hundred hosts are full of work for a minute with these.
MAX_UNDER_WAY = 2_000
# Hosts that one slice looks at; the next one goes on behind them.
HOSTS_AT_ONCE = 1_000
MAX_ADDRESSES_OF_HOST = 10_000_000  # a crawl without a limit for its hosts
COUNTED_ROLES = (AddressRole.ARTICLE, AddressRole.PAGE)
_MINUTE = timedelta(minutes=1)
_MAX_SLUG = 200  # what the column holds


def release(crawl: Crawl, now: datetime) -> None:
    """Let the next addresses into the frontier, as far as the limits of their seeds go."""
    left = n_left(crawl)
    n_free = _room(crawl, now)
    chosen = []
    if n_free > 0 and any(n > 0 for n in left.values()):
        front_page = next_front_page(crawl, now)
        chosen = [front_page] if front_page is not None else []
    chosen += _next_of_hosts(crawl, left, n_free - len(chosen))
    # As far as the counts have come, whatever came of the addresses.
    crawl.n_released = [seed[1] - left[number] for number, seed in enumerate(crawl.seeds)]
    if not chosen:
        return
    pages = {address.pk: _new_page(crawl, address, now) for address in chosen}
    report = add_pages(list(pages.values()), now)
    for address in chosen:
        page = pages[address.pk]
        page_id = report.ids.get(page.key)  # none was erased
        address.page_id, address.released_at = page_id, now
        if page_id is not None and page.key not in report.added:
            _visit_known(crawl, address, page_id, now)
    update_rows(chosen, ["page", "released_at"])


def _room(crawl: Crawl, now: datetime) -> int:
    n_under_way = under_way(crawl).count()
    if crawl.kind == CrawlKind.ARCHIVE:  # it asks one host, whatever its addresses are
        return min(UNDER_WAY - n_under_way, _budget(crawl, now))
    return MAX_UNDER_WAY - n_under_way


def _next_of_hosts(crawl: Crawl, left: dict[int, int], n_free: int) -> list[CrawlAddress]:
    """Choose up to `n_free` addresses, those of each host by depth; takes them off `left`."""
    chosen: list[CrawlAddress] = []
    if n_free < 1:
        return chosen
    places = waiting_hosts(crawl, [number for number, n in left.items() if n > 0])
    rooms = _rooms(crawl, {host for _, host in places})
    for seed, host in places:
        # Of one depth as the index gives them, the oldest first: sorted by their keys, all that
        # wait of a host would be read for the first twenty.
        waiting = _waiting(crawl).filter(seed=seed, host=host).order_by("depth")
        for address in waiting[: max(min(rooms[host].n_free, n_free - len(chosen)), 0)]:
            if address.role in COUNTED_ROLES:
                if left[seed] < 1 or rooms[host].n_pages < 1:
                    continue
                left[seed] -= 1
                rooms[host].n_pages -= 1
            rooms[host].n_free -= 1
            chosen.append(address)
        crawl.last_served = [seed, host]
        if len(chosen) >= n_free:
            break
    return chosen


@dataclass(slots=True)
class _HostRoom:
    """How many addresses of a host may go now, and how many pages in the whole crawl."""

    n_free: int
    n_pages: int


def _rooms(crawl: Crawl, hosts: Collection[str]) -> dict[str, _HostRoom]:
    """Say how much room each of the hosts has; none where its pages are used up."""
    busy = _count_by_host(under_way(crawl).exclude(role=AddressRole.SNAPSHOT))
    most = crawl.pages_per_host
    used: Counter[str] = Counter()
    if most is not None and hosts:
        used = _count_by_host(_released_pages(crawl).filter(host__in=hosts))
    rooms = {}
    for host in hosts:
        n_pages = MAX_ADDRESSES_OF_HOST if most is None else most - used[host]
        n_free = UNDER_WAY - (0 if crawl.kind == CrawlKind.ARCHIVE else busy[host])
        rooms[host] = _HostRoom(n_free if n_pages > 0 else 0, n_pages)
    return rooms


def _count_by_host(rows: QuerySet[CrawlAddress]) -> Counter[str]:
    return Counter(dict(rows.order_by().values_list("host").annotate(n=Count("*"))))


def _waiting(crawl: Crawl) -> QuerySet[CrawlAddress]:
    """Addresses that wait, archived front pages aside."""
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
    return waiting.exclude(role=AddressRole.SNAPSHOT)


def _released_pages(crawl: Crawl) -> QuerySet[CrawlAddress]:
    return CrawlAddress.objects.filter(
        crawl=crawl, released_at__isnull=False, role__in=COUNTED_ROLES
    )


def waiting_hosts(crawl: Crawl, seeds: Sequence[int]) -> list[tuple[int, str]]:
    """Give seeds and hosts of which addresses wait, from behind those that were served last on.

    One probe of the index for each, however many addresses wait: at most `HOSTS_AT_ONCE`.
    """
    wanted, served = set(seeds), crawl.last_served
    start = (int(served[0]), str(served[1])) if served else (-1, "")
    behind = list(islice(_places(crawl, wanted, start, None), HOSTS_AT_ONCE))
    rest = HOSTS_AT_ONCE - len(behind)
    before = _places(crawl, wanted, (-1, ""), start) if served else iter(())
    return behind + list(islice(before, rest))


def _places(
    crawl: Crawl, seeds: Collection[int], start: tuple[int, str], end: tuple[int, str] | None
) -> Iterator[tuple[int, str]]:
    """Walk seeds and hosts of the index, behind `start` up to `end`."""
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
    for seed in sorted(seeds):
        if seed < start[0] or (end and seed > end[0]):
            continue
        rows = waiting.filter(seed=seed).order_by("host").values_list("host", flat=True)
        if end and seed == end[0]:  # compared by the database, whose order of names is its own
            rows = rows.filter(host__lte=end[1])
        host = rows.filter(host__gt=start[1]).first() if seed == start[0] else rows.first()
        while host is not None:
            yield seed, host
            host = rows.filter(host__gt=host).first()


def under_way(crawl: Crawl) -> QuerySet[CrawlAddress]:
    """Addresses in the frontier whose pages were not read yet."""
    return CrawlAddress.objects.filter(crawl=crawl, released_at__isnull=False, followed_at=None)


def n_left(crawl: Crawl) -> dict[int, int]:
    """Count the pages that may still be fetched for each seed, once; slices keep the counts."""
    used = Counter(dict(enumerate(crawl.n_released or ())))
    if crawl.n_released is None:
        counted = _released_pages(crawl).order_by().values_list("seed").annotate(n=Count("*"))
        used = Counter(dict(counted))
    return {number: seed[1] - used[number] for number, seed in enumerate(crawl.seeds)}


def has_pages_left(crawl: Crawl) -> bool:
    """Whether any limit leaves room: else what further front pages list cannot be fetched."""
    return any(n > 0 for n in n_left(crawl).values())


def has_releasable(crawl: Crawl) -> bool:
    """Whether addresses wait that may go, archived front pages aside."""
    seeds = {number for number, n in n_left(crawl).items() if n > 0}
    places = _places(crawl, seeds, (-1, ""), None)
    while batch := list(islice(places, HOSTS_AT_ONCE)):
        rooms = _rooms(crawl, {host for _, host in batch})
        for seed, host in batch:
            if rooms[host].n_pages > 0 and _waiting(crawl).filter(seed=seed, host=host).exists():
                return True
    return False


def _budget(crawl: Crawl, now: datetime) -> int:
    """Give how many more addresses a crawl's budget of requests lets go within this minute.

    Requests of the last minute are counted with their redirects, and pages that wait for theirs.
    """
    if crawl.kind != CrawlKind.ARCHIVE:
        return UNDER_WAY
    since = now - _MINUTE
    # Some dozens at most; the crawl's own may be a hundred thousand.
    recent = Fetch.objects.filter(
        host__name=canonicalize(crawl.archive_url).host, started_at__gt=since
    )
    hops_of = list(recent.exclude(page=None).values_list("page_id", "hops"))
    ours = set(
        CrawlAddress.objects.filter(
            crawl=crawl, page__in=[page_id for page_id, _ in hops_of]
        ).values_list("page_id", flat=True)
    )
    n_made = sum(1 + len(hops) for page_id, hops in hops_of if page_id in ours)
    n_asked = under_way(crawl).exclude(page__visited_at__gte=since).count()
    return crawl.requests_per_minute - n_made - n_asked


def _new_page(crawl: Crawl, address: CrawlAddress, now: datetime) -> NewPage:
    own = canonicalize(address.url)
    asked, reason = own, f"crawl {crawl.pk}"
    if address.role == AddressRole.ARTICLE and address.snapshot_at is not None:
        asked = canonicalize(archived_address(crawl.archive_url, own.url, address.snapshot_at))
        reason += f", as archived about {day(address.snapshot_at)}"
    is_article = address.role == AddressRole.ARTICLE
    return NewPage(
        url=asked.url,
        key=own.key,
        host=asked.host,
        kind=PageKind.ARTICLE if is_article else PageKind.INDEX,
        publication_id=crawl.publication_id,
        slug=slug(own.url) if is_article else "",
        due_at=now,
        due_reason=reason,
    )


def _visit_known(crawl: Crawl, address: CrawlAddress, page_id: int, now: datetime) -> None:
    """Visit a page that was known before: never visited ones, and what lists further links.

    An article that is stored already is not fetched again; one that an editor names by itself is
    tried once more where it had failed. What an earlier crawl took for a page with links, and this
    one takes for a story, is read as one: it is fetched whole, which hands it on to the extraction.
    """
    rows = Page.objects.filter(pk=page_id, due_at=None)
    changes: dict[str, str] = {}
    if address.role == AddressRole.ARTICLE and rows.filter(kind=PageKind.INDEX).exists():
        changes = {
            "kind": PageKind.ARTICLE,
            "slug": slug(address.url)[:_MAX_SLUG],
            "etag": "",
            "last_modified": "",
            "content_digest": "",
        }
    elif address.role == AddressRole.ARTICLE:
        failed = rows.filter(visited_at=None)
        if crawl.kind == CrawlKind.ADDRESSES:
            named = Page.objects.filter(pk=page_id)
            failed = failed | rows.filter(content_fetch=None)
            failed = failed | named.filter(quarantined_at__isnull=False)
        rows = failed
    rows.exclude(kind=PageKind.FEED).reschedule(
        now, due_reason=f"crawl {crawl.pk}", quarantined_at=None, attempts=0, **changes
    )
