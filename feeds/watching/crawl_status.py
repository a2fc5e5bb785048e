"""Read side of crawls: how far one has come, and what became of its addresses."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.outcomes import Outcome
from feeds.models import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlState,
    Fetch,
    Host,
    Page,
    PageKind,
)
from feeds.models.crawl import OPEN_STATES
from feeds.watching.tallies import tally

POOL = "crawl-pool"  # with the key of a crawl: names of the figures that are kept
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]
# An address that is followed for its links may be known as an article from a feed.
_ARTICLES = Q(role=AddressRole.ARTICLE) | Q(page__kind=PageKind.ARTICLE)


# Of a local paper; the dailies that we know have 20 to 80.
STORIES_A_DAY = 10
_LATELY_DAYS = 28
NO_LIST = "What it sent is no list."
_FRONT_PAGES = Q(role=AddressRole.SNAPSHOT, snapshot_at__isnull=False, followed_at__isnull=False)


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Counts of a crawl. `left_seconds` is None where nothing is left or no delay is known.

    `unanswered` is a list that a web archive was asked for in vain and is asked for again;
    `asked_again` the next page that is tried once more where all addresses were visited.
    """

    n_known: int
    n_visited: int
    n_stories: int
    n_front_pages: int
    n_limit: int
    outcomes: tuple[tuple[str, int], ...]
    n_bytes: int
    fetch_seconds: float
    left_seconds: float | None
    unanswered: Page | None
    asked_again: Page | None = None
    counted_at: datetime | None = None  # where that is not now

    @property
    def has_failed(self) -> bool:
        """Whether all visits failed."""
        return bool(self.outcomes) and not any(name in _ANSWERS for name, _ in self.outcomes)

    @property
    def outcome_shares(self) -> list[tuple[str, int, float]]:
        """Outcomes, the most frequent first, with pages and their share of those visited."""
        return [(name, n, n / self.n_visited) for name, n in self.outcomes]

    @property
    def n_expected(self) -> int:
        """Pages that will be fetched, as far as they are known now."""
        return min(self.n_known, self.n_limit)


def crawl_progress(crawl: Crawl, now: datetime) -> CrawlProgress:
    """Count a crawl's addresses and visits, or give what is kept where counting takes long."""
    found = tally(f"{POOL}:{crawl.pk}", lambda _: _count_pool(crawl.pk), now)
    figures = found.figures
    outcomes = Counter(figures["outcomes"])
    limit = sum(seed[1] for seed in crawl.seeds)
    left = min(figures["known"], limit) - outcomes.total()
    delay = figures["delay"] if crawl.is_open and left > 0 else 0
    return CrawlProgress(
        n_known=figures["known"],
        n_visited=outcomes.total(),
        n_stories=figures["stories"],
        n_front_pages=figures["front_pages"],
        n_limit=limit,
        outcomes=tuple(outcomes.most_common()),
        n_bytes=figures["size"],
        fetch_seconds=figures["took_ms"] / 1000,
        left_seconds=left * delay or None,
        unanswered=_unanswered(crawl),
        asked_again=_asked_again(crawl) if left <= 0 else None,
        counted_at=found.counted_at,
    )


def count_named(name: str) -> Callable[[datetime], dict[str, Any]] | None:
    """Give the function that counts what is kept by a name, None for names of others."""
    owner, _, key = name.partition(":")
    if owner != POOL or not key.isdecimal():
        return None
    return lambda _: _count_pool(int(key))


def _count_pool(crawl_id: int) -> dict[str, Any]:
    """Count the addresses of a crawl, in four queries: seconds for a pool of millions."""
    pool = CrawlAddress.objects.filter(crawl=crawl_id)
    counts = pool.aggregate(
        known=Count("*"),
        stories=Count("pk", filter=_ARTICLES),
        front_pages=Count("pk", filter=_FRONT_PAGES),
    )
    pages = Page.objects.filter(crawled_as__crawl=crawl_id)
    outcomes = dict(pages.order_by().values_list("outcome").annotate(n=Count("*")))
    outcomes.pop("", None)
    sums = pages.aggregate(
        size=Sum("content_fetch__body_bytes"), took=Sum("content_fetch__elapsed_ms")
    )
    # The slowest host's time between two requests is what there is to wait for.
    delay = Host.objects.filter(pages__crawled_as__crawl=crawl_id).aggregate(
        most=Max("delay_seconds")
    )["most"]
    return counts | {
        "outcomes": outcomes,
        "size": sums["size"] or 0,
        "took_ms": sums["took"] or 0,
        "delay": float(delay or 0),
    }


def _unanswered(crawl: Crawl) -> Page | None:
    if crawl.state != CrawlState.LISTING:
        return None
    waiting = _lists(crawl).filter(due_at__isnull=False, visited_at__isnull=False)
    return waiting.exclude(outcome__in=_ANSWERS).first()


def _asked_again(crawl: Crawl) -> Page | None:
    if crawl.state != CrawlState.RUNNING:
        return None
    unread = CrawlAddress.objects.filter(crawl=crawl, released_at__isnull=False, followed_at=None)
    waiting = unread.filter(page__due_at__isnull=False, page__visited_at__isnull=False)
    address = waiting.select_related("page").order_by("page__due_at").first()
    return address.page if address else None


def _lists(crawl: Crawl) -> QuerySet[Page]:
    """Pages of the lists that an archive was asked for, the last way of asking first."""
    pages = Page.objects.filter(crawled_as__crawl=crawl, crawled_as__role=AddressRole.LIST)
    return pages.order_by("-crawled_as__pk")


@dataclass(frozen=True, slots=True)
class CrawlEstimate:
    """What a crawl through an archive will ask for: likely, and at most.

    `n_front_pages` is None where the archive gave no list, and every day is asked for;
    `n_likely` are stories, as many a day as the publication brought lately.
    `list_refusal` says what came then instead, empty where nothing was asked for;
    `pause_seconds` lie between two requests: by the crawl's budget, or the host's longer delay.
    """

    n_front_pages: int | None
    n_days: int
    n_stories: int
    n_likely: int
    pause_seconds: float
    delay_seconds: float | None
    n_sharing: int
    list_refusal: str

    @property
    def n_requests(self) -> int:
        """Requests at most, redirects included: of a day without a list, and of a story."""
        return self._n_asked + 2 * self.n_stories

    @property
    def seconds(self) -> float:
        return self.n_requests * self.pause_seconds

    @property
    def n_likely_requests(self) -> int:
        return self._n_asked + 2 * self.n_likely

    @property
    def likely_seconds(self) -> float:
        return self.n_likely_requests * self.pause_seconds

    @property
    def _n_asked(self) -> int:
        return 2 * self.n_days if self.n_front_pages is None else self.n_front_pages


def crawl_estimate(crawl: Crawl, now: datetime) -> CrawlEstimate:
    """Say what a crawl through an archive may come to, before it begins; four queries."""
    host = Host.objects.filter(name=canonicalize(crawl.archive_url).host).first()
    delay = float(host.delay_seconds) if host and host.delay_seconds else None
    pause = max(60 / crawl.requests_per_minute, delay or 0.0)
    others = Crawl.objects.filter(archive_url=crawl.archive_url, state__in=OPEN_STATES)
    first, last = crawl.first_day, crawl.last_day
    n_days = (last - first).days + 1 if first and last else 0
    n_stories = sum(seed[1] for seed in crawl.seeds) if crawl.n_listed != 0 else 0
    return CrawlEstimate(
        n_front_pages=crawl.n_listed,
        n_days=n_days,
        n_stories=n_stories,
        n_likely=min(round(n_days * _stories_a_day(crawl, now)), n_stories),
        pause_seconds=pause,
        delay_seconds=delay,
        n_sharing=others.exclude(pk=crawl.pk).count(),
        list_refusal=_list_refusal(crawl) if crawl.n_listed is None else "",
    )


def _list_refusal(crawl: Crawl) -> str:
    last = _lists(crawl).first()
    return (last.last_error or NO_LIST) if last else ""


def _stories_a_day(crawl: Crawl, now: datetime) -> float:
    """Stories of a day of the last weeks; of a paper that is not followed, those of a small one."""
    found = Page.objects.filter(publication=crawl.publication_id, kind=PageKind.ARTICLE)
    # What another crawl has found lately may be of any year.
    crawled = CrawlAddress.objects.filter(page=OuterRef("pk"), found_at__lte=OuterRef("found_at"))
    lately = found.filter(~Exists(crawled), found_at__gte=now - timedelta(days=_LATELY_DAYS))
    n_lately = lately.count()
    return n_lately / _LATELY_DAYS if n_lately else STORIES_A_DAY


def listed_at(page: Page) -> datetime | None:
    """Give the moment of the first archived front page that names a page; None where none does."""
    named = CrawlAddress.objects.filter(
        page=page, role=AddressRole.ARTICLE, snapshot_at__isnull=False
    )
    return named.order_by("snapshot_at").values_list("snapshot_at", flat=True).first()


def crawl_addresses(crawl: Crawl, outcome: str = "") -> QuerySet[CrawlAddress]:
    """List a crawl's addresses in the order in which they were found, with their pages."""
    rows = CrawlAddress.objects.filter(crawl=crawl).select_related("page__content_fetch")
    return (rows.filter(page__outcome=outcome) if outcome else rows).order_by("pk")


def last_fetches(page_ids: Sequence[int]) -> dict[int, Fetch]:
    """Give the last fetch of each page, whatever came: by page, in one query."""
    rows = Fetch.objects.filter(page__in=page_ids).order_by("started_at", "pk")
    return {fetch.page_id: fetch for fetch in rows if fetch.page_id}
