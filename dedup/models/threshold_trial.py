"""Another limit tried on the pairs that are known, before it is put in force."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from feeds.models import AskedWork


class ThresholdTrial(AskedWork):
    """A dry run: what a limit would join and part, counted slice by slice."""

    limit = models.FloatField(help_text="Closeness from which two texts would be one")
    limit_before = models.FloatField(help_text="The limit in force when the trial was asked for")
    method = models.CharField(max_length=9)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    n_articles = models.PositiveIntegerField()
    n_done = models.PositiveIntegerField(default=0)
    last_article = models.PositiveBigIntegerField(
        default=0, help_text="Articles up to this one are done"
    )
    counts = models.JSONField(default=dict, help_text="Report: what was counted, by name")
    joined = models.JSONField(default=list, help_text="Pairs it would join, most doubtful first")
    parted = models.JSONField(default=list, help_text="Pairs it would part, most doubtful first")
    used_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is in force")

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-pk"]
        constraints = [
            *AskedWork.Meta.constraints,
            models.CheckConstraint(condition=Q(limit__gt=0), name="thresholdtrial_limit_positive"),
        ]

    def __str__(self) -> str:
        return f"trial of limit {self.limit:g}"
