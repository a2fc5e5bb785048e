"""Readers of the pages, one for each role."""

import pytest
from django.test import Client
from factories import make_user

BACKEND = "corpus_site.accounts.backends.RoleBackend"


@pytest.fixture
def browse():
    """Make a client for a role; "reader" has no account."""

    def as_role(role):
        client = Client()
        if role != "reader":
            client.force_login(make_user(role), backend=BACKEND)
        return client

    return as_role


@pytest.fixture
def editor(browse):
    return browse("editor")


@pytest.fixture
def linguist(browse):
    return browse("linguist")


@pytest.fixture
def admin_reader(browse):
    return browse("admin")
