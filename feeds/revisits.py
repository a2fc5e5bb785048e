"""Visits to pages that are known: who wants one asks here, who has read one tells it here."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Q

from feeds.crawler.addressing.spellings import keys_of
from feeds.models import (
    Fetch,
    Page,
    PageKind,
    PublicationState,
    VisitFound,
    VisitPurpose,
    WorkQuerySet,
)
from feeds.other_addresses import pages_at
from feeds.planning import findings
from feeds.planning.findings import Finding, found_by_publication, published_at
from feeds.planning.lateness import skip_late
from feeds.planning.next_visits import plan_anew, planned_visit
from feeds.planning.recovery import try_hosts
from feeds.sources.feed_changes import follow_moved
from presentation.wording.times import clock

T = TypeVar("T", int, str)

# A daily look at what is open to readers.
DAILY = timedelta(days=1)
# What can be fetched again: texts and the threads below them; feeds have their own button.
_FETCHED_AGAIN = (PageKind.ARTICLE, PageKind.COMMENTS, PageKind.POST)
_PAGES_A_STATEMENT = 500  # fewer than any database's limit of parameters
_MAX_REASON = 200  # what the column holds
# A page's date that differs by less says nothing about its age.
_DATES_APART = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class KnownAddress:
    """An address as it was given, and its page if it is known."""

    address: str
    page: Page | None


# --- What visits found ----------------------------------------------------------------------------


def record_findings(
    is_changed: Mapping[int, bool], now: datetime, refused: Collection[int] = ()
) -> None:
    """Tell of pages whose new document was read whether its normalised text has changed.

    Once a document, in the transaction that stores what was read, for all pages of a batch at once:
    rows are locked in one order then. `refused` names those that did not show their text. What the
    fetch stage sees by itself (not modified, the same bytes) it records itself.
    """
    pages = Page.objects.filter(pk__in=is_changed).order_by("pk")
    rows = list(pages.only("publication", "feed_published_at", "found_at", "visited_at"))
    findings.add(Finding(page, page.visited_at or now, is_changed[page.pk]) for page in rows)
    same = [pk for pk, changed in is_changed.items() if not changed]
    for verdict, chosen in (
        (VisitFound.CHANGED, [pk for pk, changed in is_changed.items() if changed]),
        (VisitFound.SAME_TEXT, [pk for pk in same if pk not in refused]),
        (VisitFound.REFUSED, [pk for pk in same if pk in refused]),
    ):
        newest = Page.objects.filter(pk__in=chosen, content_fetch__isnull=False)
        Fetch.objects.filter(pk__in=newest.values("content_fetch")).update(found=verdict)


# --- Who wants a visit ----------------------------------------------------------------------------


def fetch_again(page_ids: Collection[int], now: datetime, reason: str) -> int:
    """Make pages due now because somebody asks for it; returns how many.

    They come before planned visits and above the ceiling, at their host's pace; those put aside
    come back. A page of a publication that is paused waits until that is resumed.
    """
    return sum(
        Page.objects.filter(pk__in=some, kind__in=_FETCHED_AGAIN).reschedule(
            now,
            purpose=VisitPurpose.ASKED,
            due_reason=reason[:_MAX_REASON],
            quarantined_at=None,
            attempts=0,
        )
        for some in _parts(page_ids)
    )


def look_again(page_ids: Collection[int], at: datetime, reason: str) -> int:
    """Plan a visit to pages that are known, unless one comes earlier; returns how many.

    A planned visit as any other: below the ceiling, and none where a publication wants none.
    """
    later = Q(due_at=None) | Q(due_at__gt=at, purpose=VisitPurpose.PLANNED)
    return sum(
        _that_change(some)
        .filter(later)
        .reschedule(at, purpose=VisitPurpose.PLANNED, due_reason=reason[:_MAX_REASON])
        for some in _parts(page_ids)
    )


def keep_looking(page_ids: Collection[int], until: datetime, now: datetime, reason: str) -> int:
    """Look at pages daily until a moment, as long as readers comment on them; returns how many."""
    for some in _parts(page_ids):
        is_shorter = Q(open_until=None) | Q(open_until__lt=until)
        _that_change(some).filter(is_shorter).update(open_until=until)
    return look_again(page_ids, now + DAILY, reason)


def _that_change(page_ids: Sequence[int]) -> WorkQuerySet[Page]:
    return Page.objects.filter(
        pk__in=page_ids,
        kind=PageKind.ARTICLE,
        quarantined_at=None,
        content_fetch__isnull=False,
        publication__visit_share__gt=0,
    )


def correct_dates(dates: Mapping[int, datetime], now: datetime) -> int:
    """Plan pages by the date of their text where that is earlier than thought; returns how many.

    What a crawl finds has no date until it is read: its plan began when it was found.
    """
    rows = Page.objects.filter(pk__in=dates, purpose=VisitPurpose.PLANNED, due_at__gt=now)
    pages = [
        page
        for page in rows.select_related("publication")
        if dates[page.pk] < published_at(page) - _DATES_APART
    ]
    found = found_by_publication({page.publication_id for page in pages})
    return sum(
        plan_anew(page, planned_visit(page, found[page.publication_id], now, dates[page.pk]))
        for page in pages
    )


# --- What is known --------------------------------------------------------------------------------


def known_addresses(addresses: Sequence[str]) -> list[KnownAddress]:
    """Find the pages of addresses by their canonical keys, in the order given."""
    spelled = [keys_of(address) for address in addresses]
    at = {
        key: pk
        for some in _parts({key for keys in spelled for key in keys})
        for key, pk in pages_at(some).items()
    }
    rows = Page.objects.filter(kind__in=_FETCHED_AGAIN).select_related("publication", "host")
    known = {
        page.pk: page for some in _parts(set(at.values())) for page in rows.filter(pk__in=some)
    }
    pages = {key: known[pk] for key, pk in at.items() if pk in known}
    return [
        KnownAddress(address, next((pages[key] for key in keys if key in pages), None))
        for address, keys in zip(addresses, spelled, strict=True)
    ]


def turn_words(page: Page, now: datetime) -> str:
    """Say when a page that is due comes to its turn, and what it waits for."""
    if page.publication.state != PublicationState.ACTIVE:
        return f"it waits until {page.publication} is active again"
    host = page.host
    if host.next_at <= now:
        return "due now"
    turn = clock(host.next_at.astimezone(now.tzinfo))
    return f"due at its host’s turn at {turn}. {host.next_reason}".rstrip(". ")


def _parts(items: Collection[T]) -> Iterator[Sequence[T]]:
    rows = list(items)
    for start in range(0, len(rows), _PAGES_A_STATEMENT):
        yield rows[start : start + _PAGES_A_STATEMENT]


def pending(limit: int, now: datetime) -> int:
    """Plan late visits anew, follow moved feeds, and try hosts that were in trouble.

    Returns how many pages are due.
    """
    with transaction.atomic():
        skip_late(limit, now)
    follow_moved(now)
    return try_hosts(now)
