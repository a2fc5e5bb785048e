"""Files of texts that somebody gives to a collection: what was asked, how far it is, what broke."""

from django.conf import settings
from django.db import models

from feeds.models import AskedWork


class TextImport(AskedWork):
    """One file or zip; read in slices, of its files from `n_files` on behind `n_passed` items.

    `handed_on` names articles of the last slice, whose way through the stages may not be
    registered yet.
    """

    path = models.CharField(max_length=1000)
    file_name = models.CharField(max_length=300, help_text="As whoever gave it calls it")
    is_upload = models.BooleanField(default=False, help_text="Deleted when all of it was read")
    n_bytes = models.PositiveBigIntegerField(default=0)
    collection = models.ForeignKey("feeds.Publication", on_delete=models.CASCADE, related_name="+")
    # How it is read, where the file does not say it.
    language = models.CharField(max_length=12, blank=True, default="")
    encoding = models.CharField(max_length=20, blank=True, default="")
    columns = models.CharField(
        max_length=1000, blank=True, default="", help_text="field=column with commas"
    )
    n_all_files = models.PositiveIntegerField(null=True, blank=True)
    n_files = models.PositiveIntegerField(default=0)
    n_passed = models.PositiveBigIntegerField(default=0, help_text="Texts and faults of this file")
    understood = models.JSONField(default=dict, blank=True, help_text="Column to field, or to none")
    counts = models.JSONField(default=dict, blank=True)
    problems = models.JSONField(default=list, blank=True, help_text="[file, line, words] each")
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
        return self.file_name
