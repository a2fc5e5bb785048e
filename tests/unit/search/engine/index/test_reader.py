"""Reading while others write: snapshots, refreshing, damage."""

import pytest
from small_corpora import document, snapshot_of, words_of, write

from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import TEXT_KINDS, DocumentKind, IndexSize
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import MANIFEST_NAME
from search.engine.index.reader import IndexReader

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT


def test_missing_folder_is_an_empty_index(tmp_path):
    reader = IndexReader(tmp_path / "none")

    assert reader.snapshot.size() == IndexSize(
        0, 0, 0, 0, 0, dict.fromkeys(TEXT_KINDS, 0), dict.fromkeys(TEXT_KINDS, 0)
    )
    assert reader.refresh() is False


def test_refresh_shows_a_new_generation_once(tmp_path):
    reader = IndexReader(tmp_path)
    write(tmp_path, [document(1, "rain")])

    assert reader.generation == 0
    assert reader.refresh() is True
    assert reader.generation == 1
    assert reader.refresh() is False


def test_counts_carried_over_are_those_of_a_new_reader(tmp_path):
    reader = IndexReader(tmp_path)
    for key in range(1, 9):
        changed = [document(key // 2, "it rains")] if key % 2 else []
        write(tmp_path, [document(key, f"snow snow{key} falls"), *changed], tail_tokens=4)
        reader.refresh()
        carried, new = reader.snapshot, IndexReader(tmp_path).snapshot

        assert carried.type_counts.tolist() == new.type_counts.tolist()
        assert carried.tag_counts.tolist() == new.tag_counts.tolist()


def test_snapshot_keeps_serving_after_its_files_are_deleted(tmp_path):
    write(tmp_path, [document(1, "rain falls")])
    old = IndexReader(tmp_path).snapshot

    write(tmp_path, *[[document(key, f"snow{key}")] for key in range(2, 8)])

    assert not (tmp_path / old.segments[0].segment.name).exists()
    assert words_of(old, ARTICLE, 1) == "rain falls"
    assert words_of(old, ARTICLE, 2) is None


def test_reader_follows_through_merges_and_rebases(tmp_path, monkeypatch):
    monkeypatch.setattr("search.engine.index.building.rebase.REBASE_BYTES", 200)
    reader = IndexReader(tmp_path)
    writer = IndexWriter(tmp_path, tail_tokens=2)
    for key in range(1, 40):
        with writer:
            writer.add(document(key, f"word{key} again"))
            if key > 3:
                writer.remove(ARTICLE, key - 3)
            writer.commit()
        reader.refresh()
        assert words_of(reader.snapshot, ARTICLE, key) == f"word{key} again"

    assert reader.snapshot.size().n_documents == 3


def test_type_counts_are_frequencies_of_all_segments(tmp_path):
    snapshot = snapshot_of(
        tmp_path, [document(1, "rain rain")], [document(2, "rain snow")], tail_tokens=1
    )

    lexicon = snapshot.lexicon
    counts = {
        lexicon.form(int(lexicon.words[i])): int(n) for i, n in enumerate(snapshot.type_counts)
    }

    assert counts == {"rain": 3, "snow": 1}


def test_damaged_segment_is_named_and_the_others_served(tmp_path):
    write(tmp_path, [document(1, "rain")], [document(2, "snow")], tail_tokens=0)
    damaged = min(tmp_path.glob("*.segment"))
    damaged.write_bytes(damaged.read_bytes()[:-10])

    snapshot = IndexReader(tmp_path).snapshot

    assert [error.name for error in snapshot.damaged] == [damaged.name]
    assert words_of(snapshot, ARTICLE, 1) is None
    assert words_of(snapshot, ARTICLE, 2) == "snow"


def test_missing_segment_is_named_and_the_others_served(tmp_path):
    write(tmp_path, [document(1, "rain")], [document(2, "snow")], tail_tokens=0)
    missing = min(tmp_path.glob("*.segment"))
    missing.unlink()

    snapshot = IndexReader(tmp_path).snapshot

    assert [(error.name, error.reason) for error in snapshot.damaged] == [
        (missing.name, "is missing")
    ]
    assert words_of(snapshot, ARTICLE, 2) == "snow"


def test_missing_lexicon_is_named(tmp_path):
    write(tmp_path, [document(1, "rain")])
    (tmp_path / "lexicon-000000.log").unlink()

    with pytest.raises(DamagedFileError, match=r"lexicon-000000\.log: is missing"):
        IndexReader(tmp_path)


def test_unreadable_manifest_is_an_error_that_names_it(tmp_path):
    write(tmp_path, [document(1, "rain")])
    (tmp_path / MANIFEST_NAME).write_text("{")

    with pytest.raises(DamagedFileError, match=MANIFEST_NAME):
        IndexReader(tmp_path)


def test_reader_keeps_its_snapshot_when_a_refresh_fails(tmp_path):
    write(tmp_path, [document(1, "rain")])
    reader = IndexReader(tmp_path)
    (tmp_path / MANIFEST_NAME).write_text('{"version": 99}')

    with pytest.raises(DamagedFileError):
        reader.refresh()

    assert words_of(reader.snapshot, ARTICLE, 1) == "rain"


def test_replaced_folder_is_noticed(tmp_path):
    write(tmp_path, [document(1, "rain")])
    reader = IndexReader(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    write(tmp_path, [document(1, "snow")])

    reader.refresh()

    assert words_of(reader.snapshot, ARTICLE, 1) == "snow"


def test_type_counts_are_carried_from_snapshot_to_snapshot(tmp_path):
    """Counted once, then brought up to date through new types, removals and merges."""
    reader = IndexReader(tmp_path)
    for key in range(1, 40):
        write(
            tmp_path, [document(key, f"rain w{key % 7} rain"), document(1, "hail")], tail_tokens=9
        )
        reader.refresh()

        counts = reader.snapshot.type_counts

        fresh = IndexReader(tmp_path).snapshot
        assert counts.tolist() == fresh.type_counts.tolist()
        assert reader.snapshot.tag_counts.tolist() == fresh.tag_counts.tolist()
