"""Merges beside the indexing: started when due, one thread a folder, harmless when nothing is."""

from pathlib import Path

import pytest
from small_corpora import document, everything, write

from search.engine.index.building import merge
from search.engine.index.building.merging import MERGE_LOCK_NAME
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import MANIFEST_NAME, WriterLock
from search.engine.index.reader import IndexReader
from search.stage import background_merges

pytestmark = pytest.mark.sql


def closed_segments(folder: Path, n: int) -> None:
    write(folder, *[[document(key, f"rain a{key}")] for key in range(1, n + 1)], tail_tokens=1)


def test_due_merges_are_done_in_a_thread(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    before = everything(IndexReader(tmp_path).snapshot)

    thread = background_merges.start(tmp_path)
    thread.join()

    snapshot = IndexReader(tmp_path).snapshot
    assert len(snapshot.segments) == 1
    assert everything(snapshot) == before


def test_no_thread_is_started_when_nothing_is_due(tmp_path):
    closed_segments(tmp_path, 2)

    assert background_merges.start(tmp_path) is None
    assert background_merges.start(tmp_path / "none") is None


def test_unreadable_manifest_is_left_to_others(tmp_path):
    (tmp_path / MANIFEST_NAME).write_text("{")

    assert background_merges.start(tmp_path) is None


def test_missing_lexicon_is_logged_and_ends_the_thread(tmp_path, monkeypatch, caplog):
    closed_segments(tmp_path, 2)
    monkeypatch.setattr("search.engine.index.building.rebase.REBASE_BYTES", 1)
    next(tmp_path.glob("lexicon-*.log")).write_bytes(b"cut")

    background_merges.start(tmp_path).join()

    assert "cannot be merged; run manage.py reindex" in caplog.text


def test_another_process_that_merges_is_left_alone(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    lock = WriterLock(tmp_path, MERGE_LOCK_NAME)
    lock.acquire(0)

    background_merges.start(tmp_path).join()
    lock.release()

    assert len(IndexReader(tmp_path).snapshot.segments) == merge.DAY_SEGMENTS


def test_documents_come_and_go_while_merges_run(tmp_path, monkeypatch):
    monkeypatch.setattr(merge, "DAY_SEGMENTS", 2)
    for key in range(1, 30):
        write(tmp_path, [document(key, f"rain a{key}")], tail_tokens=1)
        if key > 3:
            write(tmp_path, [document(key - 3, f"snow b{key}")], tail_tokens=1)
        background_merges.start(tmp_path)
    if thread := background_merges.start(tmp_path):
        thread.join()

    found = everything(IndexReader(tmp_path).snapshot)

    words = {key: tokens[0][0] for (kind, key), (tokens, *_) in found.items()}
    assert words == {key: "snow" if key < 27 else "rain" for key in range(1, 30)}
    assert {kind for kind, _ in found} == {DocumentKind.ARTICLE}
