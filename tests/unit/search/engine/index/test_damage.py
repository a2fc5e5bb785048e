"""Damaged and missing segments: named, the others served, writing goes on, the rest remembered."""

import pytest
from small_corpora import document, everything, words_of, write

from search.engine.index.building.merging import merge_step
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import IndexReader

ARTICLE = DocumentKind.ARTICLE


def two_segments(folder):
    """Documents 1 and 2 in one closed segment, 3 in another; returns the first one's path."""
    write(folder, [document(1, "rain falls"), document(2, "snow falls")], tail_tokens=1)
    write(folder, [document(3, "hail falls")], tail_tokens=1)
    return folder / load_manifest(folder).segments[0].name


def cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def flip(path):
    data = bytearray(path.read_bytes())
    data[64] ^= 0xFF
    path.unlink()  # the bytes of a mapped file do not change under a reader
    path.write_bytes(data)


DAMAGES = {"missing": lambda path: path.unlink(), "cut": cut, "flipped": flip}


@pytest.fixture(params=DAMAGES, ids=list(DAMAGES))
def damage(request):
    return DAMAGES[request.param]


def names(snapshot):
    return [error.name for error in snapshot.damaged]


def test_writer_goes_on_beside_a_damaged_segment(tmp_path, damage):
    path = two_segments(tmp_path)
    damage(path)

    write(tmp_path, [document(4, "fog")], [document(5, "mist")])
    snapshot = IndexReader(tmp_path).snapshot

    assert names(snapshot) == [path.name]
    assert sorted(key for _, key in everything(snapshot)) == [3, 4, 5]
    assert snapshot.generation == 4


def test_what_leaves_a_damaged_segment_is_remembered(tmp_path, damage):
    path = two_segments(tmp_path)
    whole = path.read_bytes()
    damage(path)
    with IndexWriter(tmp_path, tail_tokens=1) as writer:
        writer.remove(ARTICLE, 1)
        writer.commit()
        writer.add(document(2, "sleet"))
        writer.commit()

    path.unlink(missing_ok=True)
    path.write_bytes(whole)
    write(tmp_path, [document(9, "fog")])
    snapshot = IndexReader(tmp_path).snapshot

    assert not snapshot.damaged
    assert words_of(snapshot, ARTICLE, 1) is None
    assert words_of(snapshot, ARTICLE, 1, generation=2) == "rain falls"
    assert words_of(snapshot, ARTICLE, 2) == "sleet"
    assert words_of(snapshot, ARTICLE, 2, generation=3) == "snow falls"
    assert words_of(snapshot, ARTICLE, 3) == "hail falls"


def test_segment_without_its_removals_is_not_served_again(tmp_path):
    path = two_segments(tmp_path)
    write(tmp_path, [document(1, "new rain")], tail_tokens=1)
    removals = tmp_path / load_manifest(tmp_path).segments[0].removals
    removals.unlink()

    first = IndexReader(tmp_path).snapshot
    write(tmp_path, [document(2, "new snow")], [document(9, "fog")])
    snapshot = IndexReader(tmp_path).snapshot

    assert names(first) == [removals.name]
    assert names(snapshot) == [path.name]
    assert snapshot.damaged[0].reason == f"{removals.name}: is missing"
    assert sorted(key for _, key in everything(snapshot)) == [1, 2, 3, 9]


def test_damaged_tail_is_left_behind(tmp_path, damage):
    write(tmp_path, [document(1, "rain falls")])
    path = tmp_path / load_manifest(tmp_path).segments[0].name
    damage(path)

    write(tmp_path, [document(2, "snow")], [document(3, "hail")])
    snapshot = IndexReader(tmp_path).snapshot

    assert names(snapshot) == [path.name]
    assert sorted(key for _, key in everything(snapshot)) == [2, 3]


def test_merge_marks_the_damaged_segment_and_merges_the_others(tmp_path, damage):
    batches = [[document(key, f"rain a{key}")] for key in range(1, 10)]
    write(tmp_path, *batches, tail_tokens=1)
    path = tmp_path / load_manifest(tmp_path).segments[4].name
    damage(path)

    while merge_step(tmp_path):
        pass
    snapshot = IndexReader(tmp_path).snapshot

    assert names(snapshot) == [path.name]
    assert len(snapshot.segments) == 1
    assert sorted(key for _, key in everything(snapshot)) == [1, 2, 3, 4, 6, 7, 8, 9]


def test_changed_byte_of_a_large_section_is_found_by_verifying(tmp_path):
    write(tmp_path, [document(1, " ".join(f"w{i % 300}" for i in range(100_000)))])
    path = tmp_path / load_manifest(tmp_path).segments[0].name
    data = bytearray(path.read_bytes())
    data[64 + 40_000] ^= 0x01
    path.write_bytes(data)
    reader = IndexReader(tmp_path)

    assert not reader.snapshot.damaged
    assert [error.name for error in reader.verify()] == [path.name]
    assert names(reader.snapshot) == [path.name]
    assert reader.snapshot.size().n_documents == 0
