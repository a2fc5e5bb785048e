"""Rows that are work: when they are due, who holds them, how often they were tried.

Every stage's row inherits these columns. `feeds.work.leases` hands rows out and takes them back;
who wants a row that is there to be due, or not to be, says so by `WorkQuerySet.reschedule`.
"""

from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Expression, Q

# A moment, or what stands for it in a statement that is kept (`feeds.work.prepared`).
Moment = datetime | Expression
# In somebody's hands, or left there by one who died.
IS_HELD = ~Q(lease_owner="")

_M_co = TypeVar("_M_co", bound=models.Model, covariant=True)


class WorkQuerySet(models.QuerySet[_M_co]):
    """Reusable filters over rows that are work; `now` is always an argument."""

    def due(self, now: Moment) -> Self:
        """Rows that may be claimed at `now`."""
        return self.filter(
            Q(lease_until=None) | Q(lease_until__lte=now), due_at__lte=now, quarantined_at=None
        )

    def unfinished(self, now: Moment) -> Self:
        """Rows whose time has come, claimed or not."""
        return self.filter(due_at__lte=now, quarantined_at=None)

    def waiting(self) -> Self:
        """Rows that are due now or later."""
        return self.filter(due_at__isnull=False, quarantined_at=None)

    def at_rest_or_held(self) -> Self:
        """Rows that no later claim will read: what has changed by now would pass them by."""
        return self.filter(Q(due_at=None) | IS_HELD, quarantined_at=None)

    def quarantined(self) -> Self:
        return self.filter(quarantined_at__isnull=False)

    def reschedule(self, at: datetime | None, **changes: Any) -> int:
        """Make rows due `at` a moment, or not any more; returns how many.

        Say it when what the rows are to read has been written, or in one transaction with it: this
        holds although somebody works on a row, who may have read what was there before, and closes
        it later. It is the only way to write `due_at` of rows that are there already.
        """
        return self.update(due_at=at, is_rescheduled=True, **changes)


class Work(models.Model):
    """A row that a stage works on under a lease.

    `due_at` is empty when nothing is to be done. `attempts` counts the attempts that failed and the
    one that has begun; it goes back to 0 when the work is done. `n_claims` says how often the
    latest attempt was claimed: more than once where its workers died, so that a row that kills them
    is found out. `is_rescheduled` says that `due_at` was written after the last claim; closing the
    lease leaves it alone then.
    """

    due_at = models.DateTimeField(null=True, blank=True)
    # Empty for no: a column that may be empty is added to a large table without writing its rows.
    is_rescheduled = models.BooleanField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    lease_owner = models.CharField(max_length=80, blank=True, default="", editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    # Empty for once, as with `is_rescheduled`; without a check, for which all rows would be read.
    n_claims = models.SmallIntegerField(null=True, editable=False)
    last_error = models.TextField(blank=True, default="", editable=False)
    quarantined_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True
        indexes = [
            # For leases.claim(): oldest due rows first; rows at rest are not in the index. Many may
            # be due at one moment, after an upgrade.
            models.Index(
                fields=["due_at", "id"],
                name="%(class)s_due",
                condition=Q(due_at__isnull=False, quarantined_at__isnull=True),
            ),
            # For leases that have run out. That the time is there, not that the owner is: SQLite
            # takes a partial index where a comparison with a value implies its condition.
            models.Index(
                fields=["lease_until"],
                name="%(class)s_held",
                condition=Q(lease_until__isnull=False),
            ),
            models.Index(
                fields=["quarantined_at"],
                name="%(class)s_quarantined",
                condition=Q(quarantined_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(lease_until__isnull=True) | ~Q(lease_owner=""),
                name="%(class)s_lease_has_owner",
            )
        ]


class AskedWork(Work):
    """Work that somebody asked for and that ends: its row is a job on `/status/jobs/`."""

    # Whether an editor may stop it: where only its stage reads the row, nothing is left half done.
    IS_STOPPABLE: ClassVar[bool] = True

    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = True
