"""Many publications with their feeds at once, in few statements: for files of sources.

Nothing is fetched here. What is written is what a checked file says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from feeds.crawler.addressing.canonical import canonicalize
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, Publication, PublicationState
from feeds.sources.publications import (
    MAX_NAME_LENGTH,
    RESERVED_SLUGS,
    NewFeed,
    feed_page,
    feed_row,
    take_over,
    unused_slug,
)

# Below the variables that SQLite takes in a statement.
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class FeedOfSource:
    """A feed for a publication; `settings` are columns of `Feed`."""

    publication: Publication
    url: str
    title: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewSource:
    """A publication to be made; `settings` are columns of `Publication`."""

    name: str
    home_url: str
    slug: str = ""
    state: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


def create_publications(sources: Sequence[NewSource], now: datetime) -> list[Publication]:
    """Make publications in their order; a slug that is taken gives way to another one."""
    slugs = set(Publication.objects.values_list("slug", flat=True))
    rows = [_row(source, slugs, now) for source in sources]
    return Publication.objects.bulk_create(rows, batch_size=_ROWS_AT_ONCE)


def _row(source: NewSource, slugs: set[str], now: datetime) -> Publication:
    is_free = source.slug and source.slug not in slugs | RESERVED_SLUGS
    slug = source.slug if is_free else unused_slug(source.slug or source.name, slugs)
    slugs.add(slug)
    state = source.state or PublicationState.DRAFT
    return Publication(
        name=source.name[:MAX_NAME_LENGTH],
        slug=slug,
        home_url=source.home_url,
        state=state,
        created_at=now,
        started_at=now if state == PublicationState.ACTIVE else None,
        paused_at=now if state == PublicationState.PAUSED else None,
        **source.settings,
    )


def add_new_feeds(feeds: Sequence[FeedOfSource], now: datetime) -> int:
    """Add feeds that no publication has yet; returns how many the frontier took.

    Those of running publications are due at once. An address that was erased is refused.
    """
    n_added = 0
    for start in range(0, len(feeds), _ROWS_AT_ONCE):
        n_added += _add_some(feeds[start : start + _ROWS_AT_ONCE], now)
    return n_added


def _add_some(feeds: Sequence[FeedOfSource], now: datetime) -> int:
    pages = [_page(feed, now) for feed in feeds]
    report = add_pages(pages, now)
    rows = []
    for feed, page in zip(feeds, pages, strict=True):
        if page.key not in report.ids:
            continue
        page_id = report.ids[page.key]
        if page.key not in report.added:
            take_over([page_id], page.publication_id, page.due_at)
        rows.append(_feed_row(feed, page_id, now))
    Feed.objects.bulk_create(rows)
    return len(rows)


def _page(feed: FeedOfSource, now: datetime) -> NewPage:
    is_running = feed.publication.state == PublicationState.ACTIVE
    is_due = is_running and feed.settings.get("is_active", True)
    return feed_page(canonicalize(feed.url), feed.publication.pk, now if is_due else None)


def _feed_row(feed: FeedOfSource, page_id: int, now: datetime) -> Feed:
    row = feed_row(NewFeed(feed.url, feed.title), page_id, feed.publication.pk, now)
    for name, value in feed.settings.items():
        setattr(row, name, value)
    return row


def change_publication(publication: Publication, values: Mapping[str, object]) -> None:
    """Write settings of a publication that is there."""
    Publication.objects.filter(pk=publication.pk).update(**values)
