"""Which host is next: those that may be asked and of which a page is due.

A host of which no page is due is laid to rest: claims don't look at it until a page of it is due,
or somebody makes one due (`HostQuerySet.wake`). So a claim reads the hosts that have work, however
many others there are, and those that have come to rest since; a host that serves a paused paper
alone is among them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    DateTimeField,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce, Least
from django.db.models.lookups import GreaterThan, IsNull

from feeds.models import (
    Host,
    HostQuerySet,
    Moment,
    Page,
    PublicationState,
    VisitPurpose,
    WorkQuerySet,
)
from feeds.work.leases import Claim
from feeds.work.prepared import Prepared, keys_placeholder, placeholder

# A visit that waits no longer than a host may rest between two turns is not late.
LEAST_LATE = timedelta(hours=1)
NEW_OR_ASKED = (VisitPurpose.FIRST, VisitPurpose.ASKED)
# A host is looked at once an hour though nobody woke it: a page may become due by a change of its
# publication, and a host may be laid to rest in the moment in which somebody names a page of it.
LONGEST_REST = timedelta(hours=1)
# Looked at beyond those that are wanted, so that few rounds find them among the idle ones.
_SPARE = 50
_NOW, _LONGEST = placeholder("now"), placeholder("longest")


def is_late(now: Moment) -> Q:
    """Condition on a planned visit: the page is more than twice as old as was planned."""
    age_at_plan = F("due_at") - Coalesce("feed_published_at", "found_at")
    return Q(GreaterThan(now - F("due_at"), age_at_plan), due_at__lt=now - LEAST_LATE)


def due_pages(now: Moment) -> WorkQuerySet[Page]:
    """Pages that are new or asked for. Equal values, so that the index by host ends at `now`."""
    return Page.objects.due(now).filter(
        publication__state=PublicationState.ACTIVE,
        purpose__in=NEW_OR_ASKED,
    )


def due_visits(now: Moment) -> WorkQuerySet[Page]:
    """Pages that were planned to be visited again; what is late goes on to its next age."""
    return Page.objects.due(now).filter(
        ~is_late(now),
        publication__state=PublicationState.ACTIVE,
        publication__visit_share__gt=0,
        purpose=VisitPurpose.PLANNED,
    )


def claim_hosts(limit: int, terms: Claim) -> list[int]:
    """Lease up to `limit` free hosts of which a page is due; returns their primary keys.

    Those whose turn it has been for longest come first. Idle ones on the way are laid to rest.
    """
    _rested().update("idle_until = NULL", (), now=terms.now)
    won: list[int] = []
    while len(won) < limit:
        n_wanted = limit - len(won) + _SPARE
        found = _looked_at(n_wanted, terms.now)
        busy = [pk for pk, has_work in found if has_work]
        idle = [pk for pk, has_work in found if not has_work]
        n_rested = _lay_to_rest(idle, terms.now) if idle else 0
        new = _lease(busy, limit - len(won), terms) if busy else []
        won += new
        # These were all whose turn it is, or others are at those that are left.
        if len(found) < n_wanted or not (new or n_rested):
            break
    return won


@cache
def _rested() -> Prepared:
    return Prepared.of(Host.objects.filter(idle_until__lte=_NOW).to_wake())


def _looked_at(limit: int, now: datetime) -> list[tuple[int, bool]]:
    """Give the hosts whose turn it is, and whether a page of each is due."""
    return [(pk, bool(has_work)) for pk, has_work in _look(limit).rows(now=now)]


@cache
def _look(limit: int) -> Prepared:
    may_ask = ExpressionWrapper(_has_work(_NOW), output_field=BooleanField())
    rows = _awake(_NOW).annotate(has_work=may_ask).order_by("next_at", "pk")
    return Prepared.of(rows.values_list("pk", "has_work")[:limit])


def _awake(now: Moment) -> HostQuerySet:
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    return Host.objects.filter(free, next_at__lte=now, idle_until=None)


def _has_work(now: Moment) -> Q:
    may_visit = Q(visits_from=None) | Q(visits_from__lte=now)
    # Probes of the index by host, each of one row. For EXISTS PostgreSQL may read all due pages of
    # all hosts into a table of its own, to find the few hosts whose turn it is.
    has_pages, has_visits = _any_of_host(due_pages(now)), _any_of_host(due_visits(now))
    return Q(robots_asked_at__isnull=False) | has_pages | (may_visit & has_visits)


def _any_of_host(pages: WorkQuerySet[Page]) -> IsNull:
    first = pages.filter(host_id=OuterRef("pk")).order_by().values("pk")[:1]
    return IsNull(Subquery(first), rhs=False)


def _lease(host_ids: Sequence[int], limit: int, terms: Claim) -> list[int]:
    stamp = connection.ops.adapt_datetimefield_value(terms.until)
    assignments = "lease_owner = %s, lease_until = %s, acted_fields = NULL"
    return _candidates(limit).update(assignments, (terms.owner, stamp), host_ids, now=terms.now)


@cache
def _candidates(limit: int) -> Prepared:
    rows = _awake(_NOW).filter(pk__in=keys_placeholder()).order_by("next_at", "pk")
    return Prepared.of(rows.select_for_update(skip_locked=True, of=("self",)).values("pk")[:limit])


def _lay_to_rest(host_ids: Sequence[int], now: datetime) -> int:
    """Let hosts rest until a page of theirs is due; returns how many do."""
    return _rest().run(host_ids, now=now, longest=now + LONGEST_REST)


@cache
def _rest() -> Prepared:
    # The first page of each purpose: a probe of the index of a host's pages, which has the purpose
    # before the moment.
    next_page = Least(*(_first_due(purpose) for purpose in VisitPurpose.values))
    next_day = Case(When(visits_from__gt=_NOW, then=F("visits_from")), default=next_page)
    free = _awake(_NOW).filter(pk__in=keys_placeholder()).order_by()
    locked = free.select_for_update(skip_locked=True, no_key=True).values("pk")
    rows = Host.objects.filter(pk__in=locked)
    return Prepared.of_update(rows, idle_until=Least(next_page, next_day))


def _first_due(purpose: str) -> Coalesce:
    """Give the moment at which a host's first page of a purpose is due, `longest` at most."""
    # Not `waiting()`: SQLite would take the index of all that waits, which is in this order too.
    coming = Page.objects.exclude(quarantined_at__isnull=False).filter(
        host_id=OuterRef("pk"),
        purpose=purpose,
        publication__state=PublicationState.ACTIVE,
        due_at__gt=_NOW,
        due_at__lte=_LONGEST,
    )
    first = Subquery(coming.order_by("due_at").values("due_at")[:1])
    return Coalesce(first, _LONGEST, output_field=DateTimeField())
