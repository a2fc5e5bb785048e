"""What the files of hosts say of text and data mining, and the policy for all publications."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from feeds.models.publication import RightsPolicy

GENERAL_POLICIES = [choice for choice in RightsPolicy.choices if choice[0]]


class RightsSetting(models.Model):
    """The policy of all publications that have none of their own; one row, or none yet."""

    policy = models.CharField(max_length=10, choices=GENERAL_POLICIES, default=RightsPolicy.RECORD)
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(policy=""), name="rightssetting_has_policy")
        ]

    def __str__(self) -> str:
        return self.get_policy_display()


class RightsFile(models.Model):
    """A place where a host speaks of text mining: tdmrep.json, ai.txt, the names in robots.txt.

    A row of a file has its page in the frontier, which is visited like any other. `is_applied` is
    false from a change of what it says until the host's stored texts are judged by it.
    """

    host = models.ForeignKey("feeds.Host", on_delete=models.CASCADE, related_name="rights_files")
    source = models.CharField(max_length=12, help_text="tdm_file, ai_txt or robots_names")
    page = models.OneToOneField(
        "feeds.Page",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="rights_file",
    )
    rules = models.JSONField(default=list, blank=True, help_text="As its reader writes them")
    problem = models.CharField(max_length=200, blank=True, default="")
    read_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)
    is_applied = models.BooleanField(default=True)

    class Meta:
        ordering = ["host", "source"]
        indexes = [
            # For the sweep: few files ever change.
            models.Index(fields=["id"], name="rightsfile_new", condition=Q(is_applied=False))
        ]
        constraints = [
            models.UniqueConstraint(fields=["host", "source"], name="rightsfile_once_a_host")
        ]

    def __str__(self) -> str:
        return f"{self.source} of {self.host}"
