"""The user with the three roles of the house, how people came here, and the tokens of programs.

A reader without an account has no row; whether such readers may search is the setting
READING_WITHOUT_SIGN_IN.
"""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class Role(models.TextChoices):
    LINGUIST = "linguist", "Linguist"
    EDITOR = "editor", "Editor"
    ADMIN = "admin", "Admin"


class Theme(models.TextChoices):
    SYSTEM = "system", "As the system"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class User(AbstractUser):
    """Somebody who signs in. An admin may do what an editor may, an editor what a linguist may."""

    role = models.CharField(max_length=10, choices=Role.choices, default=Role.LINGUIST)
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    # WCAG 2.1.4: who speaks to the machine must be able to switch keys of one letter off.
    single_keys = models.BooleanField(
        default=True, help_text="Keys of one letter, as “/” and “j”, work outside of fields"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="user_role_known")
        ]

    @property
    def is_editor(self) -> bool:
        """Whether sources, rules, lexicon and crawls may be changed."""
        return self.is_active and (self.is_superuser or self.role in {Role.EDITOR, Role.ADMIN})

    @property
    def is_admin(self) -> bool:
        """Whether users, settings and Django's admin may be used."""
        return self.is_active and (self.is_superuser or self.role == Role.ADMIN)


class SignInWay(models.TextChoices):
    """Who vouches for people besides their own password here."""

    OPENID = "openid", "OpenID Connect"
    DIRECTORY = "directory", "LDAP directory"
    HEADER = "header", "Trusted proxy"


class ExternalAccount(models.Model):
    """A person whom somebody else vouches for; `subject` never changes there, names may.

    Written by `sign_in/arrivals.py`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="external_accounts")
    way = models.CharField(max_length=9, choices=SignInWay.choices, editable=False)
    subject = models.CharField(max_length=255, editable=False)
    groups = models.JSONField(default=list, editable=False, help_text="As said at the last sign-in")
    created_at = models.DateTimeField(editable=False)
    last_used_at = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["user", "way"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(way__in=SignInWay.values), name="sign_in_way_known"
            ),
            models.UniqueConstraint(fields=["way", "subject"], name="one_account_a_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.get_way_display()})"


class PersonAct(models.TextChoices):
    INVITED = "invited", "Invited"
    ARRIVED = "arrived", "Signed in first"
    ROLE = "role", "Role"
    LEFT = "left", "Sent away"
    BACK = "back", "Let in again"
    LINK = "link", "Link for a new password"
    FORGOTTEN = "forgotten", "Password forgotten"
    PASSWORD = "password", "Password set"


class PersonEvent(models.Model):
    """What was done about a person, by whom; entries stay when either is deleted.

    Written by `people.py`.
    """

    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="events")
    username = models.CharField(max_length=150)
    what = models.CharField(max_length=9, choices=PersonAct.choices)
    said = models.CharField(max_length=200, blank=True, default="")
    # Empty: the person, or whoever vouches for people.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="acts")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "what", "at"], name="person_event_of_user")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(what__in=PersonAct.values), name="person_act_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.username}: {self.get_what_display()}"


class TokenScope(models.TextChoices):
    READ = "read", "Read"
    EXPORT = "export", "Read and export"


class ApiToken(models.Model):
    """What a program shows instead of a password; the token itself is kept nowhere.

    Written by `tokens.py`.
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80, help_text="Where it is used: a notebook, a server")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256")
    prefix = models.CharField(max_length=12, editable=False, help_text="How the token begins")
    scope = models.CharField(max_length=6, choices=TokenScope.choices, default=TokenScope.READ)
    created_at = models.DateTimeField(editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = "API token"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=TokenScope.values), name="token_scope_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def may_export(self) -> bool:
        """Whether it fetches files beside answers."""
        return self.scope == TokenScope.EXPORT


class PasswordWish(models.Model):
    """What somebody typed who has forgotten a password; gone once that was looked at.

    Written by `forgotten.py`.
    """

    whose = models.CharField(max_length=254, help_text="A name or a mail address, as typed")
    site = models.CharField(max_length=300, help_text="Where links of the mail begin")
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"asked at {timezone.localtime(self.asked_at):%Y-%m-%d %H:%M}"


class SentForm(models.Model):
    """A form on its way, worked on by one web process of all; written by `sent_forms.py`."""

    digest = models.CharField(max_length=32, primary_key=True)
    until = models.DateTimeField(db_index=True, help_text="From then on it may be worked on again")
    answer = models.BinaryField(null=True, help_text="Sealed by what was sent")

    class Meta:
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"until {timezone.localtime(self.until):%Y-%m-%d %H:%M:%S}"
