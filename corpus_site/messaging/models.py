"""Tables of the messages: where they go, what is wanted, what happened, what was sent.

A `Notice` is one thing that a subscription is to be told of, once; a `Message` gathers the notices
of a while and is the row of the message stage; each try to hand it over is a `Delivery`.
"""

from datetime import time

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from feeds.models import Publication, Work


class ChannelKind(models.TextChoices):
    MAIL = "mail", "E-mail"
    WEBHOOK = "webhook", "Webhook"
    FEED = "feed", "Atom feed"
    CHAT = "chat", "Chat or push service"


class Topic(models.TextChoices):
    ALARMS = "alarms", "Alarms"
    QUERY = "query", "New hits of a saved query"
    REPORT = "report", "Report of the crawl"


class Pace(models.TextChoices):
    ONCE = "once", "At once"
    DAILY = "daily", "Once a day"
    WEEKLY = "weekly", "Once a week"


class Habits(models.Model):
    """When somebody wants to be told; who has no row has the defaults."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="message_habits"
    )
    time_zone = models.CharField(max_length=40)
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    daily_at = models.TimeField(default=time(7))
    weekday = models.PositiveSmallIntegerField(default=0, help_text="0 is Monday")
    tests = models.JSONField(
        default=list, editable=False, help_text="Seconds since 1970 of the tests of the last day"
    )

    def __str__(self) -> str:
        return f"habits of {self.user_id}"


class Channel(models.Model):
    """One way to one person or program.

    `address` is what may be shown. `sealed` is what may not: the secret of a webhook, the address
    of a chat, the key of a feed, which is found again by `key_digest`.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="channels"
    )
    kind = models.CharField(max_length=8, choices=ChannelKind.choices)
    name = models.CharField(max_length=80)
    address = models.CharField(max_length=500, blank=True, default="")
    sealed = models.TextField(blank=True, default="", editable=False)
    key_digest = models.CharField(max_length=64, null=True, unique=True, editable=False)
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="When whoever reads there has agreed"
    )
    paused_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=ChannelKind.values), name="channel_kind_known"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether messages go there."""
        return self.confirmed_at is not None and self.paused_at is None

    @property
    def keeps_quiet(self) -> bool:
        """Whether it rings at somebody: programs and feeds sleep at no hour."""
        return self.kind in {ChannelKind.MAIL, ChannelKind.CHAT}


class Subscription(models.Model):
    """What is told over a channel, and how often.

    `generation` is up to which the index was searched for new hits, `next_at` the moment before
    which no message is made, `gap` how far apart those "at once" have become.
    """

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="subscriptions")
    topic = models.CharField(max_length=6, choices=Topic.choices)
    query = models.ForeignKey(
        "search.SavedQuery",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="subscriptions",
    )
    pace = models.CharField(max_length=6, choices=Pace.choices, default=Pace.ONCE)
    tells_opened = models.BooleanField(default=True)
    tells_closed = models.BooleanField(default=True)
    still_days = models.PositiveSmallIntegerField(null=True, blank=True)
    # None of them: all.
    publications = models.ManyToManyField(Publication, blank=True, related_name="+")
    created_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True, blank=True)
    generation = models.PositiveBigIntegerField(default=0)
    looked_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField()
    last_made_at = models.DateTimeField(null=True, blank=True)
    gap = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["topic", "next_at"], name="subscription_next")]
        constraints = [
            models.CheckConstraint(condition=Q(topic__in=Topic.values), name="sub_topic_known"),
            models.CheckConstraint(condition=Q(pace__in=Pace.values), name="sub_pace_known"),
        ]

    def __str__(self) -> str:
        about = f" “{self.query}”" if self.query_id else ""
        return f"{self.get_topic_display()}{about}, {self.get_pace_display().lower()}"

    @property
    def events(self) -> str:
        """Name the events of alarms that are told."""
        named = (("opened", self.tells_opened), ("closed", self.tells_closed))
        return ", ".join(word for word, is_told in named if is_told)


class Message(Work):
    """One message on one channel; done when it was taken, or given up.

    `key` names what it tells of: no other message tells of the same. It is the Message-ID of a mail
    and the id of a webhook, so that who gets one twice after a crash knows it.
    """

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="messages")
    subscription = models.ForeignKey(
        Subscription, null=True, blank=True, on_delete=models.SET_NULL, related_name="messages"
    )
    key = models.CharField(max_length=100, unique=True)
    content = models.JSONField()
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta(Work.Meta):
        ordering = ["-pk"]
        indexes = [
            *Work.Meta.indexes,
            # For what waits on each channel: the delivered ones are not in it.
            models.Index(
                fields=["subscription"],
                name="message_unsent",
                condition=Q(sent_at=None, given_up_at=None),
            ),
            models.Index(fields=["made_at"], name="message_made"),
        ]

    def __str__(self) -> str:
        return str(self.content.get("title", self.key))


class Notice(models.Model):
    """One thing to tell a subscription of: an alarm's opening, a text with new hits."""

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="notices")
    key = models.CharField(max_length=100)
    at = models.DateTimeField()
    content = models.JSONField()
    message = models.ForeignKey(
        Message, null=True, on_delete=models.SET_NULL, related_name="notices"
    )
    told_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [
            models.Index(
                fields=["subscription", "at"], name="notice_untold", condition=Q(told_at=None)
            ),
            models.Index(fields=["at"], name="notice_at"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "key"], name="notice_once"),
        ]

    def __str__(self) -> str:
        return self.key


class Delivery(models.Model):
    """One try to hand a message over, with what the other side said."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField()
    is_taken = models.BooleanField()
    code = models.PositiveSmallIntegerField(null=True, help_text="Of HTTP or SMTP")
    sentence = models.CharField(max_length=300, blank=True, default="")
    elapsed_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"

    def __str__(self) -> str:
        return f"{timezone.localtime(self.at):%Y-%m-%d %H:%M} {self.code or '–'}"
