"""A feed of a publication: what it lists, what was learnt about its rhythm.

Its next visit stands on its Page.
"""

from django.conf import settings
from django.db import models

from feeds.crawler.documents.feed_document import FeedKind

# What is no feed is never stored; empty until the first document is read.
FEED_KIND_CHOICES = [
    ("", "Not read yet"),
    (FeedKind.RSS.value, "RSS"),
    (FeedKind.ATOM.value, "Atom"),
    (FeedKind.JSON.value, "JSON Feed"),
    (FeedKind.SITEMAP.value, "Sitemap"),
    (FeedKind.INDEX.value, "Index page"),
    (FeedKind.TIMELINE.value, "Timeline"),
]


class Feed(models.Model):
    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="feeds"
    )
    page = models.OneToOneField("feeds.Page", on_delete=models.CASCADE, related_name="feed")
    title = models.CharField(max_length=300, blank=True, default="")
    kind = models.CharField(max_length=8, choices=FEED_KIND_CHOICES, blank=True, default="")
    is_active = models.BooleanField(default=True)
    found_by = models.CharField(
        max_length=40, blank=True, default="", help_text="link, anchor, known path, given …"
    )
    created_at = models.DateTimeField()

    # Written by each poll.
    polled_at = models.DateTimeField(null=True, blank=True)
    state_text = models.CharField(max_length=300, blank=True, default="")
    n_items = models.PositiveIntegerField(default=0, help_text="In the last document")
    n_new = models.PositiveIntegerField(default=0, help_text="New ones in the last document")
    overlap_share = models.FloatField(
        null=True, blank=True, help_text="Known items in the last document, 0 to 1"
    )
    interval_seconds = models.PositiveIntegerField(null=True, blank=True, help_text="Learnt")
    failures = models.FloatField(default=0, help_text="Weighted, in a row")
    failing_since = models.DateTimeField(null=True, blank=True)
    missed_at = models.DateTimeField(
        null=True, blank=True, help_text="When a document last repeated nothing of the one before"
    )
    n_missed = models.PositiveIntegerField(
        default=0, help_text="Items that came and went before then, by the rate of that document"
    )
    document_digest = models.CharField(max_length=64, blank=True, default="")
    newest_item_at = models.DateTimeField(null=True, blank=True)
    visit_terms = models.JSONField(
        default=list, blank=True, help_text="Why the next visit is when it is"
    )
    moved_to = models.CharField(
        max_length=2048, blank=True, default="", help_text="Where permanent redirects lead"
    )
    moved_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when each answer came from there"
    )
    schedule = models.JSONField(
        null=True, blank=True, help_text="When an editor wants it visited; empty: as is learnt"
    )
    place = models.JSONField(
        default=dict, blank=True, help_text="How far a timeline was read; empty of other feeds"
    )

    class Meta:
        ordering = ["publication", "title"]
        indexes = [
            models.Index(
                fields=["moved_since"],
                name="feed_moved",
                condition=models.Q(moved_since__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.title or self.page.url


class FeedChange(models.Model):
    """What an editor did to a feed, which may be gone by now; only ever added to."""

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="feed_changes"
    )
    feed = models.ForeignKey(Feed, null=True, on_delete=models.SET_NULL, related_name="changes")
    at = models.DateTimeField()
    sentence = models.CharField(max_length=4500)
    reason = models.CharField(max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.sentence


class FeedItem(models.Model):
    """A page that a feed lists.

    The memory by which overlap is measured and old items do not come back.
    """

    feed = models.ForeignKey(Feed, on_delete=models.CASCADE, related_name="items")
    page = models.ForeignKey("feeds.Page", on_delete=models.CASCADE, related_name="listings")
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["feed", "page"], name="feeditem_once")]

    def __str__(self) -> str:
        return f"{self.feed_id}: {self.page_id}"
