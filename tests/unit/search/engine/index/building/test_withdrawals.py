"""Withdrawn documents are in no generation; erased ones not in the files either."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, everything, words_of, write

from search.engine.index.building import merge
from search.engine.index.building.merging import Merge, merge_step
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.building.rebuild import IndexRebuild
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import load_manifest, store_manifest
from search.engine.index.reader import IndexReader

ARTICLE = DocumentKind.ARTICLE
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "remove", "withdraw", "erase", "merge", "rebuild"]),
        st.integers(1, 4),
    ),
    max_size=24,
)


@dataclass
class Version:
    """One text of a document as the plain model knows it."""

    key: int
    came_in: int
    went_out: int = 0
    is_withdrawn: bool = False

    def would_be_at(self, generation):
        return self.came_in <= generation and not 0 < self.went_out <= generation


def commit(folder, *acts, tail_tokens=1):
    """Do named acts of a writer in one commit."""
    with IndexWriter(folder, tail_tokens=tail_tokens) as writer:
        for name, *what in acts:
            getattr(writer, name)(*what)
        return writer.commit()


def segment_bytes(folder):
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.segment")))


@pytest.mark.parametrize("tail_tokens", [1, 1000])
def test_withdrawn_is_in_no_generation(tmp_path, tail_tokens):
    write(tmp_path, [document(1, "rain"), document(2, "snow")], tail_tokens=tail_tokens)
    write(tmp_path, [document(1, "hail")], tail_tokens=tail_tokens)

    commit(tmp_path, ("withdraw", ARTICLE, 1), tail_tokens=tail_tokens)
    snapshot = IndexReader(tmp_path).snapshot

    assert [words_of(snapshot, ARTICLE, 1, generation=g) for g in (1, 2, 3)] == [None] * 3
    assert [words_of(snapshot, ARTICLE, 2, generation=g) for g in (1, 2, 3)] == ["snow"] * 3
    assert [snapshot.n_withdrawn_since(g) for g in (0, 1, 2, 3)] == [0, 1, 1, 0]
    assert snapshot.withdrawal == 3


def test_put_back_is_in_generations_from_then_on(tmp_path):
    write(tmp_path, [document(1, "rain")], tail_tokens=1)
    commit(tmp_path, ("withdraw", ARTICLE, 1))

    commit(tmp_path, ("add", document(1, "rain")))
    snapshot = IndexReader(tmp_path).snapshot

    assert [words_of(snapshot, ARTICLE, 1, generation=g) for g in (1, 2, 3)] == [None, None, "rain"]
    assert [snapshot.n_withdrawn_since(g) for g in (1, 2, 3)] == [1, 0, 0]


def test_what_had_gone_out_before_is_not_counted_where_it_was_not(tmp_path):
    write(tmp_path, [document(1, "rain"), document(2, "snow")], tail_tokens=1)
    commit(tmp_path, ("remove", ARTICLE, 1))

    commit(tmp_path, ("withdraw", ARTICLE, 1))
    snapshot = IndexReader(tmp_path).snapshot

    assert [snapshot.n_withdrawn_since(g) for g in (1, 2, 3)] == [1, 0, 0]


@pytest.mark.parametrize("tail_tokens", [1, 1000])
def test_erased_is_not_in_the_files(tmp_path, tail_tokens):
    texts = [document(1, "dew rain rain rain rain"), document(2, "snow snow")]
    write(tmp_path, texts, tail_tokens=tail_tokens)
    type_number = int(IndexReader(tmp_path).snapshot.segments[0].segment.stream[1])
    run = type_number.to_bytes(4, "little") * 4
    before = segment_bytes(tmp_path)

    commit(tmp_path, ("erase", ARTICLE, 1), tail_tokens=tail_tokens)
    snapshot = IndexReader(tmp_path).snapshot

    assert run in before
    assert run not in segment_bytes(tmp_path)
    assert len(list(tmp_path.glob("*.segment"))) == 1
    assert [words_of(snapshot, ARTICLE, key, generation=1) for key in (1, 2)] == [None, "snow snow"]
    assert snapshot.n_tokens == 2
    assert [snapshot.n_withdrawn_since(g) for g in (1, 2)] == [1, 0]


def test_a_segment_of_which_all_is_erased_goes(tmp_path):
    write(tmp_path, [document(1, "rain")], tail_tokens=1)
    write(tmp_path, [document(2, "snow")], tail_tokens=1)

    commit(tmp_path, ("erase", ARTICLE, 1))

    assert len(load_manifest(tmp_path).segments) == 1
    assert list(everything(IndexReader(tmp_path).snapshot)) == [(ARTICLE, 2)]


def test_withdrawal_during_a_merge_reaches_the_merged_segment(tmp_path):
    batches = [[document(1, f"rain a{n}"), document(n, "snow")] for n in range(2, 9)]
    write(tmp_path, *batches, tail_tokens=1)
    job = Merge(tmp_path, load_manifest(tmp_path).segments, OpenSegments(tmp_path))
    job.prepare(0)
    commit(tmp_path, ("withdraw", ARTICLE, 1), ("remove", ARTICLE, 3))
    told = IndexReader(tmp_path).snapshot
    expected = [(everything(told, g), told.n_withdrawn_since(g)) for g in range(1, 9)]

    store_manifest(tmp_path, job.apply(load_manifest(tmp_path)))
    merged = IndexReader(tmp_path).snapshot

    assert [(everything(merged, g), merged.n_withdrawn_since(g)) for g in range(1, 9)] == expected
    assert len(merged.segments) == 1


def test_erasing_during_a_merge_drops_the_merge(tmp_path):
    write(tmp_path, *[[document(n, "snow")] for n in range(1, 9)], tail_tokens=1)
    job = Merge(tmp_path, load_manifest(tmp_path).segments, OpenSegments(tmp_path))
    job.prepare(0)

    commit(tmp_path, ("erase", ARTICLE, 3))

    assert job.apply(load_manifest(tmp_path)) is None


def test_withdrawal_is_remembered_for_a_damaged_segment(tmp_path):
    write(tmp_path, [document(1, "rain"), document(2, "snow")], tail_tokens=1)
    path = tmp_path / load_manifest(tmp_path).segments[0].name
    whole = path.read_bytes()
    path.unlink()
    commit(tmp_path, ("remove", ARTICLE, 1))
    commit(tmp_path, ("withdraw", ARTICLE, 1), ("withdraw", ARTICLE, 2))

    path.write_bytes(whole)
    write(tmp_path, [document(9, "fog")])
    snapshot = IndexReader(tmp_path).snapshot

    assert not snapshot.damaged
    assert everything(snapshot, 1) == {}
    assert [snapshot.n_withdrawn_since(g) for g in (1, 2, 3)] == [2, 1, 0]


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_any_order_of_acts_leaves_what_a_plain_list_says(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("index")
    versions = _played(folder, steps)
    snapshot = IndexReader(folder).snapshot

    for generation in range(1, snapshot.generation + 1):
        had = [version for version in versions if version.would_be_at(generation)]
        shown = {(ARTICLE, one.key): one.came_in for one in had if not one.is_withdrawn}
        found = everything(snapshot, generation)
        words = {place: int(tokens[0][0][1:]) for place, (tokens, *_) in found.items()}
        assert words == shown
        assert snapshot.n_withdrawn_since(generation) == len(had) - len(shown)


def _played(folder, steps):
    """Do the steps in an index and in a plain list, which is returned."""
    versions = []
    for name, key in steps:
        if name == "merge":
            while merge_step(folder):
                pass
            continue
        if name == "rebuild":
            _rebuild(folder, versions)
            continue
        manifest = load_manifest(folder)
        at = (manifest.generation if manifest else 0) + 1
        text = document(key, f"w{at} falls")
        assert commit(folder, (name, text) if name == "add" else (name, ARTICLE, key)) == at
        _note(versions, name, key, at)
    return versions


def _note(versions, name, key, at):
    own = [version for version in versions if version.key == key]
    for version in own:
        version.went_out = version.went_out or at
        version.is_withdrawn |= name in {"withdraw", "erase"}
    if name == "add":
        versions.append(Version(key, at))


def _rebuild(folder, versions):
    with IndexRebuild(folder) as fresh:
        for one in versions:
            if not one.went_out:
                fresh.add(document(one.key, f"w{one.came_in} falls"))
        fresh.publish()


@pytest.fixture(autouse=True)
def early_merges(monkeypatch):
    """Let merges be due after a few commits."""
    monkeypatch.setattr(merge, "DAY_SEGMENTS", 3)
