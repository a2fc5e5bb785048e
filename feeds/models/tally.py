"""Figures of whole tables, kept for the pages that show them."""

from django.db import models


class Tally(models.Model):
    """What a count gave, when, and how long it took. Written by `feeds.watching.tallies` alone."""

    name = models.CharField(max_length=400, unique=True)
    figures = models.JSONField()
    counted_at = models.DateTimeField()
    elapsed_ms = models.PositiveIntegerField()
    wanted_at = models.DateTimeField(help_text="A page showed it last, to the minute")

    class Meta:
        verbose_name_plural = "tallies"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
