"""A writer killed at any of its file operations loses nothing that was committed."""

import os
import signal
import sys

import pytest
from small_corpora import document, everything, write

from search.index.documents import DocumentKind
from search.index.reader import IndexReader
from search.index.writer import IndexWriter

# What a commit does to files; the child dies before the n-th of these calls.
FILE_CALLS = frozenset(
    {"open", "write", "flush", "fsync", "truncate", "replace", "rename", "unlink", "touch"}
)
BEFORE = [document(1, "rain falls"), document(2, "snow falls"), document(3, "hail")]
AFTER = [document(2, "sleet falls again"), document(4, "Café")]


def commit_all(folder):
    writer = IndexWriter(folder, tail_tokens=2)
    with writer:
        for item in AFTER:
            writer.add(item)
        writer.remove(DocumentKind.ARTICLE, 3)
        writer.commit()
        writer.optimize()


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


def run_until(folder, number):
    """Commit in a child that dies at its n-th file operation; says whether it was killed."""
    child = os.fork()
    if child == 0:
        die_at(number)
        try:
            commit_all(folder)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def states(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    write(folder, BEFORE[:2], BEFORE[2:], tail_tokens=2)
    before = everything(IndexReader(folder).snapshot)
    commit_all(folder)
    return before, everything(IndexReader(folder).snapshot)


def test_killed_at_every_file_operation_the_index_is_whole(tmp_path_factory):
    before, after = states(tmp_path_factory)
    outcomes = []
    number = 0
    killed = True
    while killed:
        number += 1
        folder = tmp_path_factory.mktemp("killed")
        write(folder, BEFORE[:2], BEFORE[2:], tail_tokens=2)

        killed = run_until(folder, number)

        snapshot = IndexReader(folder).snapshot
        found = everything(snapshot)
        assert found in (before, after), f"neither state after operation {number}"
        assert not snapshot.damaged
        assert everything(snapshot, generation=2) == before
        outcomes.append(found == after)
        commit_all(folder)
        assert everything(IndexReader(folder).snapshot) == after
    assert outcomes == sorted(outcomes)  # once committed, it stays so
    assert number > 30
    assert {False, True} == set(outcomes)


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
