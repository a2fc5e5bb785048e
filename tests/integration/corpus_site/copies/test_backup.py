"""Backup while the work goes on, restore into an empty folder: all there, and counted."""

import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from factories import make_article
from invented_treebank import treebank

from corpus_site.copies import backup
from corpus_site.copies.restore import restore
from corpus_site.running.executor import make_loop
from extraction.models import Article
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader

pytestmark = pytest.mark.sql

ROOT = Path(__file__).resolve().parents[4]


def work():
    make_loop(0, 1).run_until_idle()


@pytest.fixture
def other_place(tmp_path):
    """The environment of a program on an empty folder and an empty database."""
    environment = os.environ | {"DATA_DIR": str(tmp_path / "other"), "INDEX_DIR": ""}
    environment.pop("INDEX_DIR")
    if connection.vendor == "postgresql":
        name = f"broadsheet_{uuid.uuid4().hex[:12]}"
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        base = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
        environment["DATABASE_URL"] = f"{base}/{name}"
    return environment


def manage(environment, *arguments):
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.django_db(transaction=True)
def test_backup_made_amid_the_work_restores_to_a_whole_corpus(settings, tmp_path, other_place):
    settings.ARCHIVE_DIR.mkdir()
    (settings.ARCHIVE_DIR / "broadsheet-1.warc.gz").write_bytes(b"old")
    (tmp_path / "invented.conllu").write_text(treebank(), encoding="utf-8")
    call_command("train_tagger", str(tmp_path / "invented.conllu"), language="zu")
    learnt = _contents(settings.DATA_DIR / "languages")
    first = make_article("The sangoma drank maas.")
    work()
    moments = []

    def in_between(line):
        """After the index was copied a text comes in; after the database another one."""
        moments.append(line)
        if len(moments) < 3:
            make_article(f"Rain fell on the Karoo, day {len(moments)}.")
            work()
            (settings.ARCHIVE_DIR / "broadsheet-1.warc.gz").write_bytes(b"old and new")

    made = backup.make_backup(tmp_path / "saved", timezone.now(), in_between)
    code, _, said = manage(other_place, "restore", str(made))
    worked = manage(other_place, "work", "--until-idle", "--processes", "1", "--json")

    assert (code, said) == (0, "")
    # The index held one text, the database two: what the index lacked was indexed again.
    assert json.loads(worked[1])["indexed"] == 1
    restored = Path(other_place["DATA_DIR"])
    assert (restored / "archive/broadsheet-1.warc.gz").read_bytes() == b"old and new"
    assert _contents(restored / "languages") == learnt
    assert len(learnt) == 3
    snapshot = IndexReader(restored / "index").snapshot
    assert snapshot.size().documents_by_kind[DocumentKind.ARTICLE] == 2
    assert snapshot.document(DocumentKind.ARTICLE, first.pk) is not None
    assert Article.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_second_backup_links_what_has_not_changed(settings, tmp_path):
    settings.ARCHIVE_DIR.mkdir()
    (settings.ARCHIVE_DIR / "broadsheet-1.warc.gz").write_bytes(b"closed")
    make_article()
    work()
    now, later = timezone.now(), timezone.now() + timezone.timedelta(seconds=1)

    first = backup.make_backup(tmp_path / "saved", now, lambda _: None)
    (settings.ARCHIVE_DIR / "broadsheet-2.warc.gz").write_bytes(b"new")
    shutil.copytree(first, tmp_path / "saved" / "20991231T000000Z.partial")
    second = backup.make_backup(tmp_path / "saved", later, lambda _: None)

    names = [Path("archive/broadsheet-1.warc.gz"), *_segments(first)]
    assert len(names) > 1
    assert all((first / name).samefile(second / name) for name in names)
    assert (second / "archive/broadsheet-2.warc.gz").read_bytes() == b"new"
    assert sorted(path.name for path in (tmp_path / "saved").glob("2*")) == [
        first.name,
        second.name,
    ]


def _contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.glob("*/*")}


def _segments(folder):
    return [path.relative_to(folder) for path in (folder / "index").glob("*.segment")]


@pytest.mark.django_db
def test_backup_into_the_archive_and_of_something_else_are_refused(settings, tmp_path):
    with pytest.raises(backup.BackupError, match="is to be copied"):
        backup.make_backup(settings.ARCHIVE_DIR / "saved", timezone.now(), print)
    with pytest.raises(backup.BackupError, match="is no whole backup"):
        restore(tmp_path, print)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "The database is not empty"),
        (
            {"migrations": ["feeds.0001_squashed_0019_archive_files"]},  # stood in for fewer
            "The database is not empty",
        ),
        ({"migrations": ["feeds.9999_from_the_future"]}, "newer version of Broadsheet"),
        ({"database": "oracle"}, "holds a PostgreSQL database: set DATABASE_URL"),
    ],
)
def test_restore_in_the_wrong_place_is_refused_with_its_reason(tmp_path, changes, words):
    plain = {"database": connection.vendor, "rows": {}, "migrations": [], "generation": 0}
    report = backup.BackupReport(**(plain | {"archive_files": 0, "archive_bytes": 0} | changes))
    report.write(tmp_path)

    with pytest.raises(backup.BackupError, match=words):
        restore(tmp_path, print)
