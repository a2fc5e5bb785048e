"""People of this installation: invited, given roles, sent away and let in again.

Every act is kept as a `PersonEvent`. Nobody sends himself away or changes his own role, and an
admin who needs nobody else's word to sign in is always left.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from corpus_site.accounts.models import PersonAct, PersonEvent, Role, User
from corpus_site.accounts.roles import LAST_ADMIN, is_last_admin, set_role

# Whoever asks again within this time has the mail already; no mailbox is filled from outside.
FORGOTTEN_EVERY = timedelta(minutes=10)
OWN_ACCOUNT = "This is your own account: another admin has to do that."


class PersonRefusedError(Exception):
    """An act that would leave nobody in charge; the text says why."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, and when; nobody for the person alone."""

    user: User | None
    now: datetime


@transaction.atomic
def invite(wanted: User, actor: Actor) -> User:
    """Store a person who has a name, a mail address and a role, but no password yet."""
    wanted.set_unusable_password()
    set_role(wanted)
    wanted.save()
    record(wanted, PersonAct.INVITED, actor, f"as {wanted.get_role_display().lower()}")
    return wanted


@transaction.atomic
def give_role(pk: int, role: Role, actor: Actor) -> User:
    """Give a person another role; raises `PersonRefusedError` for oneself and the last admin."""
    user = _other(pk, actor)
    if role != Role.ADMIN:
        _refuse_last_admin(user)
    if user.role != role or user.is_superuser:
        before, user.role = user.get_role_display().lower(), role
        set_role(user)
        user.save(update_fields=["role", "is_superuser", "is_staff"])
        record(user, PersonAct.ROLE, actor, f"{before} → {user.get_role_display().lower()}")
    return user


@transaction.atomic
def send_away(pk: int, actor: Actor) -> User:
    """Let a person sign in no more: sessions and tokens end at once, what he wrote stays."""
    user = _other(pk, actor)
    _refuse_last_admin(user)
    return _set_active(user, PersonAct.LEFT, actor)


@transaction.atomic
def let_in(pk: int, actor: Actor) -> User:
    return _set_active(_other(pk, actor), PersonAct.BACK, actor)


def password_address(user: User) -> str:
    """Path where a person sets a password, once and for some days.

    It ends with the next sign-in and with the next password.
    """
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password-set", args=[uid, default_token_generator.make_token(user)])


def record(user: User, what: PersonAct, actor: Actor, said: str = "") -> None:
    limit = PersonEvent._meta.get_field("said").max_length
    PersonEvent.objects.create(
        user=user,
        username=user.get_username(),
        what=what,
        said=said[:limit],
        by=actor.user,
        at=actor.now,
    )


def has_asked_lately(user: User, now: datetime) -> bool:
    """Whether a link for a forgotten password was sent a moment ago."""
    return PersonEvent.objects.filter(
        user=user, what=PersonAct.FORGOTTEN, at__gt=now - FORGOTTEN_EVERY
    ).exists()


def people(words: str = "") -> QuerySet[User]:
    """All people, those who may sign in first; `words` stand in a name or a mail address."""
    found = User.objects.prefetch_related("external_accounts").order_by("-is_active", "username")
    for word in words.split():
        found = found.filter(
            Q(username__icontains=word)
            | Q(email__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
        )
    return found


def _other(pk: int, actor: Actor) -> User:
    if actor.user is not None and actor.user.pk == pk:
        raise PersonRefusedError(OWN_ACCOUNT)
    return User.objects.select_for_update().get(pk=pk)


def _refuse_last_admin(user: User) -> None:
    if is_last_admin([user.pk]):
        raise PersonRefusedError(LAST_ADMIN)


def _set_active(user: User, what: PersonAct, actor: Actor) -> User:
    is_active = what == PersonAct.BACK
    if user.is_active != is_active:
        user.is_active = is_active
        user.save(update_fields=["is_active"])
        record(user, what, actor)
    return user
