"""Tables of the twins: sentence hashes, pairs of like texts, clusters, and the stage's own rows.

Marks, never deletes.
"""

from django.db import models
from django.db.models import Q

from feeds.models import Work


class StoryCluster(models.Model):
    """Articles about one event, told in texts that share sentences but are not the same."""

    first = models.ForeignKey(
        "extraction.Article",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Earliest article",
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"story {self.pk}"


class Detection(Work):
    """The detect stage's row of an article; done when it holds the article's text digest."""

    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="detection"
    )
    done_digest = models.CharField(max_length=64, blank=True, default="")
    # The earliest article with this text (ALG-5 step 6); itself when it is the first or has no
    # twin.
    original = models.ForeignKey(
        "extraction.Article",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="copies",
    )
    story = models.ForeignKey(
        StoryCluster, null=True, blank=True, on_delete=models.SET_NULL, related_name="detections"
    )
    n_sentences = models.PositiveIntegerField(default=0)
    detected_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"detection of article {self.article_id}"


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
