"""People whom somebody else vouches for: found again by their subject there, or made.

A name alone never opens an account that is here already: whoever may choose a name elsewhere would
become whoever has it here.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from corpus_site.accounts import people
from corpus_site.accounts.models import ExternalAccount, PersonAct, Role, SignInWay, User
from corpus_site.accounts.people import Actor
from corpus_site.accounts.roles import set_role

_NAME_CHARS = 150
_SUBJECT_CHARS = 255
# What Django's names of users do not take.
_NO_NAME = re.compile(r"[^\w.@+-]")


class ArrivalRefusedError(Exception):
    """Somebody who is known elsewhere, but may not sign in here; the text says why."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A person as another server describes one; `subject` is theirs alone and for ever there."""

    way: SignInWay
    subject: str
    username: str
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    groups: frozenset[str] = frozenset()


@transaction.atomic
def arrive(arrival: Arrival, now: datetime) -> User:
    """Find or make the account of somebody who was vouched for, with the role of the groups.

    Raises
    ------
    ArrivalRefusedError
        For whoever is in none of `SIGN_IN_GROUPS`, was sent away, or has no usable subject.
    """
    if not arrival.subject or len(arrival.subject) > _SUBJECT_CHARS:
        raise ArrivalRefusedError("The server that vouches for you did not say who you are.")
    if not _is_in(arrival.groups, settings.SIGN_IN_GROUPS, where_none=True):
        raise ArrivalRefusedError("You are in none of the groups that may sign in here.")
    account = (
        ExternalAccount.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(way=arrival.way, subject=arrival.subject)
        .first()
    )
    user = account.user if account else _newcomer(arrival, now)
    if not user.is_active:
        raise ArrivalRefusedError("Your account was closed by an admin of this installation.")
    _follow_groups(user, arrival, now)
    ExternalAccount.objects.filter(way=arrival.way, subject=arrival.subject).update(
        groups=sorted(arrival.groups), last_used_at=now
    )
    return user


def role_of(groups: Collection[str]) -> Role | None:
    """Give the role that the settings bind to groups; None where they bind none at all."""
    if not (settings.SIGN_IN_EDITOR_GROUPS or settings.SIGN_IN_ADMIN_GROUPS):
        return None
    if _is_in(groups, settings.SIGN_IN_ADMIN_GROUPS):
        return Role.ADMIN
    if _is_in(groups, settings.SIGN_IN_EDITOR_GROUPS):
        return Role.EDITOR
    return Role.LINGUIST


def _newcomer(arrival: Arrival, now: datetime) -> User:
    """Make an account that has no password of this site."""
    user = User(
        username=_free_name(arrival),
        email=arrival.email[:254],
        first_name=arrival.first_name[:150],
        last_name=arrival.last_name[:150],
        role=role_of(arrival.groups) or Role.LINGUIST,
    )
    user.set_unusable_password()
    user.save()
    ExternalAccount.objects.create(
        user=user, way=arrival.way, subject=arrival.subject, created_at=now, last_used_at=now
    )
    said = f"by {arrival.way.label}, as {user.get_role_display().lower()}"
    people.record(user, PersonAct.ARRIVED, Actor(None, now), said)
    return user


def _free_name(arrival: Arrival) -> str:
    """Take the name from there; one that is taken here gets a mark and a number."""
    wished = _NO_NAME.sub("", arrival.username)
    wished = wished[: _NAME_CHARS - 20] or arrival.way.value
    number = 1
    name = wished
    while User.objects.filter(username__iexact=name).exists():
        name = f"{wished}-{arrival.way.value}{number if number > 1 else ''}"
        number += 1
    return name


def _follow_groups(user: User, arrival: Arrival, now: datetime) -> None:
    """Let the role be that of the groups; without such groups admins give roles themselves."""
    role = role_of(arrival.groups)
    if role is None or role == user.role:
        return
    before, user.role = user.get_role_display().lower(), role
    set_role(user)
    user.save(update_fields=["role", "is_superuser", "is_staff"])
    said = f"{before} → {user.get_role_display().lower()}, by the groups"
    people.record(user, PersonAct.ROLE, Actor(None, now), said)


def _is_in(groups: Collection[str], named: Collection[str], *, where_none: bool = False) -> bool:
    if not named:
        return where_none
    wanted = {name.casefold() for name in named}
    return any(name.casefold() in wanted for name in groups)
