"""Readers of the search and article pages: with the setting that lets everybody read."""

import pytest
from django.test import Client
from factories import make_user


@pytest.fixture
def reader(client, settings):
    """Somebody without an account, where reading needs none."""
    settings.READING_WITHOUT_SIGN_IN = True
    return client


@pytest.fixture
def linguist(client):
    client.force_login(make_user("linguist"), backend=BACKEND)
    return client


@pytest.fixture
def editor(client):
    client.force_login(make_user("editor"), backend=BACKEND)
    return client


@pytest.fixture
def csrf_editor():
    """An editor whose posts come without the token of a form."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("editor"), backend=BACKEND)
    return client


BACKEND = "corpus_site.accounts.backends.RoleBackend"
