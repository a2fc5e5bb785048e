"""A fetch: one attempt at a URL, how it ended, and where its archive record lies."""

from datetime import datetime
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q

from feeds.crawler.outcomes import Outcome
from feeds.models.page import OUTCOME_CHOICES


class VisitFound(models.TextChoices):
    """What a later visit to a page found, beside what it knew already."""

    NOT_LOOKED = "", "A first visit, or one without an answer"
    NOT_MODIFIED = "not_modified", "Not modified"
    SAME_BYTES = "same_bytes", "The same document"
    SAME_TEXT = "same_text", "The same text in another document"
    CHANGED = "changed", "Another text"
    REFUSED = "refused", "A document without its text"


class Fetch(models.Model):
    """One exchange. `page` is empty for robots.txt, which belongs to a host."""

    page = models.ForeignKey(
        "feeds.Page", null=True, blank=True, on_delete=models.CASCADE, related_name="fetches"
    )
    host = models.ForeignKey("feeds.Host", on_delete=models.PROTECT, related_name="fetches")
    url = models.CharField(max_length=2048)
    final_url = models.CharField(max_length=2048, blank=True, default="")
    hops = models.JSONField(
        default=list, blank=True, help_text="Redirect chain: [status, url] each"
    )
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(
        null=True, blank=True, help_text="When the web archive that gave it had seen the page"
    )
    elapsed_ms = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=24, choices=OUTCOME_CHOICES)
    error = models.CharField(max_length=500, blank=True, default="")
    content_type = models.CharField(max_length=200, blank=True, default="")
    wire_bytes = models.PositiveIntegerField(default=0)
    body_bytes = models.PositiveIntegerField(default=0)
    digest = models.CharField(
        max_length=64, blank=True, default="", help_text="Of the decoded body, or of what was drawn"
    )
    archive_file = models.CharField(max_length=120, blank=True, default="")
    archive_offset = models.BigIntegerField(null=True, blank=True)
    archive_length = models.PositiveIntegerField(null=True, blank=True)
    # In the same file: what a browser made of the page, where one drew it.
    rendered_offset = models.BigIntegerField(null=True, blank=True)
    rendered_length = models.PositiveIntegerField(null=True, blank=True)
    rights_said = models.JSONField(
        default=list, blank=True, help_text="[source, words] of each reservation of rights"
    )
    visit_reason = models.CharField(
        max_length=200, blank=True, default="", help_text="Why the page was visited"
    )
    found = models.CharField(
        max_length=12, choices=VisitFound.choices, blank=True, default=VisitFound.NOT_LOOKED
    )
    next_visit_at = models.DateTimeField(null=True, blank=True)
    next_visit_reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["-started_at"]
        verbose_name_plural = "fetches"
        indexes = [
            models.Index(
                fields=["started_at", "outcome"], name="fetch_started_outcome"
            ),  # status page
            models.Index(fields=["host", "started_at"], name="fetch_host_started"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=[outcome.value for outcome in Outcome]),
                name="fetch_outcome_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.url} {self.outcome}"

    @property
    def document_at(self) -> datetime:
        """Moment at which the page showed this document: of a copy the archive's own."""
        return self.seen_at or self.started_at

    @property
    def archive_host(self) -> str:
        """Host of the web archive that gave a copy; empty for what came from elsewhere."""
        return urlsplit(self.final_url).netloc if self.seen_at else ""


def of_documents_since(moment: datetime, through: str = "") -> Q:
    """Choose rows whose documents were shown at a moment or later; `through` leads to the fetch."""
    own = Q(**{f"{through}seen_at": None, f"{through}started_at__gte": moment})
    return own | Q(**{f"{through}seen_at__gte": moment})
