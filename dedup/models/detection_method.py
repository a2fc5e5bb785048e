"""With which method and limit twins are found, and since when."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class DetectionMethod(models.Model):
    """A method with its limit; the newest row is in force, the others are the history."""

    method = models.CharField(max_length=9)
    limit = models.FloatField(default=1.0, help_text="Closeness from which two texts are one")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    since = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(limit__gt=0), name="detectionmethod_limit_positive")
        ]

    def __str__(self) -> str:
        return f"{self.method}, limit {self.limit:g}"
