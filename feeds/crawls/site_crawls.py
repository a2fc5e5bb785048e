"""Crawls that editors begin, pause, resume and stop.

What they do is done in slices by `feeds.crawls.crawl_slices`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction
from django.db.models import Q

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.crawler.addressing.seeds import Seed
from feeds.crawler.addressing.web_archive import DEFAULT_ARCHIVE
from feeds.crawler.fetching.robots import RobotsPolicy, product_token
from feeds.crawls.pool import digest_of
from feeds.models import (
    AddressRole,
    Crawl,
    CrawlAddress,
    CrawlKind,
    CrawlState,
    Host,
    Page,
    Publication,
    PublicationState,
    UrlPolicy,
    WorkQuerySet,
)
from feeds.models.crawl import OPEN_STATES, REQUESTS_PER_MINUTE
from feeds.sources.publications import find_publications, unused_slug

_ROLES = {
    CrawlKind.ADDRESSES: AddressRole.ARTICLE,
    CrawlKind.SITE: AddressRole.PAGE,
    CrawlKind.SITEMAP: AddressRole.SITEMAP,
}
# Of a crawl through an archive, which waits for what the archive says it has.
NOT_WAITING = "Only a crawl that waits for it can be begun."


class CrawlProblem(ValueError):  # noqa: N818 - named for what the form shows
    """Raised when a crawl cannot be begun or changed as asked; the form shows the sentence."""


@dataclass(frozen=True, slots=True)
class NewCrawl:
    """What an editor asks for. The days and all that follows belong to the kind ARCHIVE.

    `asks_first`: only the archive's list is fetched, until the editor has seen what it has.
    """

    publication: Publication
    kind: CrawlKind
    seeds: tuple[Seed, ...]
    policy: UrlPolicy = UrlPolicy.NEEDED
    max_depth: int = 1
    pages_per_host: int | None = None
    max_hours: int | None = None
    repeat_days: int | None = None
    include_pattern: str = ""
    exclude_pattern: str = ""
    archive_url: str = DEFAULT_ARCHIVE
    days: tuple[date, date] | None = field(default=None)
    requests_per_minute: int = REQUESTS_PER_MINUTE
    asks_first: bool = False


def begin(new: NewCrawl, owner_id: int | None, now: datetime, agent: str) -> Crawl:
    """Store a crawl with its seeds; its first slice is due at once.

    Raises
    ------
    CrawlProblem
        When a pattern is none, or a crawl through an archive has no days or several seeds.
    """
    _check(new)
    is_archive = new.kind == CrawlKind.ARCHIVE
    with transaction.atomic():
        crawl = Crawl.objects.create(
            publication=new.publication,
            kind=new.kind,
            policy=new.policy,
            seeds=[[seed.url, seed.limit, seed.restriction] for seed in new.seeds],
            max_depth=0 if new.kind == CrawlKind.ADDRESSES else new.max_depth,
            pages_per_host=new.pages_per_host,
            max_hours=new.max_hours,
            repeat_days=None if is_archive else new.repeat_days,
            include_pattern=new.include_pattern.strip(),
            exclude_pattern=new.exclude_pattern.strip(),
            archive_url=new.archive_url if is_archive else "",
            first_day=new.days[0] if new.days else None,
            next_day=new.days[1] if new.days else None,
            last_day=new.days[1] if new.days else None,
            requests_per_minute=new.requests_per_minute,
            state=CrawlState.LISTING if is_archive and new.asks_first else CrawlState.RUNNING,
            owner_id=owner_id,
            created_at=now,
            due_at=now,
        )
        if not is_archive:
            _add_seeds(crawl, new, now, agent)
    return crawl


def begin_again(crawl: Crawl, now: datetime, agent: str) -> Crawl:
    """Begin a crawl anew that is to be repeated; the new one repeats itself from then on.

    What editors said of its addresses holds for the new one too.
    """
    new = NewCrawl(
        publication=crawl.publication,
        kind=CrawlKind(crawl.kind),
        seeds=tuple(Seed(url, limit, restriction) for url, limit, restriction in crawl.seeds),
        policy=UrlPolicy(crawl.policy),
        max_depth=crawl.max_depth,
        pages_per_host=crawl.pages_per_host,
        max_hours=crawl.max_hours,
        repeat_days=crawl.repeat_days,
        include_pattern=crawl.include_pattern,
        exclude_pattern=crawl.exclude_pattern,
    )
    with transaction.atomic():
        row = begin(new, crawl.owner_id, now, agent)
        row.trap_choices = crawl.trap_choices
        row.save(update_fields=["trap_choices"])
    return row


def repeat_no_more(crawl: Crawl) -> None:
    """Let a crawl that has ended be the last one.

    Raises
    ------
    CrawlProblem
        When it is not repeated.
    """
    rows = Crawl.objects.filter(pk=crawl.pk, state=CrawlState.DONE, repeat_days__isnull=False)
    if not rows.reschedule(None, repeat_days=None):
        raise CrawlProblem("This crawl is not repeated.")


def take_back(crawl: Crawl, reason: str) -> None:
    """Take what waits for its visit out of the frontier."""
    _under_way(crawl).reschedule(None, due_reason=reason)


def publication_without_feeds(name: str, seed_url: str, now: datetime) -> Publication:
    """Make a publication for the texts of a crawl, even if another one has the same home page."""
    words = " ".join(name.split())
    return Publication.objects.create(
        name=words,
        slug=unused_slug(words, set(Publication.objects.values_list("slug", flat=True))),
        home_url=canonicalize("/", seed_url).url,
        state=PublicationState.ACTIVE,
        created_at=now,
        started_at=now,
    )


def publications_of_seeds(seeds: Sequence[Seed]) -> list[Publication]:
    """Give the publications whose home pages the hosts of seeds have."""
    return find_publications(canonicalize("/", seed.url) for seed in seeds)


def _check(new: NewCrawl) -> None:
    try:
        LinkFilter.compile([new.include_pattern], [new.exclude_pattern])
    except BadPattern as problem:
        raise CrawlProblem(str(problem)) from problem
    if new.kind != CrawlKind.ARCHIVE:
        return
    if len(new.seeds) != 1:
        raise CrawlProblem("A web archive is asked for one front page at a time.")
    if new.days is None or new.days[0] > new.days[1]:
        raise CrawlProblem("Give the first and the last day, the first one first.")


def _of(crawl: Crawl) -> Q:
    """Pages in the frontier that wait for their visit in this crawl."""
    return Q(crawled_as__crawl=crawl, crawled_as__followed_at=None)


def _under_way(crawl: Crawl) -> WorkQuerySet[Page]:
    pages = Page.objects.filter(_of(crawl), visited_at=None, due_at__isnull=False)
    return Page.objects.filter(pk__in=pages.values("pk"))


def _add_seeds(crawl: Crawl, new: NewCrawl, now: datetime, agent: str) -> None:
    rows: dict[str, CrawlAddress] = {}
    for number, seed in enumerate(new.seeds):
        urls = _sitemaps(seed, agent) if new.kind == CrawlKind.SITEMAP else (seed.url,)
        for url in urls:
            address = canonicalize(url)
            row = CrawlAddress(
                crawl=crawl,
                url=address.url,
                digest=digest_of(address.key),
                host=address.host,
                role=_ROLES[new.kind],
                seed=number,
                found_at=now,
            )
            rows.setdefault(address.key, row)
    CrawlAddress.objects.bulk_create(rows.values())


def _sitemaps(seed: Seed, agent: str) -> tuple[str, ...]:
    """Give the sitemaps of a seed: itself, or for a home page those that robots.txt names.

    Of a host that was never asked the usual one comes first; `sitemaps_of_host` adds the others.
    """
    home = canonicalize("/", seed.url)
    if canonicalize(seed.url).key != home.key:
        return (seed.url,)
    usual = canonicalize("/sitemap.xml", seed.url).url
    return sitemaps_of_host(home, agent) or (usual,)


def sitemaps_of_host(home: CanonicalUrl, agent: str) -> tuple[str, ...]:
    """Give the sitemaps that the stored robots.txt of a host names; none before its first turn."""
    host = Host.objects.filter(name=home.host).first()
    named = RobotsPolicy.of_text(host.robots_body, product_token(agent)).sitemaps if host else ()
    found = []
    for url in named:
        try:
            found.append(canonicalize(url, home.url).url)
        except BadUrl:  # one bad line must not cost the others
            continue
    return tuple(found)


def pause(crawl: Crawl) -> None:
    """Let no further address into the frontier; those that are there wait, too.

    Raises
    ------
    CrawlProblem
        When it does not run.
    """
    changed = Crawl.objects.filter(pk=crawl.pk, state=CrawlState.RUNNING).reschedule(
        None, state=CrawlState.PAUSED
    )
    if not changed:
        raise CrawlProblem("Only a crawl that runs can be paused.")
    take_back(crawl, f"crawl {crawl.pk} is paused")


def resume(crawl: Crawl, now: datetime) -> None:
    """Go on with a paused crawl, or with one that was put aside after an error.

    Raises
    ------
    CrawlProblem
        When it has ended.
    """
    row, again = Crawl.objects.filter(pk=crawl.pk), {"quarantined_at": None, "attempts": 0}
    with transaction.atomic():  # a slice must not take pages that are not due for visited ones
        n_resumed = row.filter(state=CrawlState.PAUSED).reschedule(
            now, state=CrawlState.RUNNING, **again
        )
        aside = row.filter(
            state__in=(CrawlState.RUNNING, CrawlState.LISTING), quarantined_at__isnull=False
        )
        if not n_resumed and not aside.reschedule(now, **again):
            raise CrawlProblem("Only a paused crawl can be resumed.")
        waiting = Page.objects.filter(_of(crawl), visited_at=None, due_at=None)
        Page.objects.filter(pk__in=waiting.values("pk")).reschedule(
            now, due_reason=f"crawl {crawl.pk}"
        )


def begin_listed(crawl: Crawl, limit: int, requests_per_minute: int, now: datetime) -> None:
    """Go on with a crawl whose archive has said what it has.

    Raises
    ------
    CrawlProblem
        When it does not wait for that.
    """
    url, _, restriction = crawl.seeds[0]
    changed = Crawl.objects.filter(pk=crawl.pk, state=CrawlState.LISTED).reschedule(
        now,
        state=CrawlState.RUNNING,
        seeds=[[url, limit, restriction]],
        requests_per_minute=requests_per_minute,
    )
    if not changed:
        raise CrawlProblem(NOT_WAITING)


def stop(crawl: Crawl, now: datetime) -> None:
    """End a crawl and keep what came; addresses that were not visited stay in its list.

    Raises
    ------
    CrawlProblem
        When it has ended before.
    """
    changed = Crawl.objects.filter(pk=crawl.pk, state__in=OPEN_STATES).reschedule(
        None,
        state=CrawlState.STOPPED,
        ended_at=now,
        end_reason="stopped by an editor",
        quarantined_at=None,
    )
    if not changed:
        raise CrawlProblem("This crawl has ended already.")
    take_back(crawl, f"crawl {crawl.pk} was stopped")
