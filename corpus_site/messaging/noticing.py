"""Notes what subscriptions are to be told of: alarms and saved queries → rows of `Notice`.

Called by each sweep, so it costs what has happened since the last one, never the corpus: alarms by
the moments of their events, queries on the texts that came in after the generation they were asked
at, some seconds' worth in a sweep. A notice is known by its key, so noting twice is noting once.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from corpus_site.messaging.alarm_events import (
    CLOSED,
    OPENED,
    OVERLAP,
    AlarmEvent,
    events,
    publications_of,
)
from corpus_site.messaging.content import Item, absolute
from corpus_site.messaging.models import Notice, Pace, Subscription, Topic
from feeds.work.batches import DISASTERS
from search.answers.new_texts import may_have_new_hits, new_texts
from search.answers.search_lines import SearchLine
from search.answers.searching import search
from search.asking.address import Address
from search.asking.form import form_at
from search.asking.request import SearchRequest, request_of
from search.engine.index.reader import Snapshot
from search.engine.query.errors import QueryError
from search.engine.query.filters import DocumentSet
from search.opened_index import current_snapshot, is_missing

logger = logging.getLogger(__name__)

# A query told "at once" is asked this often: the index has a new generation every few seconds.
ASK_EVERY = timedelta(minutes=5)
# Of each sweep; whoever has waited longest is asked first in the next one.
PATIENCE_SECONDS = 5.0
HITS_ASKED = 100
_INSERTED_AT_ONCE = 500


def open_subscriptions() -> QuerySet[Subscription]:
    """Return what is to be told: neither it nor its channel is paused, its owner may sign in."""
    return Subscription.objects.filter(
        paused_at=None,
        channel__paused_at=None,
        channel__confirmed_at__isnull=False,
        channel__owner__is_active=True,
    )


def note_alarms(since: datetime, now: datetime) -> int:
    """Note what happened to alarms; returns how many notices were made or tried."""
    wishes = [_Wish.of(row) for row in _with_publications(open_subscriptions())]
    if not wishes:
        return 0
    days = {wish.row.still_days for wish in wishes if wish.row.still_days}
    happened = [event for event in events(since, now, days) if event.at <= now]
    if not happened:
        return 0
    papers = publications_of({event.alarm.pk: event.alarm for event in happened}.values())
    known = set(Notice.objects.filter(at__gt=since - OVERLAP).values_list("subscription_id", "key"))
    made = [
        _alarm_notice(wish.row, event)
        for wish in wishes
        for event in happened
        if wish.wants(event, papers.get(event.alarm.pk, set()))
        and (wish.row.pk, event.key) not in known
    ]
    Notice.objects.bulk_create(made, batch_size=_INSERTED_AT_ONCE, ignore_conflicts=True)
    return len(made)


def _with_publications(rows: QuerySet[Subscription]) -> QuerySet[Subscription]:
    return rows.filter(topic=Topic.ALARMS).prefetch_related("publications")


@dataclass(frozen=True, slots=True)
class _Wish:
    """A subscription to alarms with its publications; none of them: all, and the machine's own."""

    row: Subscription
    publications: frozenset[int]

    @classmethod
    def of(cls, row: Subscription) -> "_Wish":
        return cls(row, frozenset(one.pk for one in row.publications.all()))

    def wants(self, event: AlarmEvent, publications: set[int]) -> bool:
        if event.at <= self.row.created_at:
            return False
        if self.publications and not self.publications & publications:
            return False
        if event.what == CLOSED:
            return self.row.tells_closed
        if event.what == OPENED or not event.days:
            return self.row.tells_opened
        return self.row.still_days == event.days


def _alarm_notice(row: Subscription, event: AlarmEvent) -> Notice:
    content = {"item": event.item.plain, "what": event.what, "group": event.alarm.key}
    return Notice(subscription=row, key=event.key, at=event.at, content=content)


@dataclass(slots=True)
class _NewTexts:
    """What came in after generations, found once for all queries that were asked at them."""

    snapshot: Snapshot
    known: dict[int, DocumentSet] = field(default_factory=dict)

    def since(self, generation: int) -> DocumentSet:
        if generation not in self.known:
            self.known[generation] = new_texts(self.snapshot, generation)
        return self.known[generation]


def note_hits(now: datetime, patience: float = PATIENCE_SECONDS) -> int:
    """Ask queries for their new hits and note the texts; returns how many were asked."""
    ends = monotonic() + patience
    asked = 0
    rows = _to_ask(now)
    if not rows:
        return 0
    newcomers = _NewTexts(current_snapshot())
    if is_missing(newcomers.snapshot):
        return 0  # this machine has no index; another one asks
    for row in rows:
        if asked and monotonic() > ends:
            break
        asked += 1
        _ask(row, newcomers, now)
    return asked


def _ask(row: Subscription, newcomers: _NewTexts, now: datetime) -> None:
    """Note the new hits of one query; one that breaks waits for its next turn as it was."""
    rows = Subscription.objects.filter(pk=row.pk)
    try:
        notices = _new_hits(row, newcomers, now)
    except DISASTERS:
        raise
    except Exception:
        logger.exception("saved query %s cannot be asked for new hits", row.query)
        rows.update(looked_at=now)
        return
    Notice.objects.bulk_create(notices, batch_size=_INSERTED_AT_ONCE, ignore_conflicts=True)
    # After the notices: who dies between asks again, and notes the same.
    rows.update(generation=newcomers.snapshot.generation, looked_at=now)


def _to_ask(now: datetime) -> list[Subscription]:
    """Find the queries whose time has come, the one that waited longest first."""
    is_new = Q(looked_at=None)
    at_once = Q(pace=Pace.ONCE) & (is_new | Q(looked_at__lte=now - ASK_EVERY))
    digest = ~Q(pace=Pace.ONCE) & Q(next_at__lte=now) & (is_new | Q(looked_at__lt=F("next_at")))
    rows = open_subscriptions().filter(at_once | digest, topic=Topic.QUERY)
    return list(
        rows.select_related("query", "channel__owner").order_by(
            F("looked_at").asc(nulls_first=True)
        )
    )


def _new_hits(row: Subscription, newcomers: _NewTexts, now: datetime) -> list[Notice]:
    """Search for what came in since the query was last asked."""
    if row.query is None or newcomers.snapshot.generation <= row.generation:
        return []
    address = Address.parse(row.query.parameters).change(
        asof=[], since=str(row.generation), sort=[], sample=[], n=str(HITS_ASKED)
    )
    form = form_at(address, row.channel.owner)
    if not (form.can_run and form.has_query):
        return []
    try:
        request = request_of(form)
        if not may_have_new_hits(request, newcomers.since(row.generation), newcomers.snapshot):
            return []
        return _texts_with_hits(row, request, now)
    except QueryError as error:
        logger.warning("saved query %s cannot be asked for new hits: %s", row.query, error)
        return []


def _texts_with_hits(row: Subscription, request: SearchRequest, now: datetime) -> list[Notice]:
    """Make a notice for each text with hits, with the first of them, and one for what is beyond."""
    page = search(request, with_facets=False)
    lines = {line.hit.partition("-")[0]: line for line in reversed(page.lines)}
    notices = [
        _notice(row, f"text:{name}", now, _hit_item(line), article=line.article_id)
        for name, line in reversed(lines.items())
    ]
    n_more = page.n_texts - len(lines)
    if n_more > 0:
        beyond = Item(subject="", at=now.isoformat())
        key = f"beyond:{row.generation}"
        notices.append(_notice(row, key, now, beyond, article=0, n_more=n_more))
    return notices


def _hit_item(line: SearchLine) -> Item:
    return Item(
        subject=line.title or line.url,
        sentence=" ".join(f"{line.left} [{line.node}] {line.right}".split()),
        address=absolute(_address(line)),
        source=line.publication,
        at=line.dated_at.isoformat(),
    )


def _address(line: SearchLine) -> str:
    if not line.is_comment:
        return reverse("article", args=[line.article_id])
    return f"{reverse('article-comments', args=[line.article_id])}#c{line.comment_id}"


def _notice(row: Subscription, key: str, at: datetime, item: Item, **content: int) -> Notice:
    plain = {"item": item.plain, **content}
    return Notice(subscription=row, key=key, at=at, content=plain)
