"""Stories: tellings of one event, the texts that are compared for them, and the passes' own row."""

from django.db import models

from feeds.models import Work


class StoryCluster(models.Model):
    """Articles about one event, in texts of their own; copies of a text go where it goes."""

    first = models.ForeignKey(
        "extraction.Article",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Earliest article",
    )
    created_at = models.DateTimeField()
    continued_in = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="taken_up",
        help_text="The story that took this one up; its address leads there",
    )

    def __str__(self) -> str:
        return f"story {self.pk}"


class StoryReport(models.Model):
    """What an article's text is about, for as long as it may be compared.

    `digest` is that of the text whose words are stored; empty when it has not been read yet.
    """

    article = models.OneToOneField(
        "extraction.Article",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="story_report",
    )
    digest = models.CharField(max_length=64, blank=True, default="")
    terms = models.BinaryField(
        default=b"", help_text="Words of title and lead: hashes of 4 bytes, then counts of 1 byte"
    )
    asked_at = models.DateTimeField(help_text="When it was last put before a pass")
    placed_at = models.DateTimeField(
        null=True, blank=True, help_text="When a pass put it somewhere; empty while it waits"
    )

    class Meta:
        indexes = [
            # For passes: who waits; tellings at rest are not in the index.
            models.Index(
                fields=["article"], name="storyreport_waiting", condition=models.Q(placed_at=None)
            ),
            # For a corpus at rest: what came since it settled.
            models.Index(fields=["asked_at"], name="storyreport_asked"),
        ]

    def __str__(self) -> str:
        return f"report {self.article_id}"


class StoryPass(Work):
    """The story stage's only row: when the next pass is due, and what the last one came to."""

    last_run_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(
        null=True, blank=True, help_text="Up to when what came was grouped once more, at rest"
    )
    elapsed_ms = models.PositiveIntegerField(null=True, blank=True)
    n_reports = models.PositiveIntegerField(default=0, help_text="Texts in the last pass's window")
    n_placed = models.PositiveIntegerField(default=0, help_text="Articles that the pass looked at")

    class Meta(Work.Meta):
        abstract = False
        verbose_name_plural = "story passes"

    def __str__(self) -> str:
        return "pass of the stories"
