"""Policies of retention, their passes over the tables, and how full disks were day by day."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from feeds.models import AskedWork


class RetentionChange(models.Model):
    """What an admin decided for one kind of rows; the newest holds. Only ever added to."""

    kind = models.CharField(max_length=20)
    days = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: kept for ever")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "-id"], name="retentionchange_newest")]

    def __str__(self) -> str:
        return f"{self.kind}: {'for ever' if self.days is None else f'{self.days} days'}"


class RetentionPass(AskedWork):
    """One look at all rows of a kind, a range a turn; a dry one counts and takes nothing away.

    Stopped at any moment it goes on behind `last_key`.
    """

    # Written with it: what has gone is gone, and stopping leaves the rest.
    IS_STOPPABLE: ClassVar[bool] = True

    kind = models.CharField(max_length=20)
    days = models.PositiveIntegerField()
    is_dry = models.BooleanField(default=True)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    last_key = models.BigIntegerField(default=0)
    n_rows = models.BigIntegerField(default=0, help_text="In the table when the pass began")
    n_looked = models.BigIntegerField(default=0)
    n_found = models.BigIntegerField(default=0, help_text="That may go, or went")

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-pk"]
        indexes = [
            *AskedWork.Meta.indexes,
            models.Index(fields=["kind", "-id"], name="retentionpass_newest"),
        ]
        verbose_name_plural = "retention passes"

    def __str__(self) -> str:
        return f"{self.kind}, {self.days} days{', dry' if self.is_dry else ''}"


class DiskDay(models.Model):
    """How full the disk of one machine's data folder was, at the last look of a day."""

    machine = models.CharField(max_length=64)
    day = models.DateField()
    used_bytes = models.BigIntegerField()
    free_bytes = models.BigIntegerField()
    looked_at = models.DateTimeField()

    class Meta:
        ordering = ["machine", "-day"]
        constraints = [models.UniqueConstraint(fields=["machine", "day"], name="diskday_once")]

    def __str__(self) -> str:
        return f"{self.machine}, {self.day}"
