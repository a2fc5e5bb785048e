"""The rows of the stage that judges stored texts anew by the rights of their publication."""

from django.db import models

from feeds.models import RightsPolicy, Work


class RightsReview(Work):
    """A publication whose stored texts are gone through, a slice a turn.

    Without a row its texts stand as the policy to record says. Done when `done_policy` is the one
    in force and its hosts' files are applied.
    """

    publication = models.OneToOneField(
        "feeds.Publication", on_delete=models.CASCADE, related_name="rights_review"
    )
    done_policy = models.CharField(max_length=10, default=RightsPolicy.RECORD)
    # What the pass under way goes by; with another one, or asked for again, it starts anew.
    policy = models.CharField(max_length=10, default=RightsPolicy.RECORD)
    n_asked = models.PositiveIntegerField(default=0)
    n_begun = models.PositiveIntegerField(default=0, help_text="`n_asked` when the pass began")
    last_article = models.BigIntegerField(default=0, help_text="The next slice begins behind it")
    n_changed = models.PositiveIntegerField(default=0, help_text="In the last pass")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"rights of {self.publication}"
