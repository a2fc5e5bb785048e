"""Addresses that were erased: they are known by their digests alone and never come back."""

from django.db import models


class Tombstone(models.Model):
    """Digest of a canonical key, or of a feed's name for an entry (`feeds.tombstones`)."""

    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.digest
