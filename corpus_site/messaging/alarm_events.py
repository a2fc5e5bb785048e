"""What happens to alarms: rows of `Alarm` → events that subscriptions may be told of.

An alarm opens, closes, is still open after some days, or is told again at the end of its sleep.
Events are asked for by their moments, and what happened shortly before is asked for again: a row
may have been written by a slower clock. Whoever notes them knows each by its key.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from corpus_site.alarms.models import Alarm
from corpus_site.messaging.content import Item, absolute
from feeds.models import ArticleFlow, Feed
from presentation.wording.times import stamp

# Clocks of machines that work together differ by less, and no transaction takes so long.
OVERLAP = timedelta(minutes=10)
OPENED, CLOSED, STILL = "opened", "closed", "still"


@dataclass(frozen=True, slots=True)
class AlarmEvent:
    """One event; `days` is after how many days an alarm is still open, 0 for other events."""

    alarm: Alarm
    what: str
    at: datetime
    days: int = 0

    @property
    def key(self) -> str:
        ending = f":{self.days}" if self.days else ""
        ending = ending or (f":{self.at:%Y%m%dT%H%M}" if self.what == STILL else "")
        return f"alarm:{self.alarm.pk}:{self.what}{ending}"

    @property
    def item(self) -> Item:
        alarm = self.alarm
        label = {OPENED: alarm.label, CLOSED: "● Closed", STILL: "▲ Still open"}[self.what]
        since = f" Since {stamp(alarm.opened_at)}." if self.what == STILL else ""
        return Item(
            subject=alarm.subject,
            sentence=alarm.sentence + since,
            address=absolute(alarm.address),
            label=label,
            at=self.at.isoformat(),
            host=alarm.host,
            since=alarm.since.isoformat() if alarm.since else "",
            articles_a_day=round(alarm.articles_a_day, 1),
        )


def events(since: datetime, now: datetime, days: Collection[int]) -> Iterator[AlarmEvent]:
    """Find what happened between two moments; `days` are after how many one is to be reminded.

    Costs index ranges of the open alarms and of those closed lately, however long the history is.
    """
    since -= OVERLAP
    is_recent = Q(closed_at=None, opened_at__gt=since) | Q(closed_at__gt=since)
    for alarm in Alarm.objects.filter(is_recent).order_by("pk"):
        if alarm.opened_at > since:
            yield AlarmEvent(alarm, OPENED, alarm.opened_at)
        if alarm.closed_at is not None and not _sleeps(alarm, now):
            yield AlarmEvent(alarm, CLOSED, alarm.closed_at)
    for n in sorted(days):
        yield from _still_open(n, since, now)
    woken = Alarm.objects.filter(closed_at=None, snoozed_until__gt=since, snoozed_until__lte=now)
    for alarm in woken:
        yield AlarmEvent(alarm, STILL, alarm.snoozed_until or now)


def _still_open(days: int, since: datetime, now: datetime) -> Iterator[AlarmEvent]:
    after = timedelta(days=days)
    old = Alarm.objects.filter(
        closed_at=None, opened_at__gt=since - after, opened_at__lte=now - after
    )
    for alarm in old:
        if not _sleeps(alarm, now):
            yield AlarmEvent(alarm, STILL, alarm.opened_at + after, days)


def _sleeps(alarm: Alarm, now: datetime) -> bool:
    return alarm.snoozed_until is not None and alarm.snoozed_until > now


def publications_of(alarms: Collection[Alarm]) -> dict[int, set[int]]:
    """Find the publications that alarms are about.

    An alarm of the machine is about none, one of a host about all that publish there, in two
    queries for all of them.
    """
    found = {alarm.pk: {alarm.publication_id} for alarm in alarms if alarm.publication_id}
    by_host: dict[str, list[int]] = {}
    for alarm in alarms:
        if alarm.publication_id is None and alarm.host:
            by_host.setdefault(alarm.host, []).append(alarm.pk)
    if not by_host:
        return found
    feeds = Feed.objects.filter(page__host__name__in=by_host).order_by()
    flows = ArticleFlow.objects.filter(host__name__in=by_host).order_by()
    pairs = {
        *feeds.values_list("page__host__name", "publication_id").distinct(),
        *flows.values_list("host__name", "publication_id"),
    }
    for name, publication_id in pairs:
        for pk in by_host[name]:
            found.setdefault(pk, set()).add(publication_id)
    return found
