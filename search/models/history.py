"""What each person has asked: one row a question with its filters, newest first."""

from django.conf import settings
from django.db import models


class PastQuery(models.Model):
    """A search or a view of one, with its numbers of the last time; named ones are kept for good.

    The same question is one row. `digest` tells rows of an owner apart: a search by its query and
    filters, whatever its order; a statistic by all that its address has.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="past_queries"
    )
    digest = models.CharField(max_length=32, help_text="blake2b-128 of view and parameters")
    view = models.CharField(max_length=20, help_text="Name of its page in search/urls.py")
    parameters = models.TextField(help_text="Query string of its address")
    text = models.TextField(help_text="The query itself, empty where a view needs none")
    choices = models.TextField(help_text="What the page itself was set to, in words")
    n_hits = models.PositiveBigIntegerField(null=True, help_text="None of what is no search")
    generation = models.PositiveBigIntegerField(help_text="Of the index, that it was last asked of")
    asked_at = models.DateTimeField(help_text="The last time")
    name = models.CharField(max_length=100, blank=True, default="")
    folder = models.CharField(max_length=60, blank=True, default="")
    note = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "digest"], name="pastquery_once_for_each_owner"
            )
        ]
        indexes = [models.Index(fields=["owner", "-asked_at"], name="pastquery_newest")]

    def __str__(self) -> str:
        """Say nothing of what was asked: tables are looked at by others."""
        return f"past query {self.pk}"

    @property
    def title(self) -> str:
        """Its name, or what was asked."""
        return self.name or self.text or self.choices or self.parameters
