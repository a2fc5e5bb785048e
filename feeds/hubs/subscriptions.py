"""Which hubs are to tell of which feeds: what polls find, and which feeds want it.

A poll notes the hub that a feed names. The stage (`asking`) asks it to call us, it calls back
(`calls`) to see that we meant it, and from then on it posts when the feed has news. What it posts
is not read but for its signature: the feed becomes due, and is fetched from its own address by the
rules of every visit. So a hub can put nothing into the corpus. Until it has agreed, and where no
hub can reach `SITE_URL`, feeds are polled as ever.

Reference: WebSub (W3C Recommendation, 23 January 2018).
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q

from feeds.crawler.documents.feed_document import Hub
from feeds.crawler.fetching.ip_addresses import host_refusal
from feeds.models import IS_HELD, Feed, HubAsked, HubSubscription, PublicationState, WorkQuerySet
from feeds.secrets_at_rest import seal

# A hub that refuses, is silent or does not call back is asked again, then ever less often. Hubs
# call back within minutes; one that was away for a day is found again within the next.
FIRST_WAIT, LONGEST_WAIT = timedelta(hours=1), timedelta(days=7)
_MOST_DOUBLINGS = 8  # by then the wait is the longest
_MOST_ADDRESS = 2048  # what the columns hold
_KEY_BYTES = 32  # 43 characters of base64; as secrets, below the 200 bytes of section 5.1


def can_be_called() -> bool:
    """Whether `SITE_URL` is an address at which a hub on the internet may call."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return host_refusal(host) is None and ("." in host or ":" in host)


def wait_after(tries: int) -> timedelta:
    """Give the wait after so many questions in a row that were in vain.

    Examples
    --------
    >>> [wait_after(tries).total_seconds() / 3600 for tries in (1, 2, 3, 30)]
    [1.0, 2.0, 4.0, 168.0]
    """
    doubled: int = 2 ** min(max(tries - 1, 0), _MOST_DOUBLINGS)
    return min(FIRST_WAIT * doubled, LONGEST_WAIT)


def new_secret() -> str:
    """Make a secret for a hub to sign with, sealed."""
    return seal(secrets.token_urlsafe(_KEY_BYTES))


def of_feed(feed: Feed) -> HubSubscription | None:
    """Give the hub that a feed names."""
    return getattr(feed, "hub", None)


@dataclass(frozen=True, slots=True)
class ShownHub:
    """A feed's hub as its page says of it."""

    row: HubSubscription
    name: str
    told: bool
    trusted: bool
    reachable: bool


def shown(feed: Feed, now: datetime) -> ShownHub | None:
    """Say what is to be shown of a feed's hub; None where it names none."""
    row = of_feed(feed)
    if row is None:
        return None
    name = urlsplit(row.url).netloc
    return ShownHub(row, name, row.tells(now), row.is_trusted(now), can_be_called())


def has_changed(known: HubSubscription | None, named: Hub | None) -> bool:
    """Whether a feed names another hub than is known, or another name of its own there."""
    is_named = named is not None and _can_be_kept(named)
    if known is None or named is None or not is_named:
        return (known is not None) or is_named
    return (known.url, known.topic) != (named.url, named.topic)


def _can_be_kept(hub: Hub) -> bool:
    return max(len(hub.url), len(hub.topic)) <= _MOST_ADDRESS


def note(named: Mapping[int, Hub | None], now: datetime) -> None:
    """Keep the hubs that feeds name from now on, or that they name none any more.

    Call it for feeds whose hub has changed, inside the transaction that records their polls. A hub
    that was named before is asked to tell no more.

    Parameters
    ----------
    named
        By key of the feed.
    """
    if not named:
        return
    HubSubscription.objects.filter(feed__in=named).reschedule(now, feed=None, tries=0)
    HubSubscription.objects.bulk_create(
        HubSubscription(
            feed_id=feed_id,
            url=hub.url,
            topic=hub.topic,
            key=secrets.token_urlsafe(_KEY_BYTES),
            sealed=new_secret(),
            created_at=now,
            due_at=now if can_be_called() else None,
        )
        for feed_id, hub in named.items()
        if hub is not None and _can_be_kept(hub)
    )


def note_untold(feed_ids: Collection[int], now: datetime) -> None:
    """Keep that visits found what these feeds' hubs had not told of: nobody relies on them then."""
    if feed_ids:
        HubSubscription.objects.filter(feed__in=feed_ids).update(untold_at=now)


def wanted(rows: WorkQuerySet[HubSubscription]) -> WorkQuerySet[HubSubscription]:
    """Leave out feeds that rest, or that go by an editor's plan: they need not be told of."""
    if not can_be_called():
        return rows.none()
    return rows.filter(
        feed__is_active=True,
        feed__schedule__isnull=True,
        feed__publication__state=PublicationState.ACTIVE,
    )


def pending(limit: int, now: datetime) -> int:
    """Make rows due whose feed began or ceased to want news; returns how many.

    One row a feed that names a hub: some thousands at most.
    """
    is_later = Q(due_at=None) | Q(due_at__gt=now)
    rows = HubSubscription.objects.filter(
        is_later, ~IS_HELD, attempts=0, quarantined_at=None
    ).order_by("pk")
    begun = wanted(rows).exclude(asked=HubAsked.SUBSCRIBE)
    resting = rows.exclude(pk__in=wanted(HubSubscription.objects.all()).values("pk"))
    is_open = Q(asked=HubAsked.SUBSCRIBE) | Q(asked=HubAsked.NOTHING, feed=None)
    ids = [
        *begun.values_list("pk", flat=True)[:limit],
        *resting.filter(is_open).values_list("pk", flat=True)[:limit],
    ]
    return HubSubscription.objects.filter(pk__in=ids).reschedule(now, tries=0) if ids else 0
