"""Files of the archive that are on their way to the object store, or there."""

from django.db import models
from django.db.models import Q


class ArchiveFile(models.Model):
    """A closed WARC file of an archive with a store. Written by `feeds.archive.uploading` alone."""

    name = models.CharField(max_length=200, unique=True)
    machine = models.CharField(max_length=64, help_text="that wrote it")
    n_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True, default="")
    waits_since = models.DateTimeField()
    uploaded_at = models.DateTimeField(null=True, blank=True)
    # Since when the store's copy is newer than that of the machine which wrote it.
    rewritten_at = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["name"]
        indexes = [
            models.Index(
                fields=["waits_since"],
                name="archivefile_waiting",
                condition=Q(uploaded_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.name
