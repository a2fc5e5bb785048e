"""By which fingerprints the representatives are found."""

from django.db import models


class Fingerprint(models.Model):
    """That an article is found by a fingerprint: a sampled hash of four words.

    Tens of rows an article, so the table is made by hand for each database (`migrations/0006`): no
    key but one index on the hash on PostgreSQL; the rows lie in the primary key itself on SQLite.
    No foreign key: `fingerprints.remove` takes rows away. Minus its number is there for an article
    that is no candidate: it is judged again when a text comes that belongs before it.
    """

    pk = models.CompositePrimaryKey("hash", "article")
    hash = models.BigIntegerField()
    article = models.BigIntegerField(help_text="Primary key of the article")

    def __str__(self) -> str:
        return f"{self.hash:x} in article {self.article}"


class EnteredText(models.Model):
    """What an article was entered under, so that it can be taken out when its text has changed."""

    article = models.BigIntegerField(primary_key=True, help_text="Primary key of the article")
    fingerprints = models.BinaryField(help_text="64-bit little-endian integers")

    def __str__(self) -> str:
        return f"{len(self.fingerprints) // 8} fingerprints of article {self.article}"
