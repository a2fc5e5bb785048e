"""Keeps alarms: opens what is found first, brings open ones up to date, closes what is gone.

Needs of this moment → rows of `Alarm`. The sweep calls `keep` every minute; people put alarms to
sleep until a day, take them on and write notes.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from corpus_site.alarms.models import Alarm, AlarmNote
from corpus_site.alarms.needs import Need, all_needs
from corpus_site.stage_counts import stage_counts
from feeds.leases import Claim, release_lock, take_lock
from feeds.models import Feed, Lock
from feeds.status import judged_feeds, worker_rows, worst_first

LOCK = "alarms"
# Counting what the stages have to do reads all their indexes: not with every sweep.
KEEP_EVERY = timedelta(minutes=1)
# Whoever may not be told for longer has forgotten it.
LONGEST_SNOOZE = timedelta(days=90)
NOTE_CHARS = 2000  # a page of what was done; more belongs elsewhere
_SAID = ("kind", "tone", "label", "subject", "sentence", "address", "action")


def present_needs(now: datetime) -> list[Need]:
    """Find all that needs a person now, worst first."""
    feeds = worst_first(judged_feeds(Feed.objects.all(), now))
    return all_needs(feeds, stage_counts(now), worker_rows(now))


def keep_if_due(owner: str, now: datetime) -> bool:
    """Keep the alarms, but once a minute in all processes together."""
    last = Lock.objects.filter(name=LOCK).values_list("last_run_at", flat=True).first()
    if last is not None and now - last < KEEP_EVERY:
        return False
    if not take_lock(LOCK, Claim(owner, now, KEEP_EVERY)):
        return False
    keep(present_needs(now), now)
    release_lock(LOCK, owner, now)
    return True


@transaction.atomic
def keep(needs: Iterable[Need], now: datetime) -> None:
    """Let the open alarms be these needs."""
    wanted = {need.key: need for need in needs}
    known = {alarm.key: alarm for alarm in Alarm.objects.filter(closed_at=None)}
    for key, need in wanted.items():
        alarm = known.pop(key, None) or Alarm(key=key, opened_at=now)
        for name in _SAID:
            # PostgreSQL refuses what is longer than its column; names of papers may be long.
            limit = Alarm._meta.get_field(name).max_length  # type: ignore[union-attr] # a column
            setattr(alarm, name, getattr(need, name)[:limit])
        alarm.seen_at = now
        alarm.save()
    gone = [alarm.pk for alarm in known.values()]
    Alarm.objects.filter(pk__in=gone).update(closed_at=now)


def alarms_in(state: str, now: datetime) -> QuerySet[Alarm]:
    """Alarms that are open, put to sleep, or closed; the newest first."""
    rows = Alarm.objects.select_related("taken_by")
    if state == "closed":
        return rows.filter(closed_at__isnull=False).order_by("-closed_at", "-pk")
    is_asleep = Q(snoozed_until__gt=now)
    rows = rows.filter(closed_at=None)
    return rows.filter(is_asleep) if state == "snoozed" else rows.exclude(is_asleep)


def awake(needs: Iterable[Need], now: datetime) -> list[Need]:
    """Leave out what somebody has put to sleep."""
    asleep = set(alarms_in("snoozed", now).values_list("key", flat=True))
    return [need for need in needs if need.key not in asleep]


def last_closed(now: datetime) -> Alarm | None:
    return alarms_in("closed", now).first()


def snooze(alarm: Alarm, until: datetime | None) -> None:
    """Tell nobody of an alarm until then; None tells of it again."""
    Alarm.objects.filter(pk=alarm.pk).update(snoozed_until=until)


def take(alarm: Alarm, user: Any) -> None:
    """Say who looks after an alarm; None: nobody does."""
    Alarm.objects.filter(pk=alarm.pk).update(taken_by=user)


def add_note(alarm: Alarm, text: str, user: Any, now: datetime) -> AlarmNote:
    return AlarmNote.objects.create(
        alarm=alarm, text=text[:NOTE_CHARS], written_by=user, written_at=now
    )
