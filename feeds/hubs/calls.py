"""What hubs say when they call: that they agree or refuse, and that a feed has news.

Anybody may call. Who does not know the key of a subscription costs one look into an index, and who
does not know its secret can do nothing.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from feeds.crawler.documents.plain_text import plain_text
from feeds.crawler.fetching.hub_requests import granted_lease, is_signed
from feeds.crawler.timing.revisit import DEFAULT_INTERVAL_SECONDS
from feeds.hubs.subscriptions import wait_after
from feeds.models import (
    IS_HELD,
    Feed,
    Host,
    HubAsked,
    HubSubscription,
    Page,
    PublicationState,
)
from feeds.secrets_at_rest import SealBrokenError, unseal

# A lease is renewed so long before its end, or in its last quarter: four tries, at doubling waits.
RENEWED_BEFORE = timedelta(days=1)
_RENEWED_SHARE = 4
# News more often than this is one visit: a live blog's hub may post at each paragraph.
LEAST_APART = timedelta(seconds=60)
NEWS = "its hub told of news"
_ENDED = "its hub tells no more"
_MOST_REASON = 150  # characters of a hub's reason, within the column


def agree(key: str, parameters: Mapping[str, str], now: datetime) -> str | None:
    """Hear what a hub says of a subscription (sections 5.2 and 5.3).

    Parameters
    ----------
    key
        Last part of the address that was called.
    parameters
        Of the query: mode, topic, challenge, lease.

    Returns
    -------
    str or None
        What to answer: the challenge, where the hub was asked for just this; None where not.
    """
    row = HubSubscription.objects.filter(key=key).select_related("feed").first()
    if row is None or parameters.get("hub.topic") != row.topic:
        return None
    mode, challenge = parameters.get("hub.mode", ""), parameters.get("hub.challenge", "")
    same = HubSubscription.objects.filter(pk=row.pk, asked=row.asked)
    if mode == "denied" and row.asked == HubAsked.SUBSCRIBE:
        _take_refusal(row, parameters.get("hub.reason", ""), now)
        return ""
    if not challenge or not mode or mode != row.asked:
        return None
    if mode == HubAsked.UNSUBSCRIBE:
        # The stage lets the row rest, or go.
        return challenge if same.reschedule(now, asked=HubAsked.NOTHING, ends_at=None) else None
    lease = granted_lease(parameters)
    renewed_at = now + lease - min(RENEWED_BEFORE, lease / _RENEWED_SHARE)
    is_taken = same.reschedule(renewed_at, ends_at=now + lease, tries=0, problem="")
    return challenge if is_taken else None


def _take_refusal(row: HubSubscription, reason: str, now: datetime) -> None:
    words = plain_text(reason, _MOST_REASON)
    problem = f"The hub refused: {words}" if words else "The hub refused."
    with transaction.atomic():
        HubSubscription.objects.filter(pk=row.pk).reschedule(
            now + wait_after(row.tries), ends_at=None, problem=problem
        )
        feed = row.feed
        if feed is not None and row.tells(now):
            usual = timedelta(seconds=feed.interval_seconds or DEFAULT_INTERVAL_SECONDS)
            _visit_by(feed, now + usual, _ENDED)


def told(key: str, signature: str, body: Iterable[bytes], now: datetime) -> bool:
    """Hear that a feed has news: it becomes due, if who says so knows the secret.

    Parameters
    ----------
    body
        Pieces of what was posted; they are read only where a subscription holds.

    Returns
    -------
    bool
        False where there is no such subscription: the hub should forget it (410).
    """
    rows = HubSubscription.objects.filter(key=key).select_related("feed__publication")
    row = rows.first()
    if row is None:
        return False
    secret = _secret(row) if row.tells(now) else None
    if secret and is_signed(signature, secret, body):
        with transaction.atomic():
            HubSubscription.objects.filter(pk=row.pk).update(told_at=now, n_told=F("n_told") + 1)
            if row.feed is not None:
                _visit_soon(row.feed, now)
    return True


def _secret(row: HubSubscription) -> str | None:
    """Open the secret; where its key is gone nothing can be believed."""
    try:
        return unseal(row.sealed)
    except SealBrokenError:
        return None


def _visit_soon(feed: Feed, now: datetime) -> None:
    """Make a feed due, unless it rests or goes by an editor's plan; its host's turn decides."""
    is_running = feed.is_active and feed.publication.state == PublicationState.ACTIVE
    if is_running and feed.schedule is None:
        at = max(now, feed.polled_at + LEAST_APART) if feed.polled_at else now
        _visit_by(feed, at, NEWS)


def _visit_by(feed: Feed, at: datetime, reason: str) -> None:
    """Visit a feed at a moment, if no visit is planned before; one under way may be too old."""
    is_later = Q(due_at__gt=at) | Q(due_at__isnull=False) & IS_HELD
    pages = Page.objects.filter(is_later, pk=feed.page_id)
    if pages.reschedule(at, due_reason=reason):
        Host.objects.filter(pages=feed.page_id).wake()
