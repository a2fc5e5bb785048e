"""The extract stage's own row of a page."""

from django.db import models

from feeds.models import Work


class Extraction(Work):
    """The extract stage's row of a page. Done when `done_digest` is the digest of its input."""

    page = models.OneToOneField("feeds.Page", on_delete=models.CASCADE, related_name="extraction")
    done_digest = models.CharField(max_length=80, blank=True, default="")
    # Of the document of the stored text and what it was read with but for its site: a later one
    # of the same tree need not be read. Empty where the next document is to be read anyhow.
    tree_digest = models.CharField(max_length=80, blank=True, default="")
    outcome = models.CharField(
        max_length=24, blank=True, default="", help_text="stored, empty, comments …"
    )
    outcome_detail = models.CharField(max_length=300, blank=True, default="")
    extracted_at = models.DateTimeField(null=True, blank=True)
    # When a page was found to hold no text, or a short one, until it is known to be no fault of its
    # site; empty for all others.
    thin_at = models.DateTimeField(null=True, blank=True)
    # Since when the archived copy cannot be read; empty for all that can.
    unread_since = models.DateTimeField(null=True, blank=True)
    # Where its site was not known when the page came, until it is read: it may wait for that.
    unknown_site = models.ForeignKey(
        "feeds.Publication",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        editable=False,
    )
    # The machine whose disk alone has the document yet, in an archive with a store. Empty for no: a
    # column that may be empty is added to a large table without writing its rows.
    kept_on = models.CharField(max_length=64, null=True, editable=False)
    elapsed_ms = models.PositiveIntegerField(default=0)
    # Of the document that was read last, before anything of it was chosen; empty for what was read
    # before they were counted, and for what is no page. Without a check, for which all rows of a
    # large table would be read.
    page_words = models.IntegerField(null=True, editable=False)
    page_chars = models.IntegerField(
        null=True, editable=False, help_text="Of running text, for the text-to-tag ratio"
    )
    page_tags = models.IntegerField(null=True, editable=False)
    rule_version = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number of the rules that were used"
    )
    rule_reports = models.JSONField(
        default=list, blank=True, help_text="[rule, matched, problem] of each rule tried"
    )

    class Meta(Work.Meta):
        abstract = False
        indexes = [
            *Work.Meta.indexes,
            models.Index(
                fields=["thin_at"],
                name="extraction_thin",
                condition=models.Q(thin_at__isnull=False),
            ),
            models.Index(
                fields=["unread_since"],
                name="extraction_unread",
                condition=models.Q(unread_since__isnull=False),
            ),
            models.Index(
                fields=["unknown_site"],
                name="extraction_unknown_site",
                condition=models.Q(unknown_site__isnull=False),
            ),
        ]

    @property
    def text_to_tag_ratio(self) -> float | None:
        """Characters of running text a tag of the page."""
        return None if self.page_chars is None else self.page_chars / (self.page_tags or 1)

    def __str__(self) -> str:
        return f"extraction of page {self.page_id}"
