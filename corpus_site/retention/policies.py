"""Which rows go after how many days: policies, and passes over the tables. A stage of its own.

Nothing goes by itself until an admin has seen a dry pass of the same days. Then a pass goes over
the whole table every week, of texts every day, a range of rows a turn; it can be stopped at any
moment.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse

from corpus_site.retention.disk_days import note_disk
from corpus_site.retention.models import RetentionChange, RetentionPass
from extraction.rules.old_rereads import OLD_REREADS
from extraction.withdrawal.old_posts import OLD_POSTS
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import WorkQuerySet
from feeds.removal.old_rows import OLD_ROWS, Going, Gone, OldRows, next_range
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from presentation.wording.figures import counted

logger = logging.getLogger(__name__)

KINDS: tuple[OldRows, ...] = (*OLD_ROWS, OLD_REREADS, *OLD_POSTS)
BY_NAME = {kind.name: kind for kind in KINDS}
MOST_DAYS = 3_650
_MOST_DIGITS = 5  # of a number of days that is typed
# Between two ranges, so that a long pass leaves the disk to others.
PAUSE = timedelta(seconds=1)


class PolicyRefusedError(ValueError):
    """Raised with a sentence for the admin."""


class NotConfirmedError(PolicyRefusedError):
    """Raised where the word that confirms a removal was not typed."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A kind with what holds for it, and its newest passes."""

    kind: OldRows
    change: RetentionChange | None
    dry: RetentionPass | None
    real: RetentionPass | None

    @property
    def days(self) -> int | None:
        """Age at which rows go; None where they are kept for ever."""
        return self.change.days if self.change else None

    @property
    def is_open(self) -> bool:
        """Whether a pass is under way."""
        return any(row is not None and is_open(row) for row in (self.dry, self.real))

    @property
    def may_begin(self) -> bool:
        """Whether a dry pass has shown what would go, and that does not hold yet."""
        return bool(self.dry and self.dry.finished_at and self.dry.days != self.days)


def policies() -> list[Policy]:
    """Give all kinds with what holds for them."""
    return [policy_of(kind) for kind in KINDS]


def policy_of(kind: OldRows) -> Policy:
    passes = RetentionPass.objects.filter(kind=kind.name).select_related("asked_by")
    return Policy(
        kind,
        RetentionChange.objects.filter(kind=kind.name).select_related("made_by").first(),
        passes.filter(is_dry=True).first(),
        passes.filter(is_dry=False).first(),
    )


def read_days(typed: str) -> int:
    """Read a number of days that somebody typed.

    Raises
    ------
    PolicyRefusedError
        For anything else.
    """
    if not (typed.isascii() and typed.isdecimal()) or len(typed) > _MOST_DIGITS:
        raise PolicyRefusedError("Give a whole number of days.")
    return int(typed)


def look(kind: OldRows, days: int, user_id: int | None, now: datetime) -> RetentionPass:
    """Begin a dry pass, in place of one that runs.

    Raises
    ------
    PolicyRefusedError
        For an age that is too short or too long.
    """
    if not kind.least_days <= days <= MOST_DAYS:
        why = ": pages and plans read younger rows" if kind.least_days > 1 else ""
        raise PolicyRefusedError(f"Give {kind.least_days} to {MOST_DAYS} days{why}.")
    leases.stop(_open(kind, is_dry=True))
    return _begin(kind, days, now, user_id, is_dry=True)


def begin(
    kind: OldRows, days: int, user_id: int | None, now: datetime, confirmed: str = ""
) -> None:
    """Let rows go from now on once they are so old.

    Raises
    ------
    PolicyRefusedError
        Without a finished dry pass of the same days.
    NotConfirmedError
        Without the word that confirms it.
    """
    if confirmed.strip() != kind.confirm:
        raise NotConfirmedError(f"Type “{kind.confirm}” to confirm.")
    seen = RetentionPass.objects.filter(
        kind=kind.name, is_dry=True, days=days, finished_at__isnull=False
    )
    if not seen.exists():
        raise PolicyRefusedError("Look first at what would go at this age.")
    with transaction.atomic():
        leases.stop(_open(kind, is_dry=False))
        RetentionChange.objects.create(kind=kind.name, days=days, made_at=now, made_by_id=user_id)
        _begin(kind, days, now, user_id, is_dry=False)


def keep_for_ever(kind: OldRows, user_id: int | None, now: datetime) -> bool:
    """Let no more rows go; returns whether that is new."""
    if policy_of(kind).days is None:
        return False
    with transaction.atomic():
        leases.stop(_open(kind, is_dry=False))
        RetentionChange.objects.create(kind=kind.name, days=None, made_at=now, made_by_id=user_id)
    return True


def pending(limit: int, now: datetime) -> int:  # noqa: ARG001 (the stages share a signature)
    """Begin the passes whose week is over, and note the disk; returns how many began."""
    note_disk(now)
    n_begun = 0
    for kind in _with_policy():
        policy = policy_of(kind)
        last = policy.real
        if policy.days is None or (last and (is_open(last) or last.asked_at > now - kind.every)):
            continue
        _begin(policy.kind, policy.days, now, None, is_dry=False)
        n_begun += 1
    return n_begun


def _with_policy() -> list[OldRows]:
    """Give the kinds that an admin ever let go, in one query; most sweeps find none."""
    said = set(RetentionChange.objects.order_by().values_list("kind", flat=True).distinct())
    return [kind for kind in KINDS if kind.name in said]


def run(limit: int, terms: Claim) -> Report:
    """Claim passes and go over the next range of each."""
    return run_each(RetentionPass.objects.all(), limit, terms, _turn)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest passes."""
    for row in RetentionPass.objects.select_related("asked_by")[:JOBS_PER_KIND]:
        kind = BY_NAME.get(row.kind)
        yield Job(
            kind="Look at old rows" if row.is_dry else "Removal of old rows",
            subject=f"{kind.label if kind else row.kind}, older than {counted(row.days, 'day')}",
            address=reverse("retention"),
            n_done=min(row.n_looked, row.n_rows),
            n_all=row.n_rows,
            unit="row,rows",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.asked_at,
            since=row.asked_at,
        )


def _open(kind: OldRows, *, is_dry: bool) -> WorkQuerySet[RetentionPass]:
    return RetentionPass.objects.filter(kind=kind.name, is_dry=is_dry, finished_at=None)


def is_open(row: RetentionPass) -> bool:
    """Whether a pass is under way or waits for its turn; one that was stopped is not."""
    return row.finished_at is None and row.due_at is not None


def _begin(
    kind: OldRows, days: int, now: datetime, user_id: int | None, *, is_dry: bool
) -> RetentionPass:
    return RetentionPass.objects.create(
        kind=kind.name,
        days=days,
        is_dry=is_dry,
        asked_at=now,
        asked_by_id=user_id,
        due_at=now,
    )


def _turn(row: RetentionPass, terms: Claim) -> Report:
    """Go over one range: what goes and how far the pass has come are one transaction."""
    kind = BY_NAME.get(row.kind)
    if kind is None:  # of an older release
        leases.complete(row, terms.owner, finished_at=terms.now)
        return Report()
    before = row.asked_at - timedelta(days=row.days)
    found = next_range(kind, row.last_key, before)
    n_rows = row.n_rows or kind.model._default_manager.count()
    with transaction.atomic():
        if found is None:
            leases.complete_or_undo(row, terms.owner, finished_at=terms.now, n_rows=n_rows)
            _tell(row, kind)
            return Report()
        gone = Gone(len(found.ids)) if row.is_dry else _take(kind, found.ids, row, terms.now)
        leases.complete_or_undo(
            row,
            terms.owner,
            due_at=terms.now + PAUSE if len(found.ids) else terms.now,
            last_key=found.last_key,
            n_rows=n_rows,
            n_looked=row.n_looked + found.n_rows,
            n_found=row.n_found + gone.n,
        )
    if row.is_dry:
        return Report()
    return Report(done=Counter(rows=gone.n), next_ids=gone.next_ids)


def _take(kind: OldRows, ids: tuple[int, ...], row: RetentionPass, now: datetime) -> Gone:
    """Let rows go on the word of whoever decided so last."""
    if not ids:
        return Gone(0)
    change = RetentionChange.objects.filter(kind=kind.name).select_related("made_by").first()
    before = row.asked_at - timedelta(days=row.days)
    by = change.made_by if change else None
    return kind.take(kind, Going(ids, before, row.days, by, now))


def _tell(row: RetentionPass, kind: OldRows) -> None:
    went = "may go" if row.is_dry else "went"
    logger.info(
        "%s, older than %s: %s of %s %s",
        kind.label,
        counted(row.days, "day"),
        row.n_found,
        row.n_looked,
        went,
    )
