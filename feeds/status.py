"""Read side of the crawl: what the status and source pages show, in a constant number of queries.

Rows go out as frozen values; the clock is an argument.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from feeds.archive.fetches import NOT_DRAWN
from feeds.crawler.outcomes import Outcome
from feeds.models import (
    IN_TROUBLE,
    Feed,
    FeedItem,
    Fetch,
    Host,
    HostDecision,
    Page,
    PageKind,
    Publication,
    PublicationState,
    VisitPurpose,
    Worker,
)
from feeds.watching.feed_history import new_by_day, usual_range
from feeds.watching.states import FeedState, Finding, feed_finding
from presentation.wording.figures import grouped

DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)
# A worker stamps its row every five seconds; three missed stamps and it counts as gone.
ALIVE_WITHIN = timedelta(seconds=20)
FORGET_WORKERS_AFTER = timedelta(hours=24)  # as far back as the page's other counts go
MOST_DUE_COUNTED = 200  # of one host: more is a backlog, however large
LAST_EVENTS = 30  # about what a screen shows
# Long texts that no list shows.
_NOT_IN_LISTS = (
    "page__host__robots_body",
    "page__feed_description",
    "publication__note",
)


@dataclass(frozen=True, slots=True)
class FeedRow:
    """A feed in a list: its state, its next visit, and what the last 24 hours brought."""

    feed: Feed
    finding: Finding
    n_new: int = 0
    n_visits: int = 0
    n_answered: int = 0
    new_by_day: tuple[int, ...] = ()

    @property
    def usual(self) -> tuple[int, int] | None:
        """Range of new items a day before the last 24 hours; None while it is not known."""
        return usual_range(self.new_by_day)

    @property
    def state(self) -> FeedState:
        return self.finding.state

    @property
    def next_at(self) -> datetime | None:
        """Of a paused feed none: it waits whatever its row says."""
        return None if self.state is FeedState.PAUSED else self.feed.page.due_at


@dataclass(frozen=True, slots=True)
class HostRow:
    """A host in a list, with what waits for its turn and what was asked of it in 24 hours."""

    host: Host
    n_due: int  # more are not counted where they are over `MOST_DUE_COUNTED`
    n_requests: int
    n_refused: int

    @property
    def due_words(self) -> str:
        """The number of due pages, as far as they were counted."""
        if self.n_due > MOST_DUE_COUNTED:
            return f"over {grouped(MOST_DUE_COUNTED)}"
        return grouped(self.n_due)


@dataclass(frozen=True, slots=True)
class OutcomeHour:
    """Requests that began within one hour, by outcome."""

    hour: datetime
    counts: Counter[str]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A process that has stamped its row within a day."""

    worker: Worker
    is_alive: bool


@dataclass(frozen=True, slots=True)
class DrawnPages:
    """What a browser drew in 24 hours, for how many publications; the last failure's sentence."""

    n_publications: int
    n_drawn: int
    n_not_drawn: int
    last_failure: str


def drawn_pages(now: datetime) -> DrawnPages | None:
    """Count what was drawn; None where no publication is to be drawn."""
    papers = list(
        Publication.kept.filter(render_pages=True).order_by().values_list("pk", flat=True)
    )
    if not papers:
        return None
    rows = Fetch.objects.filter(page__publication__in=papers, started_at__gte=now - DAY).order_by()
    failed = rows.filter(error__startswith=NOT_DRAWN)
    last = failed.order_by("-started_at").values_list("error", flat=True).first()
    n_drawn = rows.filter(rendered_offset__isnull=False).count()
    said = (last or "").removeprefix(NOT_DRAWN)
    return DrawnPages(len(papers), n_drawn, failed.count(), said)


def last_not_drawn(publication: Publication, now: datetime) -> str:
    """Say why the last page that a browser was to draw within 24 hours was not; empty if it was."""
    if not publication.render_pages:
        return ""
    fetches = Fetch.objects.filter(page__publication=publication, started_at__gte=now - DAY)
    tried = fetches.filter(Q(rendered_offset__isnull=False) | Q(error__startswith=NOT_DRAWN))
    error = tried.order_by("-started_at", "-pk").values_list("error", flat=True).first() or ""
    return error.removeprefix(NOT_DRAWN) if error.startswith(NOT_DRAWN) else ""


def feed_rows(feeds: QuerySet[Feed], now: datetime) -> list[FeedRow]:
    """Load feeds with state and counts, in three queries, in the order of the queryset."""
    loaded = feeds.select_related("publication", "page", "page__host").defer(*_NOT_IN_LISTS)
    return with_counts([FeedRow(feed, feed_finding(feed, now)) for feed in loaded], now)


def with_counts(rows: Sequence[FeedRow], now: datetime) -> list[FeedRow]:
    """Add what the last 24 hours and the days before brought, in two queries."""
    since = now - DAY
    visits = _visits([row.feed.page_id for row in rows], since)
    new = new_by_day([row.feed.pk for row in rows], now)
    return [
        replace(
            row,
            n_new=new.get(row.feed.pk, (0,))[-1],
            new_by_day=new.get(row.feed.pk, ()),
            n_visits=visits.get(row.feed.page_id, (0, 0))[0],
            n_answered=visits.get(row.feed.page_id, (0, 0))[1],
        )
        for row in rows
    ]


def _visits(page_ids: Sequence[int], since: datetime) -> dict[int, tuple[int, int]]:
    answers = Q(outcome__in=[outcome.value for outcome in Outcome if outcome.is_answer])
    rows = (
        Fetch.objects.filter(page__in=page_ids, started_at__gte=since)
        .order_by()
        .values("page")
        .annotate(n=Count("*"), answered=Count("pk", filter=answers))
    )
    return {row["page"]: (row["n"], row["answered"]) for row in rows}


def worst_hosts(limit: int, now: datetime) -> list[HostRow]:
    """Load the hosts that refuse us, those that fail, then others by name."""
    blocked_first = F("blocked_since").desc(nulls_last=True)  # PostgreSQL has empty ones first
    rows = _with_due(Host.objects.defer("robots_body"), now)
    found = list(rows.filter(IN_TROUBLE).order_by(blocked_first, "-failures", "name")[:limit])
    others = rows.exclude(pk__in=[host.pk for host in found]).order_by("name")
    return _host_rows([*found, *others[: limit - len(found)]], now)


def host_rows(hosts: QuerySet[Host], now: datetime) -> list[HostRow]:
    """Load hosts with what waits for them, in two queries."""
    return _host_rows(list(_with_due(hosts, now)), now)


def _host_rows(hosts: Sequence[Host], now: datetime) -> list[HostRow]:
    refused = Q(outcome__in=[Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE])
    asked = {
        row["host"]: (row["n"], row["refused"])
        for row in Fetch.objects.filter(host__in=hosts, started_at__gte=now - DAY)
        .order_by()
        .values("host")
        .annotate(n=Count("*"), refused=Count("pk", filter=refused))
    }
    return [HostRow(host, getattr(host, "n_due", 0), *asked.get(host.pk, (0, 0))) for host in hosts]


def _with_due(hosts: QuerySet[Host], now: datetime) -> QuerySet[Host]:
    # Of a host at rest none is due; a paused paper's host would have all its pages read for that.
    at_rest = When(idle_until__gt=now, then=0)
    return hosts.annotate(n_due=Case(at_rest, default=_NumberOf(_due_of_host(now))))


class _NumberOf(Subquery):
    """Number of rows of a query, which may have a limit."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def _due_of_host(now: datetime) -> QuerySet[Page, Any]:
    """Give the due pages of an outer host, to one more than `MOST_DUE_COUNTED`."""
    pages = Page.objects.due(now).filter(
        host=OuterRef("pk"), publication__state=PublicationState.ACTIVE
    )
    # The purposes by name: the index of a host's due pages has them before the moment.
    found = pages.filter(purpose__in=VisitPurpose.values).order_by()
    return found.values("pk")[: MOST_DUE_COUNTED + 1]


def outcome_hours(now: datetime, hours: int = 24) -> list[OutcomeHour]:
    """Count the requests of the last hours by outcome: an entry for every hour, in one query."""
    first = now.replace(minute=0, second=0, microsecond=0) - HOUR * (hours - 1)
    starts = [first + HOUR * place for place in range(hours)]
    # A range of the index for each hour: truncating times is a call per row on SQLite.
    counts = [
        Fetch.objects.filter(started_at__gte=start, started_at__lt=start + HOUR)
        .order_by()
        .values("outcome", place=Value(place))
        .annotate(n=Count("*"))
        for place, start in enumerate(starts)
    ]
    found: dict[int, Counter[str]] = {place: Counter() for place in range(hours)}
    for row in counts[0].union(*counts[1:], all=True):
        found[row["place"]][row["outcome"]] += row["n"]
    return [OutcomeHour(start, found[place]) for place, start in enumerate(starts)]


def outcomes_since(since: datetime) -> Counter[str]:
    """Count the requests since a moment by outcome."""
    rows = Fetch.objects.filter(started_at__gte=since).order_by().values_list("outcome")
    return Counter(dict(rows.annotate(n=Count("*"))))


def unexplained_quarantine() -> int:
    """Count pages that were put aside though the web did nothing wrong: their workers died."""
    answers = ["", *(outcome.value for outcome in Outcome if outcome.is_answer)]
    return Page.objects.quarantined().filter(outcome__in=answers).count()


def worker_rows(now: datetime) -> list[WorkerRow]:
    """List processes that gave a sign within a day, the living ones first."""
    workers = Worker.objects.filter(beat_at__gte=now - FORGET_WORKERS_AFTER)
    rows = [WorkerRow(worker, now - worker.beat_at <= ALIVE_WITHIN) for worker in workers]
    return sorted(rows, key=lambda row: (not row.is_alive, row.worker.name))


def last_events(page: Page) -> list[Fetch]:
    """List the newest fetches of one page."""
    return list(Fetch.objects.filter(page=page).order_by("-started_at", "-pk")[:LAST_EVENTS])


def host_events(host: Host) -> list[Fetch]:
    """List the newest requests to one host, robots.txt among them."""
    return list(
        Fetch.objects.filter(host=host)
        .select_related("page")
        .order_by("-started_at", "-pk")[:LAST_EVENTS]
    )


def last_document_items(feed: Feed) -> list[FeedItem]:
    """List the items of the feed's newest document with their pages.

    `withdrawn_at` says of an item that its text may be shown nowhere, its headline neither.
    """
    newest = feed.items.order_by("-last_seen_at").values_list("last_seen_at", flat=True).first()
    if newest is None:
        return []
    return list(
        feed.items.filter(last_seen_at=newest)
        .select_related("page")
        .annotate(withdrawn_at=F("page__article__withdrawn_at"))
        .order_by("-first_seen_at")[:100]
    )


def last_decisions(host: Host) -> list[HostDecision]:
    """List what was done about the refusals of a host, newest first."""
    return list(host.decisions.select_related("made_by")[:LAST_EVENTS])


@dataclass(frozen=True, slots=True)
class FirstVisit:
    """How far the first visits of a publication have come."""

    n_feeds: int
    n_feeds_read: int
    n_pages: int
    n_pages_visited: int


def first_visit(publication: Publication) -> FirstVisit:
    """Count what was read and found since a publication was started, in one query."""
    visited = Q(visited_at__isnull=False)
    is_feed, is_article = Q(kind=PageKind.FEED), Q(kind=PageKind.ARTICLE)
    row = Page.objects.filter(publication=publication).aggregate(
        feeds=Count("pk", filter=is_feed),
        read=Count("pk", filter=is_feed & visited),
        pages=Count("pk", filter=is_article),
        fetched=Count("pk", filter=is_article & visited),
    )
    return FirstVisit(row["feeds"], row["read"], row["pages"], row["fetched"])
