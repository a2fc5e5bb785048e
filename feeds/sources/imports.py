"""Many feeds at once: a list of addresses or an OPML file → publications, one for each site.

Nothing is fetched here. A list may hold hundreds of feeds, and whether each is one is what its
first poll finds out anyway: that costs one request a feed instead of a whole investigation. Until
then a publication is called after its site; the first poll names it, and a feed that turns out to
be an HTML page says so in its status.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.documents.opml import OpmlDocument
from feeds.frontier import add_pages
from feeds.models import Feed, Publication, PublicationState
from feeds.sources.publications import NewFeed, feed_page, feed_row, site_of, take_over, unused_slug


class ImportState(StrEnum):
    """What became of one address of a list."""

    ADDED = "added"
    KNOWN = "known"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ListedFeed:
    """One feed of a list; `home_url` decides the publication where it is given."""

    url: str
    title: str = ""
    home_url: str = ""


@dataclass(frozen=True, slots=True)
class ImportedFeed:
    """An address of the list and what became of it; `publication` is its slug."""

    address: str
    state: ImportState
    sentence: str
    publication: str = ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A listed feed whose address is one, and the site that it belongs to."""

    listed: ListedFeed
    address: CanonicalUrl
    site: str
    home_url: str


def feeds_of_opml(document: OpmlDocument) -> list[ListedFeed]:
    """List the feeds of an OPML file in its order."""
    return [ListedFeed(feed.url, feed.title, feed.home_url) for feed in document.feeds]


def import_feeds(
    listed: Sequence[ListedFeed], now: datetime, *, activate: bool
) -> list[ImportedFeed]:
    """Add feeds unverified, in one transaction and a handful of statements.

    Feeds of a site that has a publication already join it; each other site gets one. With
    `activate` new publications run at once and their feeds are due, else they are drafts; a
    publication that was there keeps its state. Returns one report an address, in order.
    """
    reports: dict[int, ImportedFeed] = {}
    candidates: dict[str, tuple[int, _Candidate]] = {}
    for position, feed in enumerate(listed):
        try:
            candidate = _candidate(feed)
        except BadUrl as problem:
            reports[position] = ImportedFeed(feed.url, ImportState.REFUSED, str(problem))
            continue
        if candidate.address.key in candidates:
            sentence = "It stands in the list twice."
            reports[position] = ImportedFeed(feed.url, ImportState.KNOWN, sentence)
        else:
            candidates[candidate.address.key] = (position, candidate)
    with transaction.atomic():
        reports |= _known(candidates)
        fresh = {key: item for key, item in candidates.items() if item[0] not in reports}
        reports |= _add(fresh, now, activate=activate)
    return [reports[position] for position in sorted(reports)]


def _candidate(feed: ListedFeed) -> _Candidate:
    address = canonicalize(feed.url)
    scheme = address.url.partition("://")[0]
    home = f"{scheme}://{address.host}/"
    site = site_of(address.host)
    if feed.home_url:
        try:
            own_home = canonicalize(feed.home_url)
        except BadUrl:
            return _Candidate(feed, address, site, home)
        return _Candidate(feed, address, site_of(own_home.host), own_home.url)
    return _Candidate(feed, address, site, home)


def _known(candidates: dict[str, tuple[int, _Candidate]]) -> dict[int, ImportedFeed]:
    rows = Feed.objects.filter(page__key__in=list(candidates)).select_related("publication", "page")
    found = {}
    for feed in rows:
        position, candidate = candidates[feed.page.key]
        found[position] = ImportedFeed(
            candidate.listed.url,
            ImportState.KNOWN,
            f"Already a feed of “{feed.publication.name}”.",
            feed.publication.slug,
        )
    return found


def _add(
    fresh: dict[str, tuple[int, _Candidate]], now: datetime, *, activate: bool
) -> dict[int, ImportedFeed]:
    if not fresh:
        return {}
    publications = _publications([item for _, item in fresh.values()], now, activate=activate)
    pages = []
    for _, candidate in fresh.values():
        owner = publications[candidate.site]
        due_at = now if owner.state == PublicationState.ACTIVE else None
        pages.append(feed_page(candidate.address, owner.pk, due_at))
    report = add_pages(pages, now)
    ids = report.ids
    for page in pages:
        if page.key not in report.added:
            take_over([ids[page.key]], page.publication_id, page.due_at)
    rows, reports = [], {}
    for key, (position, candidate) in fresh.items():
        owner = publications[candidate.site]
        feed = NewFeed(candidate.address.url, candidate.listed.title)
        rows.append(feed_row(feed, ids[key], owner.pk, now))
        is_running = owner.state == PublicationState.ACTIVE
        what = "its first visit is due" if is_running else f"which is {owner.get_state_display()}"
        sentence = f"Feed of “{owner.name}”, {what.lower()}."
        reports[position] = ImportedFeed(
            candidate.listed.url, ImportState.ADDED, sentence, owner.slug
        )
    Feed.objects.bulk_create(rows)
    return reports


def _publications(
    candidates: Sequence[_Candidate], now: datetime, *, activate: bool
) -> dict[str, Publication]:
    """Publications by site: those that are there, and new ones for the others."""
    known: dict[str, Publication] = {}
    slugs: set[str] = set()
    for publication in Publication.objects.only("pk", "name", "slug", "home_url", "state"):
        slugs.add(publication.slug)
        with suppress(BadUrl):  # somebody may have edited it into none
            known.setdefault(site_of(canonicalize(publication.home_url).host), publication)
    state = PublicationState.ACTIVE if activate else PublicationState.DRAFT
    missing: dict[str, Publication] = {}
    for candidate in candidates:
        if candidate.site not in known and candidate.site not in missing:
            missing[candidate.site] = Publication(
                name=candidate.site,
                slug=unused_slug(candidate.site, slugs),
                home_url=candidate.home_url,
                state=state,
                created_at=now,
                started_at=now if activate else None,
            )
    Publication.objects.bulk_create(missing.values())
    return known | missing
