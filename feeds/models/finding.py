"""What visits to pages that are known find, by the publication and the age of its pages."""

from django.db import models


class VisitFinding(models.Model):
    """Visits at one age after publication, and how many of them found another text.

    The recent counts fade as new ones come; the plan of visits is made from these.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="findings"
    )
    age_hours = models.PositiveSmallIntegerField()
    n_visits = models.PositiveIntegerField(default=0)
    n_changed = models.PositiveIntegerField(default=0)
    recent_visits = models.FloatField(default=0.0)
    recent_changed = models.FloatField(default=0.0)

    class Meta:
        ordering = ["publication", "age_hours"]
        constraints = [
            models.UniqueConstraint(
                fields=["publication", "age_hours"], name="visit_finding_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(n_changed__lte=models.F("n_visits")),
                name="visit_finding_changed_are_visits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.publication_id}, {self.age_hours} h: {self.n_changed} of {self.n_visits}"
