"""How articles flow from a publication's hosts into the corpus: by hour, by host, as usual.

Counted while pages are visited and read, so that nothing has to count articles afterwards.
"""

from django.db import models


class ArticleHour(models.Model):
    """New articles of a publication that were stored within one hour; of the last days only."""

    publication = models.ForeignKey("feeds.Publication", on_delete=models.CASCADE, related_name="+")
    hour = models.DateTimeField(help_text="Its beginning, UTC")
    n_stored = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["publication", "hour"]
        indexes = [models.Index(fields=["hour"], name="articlehour_hour")]
        constraints = [
            models.UniqueConstraint(fields=["publication", "hour"], name="articlehour_unique")
        ]

    def __str__(self) -> str:
        return f"{self.publication_id}, {self.hour}: {self.n_stored}"


class ArticleFlow(models.Model):
    """What became of the newest articles of a publication on one host.

    The counts are of those in a row that gave no text, by why; the next text sets them to 0.
    The recent figures fade, and say how often an article gives none.
    """

    publication = models.ForeignKey("feeds.Publication", on_delete=models.CASCADE, related_name="+")
    host = models.ForeignKey("feeds.Host", on_delete=models.CASCADE, related_name="+")
    stored_at = models.DateTimeField(null=True, blank=True, help_text="When a new text last came")
    lost_since = models.DateTimeField(null=True, blank=True)
    n_refused = models.PositiveIntegerField(default=0)
    n_forbidden = models.PositiveIntegerField(default=0, help_text="By robots.txt")
    n_slowed = models.PositiveIntegerField(default=0)
    n_failed = models.PositiveIntegerField(default=0)
    n_missing = models.PositiveIntegerField(default=0)
    n_empty = models.PositiveIntegerField(default=0)
    recent_stored = models.FloatField(default=0.0)
    recent_lost = models.FloatField(default=0.0)

    class Meta:
        ordering = ["publication", "host"]
        constraints = [
            models.UniqueConstraint(fields=["publication", "host"], name="articleflow_unique")
        ]

    def __str__(self) -> str:
        return f"{self.publication_id} on {self.host_id}"


class PublishingRhythm(models.Model):
    """When a publication usually brings how much, as learnt from its hours."""

    publication = models.OneToOneField(
        "feeds.Publication", on_delete=models.CASCADE, related_name="rhythm"
    )
    pattern = models.JSONField(
        default=dict, help_text="As feeds.crawler.timing.publishing writes it"
    )
    expectation = models.JSONField(
        default=dict, help_text="What follows from the pattern, ready to be read"
    )
    articles_a_day = models.FloatField(default=0.0)
    learnt_until = models.DateTimeField(null=True, blank=True)
    # Silence counts from here where it is later than the last article.
    heard_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was last paused, or we were not there to listen"
    )

    def __str__(self) -> str:
        return f"{self.publication_id}: {self.articles_a_day:.1f} a day"
