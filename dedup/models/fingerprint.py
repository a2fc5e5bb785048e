"""By which fingerprints the representatives are found."""

from django.db import models


class Fingerprint(models.Model):
    """That an article is found by a fingerprint: a sampled hash of five words.

    Tens of rows an article, so the table is made by hand for each database (`migrations/0002`): no
    keys but one index on the hash and one on the article on PostgreSQL; the rows lie in the primary
    key itself on SQLite. No foreign key: `fingerprints.remove` takes rows away.
    """

    pk = models.CompositePrimaryKey("hash", "article")
    hash = models.BigIntegerField()
    article = models.IntegerField(help_text="Primary key of the article")

    def __str__(self) -> str:
        return f"{self.hash:x} in article {self.article}"
