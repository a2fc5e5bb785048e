"""Makes messages of notices: one a subscription and while, never two of the same.

The `pending` of the message stage. What is to be told is noted first (`noticing`); then each
subscription whose moment has come, whose channel is not quiet, and which has no message on its way
gets one. So while a mail server is down for a day there is one message that waits, and all that
happened since is the next.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from corpus_site.messaging.composing import alarms_content, hits_content, report_content
from corpus_site.messaging.content import Content
from corpus_site.messaging.models import Channel, Habits, Message, Notice, Pace, Subscription, Topic
from corpus_site.messaging.noticing import note_alarms, note_hits, open_subscriptions
from corpus_site.messaging.timetable import DAY, GAPS, SETTLE, WEEK, Hours, next_gap
from feeds.models import Lock
from feeds.work.batches import DISASTERS, each
from feeds.work.leases import Claim, release_lock, take_lock
from feeds.work.machine import name_of_start

logger = logging.getLogger(__name__)

LOCK = "messages"
_LOCK_LEASE = timedelta(minutes=1)
# After a longer standstill older events are history, and stand on the alarms' page.
LONGEST_LOOK_BACK = timedelta(days=7)
KEPT = timedelta(days=30)  # messages with their deliveries, and the feeds' entries
NOTICES_KEPT = timedelta(days=90)
_PUT_OFF = timedelta(hours=1)
_NOTICES_A_MESSAGE = 2_000
_FORGOTTEN_AT_ONCE = 500


def pending(limit: int, now: datetime) -> int:
    """Note what happened, make the messages whose time has come; returns how many.

    What breaks here keeps no other stage's stragglers from being found.
    """
    if not open_subscriptions().exists():
        return 0
    try:
        return _pending(limit, now)
    except DISASTERS:
        raise
    except Exception:
        logger.exception("messages cannot be made, trying again in a minute")
        return 0


def _pending(limit: int, now: datetime) -> int:
    owner = name_of_start("messages")
    last = Lock.objects.filter(name=LOCK).values_list("last_run_at", flat=True).first()
    if not take_lock(LOCK, Claim(owner, now, _LOCK_LEASE)):
        return 0
    farthest = now - LONGEST_LOOK_BACK
    note_alarms(max(last or farthest, farthest), now)
    note_hits(now)
    made = make_messages(limit, now)
    _forget(now)
    release_lock(LOCK, owner, now)
    return made


def make_messages(limit: int, now: datetime) -> int:
    """Make the messages of up to `limit` subscriptions; returns how many."""
    seen = _Seen(now)
    rows = list(_whose_time_has_come(now)[:limit])

    def put_off(row: Subscription, error: Exception) -> None:
        """Let one that breaks keep nobody else, and not fill the log."""
        logger.error("no message of %s %d, in an hour again", row, row.pk, exc_info=error)
        Subscription.objects.filter(pk=row.pk).update(next_at=now + _PUT_OFF)

    return sum(each(rows, lambda row: _make(row, seen), put_off))


@dataclass(slots=True)
class _Seen:
    """What many messages of one sweep need, found once: hours of readers, reports."""

    now: datetime
    _hours: dict[int, Hours] = field(default_factory=dict)
    _reports: dict[datetime, Content] = field(default_factory=dict)

    def hours(self, user_id: int) -> Hours:
        if user_id not in self._hours:
            self._hours[user_id] = hours_of(user_id)
        return self._hours[user_id]

    def report(self, since: datetime) -> Content:
        since = since.replace(minute=0, second=0, microsecond=0)
        if since not in self._reports:
            self._reports[since] = report_content(since, self.now)
        return self._reports[since]


def hours_of(user_id: int) -> Hours:
    row = Habits.objects.filter(user_id=user_id).first()
    if row is None:
        return Hours(ZoneInfo(settings.TIME_ZONE))
    zone = ZoneInfo(row.time_zone)
    return Hours(zone, row.daily_at, row.weekday, row.quiet_from, row.quiet_until)


def _whose_time_has_come(now: datetime) -> QuerySet[Subscription]:
    on_its_way = Message.objects.filter(
        subscription=OuterRef("pk"), sent_at=None, given_up_at=None, quarantined_at=None
    )
    untold = Notice.objects.filter(subscription=OuterRef("pk"), told_at=None)
    settled = Exists(untold.filter(at__lte=now - SETTLE))
    return (
        open_subscriptions()
        .filter(next_at__lte=now)
        .filter(~Q(pace=Pace.ONCE) | settled)
        .exclude(Exists(on_its_way))
        .select_related("channel", "query")
        .order_by("next_at", "pk")
    )


@dataclass(frozen=True, slots=True)
class _Planned:
    """A message to be: its key, the notices it tells of, and what the subscription becomes."""

    key: str
    notices: tuple[Notice, ...]
    content: Content | None
    changes: dict[str, object]


def _make(row: Subscription, seen: _Seen) -> int:
    """Write a message, what it tells of and the subscription's next moment, or nothing of it."""
    is_unasked = row.topic == Topic.QUERY and (
        row.looked_at is None or (row.pace != Pace.ONCE and row.looked_at < row.next_at)
    )
    if is_unasked:
        return 0
    if row.channel.keeps_quiet and seen.hours(row.channel.owner_id).quiet_end(seen.now):
        return 0
    planned = _plan(row, seen)
    try:
        with transaction.atomic():
            return _write(row, planned, seen.now)
    except IntegrityError:
        logger.info("message %s is there already", planned.key)
        Subscription.objects.filter(pk=row.pk).update(next_at=planned.changes["next_at"])
        return 0


def _plan(row: Subscription, seen: _Seen) -> _Planned:
    now = seen.now
    notices = tuple(row.notices.filter(told_at=None)[:_NOTICES_A_MESSAGE])
    key = f"s{row.pk}-{row.next_at:%Y%m%dT%H%M%S}"
    changes: dict[str, object] = {"next_at": _next_at(row, seen)}
    if row.pace == Pace.ONCE and notices:
        key = f"s{row.pk}-n{notices[0].pk}"
        gap = next_gap(row.gap, row.last_made_at, now)
        changes = {"next_at": now + GAPS[gap], "gap": gap}
    return _Planned(key, notices, _content(row, notices, seen), changes)


def _next_at(row: Subscription, seen: _Seen) -> datetime:
    hours = seen.hours(row.channel.owner_id)
    return hours.next_week(seen.now) if row.pace == Pace.WEEKLY else hours.next_day(seen.now)


def _content(row: Subscription, notices: tuple[Notice, ...], seen: _Seen) -> Content | None:
    if row.topic == Topic.REPORT:
        period = WEEK if row.pace == Pace.WEEKLY else DAY
        since = row.last_made_at or row.next_at - period
        return seen.report(max(since, seen.now - 2 * period))
    if not notices:
        return None
    return alarms_content(notices) if row.topic == Topic.ALARMS else hits_content(row, notices)


def _write(row: Subscription, planned: _Planned, now: datetime) -> int:
    changes = planned.changes
    ids = [one.pk for one in planned.notices]
    message = None
    if planned.content is not None:
        message = put_in_queue(row.channel, planned.key, planned.content, now, row)
        changes = changes | {"last_made_at": now}
    Notice.objects.filter(pk__in=ids).update(message=message, told_at=now)
    Subscription.objects.filter(pk=row.pk).update(**changes)
    return int(message is not None)


def put_in_queue(
    channel: Channel, key: str, content: Content, now: datetime, row: Subscription | None = None
) -> Message:
    """Write a message that the stage is to hand over.

    Raises
    ------
    IntegrityError
        If there is one of this key.
    """
    return Message.objects.create(
        channel=channel, subscription=row, key=key, content=content.plain, made_at=now, due_at=now
    )


def _forget(now: datetime) -> None:
    """Delete what is old, some rows a sweep; what is still on its way stays."""
    old = Message.objects.filter(made_at__lt=now - KEPT, due_at=None)
    some = list(old.order_by("made_at").values_list("pk", flat=True)[:_FORGOTTEN_AT_ONCE])
    Message.objects.filter(pk__in=some).delete()
    past = Notice.objects.filter(at__lt=now - NOTICES_KEPT).order_by("at")
    some = list(past.values_list("pk", flat=True)[:_FORGOTTEN_AT_ONCE])
    Notice.objects.filter(pk__in=some).delete()
