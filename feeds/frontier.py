"""The frontier: pages get in once by their canonical key, and come out as turns of one host.

A host has one holder in the world: its row is leased by a conditional UPDATE, and only then its due
pages are claimed. Planned visits to pages that are known come where a host has nothing else to do.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery, prefetch_related_objects

from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.signing_in.log_in import LogInReport, LogInTerms
from feeds.host_claims import NEW_OR_ASKED, claim_hosts, due_pages, due_visits, is_late
from feeds.models import (
    Account,
    Host,
    Moment,
    Page,
    PageKind,
    PublicationState,
    VisitPurpose,
    WorkQuerySet,
)
from feeds.other_addresses import pages_at
from feeds.tombstones import buried, digest_of_guid, digest_of_key
from feeds.work.leases import Claim, claim_keys
from feeds.work.prepared import Prepared, keys_placeholder, placeholder

_NOW = placeholder("now")


@dataclass(frozen=True, slots=True)
class NewPage:
    """A URL to be known; `key` and `host` come from `feeds.crawler.addressing.canonical`."""

    url: str
    key: str
    host: str
    kind: PageKind
    publication_id: int
    slug: str = ""
    parent_id: int | None = None
    due_at: datetime | None = None
    due_reason: str = ""
    guid: str = ""
    headline: str = ""
    published_at: datetime | None = None
    author: str = ""
    description: str = ""
    found_at: datetime | None = None  # where it was not found just now


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of pages offered to the frontier.

    `ids` gives the primary key by canonical key, that of the page itself where the key is another
    address of it; `added` the keys that were new.
    """

    ids: dict[str, int]
    added: frozenset[str]


@dataclass(frozen=True, slots=True)
class LogInTurn:
    """What becomes of a newspaper's account in a turn, which then visits no page.

    `terms` where this turn logs in, and `report` what came of it; neither where another turn does.
    `signed_out` is what came for the first page where it was meant for nobody who is signed in.
    """

    account: Account
    terms: LogInTerms | None = None
    report: LogInReport | None = None
    signed_out: FetchResult | None = None

    @property
    def results(self) -> tuple[FetchResult, ...]:
        """All that came, in order."""
        if self.signed_out:
            return (self.signed_out,)
        return self.report.results if self.report else ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One host, leased, with the pages that are to be visited one after the other.

    After the visit `results` holds what came, for the first of the pages, one each; the delay is
    what the host's robots.txt asks for. `probe` is what came for the first page without the proxy
    and the browser's name that were chosen for the host, where that was tried.
    """

    host: Host
    pages: tuple[Page, ...]
    results: tuple[FetchResult, ...] = ()
    crawl_delay_seconds: float | None = None
    probe: FetchResult | None = None
    # An address of the host where nothing but its robots.txt is asked for.
    robots_of: str = ""
    log_in: LogInTurn | None = None

    @property
    def visited(self) -> Iterator[tuple[Page, FetchResult]]:
        return zip(self.pages, self.results, strict=False)

    @property
    def log_in_results(self) -> tuple[FetchResult, ...]:
        return self.log_in.results if self.log_in else ()

    @property
    def not_visited(self) -> tuple[Page, ...]:
        return self.pages[len(self.results) :]


def ensure_hosts(names: Iterable[str], now: datetime) -> dict[str, int]:
    """Primary keys of hosts by name; missing ones are made, free from `now` on."""
    wanted = set(names)
    known = dict(Host.objects.filter(name__in=wanted).values_list("name", "pk"))
    missing = wanted - known.keys()
    if missing:
        Host.objects.bulk_create(
            [Host(name=name, next_at=now) for name in sorted(missing)], ignore_conflicts=True
        )
        known |= dict(Host.objects.filter(name__in=missing).values_list("name", "pk"))
    return known


def add_pages(pages: Sequence[NewPage], now: datetime) -> AddReport:
    """Add pages that are not known yet; known ones stay as they are.

    One transaction with the caller's. What was erased is refused: neither `ids` nor `added` names
    it.
    """
    by_key = {page.key: page for page in pages}
    known = pages_at(by_key)
    fresh = _not_erased([page for key, page in by_key.items() if key not in known])
    if not fresh:
        return AddReport(known, frozenset())
    with transaction.atomic():
        hosts = ensure_hosts((page.host for page in fresh), now)
        due = {hosts[page.host] for page in fresh if page.due_at is not None}
        Host.objects.filter(pk__in=due).wake()
        Page.objects.bulk_create(
            [_row(page, hosts[page.host], now) for page in fresh], ignore_conflicts=True
        )
        keys = [page.key for page in fresh]
        added = dict(Page.objects.filter(key__in=keys).values_list("key", "pk"))
    return AddReport(known | added, frozenset(added))


def _not_erased(pages: list[NewPage]) -> list[NewPage]:
    """Leave out what has a tombstone; feeds have none."""
    digests = {page.key: _digests(page) for page in pages if page.kind != PageKind.FEED}
    if not digests:
        return pages
    gone = buried(digest for own in digests.values() for digest in own)
    return [page for page in pages if gone.isdisjoint(digests.get(page.key, ()))]


def _digests(page: NewPage) -> set[str]:
    own = {digest_of_key(page.key)}
    return own | {digest_of_guid(page.publication_id, page.guid)} if page.guid else own


def _row(page: NewPage, host_id: int, now: datetime) -> Page:
    return Page(
        url=page.url,
        key=page.key,
        slug=page.slug[:200],
        kind=page.kind,
        host_id=host_id,
        publication_id=page.publication_id,
        parent_id=page.parent_id,
        found_at=page.found_at or now,
        due_at=page.due_at,
        due_reason=page.due_reason,
        guid=page.guid[:500],
        feed_headline=page.headline,
        feed_published_at=page.published_at,
        feed_author=page.author[:500],
        feed_description=page.description,
    )


def claim_turns(n_hosts: int, pages_per_host: int, terms: Claim) -> list[Turn]:
    """Lease up to `n_hosts` free hosts that have due pages, and some pages of each.

    At most `pages_per_host` pages of a host: the most urgent first, planned visits where there are
    no others.
    """
    won = claim_hosts(n_hosts, terms)
    if not won:
        return []
    chosen = _first_of_each(_new_pages(pages_per_host), NEW_OR_ASKED, won, terms.now)
    without = set(won) - set(chosen.values())
    if without:
        visits = _planned_visits(pages_per_host)
        chosen |= _first_of_each(visits, (VisitPurpose.PLANNED,), without, terms.now)
    pages: dict[int, list[Page]] = {host_id: [] for host_id in won}
    for page in _with_sources(claim_keys(Page, chosen, terms)):
        pages[page.host_id].append(page)
    hosts = {
        host.pk: host for host in Host.objects.select_related("proxy").filter(pk__in=won).order_by()
    }
    turns = [
        Turn(hosts[host_id], tuple(pages[host_id]), robots_of=_robots_of(hosts[host_id], pages))
        for host_id in won
    ]
    idle = [turn.host.pk for turn in turns if not turn.pages and not turn.robots_of]
    release_hosts(idle, terms.owner)
    return [turn for turn in turns if turn.pages or turn.robots_of]


def _with_sources(page_ids: Collection[int]) -> list[Page]:
    """Read pages, the most urgent first, with what a visit needs of their publications."""
    rows = Page.objects.filter(pk__in=page_ids).select_related("publication", "feed")
    pages = list(rows.order_by("due_at", "pk"))
    publications = [page.publication for page in pages]
    having = set(
        Account.objects.filter(publication__in={one.pk for one in publications})
        .order_by()
        .values_list("publication", flat=True)
    )
    prefetch_related_objects([one for one in publications if one.pk in having], "accounts")
    # A prefetch makes a queryset for each publication, and few have accounts.
    nobody = Account.objects.none()
    for publication in publications:
        if publication.pk not in having:
            vars(publication)["_prefetched_objects_cache"] = {"accounts": nobody}
    return pages


def _robots_of(host: Host, pages: dict[int, list[Page]]) -> str:
    """Give an address of a host whose robots.txt is asked for while none of its pages is due."""
    if pages[host.pk] or host.robots_asked_at is None:
        return ""
    page = Page.objects.filter(host=host).order_by("-pk").first()
    return page.url if page else f"https://{host.name}/"


def release_hosts(host_ids: Sequence[int], owner: str) -> None:
    """Give hosts back without a visit."""
    if host_ids:
        Host.objects.filter(pk__in=host_ids, lease_owner=owner).update(
            lease_owner="", lease_until=None
        )


def unfinished_pages(now: Moment) -> WorkQuerySet[Page]:
    """Pages whose time has come, without visits above their host's ceiling."""
    is_free = Q(host__visits_from=None) | Q(host__visits_from__lte=now)
    may_visit = Q(publication__visit_share__gt=0) & is_free
    return Page.objects.unfinished(now).filter(
        ~Q(purpose=VisitPurpose.PLANNED) | may_visit & ~is_late(now),
        publication__state=PublicationState.ACTIVE,
    )


@cache
def _new_pages(pages_per_host: int) -> Prepared:
    return _probes(due_pages(_NOW), NEW_OR_ASKED, pages_per_host)


@cache
def _planned_visits(pages_per_host: int) -> Prepared:
    return _probes(due_visits(_NOW), (VisitPurpose.PLANNED,), pages_per_host)


def _probes(
    due: WorkQuerySet[Page], purposes: Sequence[VisitPurpose], pages_per_host: int
) -> Prepared:
    """Prepare what gives the most urgent pages of hosts, some of each purpose.

    A probe of the index by host for each place: a window over all due pages of the hosts took
    seconds where one had hundred thousands.
    """
    probes = {
        f"{purpose.name.lower()}_{place}": Subquery(
            due.filter(host_id=OuterRef("pk"), purpose=purpose)
            .order_by("due_at", "pk")
            .values("pk")[place : place + 1]
        )
        for purpose in purposes
        for place in range(pages_per_host)
    }
    hosts = Host.objects.filter(pk__in=keys_placeholder()).order_by().annotate(**probes)
    return Prepared.of(hosts.values_list("pk", "n_requests", *probes))


def _first_of_each(
    probes: Prepared, purposes: Sequence[VisitPurpose], host_ids: Collection[int], now: datetime
) -> dict[int, int]:
    """Give the most urgent pages of each host, with their host.

    New pages come by their age; what was asked for takes every other turn, so that neither a long
    list of wishes nor a long crawl keeps the other waiting.
    """
    chosen: dict[int, int] = {}
    for host_id, n_requests, *found in probes.rows(host_ids, now=now):
        pages_per_host = len(found) // len(purposes)
        # The purposes take turns in being first; the last one begins.
        shift = pages_per_host * ((n_requests + 1) % len(purposes))
        pages = [page for page in found[shift:] + found[:shift] if page is not None]
        chosen |= dict.fromkeys(pages[:pages_per_host], host_id)
    return chosen
