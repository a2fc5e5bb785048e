"""Texts that a page has shown before, and what it showed that was refused."""

from django.db import models
from django.db.models import Q

from extraction.revisions.refusals import Refusal


class VersionOutcome(models.TextChoices):
    """What became of a document of a page whose text is stored."""

    TAKEN = "", "Taken"
    EMPTY = Refusal.EMPTY.value, "No text on the page"
    FRONT_PAGE = Refusal.FRONT_PAGE.value, "The front page or a section instead"
    BLOCKED = Refusal.BLOCKED.value, "A block page"
    REMOVED = Refusal.REMOVED.value, "The page says that the article was removed"
    PAYWALL = Refusal.PAYWALL.value, "Cut off at a paywall"
    LANGUAGE = Refusal.LANGUAGE.value, "In another language"
    SHRUNK = Refusal.SHRUNK.value, "Shrunk to a teaser"


class ArticleVersion(models.Model):
    """A text of an article that is no longer the newest, or a document that was refused.

    The newest text stands in `Article`, so one that never changed has no row here. What changed
    when this text was replaced is summed up beside it; title, text, captions, blocks and metadata
    are packed into one column (`revisions.packing`). A refused document has an outcome and its
    archived copy, no number and no text.
    """

    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="versions"
    )
    number = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="From 1 in the order in which the page showed them"
    )
    outcome = models.CharField(
        max_length=10, choices=VersionOutcome.choices, blank=True, default=VersionOutcome.TAKEN
    )
    seen_at = models.DateTimeField(help_text="When it was first seen")
    replaced_at = models.DateTimeField(
        null=True, blank=True, help_text="When the next text was first seen"
    )
    fetch = models.ForeignKey(
        "feeds.Fetch", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    n_words = models.PositiveIntegerField(default=0)
    n_words_changed = models.PositiveIntegerField(default=0)
    fields_changed = models.CharField(
        max_length=80, blank=True, default="", help_text="Names of columns, separated by blanks"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    body = models.BinaryField(default=b"", blank=True)

    class Meta:
        ordering = ["article", "seen_at", "pk"]
        indexes = [
            # For the list of what has changed lately, filters applied on the way.
            models.Index(
                fields=["-replaced_at", "-id"],
                name="version_replaced",
                condition=~Q(replaced_at=None),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["article", "number"], name="version_number_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=VersionOutcome.values), name="version_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", number__isnull=False, replaced_at__isnull=False)
                | (~Q(outcome="") & Q(number=None, replaced_at=None)),
                name="version_taken_or_refused",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of article {self.article_id}"
