"""Who may do what, changed: at least one admin who can sign in here is always left.

Checks hold the admins' rows until their transaction ends, so that two admins cannot send each other
away at once.
"""

from collections.abc import Collection

from corpus_site.accounts.models import ExternalAccount, Role, User

LAST_ADMIN = (
    "This would leave nobody who is an admin and active. Make somebody else an admin first."
)


def is_last_admin(leaving: Collection[int]) -> bool:
    """Whether no active admin is left without these users. Needs a transaction.

    Who signs in by the word of a directory does not count: that may fail, and then nobody is left.
    """
    outsiders = ExternalAccount.objects.values("user")
    admins = User.objects.select_for_update().filter(is_active=True).exclude(pk__in=outsiders)
    ids = {user.pk for user in admins.order_by("pk") if user.is_admin}
    return bool(ids & set(leaving)) and ids <= set(leaving)


def set_role(user: User) -> None:
    """Let the rights of a user, not saved yet, be those of the role and nothing beside it."""
    if user.role != Role.ADMIN:
        user.is_superuser = user.is_staff = False
