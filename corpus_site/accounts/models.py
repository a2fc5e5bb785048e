"""The user and the three roles of the house.

A reader without an account has no row; whether such readers may search is the setting
READING_WITHOUT_SIGN_IN.
"""

from django.contrib.auth.models import AbstractUser
from django.db import models


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
