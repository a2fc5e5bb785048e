"""What editors decided about twins, by whom and when; undone decisions stay in the list."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from dedup.models.duplicate import Verdict


class DecisionKind(models.TextChoices):
    JUDGE = "judge", "Judged pairs"
    SPLIT = "split", "Split from its cluster"
    JOIN = "join", "Joined two texts"
    ORIGINAL = "original", "Made the original"
    HIDE = "hide", "Hid a copy"


class Decision(models.Model):
    """One act of an editor."""

    kind = models.CharField(max_length=8, choices=DecisionKind.choices)
    verdict = models.CharField(max_length=9, choices=Verdict.choices, blank=True, default="")
    article = models.ForeignKey(
        "extraction.Article",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The text that was split off, joined, hidden or made the original",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField()
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.verdict})" if self.verdict else self.kind


class Judgement(models.Model):
    """A decision's word on one pair, the later article first.

    A pair's verdict is that of its newest judgement that is not undone.
    """

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="judgements")
    article = models.ForeignKey("extraction.Article", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("extraction.Article", on_delete=models.CASCADE, related_name="+")
    verdict = models.CharField(max_length=9, choices=Verdict.choices)
    made_pair = models.BooleanField(
        default=False, help_text="Whether no method had found this pair before"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["decision", "article", "other"], name="judgement_once_a_decision"
            ),
            models.CheckConstraint(
                condition=~Q(article=models.F("other")), name="judgement_of_two_articles"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.article_id} ~ {self.other_id}: {self.verdict}"
