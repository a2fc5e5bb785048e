"""Which addresses of a crawl's pool go into the frontier next, and how many at once.

Never more than a few, so that a feed of the same host waits behind these at most; of a crawl
through a web archive never more than its budget of requests a minute allows. The caller holds
the transaction.
"""

from collections import Counter
from datetime import datetime, timedelta

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

# In the frontier at once: a feed of the same host waits behind so many pages at most.
UNDER_WAY = 20
COUNTED_ROLES = (AddressRole.ARTICLE, AddressRole.PAGE)
_MINUTE = timedelta(minutes=1)
_MAX_SLUG = 200  # what the column holds


def release(crawl: Crawl, now: datetime) -> None:
    """Let the next addresses into the frontier, as far as the limits of their seeds go."""
    left = n_left(crawl)
    n_free = min(UNDER_WAY - under_way(crawl).count(), _budget(crawl, now))
    chosen = []
    if n_free > 0 and any(n > 0 for n in left.values()):
        front_page = next_front_page(crawl, now)
        chosen = [front_page] if front_page is not None else []
    for address in releasable(crawl, left)[: max(n_free - len(chosen), 0)]:
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
        page_id = report.ids.get(page.key)  # none was erased
        address.page_id, address.released_at = page_id, now
        if page_id is not None and page.key not in report.added:
            _visit_known(crawl, address, page_id, now)
    update_rows(chosen, ["page", "released_at"])


def under_way(crawl: Crawl) -> QuerySet[CrawlAddress]:
    """Addresses in the frontier whose pages were not read yet."""
    return CrawlAddress.objects.filter(crawl=crawl, released_at__isnull=False, followed_at=None)


def n_left(crawl: Crawl) -> dict[int, int]:
    """Count the pages that may still be fetched for each seed."""
    released = CrawlAddress.objects.filter(
        crawl=crawl, released_at__isnull=False, role__in=COUNTED_ROLES
    )
    used = Counter(dict(released.order_by().values_list("seed").annotate(n=Count("*"))))
    return {number: seed[1] - used[number] for number, seed in enumerate(crawl.seeds)}


def has_pages_left(crawl: Crawl) -> bool:
    """Whether any limit leaves room: else what further front pages list cannot be fetched."""
    return any(n > 0 for n in n_left(crawl).values())


def releasable(crawl: Crawl, left: dict[int, int]) -> QuerySet[CrawlAddress]:
    """Addresses that wait and may go, archived front pages aside."""
    full = [number for number, n in left.items() if n < 1]
    waiting = CrawlAddress.objects.filter(crawl=crawl, released_at=None)
    waiting = waiting.exclude(role=AddressRole.SNAPSHOT)
    return waiting.exclude(seed__in=full, role__in=COUNTED_ROLES).order_by("depth", "pk")


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
