"""Merges beside the indexing: started when due, one a folder, harmless when nothing is."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from small_corpora import document, everything, write
from waiting import wait_until

from search.engine.index.building import merge
from search.engine.index.building.merging import (
    IN_BACKGROUND,
    MERGE_LOCK_NAME,
    SWAP_TIMEOUT_SECONDS,
)
from search.engine.index.building.rebase import REBASE_BYTES
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import MANIFEST_NAME, WriterLock, load_manifest, store_manifest
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


def test_missing_lexicon_is_logged_and_ends_the_merge(tmp_path, caplog):
    closed_segments(tmp_path, 2)
    manifest = load_manifest(tmp_path)
    promised = replace(manifest.lexicon, log_bytes=REBASE_BYTES)
    store_manifest(tmp_path, replace(manifest, lexicon=promised))

    background_merges.start(tmp_path).join()

    assert "cannot be merged; run manage.py reindex" in caplog.text


def test_another_process_that_merges_is_left_alone(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    lock = WriterLock(tmp_path, MERGE_LOCK_NAME)
    lock.acquire(0)

    background_merges.start(tmp_path).join()
    lock.release()

    assert len(IndexReader(tmp_path).snapshot.segments) == merge.DAY_SEGMENTS


def prepared_merges(folder: Path) -> list[Path]:
    return list(folder.glob(f"{IN_BACKGROUND}-*"))


def programs_begun() -> list[int]:
    """Give the children of all threads of this process."""
    texts = [path.read_text() for path in Path("/proc/self/task").glob("*/children")]
    return [int(pid) for text in texts for pid in text.split()]


def test_merge_that_is_killed_is_logged_and_begun_again(tmp_path, caplog):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    before = everything(IndexReader(tmp_path).snapshot)
    known = programs_begun()
    writer = WriterLock(tmp_path)
    writer.acquire(0)  # what is merged waits to be swapped in

    thread = background_merges.start(tmp_path)
    wait_until(lambda: prepared_merges(tmp_path))
    (program,) = set(programs_begun()) - set(known)
    os.kill(program, signal.SIGKILL)
    thread.join()
    writer.release()
    background_merges.start(tmp_path).join()

    snapshot = IndexReader(tmp_path).snapshot
    assert "ended with -9; the next commit tries again" in caplog.text
    assert len(snapshot.segments) == 1
    assert everything(snapshot) == before
    assert not prepared_merges(tmp_path)


def test_merge_ends_with_the_process_that_began_it(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    writer, merging = WriterLock(tmp_path), WriterLock(tmp_path, MERGE_LOCK_NAME)
    writer.acquire(0)
    worker = os.fork()
    if not worker:
        background_merges.start(tmp_path).join()
        os._exit(0)
    wait_until(lambda: prepared_merges(tmp_path))

    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)

    merging.acquire(SWAP_TIMEOUT_SECONDS / 2)  # the kernel drops the lock of whoever ends
    merging.release()
    writer.release()
    assert len(IndexReader(tmp_path).snapshot.segments) == merge.DAY_SEGMENTS


def test_documents_come_and_go_while_merges_run(tmp_path):
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
