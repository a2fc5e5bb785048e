"""Machines that follow the index, each with how far it is."""

from django.db import models


class IndexFollower(models.Model):
    """A machine with a copy of the index; its follower stamps the row every few seconds."""

    machine = models.CharField(max_length=64, unique=True)
    source = models.CharField(max_length=500)
    generation = models.PositiveBigIntegerField(default=0, help_text="Which it serves")
    newest = models.PositiveBigIntegerField(default=0, help_text="Which there is by its source")
    n_bytes_left = models.PositiveBigIntegerField(default=0, help_text="Still to be fetched")
    checked_at = models.DateTimeField(help_text="When it last looked")
    current_at = models.DateTimeField(help_text="When it last had all that there was")
    problem = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ["machine"]

    def __str__(self) -> str:
        return self.machine
