"""Keeps alarms: opens what is found first, brings open ones up to date, closes what is gone.

Needs of this moment → rows of `Alarm`. The sweep calls `keep` every minute; people put alarms to
sleep until a day, take them on and write notes.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from corpus_site.alarms.models import Alarm, AlarmKind, AlarmNote
from corpus_site.alarms.need import Need
from corpus_site.alarms.needs import all_needs
from feeds.models import Lock
from feeds.watching import rhythms
from feeds.work.leases import Claim, release_lock, take_lock

LOCK = "alarms"
# Much is read for it: not with every sweep.
KEEP_EVERY = timedelta(minutes=1)
# Alarms that were not looked for this long are no longer true: pages look for themselves.
STALE_AFTER = timedelta(minutes=3)
# Whoever did not look for so long does not know whether papers were silent meanwhile.
UNHEARD_AFTER = timedelta(hours=1)
# What comes back so soon after its end never ended: the same row goes on.
SAME_WITHIN = timedelta(hours=1)
# What came back this often ends only when it was not seen for as long: it flaps.
FLAPS_FROM = 3
# Whoever may not be told for longer has forgotten it.
LONGEST_SNOOZE = timedelta(days=90)
NOTE_CHARS = 2000  # a page of what was done; more belongs elsewhere
_SAID = ("kind", "tone", "label", "subject", "sentence", "address", "action", "host")
_FIGURES = ("articles_a_day", "publication_id")
# Silence of these is no fault of the paper's habit: nothing is learnt from it.
_OURS = (AlarmKind.BLOCK, AlarmKind.ROBOTS, AlarmKind.SLOWED, AlarmKind.DOWN, AlarmKind.EMPTY,
         AlarmKind.SCRIPTS, AlarmKind.UNSTORED, AlarmKind.FEED)  # fmt: skip


def present_needs(now: datetime) -> list[Need]:
    """Find all that needs a person now, the costliest first."""
    return all_needs(now)


def keep_if_due(owner: str, now: datetime) -> bool:
    """Keep the alarms, but once a minute in all processes together."""
    last = Lock.objects.filter(name=LOCK).values_list("last_run_at", flat=True).first()
    if last is not None and now - last < KEEP_EVERY:
        return False
    if not take_lock(LOCK, Claim(owner, now, KEEP_EVERY)):
        return False
    _listen(last, now)
    keep(present_needs(now), now)
    release_lock(LOCK, owner, now)
    return True


@transaction.atomic
def _listen(last: datetime | None, now: datetime) -> None:
    """Learn what papers usually bring, but not from silence that was not theirs."""
    if last is not None and now - last > UNHEARD_AFTER:
        rhythms.not_heard(now)
    ill = Alarm.objects.filter(closed_at=None, kind__in=_OURS, publication__isnull=False)
    rhythms.not_heard(now, list(ill.values_list("publication", flat=True)))
    rhythms.learn_days(now)


@transaction.atomic
def keep(needs: Iterable[Need], now: datetime) -> None:
    """Let the open alarms be these needs."""
    wanted = {need.key: need for need in needs}
    known = {alarm.key: alarm for alarm in Alarm.objects.filter(closed_at=None)}
    again = _just_closed(wanted.keys() - known.keys(), now)
    for key, need in wanted.items():
        alarm = known.pop(key, None) or again.get(key) or Alarm(key=key, opened_at=now)
        _say(alarm, need)
        if alarm.closed_at is not None:
            alarm.closed_at, alarm.n_opened = None, alarm.n_opened + 1
        alarm.seen_at = now
        alarm.save()
    gone = [alarm.pk for alarm in known.values() if _is_over(alarm, now)]
    Alarm.objects.filter(pk__in=gone).update(closed_at=now)


def _say(alarm: Alarm, need: Need) -> None:
    for name in _SAID:
        # PostgreSQL refuses what is longer than its column; names of papers may be long.
        limit = Alarm._meta.get_field(name).max_length  # type: ignore[union-attr] # a column
        setattr(alarm, name, getattr(need, name)[:limit])
    for name in _FIGURES:
        setattr(alarm, name, getattr(need, name))
    alarm.since = need.since or alarm.since or alarm.opened_at


def _just_closed(keys: Iterable[str], now: datetime) -> dict[str, Alarm]:
    """Give the alarms of these keys that closed within an hour, the last of each."""
    rows = Alarm.objects.filter(key__in=keys, closed_at__gt=now - SAME_WITHIN)
    return {alarm.key: alarm for alarm in rows.order_by("closed_at")}


def _is_over(alarm: Alarm, now: datetime) -> bool:
    return alarm.n_opened < FLAPS_FROM or now - alarm.seen_at >= SAME_WITHIN


def alarms_in(state: str, now: datetime) -> QuerySet[Alarm]:
    """Alarms that are open, put to sleep (the costliest first), or closed (the newest first)."""
    rows = Alarm.objects.select_related("taken_by")
    if state == "closed":
        return rows.filter(closed_at__isnull=False).order_by("-closed_at", "-pk")
    is_asleep = Q(snoozed_until__gt=now)
    rows = rows.filter(closed_at=None).order_by("-articles_a_day", "subject", "pk")
    return rows.filter(is_asleep) if state == "snoozed" else rows.exclude(is_asleep)


def n_awake(now: datetime) -> int:
    """Count the alarms that somebody should see, in one query of an index."""
    return alarms_in("open", now).count()


def told_needs(now: datetime) -> list[Need] | QuerySet[Alarm]:
    """Give what needs a person: as it was kept, or looked for now where nobody keeps it."""
    kept_at = Lock.objects.filter(name=LOCK).aggregate(at=Max("last_run_at"))["at"]
    if kept_at is not None and now - kept_at < STALE_AFTER:
        return alarms_in("open", now)
    return awake(present_needs(now), now)


def open_alarms(now: datetime) -> list[dict[str, Any]]:
    """Give what needs a person as scripts read it, the costliest first."""
    return [
        {
            "kind": need.kind,
            "subject": need.subject,
            "host": need.host,
            "since": timezone.localtime(need.since or now).isoformat(timespec="seconds"),
            "sentence": f"{need.subject} {need.sentence}",
            "articles_a_day": round(need.articles_a_day, 1),
        }
        for need in told_needs(now)
    ]


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
