"""Which articles hold a sentence."""

from django.db import models


class SentenceHash(models.Model):
    """That an article holds a sentence.

    The hash is xxh3-64 of the normalised sentence as a signed integer.
    """

    hash = models.BigIntegerField()
    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    position = models.PositiveIntegerField(help_text="Number of the sentence in the text")

    class Meta:
        verbose_name_plural = "sentence hashes"
        indexes = [models.Index(fields=["hash", "article"], name="sentencehash_candidates")]
        constraints = [
            models.UniqueConstraint(fields=["article", "hash"], name="sentencehash_once")
        ]

    def __str__(self) -> str:
        return f"{self.hash:x}"
