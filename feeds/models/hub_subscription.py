"""A feed's hub: asked to tell of the feed's news, for as long as it grants."""

from datetime import datetime

from django.db import models

from feeds.models.work import Work


class HubAsked(models.TextChoices):
    """What a hub was asked for last: it may have us agree to nothing else."""

    NOTHING = "", "Nothing"
    SUBSCRIBE = "subscribe", "To tell of news"
    UNSUBSCRIBE = "unsubscribe", "To tell no more"


class HubSubscription(Work):
    """What a feed named as its hub. Due when the hub is to be asked, again before the lease ends.

    `key` is the last part of the address that the hub calls, `sealed` the secret that it signs
    with. Without a feed the row stays until the hub has been asked to tell no more.
    """

    feed = models.OneToOneField(
        "feeds.Feed", null=True, blank=True, on_delete=models.SET_NULL, related_name="hub"
    )
    url = models.CharField(max_length=2048)
    topic = models.CharField(max_length=2048, help_text="The name that the hub knows the feed by")
    key = models.CharField(max_length=43, unique=True, editable=False)
    sealed = models.TextField(editable=False)
    asked = models.CharField(
        max_length=11, choices=HubAsked.choices, blank=True, default=HubAsked.NOTHING
    )
    asked_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0, help_text="In a row, in vain")
    ends_at = models.DateTimeField(null=True, blank=True, help_text="Until when it tells")
    told_at = models.DateTimeField(null=True, blank=True, help_text="When it last told of news")
    n_told = models.PositiveIntegerField(default=0)
    untold_at = models.DateTimeField(
        null=True, blank=True, help_text="When a visit found what it had not told of"
    )
    problem = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta(Work.Meta):
        abstract = False
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.url}: {self.topic}"

    def tells(self, now: datetime) -> bool:
        """Whether the hub has agreed to tell, and the lease that it gave holds."""
        return self.ends_at is not None and self.ends_at > now

    def is_trusted(self, now: datetime) -> bool:
        """Whether it tells, has told, and no visit has found since what it had not told of."""
        if not self.tells(now) or self.told_at is None:
            return False
        return self.untold_at is None or self.told_at > self.untold_at

    def has_told_since(self, moment: datetime | None) -> bool:
        """Whether it has told of news at or after a moment; None: ever."""
        return self.told_at is not None and (moment is None or self.told_at >= moment)
