"""Pairs of like articles, and what editors say of them."""

from django.db import models
from django.db.models import Q


class Relation(models.TextChoices):
    EXACT = "exact", "Same text"
    DUPLICATE = "duplicate", "Near-duplicate"
    SIMILAR = "similar", "Similar"


class Verdict(models.TextChoices):
    OPEN = "open", "Not looked at"
    SAME = "same", "Same text"
    EVENT = "event", "Same event"
    DIFFERENT = "different", "Different"


class Duplicate(models.Model):
    """A pair of like articles; `article` is the later one."""

    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="twins_before"
    )
    other = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="twins_after"
    )
    relation = models.CharField(max_length=9, choices=Relation.choices)
    similarity = models.FloatField(help_text="Shared over all distinct sentences, 0 to 1")
    n_shared = models.PositiveIntegerField()
    verdict = models.CharField(max_length=9, choices=Verdict.choices, default=Verdict.OPEN)
    detected_at = models.DateTimeField()

    class Meta:
        ordering = ["-detected_at"]
        constraints = [
            models.UniqueConstraint(fields=["article", "other"], name="duplicate_once"),
            models.CheckConstraint(
                condition=~Q(article=models.F("other")), name="duplicate_of_another"
            ),
            models.CheckConstraint(
                condition=Q(similarity__gte=0, similarity__lte=1),
                name="duplicate_similarity_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.article_id} ~ {self.other_id} ({self.similarity:.2f})"
