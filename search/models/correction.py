"""Corrections of tags in the tagged view: a queue for editors, and what they accepted of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from search.engine.annotation.lexicon import LONGEST_TAGS


class Scope(models.TextChoices):
    """How far a correction reaches."""

    TOKEN = "token", "this token"
    TEXT = "text", "this word in this text"
    ALWAYS = "always", "always: into the lexicon"


class CorrectionState(models.TextChoices):
    OPEN = "open", "open"
    ACCEPTED = "accepted", "accepted"
    REFUSED = "refused", "refused"
    # Another one of the same place was accepted later, or it was taken back.
    ENDED = "ended", "no longer in force"


class TagCorrection(models.Model):
    """A wrong tag that somebody marked.

    The place is kept as code point and as the characters around it, so that it is found again in a
    text that was extracted anew.
    """

    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="tag_corrections"
    )
    scope = models.CharField(max_length=6, choices=Scope.choices)
    word = models.CharField(max_length=100)
    start = models.PositiveIntegerField(help_text="Code point of the text the token starts at")
    before = models.CharField(max_length=100, blank=True, default="")
    after = models.CharField(max_length=100, blank=True, default="")
    tag_was = models.CharField(max_length=10)
    tag = models.CharField(max_length=LONGEST_TAGS)
    lemma = models.CharField(max_length=100, blank=True, default="")
    note = models.CharField(max_length=300, blank=True, default="")
    state = models.CharField(
        max_length=8, choices=CorrectionState.choices, default=CorrectionState.OPEN
    )
    reason = models.CharField(max_length=300, blank=True, default="", help_text="Of a refusal")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # For the corrections in force of a batch of articles.
            models.Index(
                fields=["article"],
                name="tagcorrection_in_force",
                condition=Q(state="accepted") & ~Q(scope="always"),
            ),
            # For the queue.
            models.Index(fields=["state", "-id"], name="tagcorrection_queue"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["article", "start"],
                condition=Q(state="accepted", scope="token"),
                name="tagcorrection_token_once",
            ),
            models.UniqueConstraint(
                "article",
                Lower("word"),
                condition=Q(state="accepted", scope="text"),
                name="tagcorrection_word_once",
            ),
            models.CheckConstraint(
                condition=Q(state__in=CorrectionState.values), name="tagcorrection_state_known"
            ),
            models.CheckConstraint(
                condition=Q(scope__in=Scope.values), name="tagcorrection_scope_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.word}: {self.tag_was} → {self.tag}"

    @property
    def is_open(self) -> bool:
        return self.state == CorrectionState.OPEN

    @property
    def is_accepted_here(self) -> bool:
        """Accepted for its own places; what is meant for always became an entry of the lexicon."""
        return self.state == CorrectionState.ACCEPTED and self.scope != Scope.ALWAYS
