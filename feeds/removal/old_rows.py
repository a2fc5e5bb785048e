"""Rows that may go for their age: which of them, and which stay however old they are.

A log of requests, the memory of feeds and addresses that never were pages grow for years, and
nothing reads them any more. What a text, a version or a page stands on is not deleted here: a row
that any other table refers to stays, whatever table that is. A kind whose rows go in another way,
as texts do, brings its own `take`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, ForeignObjectRel, Model, OuterRef, Q, QuerySet

from feeds.crawler.outcomes import Outcome
from feeds.models import Feed, FeedItem, Fetch, Page
from feeds.models.page import PageKind

# Rows that are looked at in one transaction: some 50 ms, for which SQLite's other writers wait.
RANGE_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Going:
    """Rows that are to go: their keys, the age in days that they have passed, and on whose word."""

    ids: tuple[int, ...]
    before: datetime
    days: int
    by: Any  # a user; None for nobody that is still known
    now: datetime


@dataclass(frozen=True, slots=True)
class Gone:
    """How many rows went, and the keys that other stages hear of, by the names of reports."""

    n: int
    next_ids: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def remove(kind: "OldRows", going: Going) -> Gone:
    """Delete those rows that still may go, with what belongs to them alone."""
    _, by_table = kind.may_go(going.before).filter(pk__in=going.ids).delete()
    return Gone(by_table.get(kind.model._meta.label, 0))


@dataclass(frozen=True, slots=True)
class OldRows:
    """One kind of rows that may go.

    Attributes
    ----------
    name
        In addresses and rows of policies.
    goes, stays
        What goes and what stays whatever its age, as clauses for people.
    least_days
        No shorter age may be asked for: pages and plans read younger rows.
    may_go
        Rows that may go if they must be older than a moment.
    take
        Lets rows of a range go, within the transaction that says how far a pass came.
    every
        Time between two passes: so late a row may go.
    button
        What is done, as the button says it before and behind the number.
    confirm
        A word that must be typed before the first pass; "" where nothing is to be typed.
    """

    name: str
    label: str
    unit: str
    goes: str
    stays: str
    least_days: int
    model: type[Model]
    may_go: Callable[[datetime], "QuerySet[Any]"]
    take: Callable[["OldRows", Going], Gone] = remove
    # All that is old goes within days of its age, and a table of ten million rows is read weekly.
    every: timedelta = timedelta(days=7)
    button: tuple[str, str] = ("Let", "go")
    confirm: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A range of a table: the last key in it, how many rows it has, and which may go."""

    last_key: int
    n_rows: int
    ids: tuple[int, ...]


def next_range(kind: OldRows, after: int, before: datetime) -> Range | None:
    """Look at the next rows behind a key; None at the end of the table."""
    rows: QuerySet[Any] = kind.model._default_manager.order_by("pk")
    keys = list(rows.filter(pk__gt=after).values_list("pk", flat=True)[:RANGE_ROWS])
    if not keys:
        return None
    chosen = kind.may_go(before).filter(pk__gte=keys[0], pk__lte=keys[-1]).order_by()
    return Range(keys[-1], len(keys), tuple(chosen.values_list("pk", flat=True)))


def referred_to(model: type[Model], but: tuple[type[Model], ...] = ()) -> Q:
    """Whether any row of any table, those of some left out, refers to a row of `model`."""
    found = Q()
    # Hidden relations too: those whose field wants no name on this side.
    for relation in model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.related_model in but:
            continue
        refers = {relation.field.name: OuterRef("pk")}
        found |= Q(Exists(relation.related_model._default_manager.filter(**refers)))
    return found


def _fetches(before: datetime) -> "QuerySet[Any]":
    later = Fetch.objects.filter(page=OuterRef("page"), pk__gt=OuterRef("pk"))
    rows = Fetch.objects.filter(started_at__lt=before, archive_file="")
    return rows.filter(Q(page=None) | Q(Exists(later))).exclude(referred_to(Fetch))


def _feed_items(before: datetime) -> "QuerySet[Any]":
    polled = Feed.objects.filter(pk=OuterRef("feed"), page__visited_at__gt=F("page__found_at"))
    return FeedItem.objects.filter(Exists(polled), last_seen_at__lt=before)


def _gone_pages(before: datetime) -> "QuerySet[Any]":
    listed = FeedItem.objects.filter(page=OuterRef("pk"), last_seen_at__gte=before)
    kept = Fetch.objects.filter(page=OuterRef("pk")).exclude(archive_file="")
    rows = Page.objects.filter(
        kind=PageKind.ARTICLE,
        outcome__in=(Outcome.NOT_FOUND, Outcome.GONE),
        visited_at__lt=before,
        due_at=None,
        lease_owner="",
        content_fetch=None,
    )
    others = referred_to(Page, but=(Fetch, FeedItem))
    return rows.exclude(others).exclude(Exists(listed)).exclude(Exists(kept))


OLD_FETCHES = OldRows(
    name="requests",
    label="Requests without a document",
    unit="request,requests",
    goes="the log of requests that brought nothing to keep: not modified, refused, failed",
    stays="the newest request for each page, and each whose document is archived",
    least_days=30,
    model=Fetch,
    may_go=_fetches,
)
OLD_FEED_ITEMS = OldRows(
    name="feed-items",
    label="Items that left their feeds",
    unit="item,items",
    goes="the memory of which feed listed an address, once the feed no longer does",
    stays="the address itself, its article, and what feeds still list",
    least_days=60,
    model=FeedItem,
    may_go=_feed_items,
)
GONE_PAGES = OldRows(
    name="gone-pages",
    label="Addresses that never were pages",
    unit="address,addresses",
    goes="addresses that were not found and never brought a document, with their requests",
    stays="addresses that a feed still lists, and each that anything refers to",
    least_days=90,
    model=Page,
    may_go=_gone_pages,
)
OLD_ROWS = (OLD_FETCHES, OLD_FEED_ITEMS, GONE_PAGES)
