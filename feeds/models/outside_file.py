"""Files of other crawlers whose records are read where they lie: they are not ours to change."""

from django.db import models
from django.db.models import Q

OUTSIDE = "outside-"  # begins what stands in the place of a name of our own files


class OutsideFile(models.Model):
    """A file that an import refers to; rows of fetches name it by its key.

    Written by `feeds.archive.outside` alone.
    """

    path = models.CharField(max_length=1000, unique=True)
    n_bytes = models.PositiveBigIntegerField(help_text="When it was imported")
    added_at = models.DateTimeField()
    looked_at = models.DateTimeField(help_text="When it was last looked for")
    away_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is gone, or shorter than it was"
    )

    class Meta:
        ordering = ["path"]
        indexes = [
            models.Index(
                fields=["away_since"],
                name="outsidefile_away",
                condition=Q(away_since__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        """What rows of fetches call it; no file of our own archive is called so."""
        return f"{OUTSIDE}{self.pk}"
