"""Askers of the API: by token and without."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from factories import make_user

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.tokens import make_token


@pytest.fixture
def new_token():
    """Make a token: of a new linguist, for reading, for an hour, unless a test says otherwise."""

    def make(**changes):
        now = timezone.now()
        changes.setdefault("owner", None)
        changes["owner"] = changes["owner"] or make_user("linguist")
        values = {"name": "notebook", "scope": "read", "expires_at": now + timedelta(hours=1)}
        return make_token(ApiToken(**values | changes), now)

    return make


@pytest.fixture
def ask(new_token):
    """Ask with a token of one's own, or with the one given."""
    own = []

    def asking(path, token=None, **parameters):
        if token is None and not own:
            own.append(new_token(scope="export").text)
        shown = own[0] if token is None else token
        return Client().get(path, parameters, headers={"authorization": f"Bearer {shown}"})

    return asking
