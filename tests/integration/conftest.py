"""Fixtures of the tests that use the database: each has its own archive and index folders."""

from pathlib import Path

import pytest


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
