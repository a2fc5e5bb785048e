"""Rebuilding beside the old index: served until the swap, whole after it, even if damaged."""

import pytest
from small_corpora import document, words_of, write

from search.index.documents import DocumentKind
from search.index.errors import IndexLockedError
from search.index.reader import IndexReader
from search.index.rebuild import IndexRebuild
from search.index.snapshot import MANIFEST_NAME
from search.index.writer import IndexWriter

ARTICLE = DocumentKind.ARTICLE


def rebuild(folder, *documents):
    with IndexRebuild(folder) as fresh:
        for item in documents:
            fresh.writer.add(item)
        fresh.writer.commit()
        return fresh.publish()


def test_old_index_is_served_until_the_swap(tmp_path):
    write(tmp_path, [document(1, "old")], [document(2, "gone")])
    reader = IndexReader(tmp_path)

    with IndexRebuild(tmp_path) as fresh:
        fresh.writer.add(document(1, "new"))
        fresh.writer.commit()
        unchanged = reader.refresh()
        generation = fresh.publish()
    reader.refresh()

    assert unchanged is False
    assert generation == reader.generation == 3
    assert words_of(reader.snapshot, ARTICLE, 1) == "new"
    assert words_of(reader.snapshot, ARTICLE, 2) is None
    assert words_of(reader.snapshot, ARTICLE, 1, generation=2) is None


def test_rebuild_that_is_not_published_leaves_the_old_index(tmp_path):
    write(tmp_path, [document(1, "old")])

    with IndexRebuild(tmp_path) as fresh:
        fresh.writer.add(document(1, "new"))
        fresh.writer.commit()

    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 1) == "old"
    assert not (tmp_path / "rebuild").exists()


def test_writers_go_on_after_a_rebuild(tmp_path):
    writer = IndexWriter(tmp_path)
    with writer:
        writer.add(document(1, "old words"))
        writer.commit()
    rebuild(tmp_path, document(1, "fresh"))

    with writer:
        writer.add(document(2, "more"))
        generation = writer.commit()
    snapshot = IndexReader(tmp_path).snapshot

    assert generation == 3
    assert [words_of(snapshot, ARTICLE, key) for key in (1, 2)] == ["fresh", "more"]
    assert snapshot.lexicon.find_form("words") is None


def test_nobody_writes_during_a_rebuild(tmp_path):
    with (
        IndexRebuild(tmp_path),
        pytest.raises(IndexLockedError),
        IndexWriter(tmp_path, lock_timeout_seconds=0),
    ):
        pass


def test_damaged_manifest_is_replaced(tmp_path):
    write(tmp_path, [document(1, "old")], [document(2, "old")])
    (tmp_path / MANIFEST_NAME).write_text("{")

    with IndexRebuild(tmp_path, generation_floor=2) as fresh:
        fresh.writer.add(document(1, "new"))
        fresh.writer.commit()
        fresh.publish()
    snapshot = IndexReader(tmp_path).snapshot

    assert snapshot.generation == 3
    assert words_of(snapshot, ARTICLE, 1) == "new"


def test_files_of_the_old_index_go_with_later_commits(tmp_path):
    write(tmp_path, [document(1, "old")])
    old = set(tmp_path.glob("*.segment")) | set(tmp_path.glob("*.log"))
    rebuild(tmp_path, document(1, "fresh"))

    write(tmp_path, [document(2, "a")], [document(3, "b")])

    assert not any(path.exists() for path in old)


def test_leftovers_of_a_killed_rebuild_are_removed(tmp_path):
    write(tmp_path, [document(1, "old")])
    (tmp_path / "rebuild").mkdir()
    (tmp_path / "rebuild" / MANIFEST_NAME).write_text("half")

    rebuild(tmp_path, document(1, "new"))

    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 1) == "new"
    assert not (tmp_path / "rebuild").exists()


def test_empty_rebuild_gives_an_empty_index(tmp_path):
    write(tmp_path, [document(1, "old")])

    rebuild(tmp_path)

    assert IndexReader(tmp_path).snapshot.size().n_documents == 0
