"""Writes channels, subscriptions and habits as their owners ask for; sends tests."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from corpus_site.messaging import chats
from corpus_site.messaging.addresses import confirm_address, digest_of, new_key
from corpus_site.messaging.attempts import Attempt
from corpus_site.messaging.composing import trial_content
from corpus_site.messaging.delivering import try_now
from corpus_site.messaging.making import hours_of
from corpus_site.messaging.models import (
    Channel,
    ChannelKind,
    Habits,
    Message,
    Pace,
    Subscription,
    Topic,
)
from corpus_site.messaging.webhooks import new_secret
from feeds.models import Publication
from feeds.secrets_at_rest import seal, unseal
from search.opened_index import current_snapshot

MOST_CHANNELS = 20  # of one person
MOST_SUBSCRIPTIONS = 100
# A test goes to an address that nobody has agreed for: not for sending mail to strangers.
TESTS_AN_HOUR = 10


@dataclass(frozen=True, slots=True)
class NewChannel:
    """A channel, and what of it is shown this once: the secret of a webhook, else empty."""

    row: Channel
    secret: str = ""


def add_channel(wanted: Channel, address: str, now: datetime) -> NewChannel:
    """Store a channel whose owner, kind and name are set, with its address and secret.

    Mail waits until its reader agrees; the others are their owner's own.
    """
    secret = _set_secret(wanted, address)
    wanted.created_at = now
    wanted.confirmed_at = None if wanted.kind == ChannelKind.MAIL else now
    wanted.save()
    return NewChannel(wanted, secret)


def _set_secret(channel: Channel, address: str) -> str:
    """Give a channel its address and what is sealed of it; returns what is shown once."""
    channel.address = address
    if channel.kind == ChannelKind.CHAT:
        channel.address, channel.sealed = chats.shown(address), seal(address)
    elif channel.kind == ChannelKind.FEED:
        key = new_key()
        channel.address, channel.sealed, channel.key_digest = "", seal(key), digest_of(key)
    elif channel.kind == ChannelKind.WEBHOOK:
        secret = new_secret()
        channel.sealed = seal(secret)
        return secret
    return ""


def renew(channel: Channel) -> NewChannel:
    """Give a webhook another secret, or a feed another address: the old one opens nothing."""
    secret = _set_secret(channel, channel.address)
    Channel.objects.filter(pk=channel.pk).update(
        sealed=channel.sealed, key_digest=channel.key_digest
    )
    return NewChannel(channel, secret)


def key_of(channel: Channel) -> str:
    """Return the key of a feed, for its owner.

    Raises
    ------
    SealBrokenError
    """
    return unseal(channel.sealed)


def feed_channel(key: str) -> Channel | None:
    """Find the feed that a key opens; None if there is none, or its owner may not sign in."""
    rows = Channel.objects.filter(
        key_digest=digest_of(key), kind=ChannelKind.FEED, owner__is_active=True
    )
    return rows.first()


def confirm(pk: int, now: datetime) -> Channel | None:
    """Note that a mail's reader has agreed."""
    Channel.objects.filter(pk=pk, confirmed_at=None).update(confirmed_at=now)
    return Channel.objects.filter(pk=pk).first()


def leave(channel: Channel, now: datetime) -> None:
    """Send nothing more, as somebody asks who reads there: only they can agree to it again."""
    agreed = None if channel.kind == ChannelKind.MAIL else channel.confirmed_at
    Channel.objects.filter(pk=channel.pk).update(paused_at=now, confirmed_at=agreed)


def pause(channel: Channel, now: datetime | None) -> None:
    """Send nothing over a channel from now on; None sends again."""
    Channel.objects.filter(pk=channel.pk).update(paused_at=now)


def remove(channel: Channel) -> None:
    """Delete a channel with its subscriptions and what was sent over it."""
    with transaction.atomic():
        Message.objects.filter(channel=channel).delete()
        channel.delete()


def take_test(owner: Any, now: datetime) -> bool:
    """Count one more test of somebody; False if there were too many within the hour.

    It is counted with the person, for channels come and go.
    """
    defaults = {"time_zone": settings.TIME_ZONE}
    with transaction.atomic():
        Habits.objects.get_or_create(user=owner, defaults=defaults)
        row = Habits.objects.select_for_update().get(user=owner)
        hour_ago = (now - timedelta(hours=1)).timestamp()
        lately = [moment for moment in row.tests if moment > hour_ago]
        if len(lately) >= TESTS_AN_HOUR:
            return False
        Habits.objects.filter(pk=row.pk).update(tests=[*lately, now.timestamp()])
        return True


def send_test(channel: Channel, now: datetime) -> Attempt:
    """Send a test over a channel at once, and say what came of it."""
    confirm_at = confirm_address(channel) if channel.confirmed_at is None else ""
    message = Message.objects.create(
        channel=channel,
        key=f"test-{channel.pk}-{secrets.token_hex(8)}",
        content=trial_content(channel.name, confirm_at).plain,
        made_at=now,
    )
    return try_now(message, now)


def subscribe(wanted: Subscription, publications: list[Publication], now: datetime) -> Subscription:
    """Store a subscription whose channel, topic and pace are set; it tells of what is to come."""
    wanted.created_at = now
    if wanted.topic == Topic.QUERY:
        wanted.generation = current_snapshot().generation
    wanted.next_at = _first_at(wanted, now)
    with transaction.atomic():
        wanted.save()
        wanted.publications.set(publications)
    return wanted


def change(
    wanted: Subscription, before: Subscription, publications: list[Publication], now: datetime
) -> None:
    """Let a subscription be as its owner wants it now; columns of the workers stay theirs.

    What is noted and not told yet comes as is wanted now. Another subject begins anew: of the old
    one nothing more is told.
    """
    names = ("channel", "topic", "query", "pace", "tells_opened", "tells_closed", "still_days")
    changes: dict[str, object] = {name: getattr(wanted, name) for name in names}
    is_other = (wanted.topic, wanted.query_id) != (before.topic, before.query_id)
    if is_other:
        changes |= {"created_at": now, "gap": 0}
        is_query = wanted.topic == Topic.QUERY
        changes["generation"] = current_snapshot().generation if is_query else 0
    if is_other or wanted.pace != before.pace:
        changes["next_at"] = _first_at(wanted, now)
    with transaction.atomic():
        if is_other:
            wanted.notices.filter(told_at=None).update(told_at=now)
        Subscription.objects.filter(pk=wanted.pk).update(**changes)
        wanted.publications.set(publications)


def _first_at(row: Subscription, now: datetime) -> datetime:
    hours = hours_of(row.channel.owner_id)
    if row.pace == Pace.ONCE:
        return now
    return hours.next_week(now) if row.pace == Pace.WEEKLY else hours.next_day(now)


def end(pk: int, now: datetime) -> Subscription | None:
    """Stop a subscription, as the address in a message asks for."""
    Subscription.objects.filter(pk=pk, paused_at=None).update(paused_at=now)
    return Subscription.objects.filter(pk=pk).first()


def go_on(row: Subscription, now: datetime) -> None:
    """Tell again of what comes from now on; what happened meanwhile was not wanted."""
    row.notices.filter(told_at=None).update(told_at=now)
    changes: dict[str, object] = {"paused_at": None, "created_at": now}
    if row.topic == Topic.QUERY:
        changes["generation"] = current_snapshot().generation
    Subscription.objects.filter(pk=row.pk).update(**changes, next_at=_first_at(row, now))


def plan_anew(owner: Any, now: datetime) -> None:
    """Bring the next moments in line with changed habits."""
    rows = Subscription.objects.filter(channel__owner=owner).exclude(pace=Pace.ONCE)
    for row in rows.select_related("channel"):
        Subscription.objects.filter(pk=row.pk).update(next_at=_first_at(row, now))
