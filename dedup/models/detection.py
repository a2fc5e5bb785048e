"""The detect stage's rows: one an article, with the cluster and the story it belongs to."""

from django.db import models

from dedup.models.story import StoryCluster
from feeds.models import Work


class Detection(Work):
    """The detect stage's row of an article; done when it holds the article's text digest."""

    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="detection"
    )
    done_digest = models.CharField(max_length=64, blank=True, default="")
    # Names the cluster: the earliest article with this text or the one that an
    # editor chose; itself when it has no twin.
    original = models.ForeignKey(
        "extraction.Article",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="copies",
    )
    representative = models.ForeignKey(
        "extraction.Article",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="represented",
        help_text="The text it was compared with and joined to; itself when it had none",
    )
    story = models.ForeignKey(
        StoryCluster, null=True, blank=True, on_delete=models.SET_NULL, related_name="detections"
    )
    is_hidden = models.BooleanField(
        default=False,
        help_text="Whether an editor has hidden it; without effect while it is no copy",
    )
    n_sentences = models.PositiveIntegerField(default=0)
    detected_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"detection of article {self.article_id}"

    @property
    def is_hidden_copy(self) -> bool:
        """Whether searches leave the article out: what is a copy no more is found again."""
        return self.is_hidden and self.original_id not in {None, self.article_id}
