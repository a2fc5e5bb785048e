"""A file of sources that somebody gave in the browser: looked at first, then imported in slices."""

from django.conf import settings
from django.db import models

from feeds.models import AskedWork


class SourceImport(AskedWork):
    """A file that was read, as a bundle; due once somebody has confirmed what it would change.

    `bundle` is emptied when all of it was imported.
    """

    file_name = models.CharField(max_length=200, blank=True, default="")
    bundle = models.TextField(blank=True, default="")
    remarks = models.JSONField(default=list, blank=True, help_text="What was left out of the file")
    only_new = models.BooleanField(default=False, help_text="Known sources stay as they are")
    starts = models.BooleanField(default=False, help_text="Start what the file gives no state of")
    n_all = models.PositiveIntegerField(default=0)
    n_done = models.PositiveIntegerField(default=0)
    planned = models.JSONField(
        default=dict, blank=True, help_text="What would change, as of the upload"
    )
    counts = models.JSONField(default=dict, blank=True, help_text="What was written")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta(AskedWork.Meta):
        abstract = False

    def __str__(self) -> str:
        return self.file_name or "a list of sources"
