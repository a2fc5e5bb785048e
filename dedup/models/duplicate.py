"""Pairs of like articles, and what editors say of them."""

from django.db import models
from django.db.models import Q

from dedup.similarity.relations import Relation

RELATION_WORDS = {
    Relation.REPOST: "Same text",
    Relation.TRIMMED: "Trimmed",
    Relation.UPDATE: "Update",
    Relation.NEAR: "Near-duplicate",
    Relation.PART: "Part",
    Relation.SIMILAR: "Similar",
}


class Verdict(models.TextChoices):
    OPEN = "open", "Not looked at"
    SAME = "same", "Same text"
    EVENT = "event", "Same event"
    DIFFERENT = "different", "Different"


# What these say holds through third texts too: the two never come into one cluster.
APART = (Verdict.EVENT, Verdict.DIFFERENT)


class Duplicate(models.Model):
    """A pair of like articles; `article` is the later one.

    The method says whether the pair joins the two; an editor's verdict counts more.
    """

    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="twins_before"
    )
    other = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="twins_after"
    )
    relation = models.CharField(
        max_length=9,
        choices=[(relation.value, words) for relation, words in RELATION_WORDS.items()],
    )
    is_later_master = models.BooleanField(
        default=False, help_text="Whether the later text is the one to read"
    )
    joins = models.BooleanField(
        default=False, help_text="Whether the method puts the two into one cluster by this pair"
    )
    similarity = models.FloatField(
        help_text="Shared over all distinct sentences or shingles, 0 to 1; orders the pairs"
    )
    containment = models.FloatField(
        null=True, blank=True, help_text="Shared weight over that of the smaller text, 0 to 1"
    )
    jaccard = models.FloatField(
        null=True, blank=True, help_text="Shared weight over that of both texts, 0 to 1"
    )
    closeness = models.FloatField(
        null=True, blank=True, help_text="From the limit in force (1 unless changed) on: one text"
    )
    n_shared = models.PositiveIntegerField(help_text="Sentences that both texts hold")
    verdict = models.CharField(max_length=9, choices=Verdict.choices, default=Verdict.OPEN)
    detected_at = models.DateTimeField()

    class Meta:
        ordering = ["-detected_at"]
        indexes = [
            # For the few pairs that editors have judged: they are constraints on every clustering.
            models.Index(
                fields=["verdict"], name="duplicate_judged", condition=~Q(verdict=Verdict.OPEN)
            ),
        ]
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
