"""Merging in the background: the swap is exact whatever was committed meanwhile."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, everything, snapshot_of, words_of, write

from search.engine.index.building import merge, rebase
from search.engine.index.building.merging import MERGE_LOCK_NAME, Merge, merge_step
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.building.rebase import LexiconRebase
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import IndexLockedError
from search.engine.index.manifest import WriterLock, load_manifest, store_manifest
from search.engine.index.reader import IndexReader
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

ARTICLE = DocumentKind.ARTICLE
TEXTS = st.text("ab| ", max_size=20)
BATCHES = st.lists(st.lists(st.tuples(st.integers(1, 6), TEXTS), max_size=4), max_size=6)


def merge_all(folder):
    while merge_step(folder):
        pass


def closed_segments(folder, n, **columns):
    """Commit n segments that wait for a merge."""
    batches = [[document(key, f"rain a{key}", **columns)] for key in range(1, n + 1)]
    write(folder, *batches, tail_tokens=1)


def answers(snapshot, generation):
    """What queries say as of a generation: hits and base of each word."""
    found = {}
    for word in ("a", "b", "aa", "rain"):
        hits = run(
            snapshot, parse(f'"{word}"', Language.CQL), DocumentFilter(generation=generation)
        )
        found[word] = (hits.total, hits.n_texts, hits.base)
    return found


def test_nothing_is_merged_before_it_is_due(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS - 1)

    assert merge_step(tmp_path) is False
    assert merge_step(tmp_path / "none") is False


def test_closed_tails_become_one_segment_of_the_same_generation(tmp_path):
    closed_segments(tmp_path, merge.DAY_SEGMENTS)
    reader = IndexReader(tmp_path)
    before = everything(reader.snapshot)

    merge_all(tmp_path)
    reader.refresh()

    assert len(reader.snapshot.segments) == 1
    assert reader.generation == merge.DAY_SEGMENTS
    assert everything(reader.snapshot) == before
    assert not list(tmp_path.glob("merging-*"))


def test_commit_during_a_merge_keeps_its_removals_and_additions(tmp_path):
    closed_segments(tmp_path, 8)
    manifest = load_manifest(tmp_path)
    job = Merge(tmp_path, manifest.segments, OpenSegments(tmp_path))
    job.prepare(0)

    with IndexWriter(tmp_path, tail_tokens=1) as writer:
        writer.remove(ARTICLE, 3)
        writer.add(document(4, "hail"))
        writer.commit()
        writer.add(document(4, "sleet"))
        writer.add(document(9, "fog"))
        writer.commit()
    told = [everything(IndexReader(tmp_path).snapshot, g) for g in range(1, 11)]
    store_manifest(tmp_path, job.apply(load_manifest(tmp_path)))
    after = IndexReader(tmp_path).snapshot

    assert [everything(after, g) for g in range(1, 11)] == told
    assert words_of(after, ARTICLE, 3) is None
    assert words_of(after, ARTICLE, 4) == "sleet"
    assert len(after.segments) == 2


def replaced(folder, key, text):
    """Commit another text of a document: the one of before goes out of its segment."""
    write(folder, [document(key, text)], tail_tokens=1)


def due_with_removals(folder):
    """Commit segments that wait for a merge, documents of all of which went out already."""
    n = merge.DAY_SEGMENTS
    write(
        folder,
        *[[document(k, f"rain a{k}"), document(100 + k, f"b{k} rain")] for k in range(1, n + 1)],
        tail_tokens=1,
    )
    replaced(folder, 1, "snow one")
    assert load_manifest(folder).segments[0].removals


def test_commits_during_a_merge_may_replace_what_had_gone_out_before_it(tmp_path):
    due_with_removals(tmp_path)
    manifest = load_manifest(tmp_path)
    group = merge.next_merge(manifest.segments)
    merging = Merge(tmp_path, group, OpenSegments(tmp_path))
    merging.prepare(len(manifest.segments) - len(group))
    # The file of the first removals is deleted once two commits have written newer ones.
    for number, key in enumerate((101, 1, 101)):
        replaced(tmp_path, key, f"snow again {number}")
    before = everything(IndexReader(tmp_path).snapshot)

    store_manifest(tmp_path, merging.apply(load_manifest(tmp_path)))

    assert everything(IndexReader(tmp_path).snapshot) == before


def test_removals_that_were_replaced_are_no_damage(tmp_path):
    due_with_removals(tmp_path)
    late = []

    def commit_first():
        if not late:
            late.append(True)
            for number, key in enumerate((101, 1, 101)):
                replaced(tmp_path, key, f"snow again {number}")
        return False

    merge_step(tmp_path, commit_first)
    before = everything(IndexReader(tmp_path).snapshot)
    merge_all(tmp_path)

    assert [entry.damage for entry in load_manifest(tmp_path).segments if entry.damage] == []
    assert everything(IndexReader(tmp_path).snapshot) == before


def test_merge_of_segments_that_are_gone_is_dropped(tmp_path):
    closed_segments(tmp_path, 8)
    manifest = load_manifest(tmp_path)
    job = Merge(tmp_path, manifest.segments, OpenSegments(tmp_path))
    job.prepare(0)

    merge_all(tmp_path)

    assert job.apply(load_manifest(tmp_path)) is None


def test_commit_during_a_rebase_keeps_its_words(tmp_path):
    closed_segments(tmp_path, 3)
    reader, writer = IndexReader(tmp_path), IndexWriter(tmp_path)
    with writer:
        pass
    job = LexiconRebase(tmp_path, load_manifest(tmp_path).lexicon, "merging")
    job.prepare()

    with writer:
        writer.add(document(9, "fog bank"))
        writer.commit()
    store_manifest(tmp_path, job.apply(load_manifest(tmp_path)))
    with writer:
        writer.add(document(10, "fog mist"))
        writer.commit()
    reader.refresh()

    assert [words_of(reader.snapshot, ARTICLE, key) for key in (1, 9, 10)] == [
        "rain a1", "fog bank", "fog mist",
    ]  # fmt: skip
    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 10) == "fog mist"
    assert reader.snapshot.lexicon.size == IndexReader(tmp_path).snapshot.lexicon.size


def test_long_log_is_written_as_a_base_with_its_stems(tmp_path, monkeypatch):
    monkeypatch.setattr(rebase, "REBASE_BYTES", 100)
    monkeypatch.setattr("search.engine.index.lexicon.stems.WORTH_KEEPING", 1)
    closed_segments(tmp_path, 4)
    before = IndexReader(tmp_path).snapshot
    stems = before.lexicon.stems.tolist()

    merge_all(tmp_path)
    after = IndexReader(tmp_path).snapshot

    assert load_manifest(tmp_path).lexicon.log_bytes == 0
    assert (tmp_path / load_manifest(tmp_path).lexicon.stems_name).exists()
    assert after.lexicon.stems.tolist() == stems
    assert everything(after) == everything(before)


def test_told_to_stop_a_merge_leaves_everything_as_it_was(tmp_path):
    closed_segments(tmp_path, 8)
    before = sorted(path.name for path in tmp_path.iterdir())
    asked = []

    def stop_later():
        asked.append(None)
        return len(asked) > 9

    assert merge_step(tmp_path, stop_later) is False
    assert len(asked) == 10
    assert sorted({path.name for path in tmp_path.iterdir()} - {MERGE_LOCK_NAME}) == before


def test_one_merge_at_a_time(tmp_path):
    closed_segments(tmp_path, 8)
    lock = WriterLock(tmp_path, MERGE_LOCK_NAME)
    lock.acquire(0)

    assert merge_step(tmp_path) is False

    lock.release()
    assert merge_step(tmp_path) is True


def test_merge_waits_for_no_writer_that_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("search.engine.index.building.merging.SWAP_TIMEOUT_SECONDS", 0.0)
    closed_segments(tmp_path, 8)

    with IndexWriter(tmp_path):
        assert merge_step(tmp_path) is False

    assert merge_step(tmp_path) is True


def test_writers_and_merges_do_not_wait_for_each_other_while_preparing(tmp_path):
    closed_segments(tmp_path, 8)
    lock = WriterLock(tmp_path, MERGE_LOCK_NAME)
    lock.acquire(0)

    with IndexWriter(tmp_path, lock_timeout_seconds=0) as writer:
        writer.add(document(9, "fog"))
        writer.commit()
    with pytest.raises(IndexLockedError):
        WriterLock(tmp_path, MERGE_LOCK_NAME).acquire(0)

    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 9) == "fog"
    lock.release()


def test_leftovers_of_a_killed_merge_are_deleted_by_the_next(tmp_path):
    closed_segments(tmp_path, 2)
    (tmp_path / "merging-0.segment.tmp").write_bytes(b"half")
    (tmp_path / "inline-0.segment").write_bytes(b"half")

    merge_step(tmp_path)
    write(tmp_path, [document(9, "fog")])

    assert not list(tmp_path.glob("merging-*")) + list(tmp_path.glob("inline-*"))


@settings(deadline=None, max_examples=60)
@given(BATCHES, st.lists(st.booleans(), min_size=6, max_size=6), st.integers(1, 6))
def test_any_generation_gives_the_same_numbers_through_any_merges(
    tmp_path_factory, batches, merges, tail_tokens
):
    folder = tmp_path_factory.mktemp("generations")
    writer = IndexWriter(folder, tail_tokens=tail_tokens)
    told = {}
    for batch, merging in zip(batches, merges, strict=False):
        with writer:
            for key, text in batch:
                writer.add(document(key, text))
            if batch:
                writer.remove(ARTICLE, 7 - batch[0][0])
            generation = writer.commit()
        snapshot = IndexReader(folder).snapshot
        told[generation] = (everything(snapshot, generation), answers(snapshot, generation))
        if merging:
            with writer:
                writer.optimize()

    last = IndexReader(folder).snapshot

    assert {g: (everything(last, g), answers(last, g)) for g in told} == told


@settings(deadline=None, max_examples=10)
@given(st.lists(st.integers(0, 2000), min_size=40, max_size=90), st.integers(3, 12))
def test_never_more_segments_than_the_limit(tmp_path_factory, days, limit):
    """Any order of days, one token a partition, nobody merging in the background."""
    folder = tmp_path_factory.mktemp("many")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge, "MIN_PARTITION_TOKENS", 1)
        patch.setattr(merge, "MAX_MONTH_SEGMENTS", limit)
        patch.setattr(merge, "MIN_MONTH_SEGMENTS", limit)
        writer = IndexWriter(folder, tail_tokens=1)
        for key, day in enumerate(days, 1):
            with writer:
                writer.add(document(key, "rain falls", published_seconds=day * 86_400))
                writer.commit()
            assert len(load_manifest(folder).segments) <= limit + merge.MAX_DAY_SEGMENTS

    assert IndexReader(folder).snapshot.size().n_documents == len(days)


def test_limit_of_the_product_is_below_80():
    assert merge.MAX_MONTH_SEGMENTS + merge.MAX_DAY_SEGMENTS < 80


def test_mixture_takes_what_has_no_room(tmp_path, monkeypatch):
    monkeypatch.setattr(merge, "MIN_PARTITION_TOKENS", 1)
    data = OpenSegments(tmp_path)
    snapshot_of(tmp_path, [document(key * 31, "rain " * key) for key in range(1, 7)])
    (entry,) = load_manifest(tmp_path).segments

    parts = merge.deal_out(data.data(entry), 3)

    assert [(kind, part.documents.key.tolist()) for kind, part in parts] == [
        (1, [155]), (1, [186]), (0, [31, 62, 93, 124]),
    ]  # fmt: skip


def test_merges_take_no_more_at_once_than_memory_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(merge, "MAX_SEGMENT_TOKENS", 5)
    closed_segments(tmp_path, 8)  # two tokens each
    entries = load_manifest(tmp_path).segments

    batches = merge.in_batches(entries)

    assert [len(batch) for batch in batches] == [2, 2, 2, 2]
    assert merge.in_batches([]) == []
    with IndexWriter(tmp_path) as writer:
        writer.optimize()
    assert IndexReader(tmp_path).snapshot.size().n_documents == 8
