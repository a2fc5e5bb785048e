"""Imported documents of pages that had another one: each waits for its place among the versions."""

from django.db import models

from feeds.models import Work


class CaptureFound(models.TextChoices):
    """What a document was to the texts of its article."""

    UNREAD = "", "Not read yet"
    SAME = "same", "The text of that time"
    VERSION = "version", "A version of its time"
    NEWEST = "newest", "The newest document, read as a visit's"
    NO_TEXT = "no-text", "No text of the article"


class Capture(Work):
    """One document beside the page's own; due until it is read."""

    page = models.ForeignKey("feeds.Page", on_delete=models.CASCADE, related_name="captures")
    fetch = models.OneToOneField("feeds.Fetch", on_delete=models.CASCADE, related_name="capture")
    found = models.CharField(
        max_length=7, choices=CaptureFound.choices, blank=True, default=CaptureFound.UNREAD
    )

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"capture of page {self.page_id}"
