"""A writer killed at any of its file operations loses nothing that was committed."""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from small_corpora import document, everything, write

from search.engine.index.building import merge, rebase
from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.building.merging import merge_step
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import OWN_FILE, load_manifest
from search.engine.index.reader import IndexReader

# Thousands of syncs take minutes on a disk; what a killed process leaves is the same in memory.
MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)
# What a commit does to files; the child dies before the n-th of these calls.
FILE_CALLS = frozenset(
    {"open", "write", "flush", "fsync", "truncate", "replace", "rename", "unlink", "touch"}
)
BEFORE = [document(1, "rain falls"), document(2, "snow falls"), document(3, "hail")]
AFTER = [document(2, "sleet falls again"), document(4, "Café")]


def prepare(folder):
    write(folder, BEFORE[:2], BEFORE[2:], tail_tokens=2)


def commit_all(folder):
    """Replace, add and remove, then merge and rebase under the writer's lock."""
    writer = IndexWriter(folder, tail_tokens=2)
    with writer:
        for item in AFTER:
            writer.add(item)
        writer.remove(DocumentKind.ARTICLE, 3)
        writer.commit()
        writer.optimize()


def merge_all(folder):
    """What is done in the background."""
    while merge_step(folder):
        pass


def commit_overdue(folder):
    """A commit that has to merge and rebase itself."""
    write(folder, AFTER, tail_tokens=1)


def build_anew(folder):
    with BulkBuilder(folder, tokens_per_segment=2) as builder:
        for item in (*BEFORE, *AFTER[1:]):
            builder.add(item)
        builder.publish()


SCENARIOS = {
    "commit and optimize": commit_all,
    "merge in the background": merge_all,
    "commit that merges": commit_overdue,
    "bulk build": build_anew,
}


def die_at(number):
    """Kill this process before its n-th file operation."""
    seen = 0

    def count(_frame, event, function):
        nonlocal seen
        if event == "c_call" and function.__name__ in FILE_CALLS:
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)


def run_until(work, folder, number):
    """Work in a child that dies at its n-th file operation; says whether it was killed."""
    child = os.fork()
    if child == 0:
        die_at(number)
        try:
            work(folder)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def state(folder):
    """All that can be read, at the current generation and at those before."""
    snapshot = IndexReader(folder).snapshot
    assert not snapshot.damaged
    history = [everything(snapshot, g) for g in range(1, min(3, snapshot.generation + 1))]
    return everything(snapshot), history


def tear(folder, share):
    """Cut what no manifest vouches for, as a machine that loses power may; says whether it did."""
    manifest = load_manifest(folder)
    kept = manifest.file_names()
    torn = False
    for path in folder.iterdir():
        unfinished = path.name.startswith("merging-") or path.name.endswith(".tmp")
        if unfinished or (OWN_FILE.fullmatch(path.name) and path.name not in kept):
            os.truncate(path, int(share * path.stat().st_size))
            torn = True
    log = folder / manifest.lexicon.log_name
    beyond = log.stat().st_size - manifest.lexicon.log_bytes
    if beyond > 0:
        os.truncate(log, manifest.lexicon.log_bytes + int(share * beyond))
        torn = True
    return torn


@pytest.fixture
def small_limits(monkeypatch):
    """Everything is due at once, so that few documents go through all of it."""
    monkeypatch.setattr(merge, "DAY_SEGMENTS", 2)
    monkeypatch.setattr(merge, "MAX_DAY_SEGMENTS", 3)
    monkeypatch.setattr(rebase, "REBASE_BYTES", 50)
    monkeypatch.setattr(rebase, "OVERDUE", 1)


@pytest.fixture
def fast_folder():
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def prepared(fast_folder):
    """An index with two commits in which nothing is overdue yet."""
    folder = fast_folder / "prepared"
    folder.mkdir()
    prepare(folder)
    return folder


@pytest.mark.parametrize("work", SCENARIOS.values(), ids=list(SCENARIOS))
def test_killed_at_every_file_operation_the_index_is_whole(prepared, small_limits, work):
    before = state(prepared)
    whole = shutil.copytree(prepared, prepared.with_name("whole"))
    work(whole)
    after = state(whole)
    outcomes = []
    number = 0
    killed = True
    while killed:
        number += 1
        folder = shutil.copytree(prepared, prepared.with_name(f"killed-{number}"))

        killed = run_until(work, folder, number)

        found = state(folder)
        assert found in (before, after), f"neither state after operation {number}"
        outcomes.append(found == after)
        if tear(folder, (number % 4) / 4):
            assert state(folder) == found, f"torn after operation {number}"
        work(folder)
        assert state(folder)[0] == after[0], f"not finished after operation {number}"
    assert outcomes == sorted(outcomes)  # once committed, it stays so
    assert number > 20


def test_nothing_is_renamed_before_it_is_synced(tmp_path, monkeypatch, small_limits):
    """A name in its place means that the bytes are on disk; a manifest, that all it names are."""
    events = []
    fsync, replace = os.fsync, Path.replace

    def note_sync(descriptor):
        status = os.fstat(descriptor)
        events.append(("sync", status.st_ino, status.st_size))
        fsync(descriptor)

    def note_rename(source, target):
        status = source.stat()
        assert ("sync", status.st_ino, status.st_size) in events, f"{source.name} not synced"
        events.append(("rename", Path(target).name, 0))
        return replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    inode = tmp_path.stat().st_ino

    prepare(tmp_path)
    commit_all(tmp_path)
    commit_overdue(tmp_path)
    merge_all(tmp_path)
    build_anew(tmp_path)

    folder_synced = [i for i, event in enumerate(events) if event[:2] == ("sync", inode)]
    swaps = [i for i, event in enumerate(events) if event[1] == "manifest.json"]
    assert len(swaps) > 6
    for swap in swaps:
        assert swap + 1 in folder_synced  # the swap itself
        renames = [i for i in range(swap) if events[i][0] == "rename"]
        last = max((i for i in renames if events[i][1] != "manifest.json"), default=-1)
        assert any(last < i < swap for i in folder_synced)  # the names that it uses


@pytest.mark.parametrize("keep", range(0, 200, 7))
def test_half_written_lexicon_block_is_cut_off(tmp_path, keep):
    write(tmp_path, BEFORE)
    log = tmp_path / "lexicon-000000.log"
    whole = log.read_bytes()
    log.write_bytes(whole + whole[:keep])

    found = everything(IndexReader(tmp_path).snapshot)
    write(tmp_path, AFTER)

    assert len(found) == 3
    assert len(everything(IndexReader(tmp_path).snapshot)) == 4


def test_half_written_files_are_ignored_and_removed(tmp_path):
    write(tmp_path, BEFORE)
    segment = next(tmp_path.glob("*.segment")).read_bytes()
    (tmp_path / "00000002.segment.tmp").write_bytes(segment[:100])
    (tmp_path / "00000003.segment").write_bytes(segment[:300])
    (tmp_path / "manifest.json.tmp").write_text('{"version": 1, "gen')

    found = everything(IndexReader(tmp_path).snapshot)
    write(tmp_path, AFTER)

    assert len(found) == 3
    assert not list(tmp_path.glob("*.tmp"))
    assert not (tmp_path / "00000003.segment").exists()
    assert len(everything(IndexReader(tmp_path).snapshot)) == 4


def test_segment_cut_at_any_byte_is_named_and_never_read_wrong(tmp_path):
    write(tmp_path, BEFORE, tail_tokens=1)
    path = next(tmp_path.glob("*.segment"))
    data = path.read_bytes()
    for length in range(0, len(data), 5):
        path.unlink()
        path.write_bytes(data[:length])

        snapshot = IndexReader(tmp_path).snapshot

        assert [error.name for error in snapshot.damaged] == [path.name]
        assert everything(snapshot) == {}


def test_any_changed_byte_of_a_small_segment_is_noticed_on_opening(tmp_path):
    write(tmp_path, BEFORE, tail_tokens=1)
    path = next(tmp_path.glob("*.segment"))
    data = path.read_bytes()
    whole = everything(IndexReader(tmp_path).snapshot)
    for at in range(0, len(data), 3):
        path.unlink()
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])

        snapshot = IndexReader(tmp_path).snapshot

        if not snapshot.damaged:  # a byte between the sections, which nothing reads
            assert everything(snapshot) == whole


@pytest.mark.parametrize("name", ["lexicon-000001.base", "lexicon-000001.log"])
def test_damaged_lexicon_is_named(tmp_path, name):
    write(tmp_path, BEFORE)
    with IndexWriter(tmp_path) as writer:
        writer.optimize()
    write(tmp_path, AFTER)
    path = tmp_path / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)

    with pytest.raises(DamagedFileError) as caught:
        IndexReader(tmp_path)

    assert caught.value.name == name


def test_writer_does_not_write_on_behind_a_log_that_is_cut_short(tmp_path):
    writer = IndexWriter(tmp_path)
    with writer:
        writer.add(BEFORE[0])
        writer.commit()
    log = tmp_path / "lexicon-000000.log"
    log.write_bytes(log.read_bytes()[:-5])

    with pytest.raises(DamagedFileError, match=r"lexicon-000000\.log: is shorter"), writer:
        pass
