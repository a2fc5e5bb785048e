"""Alarms with their history: one writer, `corpus_site.alarms.keeping`."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class AlarmKind(models.TextChoices):
    DISK = "disk", "Disk"
    ARCHIVE = "archive", "Archive"
    STORE = "store", "Archive’s store"
    INDEX = "index", "Copies of the index"
    WORKER = "worker", "Workers"
    QUARANTINE = "quarantine", "Put aside"
    NETWORK = "network", "Network"
    PROXY = "proxy", "Proxy"
    BLOCK = "block", "Refused"
    ROBOTS = "robots", "Forbidden by robots.txt"
    LOG_IN = "log_in", "Log-in refused"
    SLOWED = "slowed", "Slowed for days"
    DOWN = "down", "Host failing"
    UNSTORED = "unstored", "Asked, nothing stored"
    EMPTY = "empty", "Empty pages"
    SCRIPTS = "scripts", "Drawn by scripts"
    FEWER = "fewer", "Fewer than usual"
    MISSED = "missed", "Missed items"
    STRUCTURE = "structure", "Structure"
    FEED = "feed", "Feed gone or failing"
    QUIET = "quiet", "Quiet"
    TRAP = "trap", "Addresses left"


class Alarm(models.Model):
    """Something that needed a person: since when, in which words, until when, who has it.

    Opened when it is first seen and closed when it is seen no more; `key` tells whether what is
    seen now is the same as before.
    """

    kind = models.CharField(max_length=10, choices=AlarmKind.choices)
    key = models.CharField(max_length=400)
    tone = models.CharField(max_length=4)
    label = models.CharField(max_length=40)
    subject = models.CharField(max_length=500)
    sentence = models.TextField()
    address = models.CharField(max_length=600)
    action = models.CharField(max_length=60)
    host = models.TextField(blank=True, default="")
    publication = models.ForeignKey(
        "feeds.Publication", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    articles_a_day = models.FloatField(default=0.0, help_text="What it costs while nobody acts")
    since = models.DateTimeField(
        null=True, blank=True, help_text="When its cause began; opened when it was first seen"
    )
    opened_at = models.DateTimeField()
    n_opened = models.PositiveIntegerField(
        default=1, help_text="How often it came back within an hour of its end"
    )
    seen_at = models.DateTimeField(help_text="When it was last found")
    closed_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-opened_at", "-pk"]
        indexes = [models.Index(fields=["closed_at", "-opened_at"], name="alarm_closed")]
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=Q(closed_at=None), name="alarm_one_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.sentence}"


class AlarmNote(models.Model):
    """What somebody wrote beside an alarm; never changed."""

    alarm = models.ForeignKey(Alarm, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField()
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text
