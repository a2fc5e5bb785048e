"""The database that measures growth is one of this product: nothing in it waits for the index."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

ROOT = Path(__file__).resolve().parents[2]
AT_REST = """
import django; django.setup()
from django.utils import timezone
from search import indexing
from search.models import IndexedArticle, IndexedComment
from search.opened_index import current_snapshot
n_shown = sum(m.objects.filter(outcome="indexed").count() for m in (IndexedArticle, IndexedComment))
n_held = IndexedArticle.objects.filter(lease_until__isnull=False).count()
n_there = current_snapshot().size().n_documents
print(indexing.pending(1000, timezone.now()), n_held, n_shown - n_there)
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request):
    """URL of an empty database; empty for the embedded one."""
    if request.param == "sqlite":
        yield ""
        return
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        reason = "needs PostgreSQL (TEST_DATABASE_URL)"
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE grown_by_a_test")
            yield f"{server.rpartition('/')[0]}/grown_by_a_test"
            cursor.execute("DROP DATABASE grown_by_a_test WITH (FORCE)")


def test_a_grown_database_has_all_its_texts_in_the_index(tmp_path, database):
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "corpus_site.settings",
    }

    def run(*arguments):
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.split()

    run("tests/benchmarks/grow.py", "300", "3000")

    assert run("-c", AT_REST) == ["0", "0", "0"]
