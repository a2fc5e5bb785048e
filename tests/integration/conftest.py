"""Fixtures of the tests that use the database: own folders for each, readers by their role."""

import math
from pathlib import Path

import pytest
from django.test import Client
from factories import make_user

from corpus_site.accounts.spraying import wrong_passwords
from corpus_site.api.limits import buckets
from corpus_site.middleware import bounds
from corpus_site.middleware.bounds import spending
from corpus_site.running.seats import Seats
from feeds.parameters import values

BACKEND = "corpus_site.accounts.backends.RoleBackend"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what commits or locks as SQL, whatever its module says."""
    for item in items:
        marker = item.get_closest_marker("django_db")
        if marker is not None and marker.kwargs.get("transaction"):
            item.add_marker("sql")


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path: Path) -> None:
    """Keep what a test writes in its own temporary folder, however full the disk is."""
    settings.MIN_FREE_DISK_BYTES = 0
    settings.DATA_DIR = tmp_path
    settings.ARCHIVE_DIR = tmp_path / "archive"
    settings.INDEX_DIR = tmp_path / "index"


@pytest.fixture(autouse=True)
def full_buckets() -> None:
    """Let no test use up what the API grants another one a minute."""
    buckets.clear()
    spending.clear()
    wrong_passwords.clear()


@pytest.fixture(autouse=True)
def free_seats(monkeypatch) -> None:
    """Let no file that a test has not read keep others waiting."""
    monkeypatch.setattr(bounds, "export_seats", Seats())


@pytest.fixture(autouse=True)
def parameters_of_the_settings() -> None:
    """Let no test work with what another one has changed, nor read it by the clock."""
    values.hold(read_at=math.inf)


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
