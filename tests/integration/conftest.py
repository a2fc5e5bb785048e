"""Fixtures of the tests that use the database: each has its own archive and index folders."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path: Path) -> None:
    """Keep what a test writes in its own temporary folder."""
    settings.DATA_DIR = tmp_path
    settings.ARCHIVE_DIR = tmp_path / "archive"
    settings.INDEX_DIR = tmp_path / "index"
