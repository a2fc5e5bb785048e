"""Tables of what sites have in common: templates by version, sketches of pages, alarms."""

from django.db import models
from django.db.models import Q


class SiteTemplate(models.Model):
    """What the pages of a publication have in common, from one design to the next.

    One writer: `extraction.sites.templates`. A page is read with the template of the highest number
    that is valid at the moment the page was fetched, so old pages keep the one of their time.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="templates"
    )
    number = models.PositiveIntegerField(default=1)
    valid_from = models.DateTimeField(help_text="When the first page of the design was fetched")
    n_articles = models.PositiveIntegerField(
        default=0, help_text="Distinct articles that count now; older evidence fades"
    )
    n_pages = models.PositiveIntegerField(default=0, help_text="All that it was learnt from")
    knowledge = models.BinaryField(
        default=b"", help_text="As extraction.html.site.site_codec writes it"
    )
    updated_at = models.DateTimeField()
    is_settled = models.BooleanField(
        default=False, help_text="Its pages were looked at with all that is known"
    )

    class Meta:
        ordering = ["publication", "-number"]
        indexes = [
            models.Index(
                fields=["updated_at"],
                name="sitetemplate_unsettled",
                condition=Q(is_settled=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["publication", "number"], name="sitetemplate_number"),
        ]

    def __str__(self) -> str:
        return f"template {self.number} of publication {self.publication_id}"


class SiteSketch(models.Model):
    """Sketch of a page that was read, with the facts that alarms look at.

    Waits to be learnt, and stays while it is one of the newest of its publication: those are read
    again when much more is known, and are what a new template begins with.
    """

    page = models.OneToOneField("feeds.Page", on_delete=models.CASCADE, related_name="sketch")
    publication = models.ForeignKey("feeds.Publication", on_delete=models.CASCADE, related_name="+")
    fetched_at = models.DateTimeField()
    data = models.BinaryField(help_text="As extraction.html.site.site_codec writes it")
    n_characters = models.PositiveIntegerField(default=0)
    fields = models.JSONField(default=list, help_text="Metadata that were found")
    rules = models.JSONField(default=dict, help_text="Part of the rules to whether it matched")
    familiarity = models.FloatField(
        null=True, blank=True, help_text="Share of the site's common places on the page, 0 to 1"
    )
    lines = models.CharField(
        max_length=32, blank=True, default="", help_text="Digest of the lines that were chosen"
    )
    n_known = models.PositiveIntegerField(
        default=0, help_text="Articles that the site's evidence rested on when it was read"
    )
    is_learnt = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "site sketches"
        indexes = [
            # The newest of a publication, in order of time.
            models.Index(fields=["publication", "-fetched_at"], name="sitesketch_newest"),
            # For the sweep: publications with pages to learn.
            models.Index(
                fields=["publication"], name="sitesketch_waiting", condition=Q(is_learnt=False)
            ),
        ]

    def __str__(self) -> str:
        return f"sketch of page {self.page_id}"


class StructureAlarm(models.Model):
    """A publication's pages are no longer what they were: since when, by which signals.

    One open alarm a publication; it closes itself when its signals end.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="structure_alarms"
    )
    since = models.DateTimeField(help_text="When the first changed page was fetched")
    signals = models.JSONField(help_text="[signal, subject, pages in a row] of each, first first")
    page_before = models.ForeignKey(
        "feeds.Page", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    page_after = models.ForeignKey(
        "feeds.Page", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    # Its pages stay built differently; they are read well again.
    is_repaired = models.BooleanField(default=False)

    class Meta:
        ordering = ["-since"]
        constraints = [
            models.UniqueConstraint(
                fields=["publication"],
                condition=Q(closed_at=None),
                name="structurealarm_one_open",
            ),
        ]

    def __str__(self) -> str:
        return f"structure alarm of publication {self.publication_id}"
