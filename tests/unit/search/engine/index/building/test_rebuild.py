"""Rebuilding beside the old index: served until the swap, whole after it, even if damaged."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, everything, words_of, write

from search.engine.index.building.rebuild import IndexRebuild
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import IndexLockedError
from search.engine.index.manifest import MANIFEST_NAME
from search.engine.index.reader import IndexReader

ARTICLE = DocumentKind.ARTICLE
TEXTS = st.text("ab| ", max_size=8)
BATCHES = st.lists(st.lists(st.tuples(st.integers(1, 6), TEXTS), max_size=4), max_size=5)


def rebuild(folder, *documents, **options):
    with IndexRebuild(folder, **options) as fresh:
        for item in documents:
            fresh.add(item)
        return fresh.publish()


def test_old_index_is_served_until_the_swap(tmp_path):
    write(tmp_path, [document(1, "old")], [document(2, "gone")])
    reader = IndexReader(tmp_path)

    with IndexRebuild(tmp_path) as fresh:
        fresh.add(document(1, "new"))
        fresh.writer.commit()
        unchanged = reader.refresh()
        generation = fresh.publish()
    reader.refresh()

    assert unchanged is False
    assert generation == reader.generation == 4
    assert words_of(reader.snapshot, ARTICLE, 1) == "new"
    assert words_of(reader.snapshot, ARTICLE, 2) is None
    assert words_of(reader.snapshot, ARTICLE, 1, generation=2) == "old"
    assert words_of(reader.snapshot, ARTICLE, 2, generation=3) == "gone"


def test_rebuild_that_is_not_published_leaves_the_old_index(tmp_path):
    write(tmp_path, [document(1, "old")])

    with IndexRebuild(tmp_path) as fresh:
        fresh.add(document(1, "new"))
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
        fresh.add(document(1, "new"))
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


@settings(deadline=None, max_examples=60)
@given(BATCHES, st.lists(TEXTS, min_size=6, max_size=6), st.integers(1, 5))
def test_older_generations_say_the_same_after_a_rebuild(
    tmp_path_factory, batches, texts, tail_tokens
):
    """Whatever was replaced or removed before, and whatever is made anew or left out."""
    folder = tmp_path_factory.mktemp("history")
    documents = [[document(key, text) for key, text in batch] for batch in batches]
    write(folder, *documents, tail_tokens=tail_tokens)
    before = IndexReader(folder).snapshot
    told = [everything(before, generation) for generation in range(1, before.generation + 1)]
    fresh = [document(key, text) for key, text in enumerate(texts, 1) if text]

    rebuild(folder, *fresh)
    after = IndexReader(folder).snapshot

    assert [everything(after, g) for g in range(1, before.generation + 1)] == told
    assert after.history_from == 0
    assert {key: words_of(after, ARTICLE, key) for _, key in everything(after)} == {
        item.key: " ".join(word for word, _, _ in item.tokens) for item in fresh
    }


def test_unchanged_documents_keep_their_generation(tmp_path):
    write(tmp_path, [document(1, "rain")], [document(2, "snow")])

    with IndexRebuild(tmp_path) as fresh:
        since = [
            fresh.add(document(1, "rain")),
            fresh.add(document(2, "snow", section="Sport")),
            fresh.add(document(3, "hail")),
        ]
        fresh.publish()

    assert since == [1, 3, 3]
    assert IndexReader(tmp_path).snapshot.n_tokens == 4  # the old version of 2 is kept


def test_history_of_a_damaged_segment_ends_with_the_rebuild(tmp_path):
    write(tmp_path, [document(1, "rain")], [document(2, "snow")], [document(1, "new")])
    for path in tmp_path.glob("*.segment"):
        path.write_bytes(b"damaged")

    rebuild(tmp_path, document(1, "new", generation_in=3), document(2, "snow", generation_in=2))
    snapshot = IndexReader(tmp_path).snapshot

    assert not snapshot.damaged
    assert snapshot.history_from == 4
    assert words_of(snapshot, ARTICLE, 1, generation=2) is None
    assert words_of(snapshot, ARTICLE, 1, generation=3) == "new"
    assert words_of(snapshot, ARTICLE, 2, generation=2) == "snow"


def test_history_is_let_go_when_asked(tmp_path):
    write(tmp_path, [document(1, "old")], [document(1, "new")])

    rebuild(tmp_path, document(1, "new"), keeps_history=False)
    snapshot = IndexReader(tmp_path).snapshot

    assert snapshot.history_from == snapshot.generation == 3
    assert snapshot.n_tokens == 1
    assert snapshot.lexicon.find_form("old") is None
