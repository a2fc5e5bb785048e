"""Stories: reports of one event."""

from django.db import models


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
