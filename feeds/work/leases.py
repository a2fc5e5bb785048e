"""The only way to get work, and to give it back.

A stage's rows inherit `feeds.models.Work`. `claim` takes due rows under a lease by one conditional
UPDATE; `complete` closes a lease inside the transaction that holds the work's effects, and says no
when the lease was lost meanwhile; `fail` puts the row back with its error, and the last failure
quarantines it. SQLite and PostgreSQL run the same statement; the latter skips rows that another
claim has locked.

Failures and deaths are counted apart, both before the work. An attempt that nobody ended, since
its worker died, goes on under its next claim: it is none of the `MAX_ATTEMPTS` failures that a row
may have. An attempt that was claimed `MAX_ATTEMPTS` times in vain kills its workers: the row is
quarantined. So no row costs more than the square of that, whatever it does.

When a row is due is what was said last: a claim clears the row's mark `is_rescheduled`, whoever
makes it due or takes it out of work sets the mark, and closing a marked row leaves its `due_at`. So
who asks for a row that is held gets another claim of it, however old its stamp is.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.db.models import DateTimeField, Func, Q, QuerySet, Value

from feeds.models import Lock, Moment, Work, WorkQuerySet
from feeds.work.prepared import Prepared, keys_placeholder, placeholder

# After a failure the row waits this long, times the number of failures: with the few attempts that
# are allowed, doubling would change little.
RETRY_DELAY = timedelta(seconds=30)
ERROR_LIMIT_CHARS = 2000  # an error that repeats a whole page must not fill the table

# What is given back by its holder, or asked for with all attempts, begins a new one; what is held
# still was left by a worker that died. Names on the right mean what stood there before.
_BEGINS = "lease_owner = '' OR attempts = 0"
_CLAIMED = (
    "lease_owner = %s, lease_until = %s, is_rescheduled = NULL,"
    f" attempts = CASE WHEN {_BEGINS} THEN attempts + 1 ELSE attempts END,"
    f" n_claims = CASE WHEN {_BEGINS} THEN 1 ELSE COALESCE(n_claims, 1) + 1 END"
)
_NOW = placeholder("now")

W = TypeVar("W", bound=Work)


class _UnlessRescheduled(Func):
    """A new `due_at` but for rows that were rescheduled; made in a third of the time of a Case."""

    template = "CASE WHEN is_rescheduled THEN due_at ELSE %(expressions)s END"
    output_field = DateTimeField()


@dataclass(frozen=True, slots=True)
class Claim:
    """Who asks for work, and for how long."""

    owner: str
    now: datetime
    lease: timedelta

    @classmethod
    def make(cls, owner: str, now: datetime) -> "Claim":
        return cls(owner, now, timedelta(seconds=settings.LEASE_SECONDS))

    @property
    def until(self) -> datetime:
        return self.now + self.lease


def claim(rows: WorkQuerySet[W], limit: int, terms: Claim) -> list[int]:
    """Lease up to `limit` due rows of a queryset, oldest first; returns their primary keys.

    Rows whose workers died each time are not handed out again: `quarantine_exhausted` finds them. A
    row whose workers have died at all claims but the last is handed out alone: what stood beside
    the one that kills its worker shall not be quarantined with it.
    """
    if limit < 1:
        return []
    query = rows.query
    is_whole_table = not (query.where or query.annotations or query.is_sliced)
    with transaction.atomic():
        if is_whole_table:
            chosen = _chosen_of_all(rows.model, limit, terms.now)
        else:
            chosen = Prepared.of(_chosen(rows, limit, terms.now))
        return chosen.update(_CLAIMED, _claim_values(terms), now=terms.now)


def _chosen(rows: WorkQuerySet[W], limit: int, now: datetime) -> QuerySet[W, Any]:
    due = _claimable(rows, now, _most_claims())
    suspects = _suspects(due, now, _most_claims())
    return _oldest(suspects, 1) if limit > 1 and suspects.exists() else _oldest(due, limit)


def _chosen_of_all(model: type[Work], limit: int, now: datetime) -> Prepared:
    """Choose of all rows of a table, as nearly all stages do all the time, by kept statements."""
    any_suspect, suspects, oldest = _prepared_of_all(model, limit, _most_claims())
    return suspects if limit > 1 and any_suspect.rows(now=now) else oldest


@cache
def _prepared_of_all(
    model: type[Work], limit: int, most_claims: int
) -> tuple[Prepared, Prepared, Prepared]:
    due = _claimable(model._default_manager.all(), _NOW, most_claims)
    suspects = _suspects(due, _NOW, most_claims)
    # In no order: by the order of `due_at` all due rows would be read for one that is none.
    any_suspect = Prepared.of(suspects.values("pk")[:1])
    return any_suspect, Prepared.of(_oldest(suspects, 1)), Prepared.of(_oldest(due, limit))


def claim_keys(model: type[Work], keys: Collection[int], terms: Claim) -> list[int]:
    """Lease the rows of these primary keys as `claim` does, all of them; returns those it got.

    By statements that are kept, as those of `claim` for all rows of a table.
    """
    if not keys:
        return []
    choices = [_prepared_claim(model, _most_claims())]
    if len(keys) > 1:
        choices.insert(0, _prepared_suspects(model, _most_claims()))
    for chosen in choices:
        if won := chosen.update(_CLAIMED, _claim_values(terms), keys, now=terms.now):
            return won
    return []


@cache
def _prepared_claim(model: type[Work], most_claims: int) -> Prepared:
    due = _claimable(model._default_manager.filter(pk__in=keys_placeholder()), _NOW, most_claims)
    return Prepared.of(_oldest(due))


@cache
def _prepared_suspects(model: type[Work], most_claims: int) -> Prepared:
    due = _claimable(model._default_manager.filter(pk__in=keys_placeholder()), _NOW, most_claims)
    return Prepared.of(_oldest(_suspects(due, _NOW, most_claims), 1))


def _claimable(rows: WorkQuerySet[W], now: Moment, most_claims: int) -> WorkQuerySet[W]:
    may_claim = Q(attempts=0) | Q(n_claims=None) | Q(n_claims__lt=most_claims)
    return rows.due(now).filter(Q(lease_until=None) | may_claim)


def _suspects(due: WorkQuerySet[W], now: Moment, most_claims: int) -> WorkQuerySet[W]:
    return _left_by_the_dead(due, now).filter(n_claims=most_claims - 1)


def _oldest(due: WorkQuerySet[W], limit: int | None = None) -> QuerySet[W, Any]:
    first = due.order_by("due_at", "pk")
    return first.select_for_update(skip_locked=True, of=("self",)).values("pk")[:limit]


def _claim_values(terms: Claim) -> tuple[str, Any]:
    return terms.owner, connection.ops.adapt_datetimefield_value(terms.until)


def _left_by_the_dead(rows: WorkQuerySet[W], now: Moment) -> WorkQuerySet[W]:
    """Rows whose lease ran out in an attempt that nobody has ended, and nobody has taken back."""
    return rows.filter(lease_until__lte=now, attempts__gt=0).exclude(lease_owner="")


def _most_claims() -> int:
    """Give how often an attempt may be claimed: as many workers may die of a row as it may fail."""
    return int(settings.MAX_ATTEMPTS)


def complete(row: Work, owner: str, **changes: Any) -> bool:
    """Close the lease of a row and write `changes`; False when the lease is no longer ours.

    Call it inside the transaction that holds the effects, and undo that transaction on False.
    `due_at` is emptied unless given; if the row was rescheduled since its claim, that stands.
    """
    values = _closed(changes)
    updated = type(row)._default_manager.filter(pk=row.pk, lease_owner=owner).update(**values)
    return bool(updated == 1)


class LeaseLostError(Exception):
    """Raised by `complete_or_undo` inside a transaction, caught around it.

    Another worker holds the row now.
    """


def complete_or_undo(row: Work, owner: str, **changes: Any) -> None:
    """As `complete`, but raises LeaseLostError so that the surrounding transaction is undone."""
    if not complete(row, owner, **changes):
        raise LeaseLostError(f"{type(row).__name__} {row.pk}")


def complete_many(model: type[W], ids: list[int], owner: str, **changes: Any) -> int:
    """Close the leases of many rows with the same changes; returns how many were still ours."""
    values = _closed(changes)
    return model._default_manager.filter(pk__in=ids, lease_owner=owner).update(**values)


def _closed(changes: dict[str, Any]) -> dict[str, Any]:
    """Give the columns of a row whose work is done."""
    due_at = Value(changes.pop("due_at", None), DateTimeField())
    return {
        "due_at": _UnlessRescheduled(due_at),
        "lease_until": None,
        "lease_owner": "",
        "attempts": 0,
        "last_error": "",
    } | changes


def fail(row: Work, owner: str, error: str, now: datetime, **changes: Any) -> bool:
    """Give a row back with its error; the last allowed attempt quarantines it.

    Returns whether it was quarantined. A row that was rescheduled since its claim was asked for
    anew, and starts with all attempts. One that is gone or somebody else's by now needs nothing.
    """
    values: dict[str, Any] = {
        "lease_until": None,
        "lease_owner": "",
        "last_error": error[:ERROR_LIMIT_CHARS],
    }
    rows = type(row)._default_manager.filter(pk=row.pk, lease_owner=owner)
    with transaction.atomic():
        held = rows.select_for_update().values_list("attempts", "is_rescheduled").first()
        if held is None:
            return False
        attempts, is_rescheduled = held
        is_last = attempts >= settings.MAX_ATTEMPTS and not is_rescheduled
        if is_rescheduled:
            values["attempts"] = 0
        elif is_last:
            values["quarantined_at"] = now
        else:
            values["due_at"] = now + RETRY_DELAY * attempts
        rows.update(**(values | changes))
    return bool(is_last)


def quarantine_exhausted(model: type[Work], now: datetime) -> int:
    """Quarantine rows whose workers died at all claims of an attempt; returns how many.

    A row that was rescheduled since its last claim was asked for anew, and starts with all
    attempts, as in `fail`.
    """
    exhausted = _exhausted(model, now, _most_claims())
    exhausted.filter(is_rescheduled=True).update(attempts=0, lease_until=None, lease_owner="")
    return exhausted.exclude(is_rescheduled=True).update(
        quarantined_at=now,
        lease_until=None,
        lease_owner="",
        last_error=f"Its worker died or was ended {_most_claims()} times in a row.",
    )


def with_exhausted(models: Sequence[type[Work]], now: datetime) -> list[type[Work]]:
    """Give the tables that `quarantine_exhausted` has work in, mostly none, in one statement."""
    found = _prepared_exhausted(tuple(models), _most_claims()).rows(now=now)
    return [model for model, has in zip(models, found[0], strict=True) if has]


@cache
def _prepared_exhausted(models: tuple[type[Work], ...], most_claims: int) -> Prepared:
    probes = [
        Prepared.of(_exhausted(model, _NOW, most_claims).values("pk")[:1]) for model in models
    ]
    text = f"SELECT {', '.join(f'EXISTS ({probe.text})' for probe in probes)}"
    return Prepared(text, tuple(one for probe in probes for one in probe.parameters))


def _exhausted(model: type[Work], now: Moment, most_claims: int) -> WorkQuerySet[Work]:
    rows = model._default_manager.filter(quarantined_at=None, n_claims__gte=most_claims)
    return _left_by_the_dead(rows, now)


def release_quarantine(rows: WorkQuerySet[W], now: datetime) -> int:
    """Make quarantined rows due again, as an editor asks for."""
    return rows.quarantined().reschedule(
        now, quarantined_at=None, attempts=0, lease_until=None, lease_owner=""
    )


def stop(rows: WorkQuerySet[W]) -> int:
    """Take rows out of work, as an editor asks for; who holds one finds its lease lost."""
    return rows.waiting().reschedule(None, lease_until=None, lease_owner="", attempts=0)


def resume(rows: WorkQuerySet[W], now: datetime) -> int:
    """Make rows due that were stopped."""
    return rows.filter(due_at=None, quarantined_at=None).reschedule(now)


def take_lock(name: str, terms: Claim) -> bool:
    """Take or renew a named lock; False when somebody else holds it."""
    free = Lock.objects.filter(name=name)
    with transaction.atomic():
        changed = (
            free.filter(lease_owner=terms.owner) | free.filter(lease_until__lte=terms.now)
        ).update(lease_owner=terms.owner, lease_until=terms.until)
        if changed:
            return True
        _, created = Lock.objects.get_or_create(
            name=name, defaults={"lease_owner": terms.owner, "lease_until": terms.until}
        )
        return created


def release_lock(name: str, owner: str, now: datetime) -> None:
    """Give a lock back and stamp when its work was last done."""
    Lock.objects.filter(name=name, lease_owner=owner).update(lease_until=now, last_run_at=now)


def is_in_other_hands(name: str, owner: str, since: datetime) -> bool:
    """Whether somebody else has a lock, or has had it since then."""
    others = Lock.objects.filter(name=name, lease_until__gt=since).exclude(lease_owner=owner)
    return others.exists()
