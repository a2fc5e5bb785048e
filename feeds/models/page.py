"""A page: one URL in the frontier. Its canonical key is its identity, so each is known once."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models, transaction
from django.db.models import Q

from feeds.crawler.outcomes import Outcome
from feeds.models.host import Host
from feeds.models.publication import Publication, PublicationState
from feeds.models.work import Work, WorkQuerySet

OUTCOME_CHOICES = [(outcome.value, outcome.value.replace("_", " ")) for outcome in Outcome]


class PageKind(models.TextChoices):
    FEED = "feed", "Feed"
    ARTICLE = "article", "Article"
    COMMENTS = "comments", "Comments"
    POST = "post", "Post of a timeline"
    INDEX = "index", "Index page"
    SAMPLE = "sample", "Feed sample"
    RIGHTS = "rights", "File on rights"
    ALIAS = "alias", "Other address"  # of its parent; never visited


class VisitPurpose(models.TextChoices):
    """What the next visit to a page is for."""

    FIRST = "", "New"
    PLANNED = "planned", "Planned visit"
    ASKED = "asked", "Asked for"


class PageQuerySet(WorkQuerySet["Page"]):
    """Pages; who makes some due wakes their hosts."""

    def of_running_publications(self) -> Self:
        """Pages whose publication is active, to be counted.

        Not joined: SQLite would begin with the publications and read every page of theirs.
        """
        resting = Publication.objects.exclude(state=PublicationState.ACTIVE)
        return self.exclude(publication__in=resting)

    def reschedule(self, at: datetime | None, **changes: Any) -> int:
        with transaction.atomic():
            if at is not None:
                Host.objects.filter(pk__in=self.order_by().values("host")).wake()
            return super().reschedule(at, **changes)


class Page(Work):
    """A URL with its next visit. Work columns: the fetch stage."""

    url = models.CharField(max_length=2048)
    key = models.CharField(
        max_length=2048, unique=True, help_text="Canonical URL without its scheme"
    )
    slug = models.CharField(max_length=200, blank=True, default="")
    kind = models.CharField(max_length=8, choices=PageKind.choices)
    host = models.ForeignKey("feeds.Host", on_delete=models.PROTECT, related_name="pages")
    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="pages"
    )
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )
    found_at = models.DateTimeField()
    due_reason = models.CharField(max_length=200, blank=True, default="")
    purpose = models.CharField(
        max_length=7, choices=VisitPurpose.choices, blank=True, default=VisitPurpose.FIRST
    )

    # What the feed said; empty where the page was found otherwise.
    guid = models.CharField(max_length=500, blank=True, default="")
    feed_headline = models.TextField(blank=True, default="")
    feed_published_at = models.DateTimeField(null=True, blank=True)
    feed_author = models.CharField(max_length=500, blank=True, default="")
    feed_description = models.TextField(blank=True, default="")

    # The last visit and the newest document.
    outcome = models.CharField(max_length=24, choices=OUTCOME_CHOICES, blank=True, default="")
    visited_at = models.DateTimeField(null=True, blank=True)
    # When a document last came: a site may answer "not modified" for ever.
    answered_whole_at = models.DateTimeField(null=True, blank=True)
    # Readers comment on the page itself: it is looked at daily until then.
    open_until = models.DateTimeField(null=True, blank=True)
    etag = models.CharField(max_length=500, blank=True, default="")
    last_modified = models.CharField(max_length=100, blank=True, default="")
    content_digest = models.CharField(
        max_length=64, blank=True, default="", help_text="Of the newest body"
    )
    content_fetch = models.ForeignKey(
        "feeds.Fetch", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects: ClassVar[PageQuerySet] = PageQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Work.Meta):
        abstract = False
        ordering = ["-found_at"]
        indexes = [
            *Work.Meta.indexes,
            # For the claim of a host's pages, planned visits behind all others, and the host page
            # of the status screens.
            models.Index(fields=["host", "purpose", "due_at", "id"], name="page_host_purpose_due"),
            # For visits that have become late.
            models.Index(
                fields=["purpose", "due_at"],
                name="page_purpose_waiting",
                condition=Q(due_at__isnull=False, quarantined_at__isnull=True),
            ),
            # For pages put aside though the web did nothing wrong.
            models.Index(
                fields=["outcome"],
                name="page_aside_outcome",
                condition=Q(quarantined_at__isnull=False),
            ),
            # For articles that are known under another address: same site + same slug.
            models.Index(fields=["publication", "slug"], name="page_publication_slug"),
            models.Index(fields=["kind", "visited_at"], name="page_kind_visited"),
            # For what a publication's hosts say of text mining.
            models.Index(
                fields=["publication"], name="page_of_rights", condition=Q(kind=PageKind.RIGHTS)
            ),
            # For entries whose address changed while their guid stayed (visiting.feed_entries).
            models.Index(
                fields=["publication", "guid"], name="page_publication_guid", condition=~Q(guid="")
            ),
        ]
        constraints = [
            *Work.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=PageKind.values), name="page_kind_known"),
            models.CheckConstraint(condition=~Q(key=""), name="page_key_not_empty"),
        ]

    def __str__(self) -> str:
        return self.url
