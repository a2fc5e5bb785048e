"""A host: the unit of politeness.

One row holds the budget that every worker on every machine obeys.
"""

from typing import Any

from django.db import models, transaction
from django.db.models import Q

# Refuses us, fails, or forbids whatever is asked for: few, whom many look for.
IN_TROUBLE = (
    Q(blocked_since__isnull=False)
    | Q(troubled_since__isnull=False)
    | Q(forbidden_since__isnull=False)
)


class HostQuerySet(models.QuerySet["Host"]):
    """Hosts with what makes them claimed again."""

    def wake(self) -> int:
        """Let hosts be looked at by the next claim, since pages of theirs become due.

        A host that somebody has locked is being woken by him: waiting for it might be for ever,
        since who wakes many holds them until his transaction ends.
        """
        with transaction.atomic():
            return Host.objects.filter(pk__in=self.to_wake()).update(idle_until=None)

    def to_wake(self) -> models.QuerySet["Host", Any]:
        """Choose the keys of those that rest and that nobody has locked, and lock them."""
        idle = self.filter(idle_until__isnull=False).order_by()
        return idle.select_for_update(skip_locked=True, no_key=True).values("pk")


class Host(models.Model):
    """One origin's host and port, with its delay, its robots.txt and who holds it now."""

    name = models.CharField(max_length=260, unique=True, help_text="host, or host:port")
    next_at = models.DateTimeField(help_text="No request before this moment")
    next_reason = models.CharField(max_length=200, blank=True, default="")
    # No page of it is due before this moment; empty where that isn't known. Written by claims, and
    # emptied by whoever makes a page due.
    idle_until = models.DateTimeField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    lease_owner = models.CharField(max_length=80, blank=True, default="", editable=False)

    delay_seconds = models.FloatField(
        null=True, blank=True, help_text="In force now, with its back-off"
    )
    crawl_delay_seconds = models.FloatField(null=True, blank=True, help_text="From robots.txt")
    failures = models.PositiveIntegerField(
        default=0, help_text="Answers in a row that were refusals or errors"
    )
    blocked_since = models.DateTimeField(null=True, blank=True)
    block_reason = models.CharField(max_length=200, blank=True, default="")
    needs_browser_agent = models.BooleanField(default=False)
    proxy = models.ForeignKey(
        "feeds.Proxy",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="hosts",
        help_text="Used where the publication permits it",
    )
    # What editors said of this host; empty: as its publications say.
    editor_delay_seconds = models.FloatField(
        null=True, blank=True, help_text="Between two requests; a longer Crawl-delay wins"
    )
    proxy_permit = models.BooleanField(null=True, blank=True, help_text="A proxy of the pool")
    browser_permit = models.BooleanField(null=True, blank=True, help_text="A browser's name")
    # Columns that editors have set since the last claim: its turn leaves them. Empty for none.
    acted_fields = models.JSONField(null=True, editable=False)
    robots_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="robots.txt is to be read again, asked for at"
    )
    # When it is next asked without the proxy and the browser's name that were chosen for it.
    probe_at = models.DateTimeField(null=True, blank=True)
    probe_seconds = models.PositiveIntegerField(
        null=True, blank=True, help_text="Between two such probes"
    )

    latency_ms = models.PositiveIntegerField(
        null=True, blank=True, help_text="Smoothed response time"
    )
    last_request_at = models.DateTimeField(null=True, blank=True)
    # Since when every request has failed or was refused; pages put aside since then come back.
    troubled_since = models.DateTimeField(null=True, blank=True)
    troubled_by = models.CharField(
        max_length=24, blank=True, default="", help_text="Outcome of its last failure or refusal"
    )
    # Since when its robots.txt forbids whatever is asked for.
    forbidden_since = models.DateTimeField(null=True, blank=True)

    # How many requests of a day were visits to pages that were fetched before.
    counted_on = models.DateField(null=True, blank=True, help_text="The day that is counted, UTC")
    n_requests = models.PositiveIntegerField(default=0, help_text="On that day")
    n_visits = models.PositiveIntegerField(
        default=0, help_text="Planned visits among them; a publication names their largest share"
    )
    visits_from = models.DateTimeField(
        null=True, blank=True, help_text="No planned visit before this moment"
    )

    robots_body = models.TextField(blank=True, default="")
    robots_status = models.PositiveSmallIntegerField(null=True, blank=True)
    robots_fetched_at = models.DateTimeField(null=True, blank=True)

    objects = HostQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [
            # For claiming free hosts that may have due pages, and for those that have rested.
            models.Index(
                fields=["next_at", "id"],
                name="host_next",
                condition=Q(idle_until__isnull=True),
            ),
            models.Index(fields=["name"], name="host_in_trouble", condition=IN_TROUBLE),
            models.Index(
                fields=["idle_until"], name="host_idle", condition=Q(idle_until__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(lease_until__isnull=True) | ~Q(lease_owner=""),
                name="host_lease_has_owner",
            )
        ]

    def __str__(self) -> str:
        return self.name
