"""SQLite → PostgreSQL: every row of every kind of column, and numbers that go on."""

import os
import subprocess
import sys
import uuid
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from django.db import connection
from factories import make_article, make_comment, make_user

from corpus_site.accounts.models import User
from corpus_site.copies.database_copies import copy_out
from corpus_site.running.executor import make_loop
from extraction.models import Article
from feeds.models import Page

pytestmark = pytest.mark.sql

ROOT = Path(__file__).resolve().parents[4]
AWKWARD = "Tab\there, \\N and \\back, “quotes”, 𝔘\nnew line"


@pytest.fixture
def target():
    """URL of a fresh database on the test server; skipped by name without one."""
    url = os.environ.get("TEST_DATABASE_URL")
    if connection.vendor != "sqlite" or not url:
        reason = "moves from SQLite to the server of TEST_DATABASE_URL"
        if connection.vendor == "sqlite" and os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    name = f"broadsheet_{uuid.uuid4().hex[:12]}"
    with closing(psycopg2.connect(url)) as server:
        server.autocommit = True
        with server.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
    return f"{url.rsplit('/', 1)[0]}/{name}"


def ask(url, statement):
    with closing(psycopg2.connect(url)) as server, server.cursor() as cursor:
        cursor.execute(statement)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_moved_database_has_every_row_and_goes_on_numbering(target, tmp_path):
    make_user("admin", username="thandi")
    make_comment(make_article(f"The sangoma drank maas. {AWKWARD}"))
    make_loop(0, 1).run_until_idle()
    Article.objects.update(text=AWKWARD + " Nul \0 stays behind.")
    counts = copy_out(tmp_path)
    environment = os.environ | {"DATA_DIR": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "manage.py", "move_database", target],
        cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=100,
    )  # fmt: skip

    assert done.stderr == ""
    assert done.returncode == 0
    del counts["django_migrations"]
    tables = ask(target, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    names = {row["tablename"] for row in tables} - {"django_migrations"}
    assert counts["dedup_fingerprint"] > 0
    assert counts == {
        name: ask(target, f'SELECT count(*) AS n FROM "{name}"')[0]["n"]  # noqa: S608 (a catalogue's)
        for name in names
    }
    for model in (Article, Page, User):
        rows = list(model._base_manager.order_by("pk").values())
        for row in rows:
            row.update({"text": row["text"].replace("\0", "")} if "text" in row else {})
        statement = f"SELECT * FROM {model._meta.db_table} ORDER BY id"  # noqa: S608 (our own)
        assert ask(target, statement) == rows
    following = "SELECT nextval(pg_get_serial_sequence('extraction_article', 'id')) AS key"
    assert ask(target, following) == [{"key": Article.objects.get().pk + 1}]
