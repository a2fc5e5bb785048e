"""What editors change of a feed: its address, its schedule; or it goes, and its articles stay.

Each change is a row of the publication's log, with who made it and why. A visit that is under way
loses its lease: what it brings belongs to the feed as it was.
"""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from feeds.acts import MAX_REASON, Act, ActRefusedError
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.timing.revisit import DEFAULT_INTERVAL_SECONDS
from feeds.crawler.timing.schedules import Schedule
from feeds.frontier import ensure_hosts
from feeds.models import Feed, FeedChange, Page, PageKind, Publication, PublicationState
from presentation.wording.times import day

_MAX_DUE_REASON = 200  # what the column holds
# A permanent redirect is believed after a week: a slip of a site's settings lasts some days.
MOVED_FOR = timedelta(days=7)
_MOVED_AT_ONCE = 100  # feeds of a turn
# What belongs to the document that an address gave, and to a visit under way.
_FORGOTTEN: dict[str, Any] = {
    "etag": "",
    "last_modified": "",
    "content_digest": "",
    "answered_whole_at": None,
    "lease_until": None,
    "lease_owner": "",
    "attempts": 0,
    "quarantined_at": None,
    "last_error": "",
}


def time_zone(publication: Publication) -> ZoneInfo:
    """Give the clock by which a publication's feeds are visited: its own, else the site's."""
    try:
        return ZoneInfo(publication.time_zone or settings.TIME_ZONE)
    except (KeyError, ValueError):  # it was edited into none
        return ZoneInfo(settings.TIME_ZONE)


@transaction.atomic
def change_address(feed: Feed, address: str, act: Act) -> str:
    """Follow a feed at another address: what it has listed and its visits stay its own.

    Raises
    ------
    ActRefusedError
        When the address is none, or known as something else.
    """
    _hold(feed)
    try:
        new = canonicalize(address)
    except BadUrl as problem:
        raise ActRefusedError(str(problem)) from problem
    if new.url == feed.page.url:
        raise ActRefusedError("That is its address already.")
    _refuse_known(feed, new)
    Page.objects.filter(pk=feed.page_id).reschedule(
        act.at if _is_running(feed) else None,
        url=new.url,
        key=new.key,
        host_id=ensure_hosts([new.host], act.at)[new.host],
        outcome="",
        due_reason="its address was changed",
        **_FORGOTTEN,
    )
    Feed.objects.filter(pk=feed.pk).update(failures=0, state_text="", moved_to="", moved_since=None)
    _log(feed, act, f"Address of {feed}: {feed.page.url} became {new.url}")
    return f"{feed} is visited at {new.url} from now on; what it listed before stays known."


def follow_moved(now: datetime) -> int:
    """Visit feeds where permanent redirects have led for a week; returns how many.

    An address that another row has is tried again in a week: that row may go.
    """
    n_followed = 0
    moved = Feed.objects.filter(moved_since__lte=now - MOVED_FOR).order_by("moved_since")
    for feed in moved.select_related("page", "publication")[:_MOVED_AT_ONCE]:
        since = day(feed.moved_since) if feed.moved_since else ""
        reason = f"Permanent redirects have led there since {since}."
        try:
            change_address(feed, feed.moved_to, Act(None, now, reason))
        except ActRefusedError:
            Feed.objects.filter(pk=feed.pk).update(moved_since=now)
        else:
            n_followed += 1
    return n_followed


@transaction.atomic
def delete_feed(feed: Feed, act: Act) -> str:
    """Follow a feed no more; the articles that it listed stay, and their visits too.

    Raises
    ------
    ActRefusedError
        When it is gone.
    """
    _hold(feed)
    n_others = Feed.objects.filter(publication=feed.publication_id).exclude(pk=feed.pk).count()
    _log(feed, act, f"Deleted: {feed}, {feed.page.url}")
    Page.objects.filter(pk=feed.page_id).reschedule(None, due_reason="", **_FORGOTTEN)
    name, paper = str(feed), feed.publication.name
    Feed.objects.filter(pk=feed.pk).delete()
    last = "" if n_others else f" It was the last feed of {paper}: nothing new comes any more."
    return f"The feed {name} is deleted; its articles stay.{last}"


@transaction.atomic
def set_schedule(feed: Feed, schedule: Schedule | None, act: Act) -> str:
    """Visit a feed by an editor's schedule; None: by the learnt plan again.

    Raises
    ------
    ActRefusedError
        When that is what holds already.
    """
    _hold(feed)
    stored = schedule.to_json() if schedule else None
    if stored == (feed.schedule or None):
        raise ActRefusedError("That is its plan already.")
    zone = time_zone(feed.publication)
    if schedule:
        at, words = schedule.next_after(act.at, zone), f"by hand: {schedule} ({zone})"
    else:
        at, words = _learnt_visit(feed, act.at), "the learnt plan again"
    Feed.objects.filter(pk=feed.pk).update(schedule=stored)
    if _is_running(feed):
        pages = Page.objects.filter(pk=feed.page_id)
        pages.reschedule(at, due_reason=words[:_MAX_DUE_REASON])
    _log(feed, act, f"Plan of {feed}: {words}")
    feed.schedule = stored
    return f"{feed} is visited {schedule} ({zone})." if schedule else f"{feed}: {words}."


def _learnt_visit(feed: Feed, now: datetime) -> datetime:
    interval = timedelta(seconds=feed.interval_seconds or DEFAULT_INTERVAL_SECONDS)
    return max(now, feed.polled_at + interval) if feed.polled_at else now


def _is_running(feed: Feed) -> bool:
    return feed.is_active and feed.publication.state == PublicationState.ACTIVE


def _refuse_known(feed: Feed, new: CanonicalUrl) -> None:
    """Refuse an address that another row of the frontier has: it is that row's identity."""
    other = (
        Page.objects.exclude(pk=feed.page_id)
        .filter(key=new.key)
        .select_related("publication", "feed")
        .first()
    )
    if other is None:
        return
    owner = other.publication.name
    if hasattr(other, "feed"):
        raise ActRefusedError(f"{new.url} already is the address of a feed of “{owner}”.")
    what = "a former feed" if other.kind == PageKind.FEED else other.get_kind_display().lower()
    raise ActRefusedError(
        f"{new.url} is known as {what} of “{owner}”: add it as a feed of its own instead."
    )


def _hold(feed: Feed) -> None:
    """Keep a feed from being changed beside this; somebody may just have deleted it."""
    if not Feed.objects.select_for_update().filter(pk=feed.pk).exists():
        raise ActRefusedError("It was deleted just now.")


def _log(feed: Feed, act: Act, sentence: str) -> None:
    FeedChange.objects.create(
        publication_id=feed.publication_id,
        feed=feed,
        at=act.at,
        sentence=sentence,
        reason=act.reason[:MAX_REASON],
        made_by_id=act.made_by,
    )
