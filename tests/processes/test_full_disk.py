"""A disk that is full in the middle of a write, by the kernel: nothing acknowledged is lost.

Archive, index and SQLite are written in a process whose files may not grow beyond a bound (EFBIG,
which is a full disk to us) until that fails, and then without the bound, on the same files.
"""

import os
import resource
import signal
import sqlite3
from contextlib import contextmanager

import pytest
from small_corpora import document, everything, write
from unit.feeds.crawler.archive.test_warc import exchange, fetched

from corpus_site.running.disks import is_machines_fault
from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.warc import WarcWriter
from feeds.crawler.archive.warc_reading import read_record
from search.engine.index.reader import IndexReader


@contextmanager
def room(n_bytes):
    """Let no file of this process grow beyond so many bytes, and no signal end it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_the_archive_keeps_what_it_has_acknowledged_and_goes_on_with_room(tmp_path):
    bodies = {n: os.urandom(8_000) for n in range(40)}
    kept = {}

    def write_all(writer, numbers):
        for n in numbers:
            kept[n] = writer.write(fetched(exchange(raw_body=bodies[n], headers=())), str(n))
            writer.sync()

    with WarcWriter(tmp_path / "archive") as writer:
        with room(100_000), pytest.raises(OSError, match="File too large") as full:
            write_all(writer, range(40))
        n_kept = len(kept)
        write_all(writer, range(n_kept, 40))

    assert is_machines_fault(full.value)
    assert 8 <= n_kept <= 12
    archive = Archive(tmp_path / "archive")
    read = {
        n: read_record(archive, record.filename, record.offset, record.length)
        for n, record in kept.items()
    }
    assert {n: exchanged.raw_body for n, exchanged in read.items()} == bodies


def test_the_index_stays_at_its_last_generation_and_goes_on_with_room(tmp_path):
    folder = tmp_path / "index"
    words = " ".join(f"w{n}" for n in range(2_000))
    write(folder, [document(1, "rain falls")])
    before = everything(IndexReader(folder).snapshot)

    with room(10_000), pytest.raises(OSError, match="File too large") as full:
        write(folder, [document(key, words) for key in range(2, 30)])
    amid = everything(IndexReader(folder).snapshot)
    write(folder, [document(key, words) for key in range(2, 30)])

    assert is_machines_fault(full.value)
    assert amid == before
    assert len(everything(IndexReader(folder).snapshot)) == 29


def test_sqlite_keeps_what_was_committed_and_goes_on_with_room(tmp_path):
    database = sqlite3.connect(tmp_path / "rows.sqlite3", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, body BLOB)")

    def add(n):
        database.execute("INSERT INTO page VALUES (?, randomblob(20000))", (n,))

    with room(300_000), pytest.raises(sqlite3.OperationalError) as full:  # noqa: PT012
        for n in range(60):
            add(n)
            n_committed = n + 1
    amid = database.execute("SELECT count(*) FROM page").fetchone()
    for n in range(n_committed, 60):
        add(n)

    assert "disk" in str(full.value)
    assert 0 < n_committed == amid[0] < 60
    assert database.execute("SELECT count(*) FROM page").fetchone() == (60,)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
