"""A WARC file of another crawler that somebody wants in the corpus: which pages, and how far."""

from django.conf import settings
from django.db import models

from feeds.models.work import AskedWork


class WarcImport(AskedWork):
    """One file; read in slices from `offset` on, behind `n_passed` records that begin there.

    `handed_on` names pages of the last slice, whose extraction may not be registered yet.
    """

    path = models.CharField(max_length=1000)
    member = models.CharField(
        max_length=500, blank=True, default="", help_text="File inside, where the file is a WACZ"
    )
    n_bytes = models.PositiveBigIntegerField(default=0)
    offset = models.PositiveBigIntegerField(default=0)
    n_passed = models.PositiveIntegerField(default=0)
    # Which pages: empty for any.
    hosts = models.CharField(max_length=500, blank=True, default="", help_text="Patterns with *")
    address_pattern = models.CharField(max_length=500, blank=True, default="")
    languages = models.CharField(max_length=200, blank=True, default="")
    first_day = models.DateField(null=True, blank=True)
    last_day = models.DateField(null=True, blank=True)
    by_reference = models.BooleanField(
        default=False, help_text="Records stay in this file, and are not copied"
    )
    is_look = models.BooleanField(
        default=False, help_text="Counts what an import would bring, and brings nothing"
    )
    only_new = models.BooleanField(
        default=False, help_text="Leaves out pages of publications that were there before"
    )
    hosts_found = models.JSONField(
        default=dict, blank=True, help_text="Pages of each host that a look has counted"
    )
    # Takes all texts; empty where each host has its own.
    publication = models.ForeignKey(
        "feeds.Publication", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    counts = models.JSONField(default=dict, blank=True)
    problems = models.JSONField(default=list, blank=True, help_text="[offset, words] each")
    handed_on = models.JSONField(default=list, blank=True, editable=False)
    worked_seconds = models.FloatField(default=0)
    began_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-pk"]

    def __str__(self) -> str:
        name = self.path.rpartition("/")[2]
        return f"{name} ({self.member})" if self.member else name

    @property
    def has_read_nothing(self) -> bool:
        """Whether it has ended without a record, or with faults and without a page."""
        is_empty = not self.counts.get("records")
        is_spoilt = bool(self.problems) and not self.counts.get("pages")
        return self.finished_at is not None and (is_empty or is_spoilt)
