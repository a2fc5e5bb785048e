"""Who may do what, changed: at least one admin who can sign in is always left.

Checks hold the admins' rows until their transaction ends, so that two admins cannot send each other
away at once.
"""

from collections.abc import Collection

from corpus_site.accounts.models import Role, User

LAST_ADMIN = (
    "This would leave nobody who is an admin and active. Make somebody else an admin first."
)


def is_last_admin(leaving: Collection[int]) -> bool:
    """Whether no active admin is left without these users. Needs a transaction."""
    admins = User.objects.select_for_update().filter(is_active=True).order_by("pk")
    ids = {user.pk for user in admins if user.is_admin}
    return bool(ids & set(leaving)) and ids <= set(leaving)


def set_role(user: User) -> None:
    """Let the rights of a user, not saved yet, be those of the role and nothing beside it."""
    if user.role != Role.ADMIN:
        user.is_superuser = user.is_staff = False
