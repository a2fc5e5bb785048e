"""Forgotten passwords: what was typed is kept, and a moment later the mail of it leaves.

The page that asks does the same work whoever is meant, so neither its answer nor its time tells
whether there is such a person; who that is, is looked up when mails are made. A mail server that is
away is tried again for an hour.
"""

from datetime import datetime, timedelta

from corpus_site.accounts import mails, people
from corpus_site.accounts.models import PasswordWish, PersonAct, User
from corpus_site.accounts.people import Actor

# The stage of messages looks every quarter of a minute; each mail may wait for its server.
MOST_AT_ONCE = 20
# Whoever asks more often fills no table: what is typed meanwhile comes to nothing.
MOST_WAITING = 200
TRIED_FOR = timedelta(hours=1)


def ask(whose: str, site: str, now: datetime) -> None:
    """Keep that somebody asked; `site` is the address of this site as they see it."""
    if PasswordWish.objects.count() < MOST_WAITING:
        PasswordWish.objects.create(whose=whose.strip(), site=site, asked_at=now)


def send(now: datetime) -> int:
    """Send what was asked for; returns how many mails left.

    A wish is gone once its mails were taken: who is killed in between sends them once more.
    """
    PasswordWish.objects.filter(asked_at__lt=now - TRIED_FOR).delete()
    n_sent = 0
    for wish in PasswordWish.objects.order_by("pk")[:MOST_AT_ONCE]:
        for user in people_of(wish.whose, now):
            link = wish.site.rstrip("/") + people.password_address(user)
            if not mails.send_link(user, link, "password"):
                return n_sent
            n_sent += 1
            people.record(user, PersonAct.FORGOTTEN, Actor(None, now))
        wish.delete()
    return n_sent


def people_of(whose: str, now: datetime) -> list[User]:
    """Active people with a password of this site whom no link was sent to a moment ago."""
    found = User.objects.filter(is_active=True).exclude(email="")
    named = found.filter(username=whose) | found.filter(email__iexact=whose)
    return [
        user
        for user in named
        if user.has_usable_password() and not people.has_asked_lately(user, now)
    ]
