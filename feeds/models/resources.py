"""What a crawl may use beside its own address: proxies, accounts, and the log of such choices.

All of it needs a permission: of the publication for proxies, of an admin who enters the account.
robots.txt and delays hold in any case.
"""

import base64

from django.conf import settings
from django.db import models
from django.db.models import Q

from feeds.crawler.fetching.cookies import CookieJar
from feeds.secrets_at_rest import SealBrokenError, seal, unseal


class Proxy(models.Model):
    """A proxy of the pool: used for a host that refuses us, where its publication permits it."""

    name = models.CharField(max_length=60, unique=True)
    url = models.CharField(max_length=500, help_text="http://host:port/, without a password")
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "proxies"

    def __str__(self) -> str:
        return self.name


class AccountKind(models.TextChoices):
    BASIC = "basic", "User name and password (HTTP Basic)"
    COOKIE = "cookie", "Cookie of a signed-in browser"
    FORM = "form", "Log-in form of the newspaper"


class Account(models.Model):
    """A subscription of ours at a newspaper; sent to its own site alone, never archived.

    A publication may have several: one for each of its hosts, or some that take turns.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="accounts"
    )
    host = models.CharField(
        max_length=253,
        blank=True,
        default="",
        help_text="Only for this host and those below it; empty: all of the publication's site",
    )
    kind = models.CharField(max_length=6, choices=AccountKind.choices)
    user_name = models.CharField(max_length=200, blank=True, default="")
    sealed_secret = models.TextField(editable=False, help_text="See feeds/secrets_at_rest.py")
    is_active = models.BooleanField(default=True)
    changed_at = models.DateTimeField(auto_now=True)
    # Of a form.
    log_in_address = models.CharField(
        max_length=2048, blank=True, default="", help_text="Page that shows the form"
    )
    user_field = models.CharField(
        max_length=200, blank=True, default="", help_text="Empty: found on the page"
    )
    password_field = models.CharField(
        max_length=200, blank=True, default="", help_text="Empty: found on the page"
    )
    success_cookie = models.CharField(
        max_length=200, blank=True, default="", help_text="Set for who is signed in"
    )
    absent_text = models.CharField(
        max_length=200, blank=True, default="", help_text="Shown only to who is not signed in"
    )
    # What log-ins have come to; written by `feeds/visiting/log_ins.py`.
    sealed_session = models.TextField(
        blank=True, default="", editable=False, help_text="Cookies, sealed; empty: signed out"
    )
    session_at = models.DateTimeField(null=True, blank=True, editable=False)
    log_in_until = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Somebody is logging in until then"
    )
    next_log_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    counted_on = models.DateField(null=True, blank=True, editable=False)
    n_log_ins = models.PositiveSmallIntegerField(default=0, editable=False)
    n_refused = models.PositiveSmallIntegerField(default=0, editable=False)
    refused_since = models.DateTimeField(null=True, blank=True, editable=False)
    log_in_said = models.TextField(blank=True, default="", editable=False)

    class Meta:
        ordering = ["publication", "pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.publication}"

    @property
    def secret(self) -> str:
        """Password or cookie, opened; raises `SealBrokenError` where its key is gone."""
        return unseal(self.sealed_secret)

    @secret.setter
    def secret(self, text: str) -> None:
        self.sealed_secret = seal(text)

    @property
    def log_in_steps(self) -> list[str]:
        """What the last log-in came to, in sentences."""
        return self.log_in_said.splitlines()

    @property
    def session(self) -> CookieJar | None:
        """The cookies of its log-in; None where nobody is signed in, or the seal's key is gone."""
        if not self.sealed_session:
            return None
        try:
            return CookieJar.of_text(unseal(self.sealed_session))
        except SealBrokenError:
            return None

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Headers that sign a request in; a form gives cookies instead."""
        if self.kind == AccountKind.FORM:
            return ()
        if self.kind == AccountKind.COOKIE:
            return (("Cookie", self.secret),)
        words = f"{self.user_name}:{self.secret}".encode()
        return (("Authorization", f"Basic {base64.b64encode(words).decode()}"),)


class BlockChoice(models.TextChoices):
    WAIT = "wait", "Wait"
    BROWSER = "browser", "Ask as a browser"
    PROXY = "proxy", "Change the proxy"
    GO_ON = "go_on", "Go on as before"
    PROBE = "probe", "Keep to it"
    GIVE_UP = "give_up", "Give it up"
    # What editors do.
    TRY_NOW = "try_now", "Try now"
    FORGET = "forget", "Forget"
    PERMIT = "permit", "Permit"
    FORBID = "forbid", "Forbid"
    BY_PAPER = "paper", "As its publications say"
    ROBOTS = "robots", "Ask robots.txt"
    DELAY = "delay", "Another delay"


class HostDecision(models.Model):
    """What was done about a host: sign, choice, reason, by whom; only ever added to."""

    host = models.ForeignKey("feeds.Host", on_delete=models.CASCADE, related_name="decisions")
    at = models.DateTimeField()
    sign = models.CharField(max_length=200)
    choice = models.CharField(max_length=7, choices=BlockChoice.choices)
    reason = models.CharField(max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["host", "-at"], name="hostdecision_host_at")]
        constraints = [
            models.CheckConstraint(
                condition=Q(choice__in=BlockChoice.values), name="hostdecision_choice_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.host}: {self.get_choice_display()}"
