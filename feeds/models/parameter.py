"""What admins have said of the parameters of the work."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class ParameterChange(models.Model):
    """One change of a parameter; the latest row of a name holds, and rows stay.

    Written by `feeds/parameters/values.py`.
    """

    name = models.CharField(max_length=60)
    # What held before it, whoever had said so.
    before = models.FloatField()
    value = models.FloatField(null=True, help_text="Empty: what the settings say")
    reason = models.CharField(max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()
    is_latest = models.BooleanField(default=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=Q(is_latest=True), name="one_latest_value_a_parameter"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
