"""Processes that are alive: each stamps its row while it works."""

from django.db import models


class Worker(models.Model):
    name = models.CharField(max_length=80, unique=True, help_text="machine, kind and process id")
    kind = models.CharField(max_length=20)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    doing = models.CharField(max_length=200, blank=True, default="")
    # The supervisor ends a worker whose present work has outlived this moment.
    hard_limit_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Lock(models.Model):
    """A named lease for work that only one process may do.

    The index writer, the duplicate detector, a sweep.
    """

    name = models.CharField(max_length=40, unique=True)
    lease_until = models.DateTimeField()
    lease_owner = models.CharField(max_length=80)
    last_run_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
