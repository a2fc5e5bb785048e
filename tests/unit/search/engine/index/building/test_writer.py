"""Writing generations: adding, replacing, removing, merging, two writers."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, everything, snapshot_of, words_of, write

from search.engine.index.building import merge
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import IndexLockedError, TooManyTagsError
from search.engine.index.manifest import MANIFEST_NAME
from search.engine.index.reader import IndexReader

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT
TEXTS = st.text("ab| ", max_size=20)
BATCHES = st.lists(st.lists(st.tuples(st.integers(1, 6), TEXTS), max_size=4), max_size=5)


def test_document_comes_back_as_it_went_in(tmp_path):
    given_ = document(
        7, "It/it/PRP rained/rain/VBD ./. | Heavily/heavily/RB", kind=COMMENT, section="News",
        author="A. Botha", language="en-ZA", ingested_seconds=99, duplicate_cluster=3,
        story_cluster=4, parent_key=5, space_before=[False, True, False, True],
    )  # fmt: skip

    stored = snapshot_of(tmp_path, [given_]).document(COMMENT, 7)

    assert [tuple(token) for token in stored.tokens] == list(given_.tokens)
    assert stored.sentence_starts == [0, 3]
    assert stored.space_before == [False, True, False, True]
    info = stored.info
    assert (info.publication, info.section, info.author) == ("karoo", "News", "A. Botha")
    assert (info.language, info.day.isoformat()) == ("en-ZA", "1970-01-08")
    assert (info.published_seconds, info.ingested_seconds) == (7 * 86_400, 99)
    assert (info.duplicate_cluster, info.story_cluster, info.parent_key) == (3, 4, 5)
    assert (info.generation_in, info.generation_out, info.n_tokens) == (1, 0, 4)


def test_space_is_guessed_from_punctuation(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "He said ( `` no '' ) , did n't he ?")])

    spaces = snapshot.document(ARTICLE, 1).space_before

    assert spaces == [
        False, True, True, False, False, False, False, False, True, False, True, False,
    ]  # fmt: skip


def test_adding_again_replaces(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "old text")], [document(1, "new text")])

    assert words_of(snapshot, ARTICLE, 1) == "new text"
    assert words_of(snapshot, ARTICLE, 1, generation=1) == "old text"
    assert snapshot.size().n_documents == 1


def test_same_key_of_another_kind_is_another_document(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "article"), document(1, "comment", kind=COMMENT)])

    assert words_of(snapshot, ARTICLE, 1) == "article"
    assert words_of(snapshot, COMMENT, 1) == "comment"
    assert snapshot.size().documents_by_kind == {ARTICLE: 1, COMMENT: 1, DocumentKind.POST: 0}


def test_last_of_several_versions_in_a_batch_counts(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "first"), document(1, "second")])

    assert words_of(snapshot, ARTICLE, 1) == "second"
    assert snapshot.n_tokens == 1


@pytest.mark.parametrize("tail_tokens", [1, 300_000], ids=["closed segment", "tail"])
def test_removed_document_stays_in_its_generations(tmp_path, tail_tokens):
    writer = IndexWriter(tmp_path, tail_tokens=tail_tokens)
    with writer:
        writer.add(document(1, "rain falls"))
        writer.add(document(2, "snow falls"))
        writer.commit()
        writer.remove(ARTICLE, 1)
        writer.commit()

    snapshot = IndexReader(tmp_path).snapshot

    assert words_of(snapshot, ARTICLE, 1) is None
    assert words_of(snapshot, ARTICLE, 1, generation=1) == "rain falls"
    assert words_of(snapshot, ARTICLE, 2) == "snow falls"
    assert snapshot.size().n_tokens == 2


def test_removing_what_is_not_there_is_harmless(tmp_path):
    writer = IndexWriter(tmp_path)
    with writer:
        writer.remove(ARTICLE, 99)
        generation = writer.commit()

    assert generation == 1
    assert IndexReader(tmp_path).snapshot.size().n_documents == 0


def test_commit_without_changes_makes_no_generation(tmp_path):
    write(tmp_path, [document(1, "rain")])

    with IndexWriter(tmp_path) as writer:
        assert writer.commit() == 1


def test_uncommitted_documents_are_dropped(tmp_path):
    writer = IndexWriter(tmp_path)
    with writer:
        writer.add(document(1, "rain"))
    with writer:
        writer.add(document(2, "snow"))
        writer.commit()

    snapshot = IndexReader(tmp_path).snapshot

    assert words_of(snapshot, ARTICLE, 1) is None
    assert words_of(snapshot, ARTICLE, 2) == "snow"


def test_commit_outside_of_the_block_is_refused(tmp_path):
    with pytest.raises(RuntimeError):
        IndexWriter(tmp_path).commit()


def test_second_writer_is_told_that_the_index_is_locked(tmp_path):
    with (
        IndexWriter(tmp_path),
        pytest.raises(IndexLockedError),
        IndexWriter(tmp_path, lock_timeout_seconds=0),
    ):
        pass


def test_two_writers_in_turn_share_the_lexicon(tmp_path):
    first, second = IndexWriter(tmp_path), IndexWriter(tmp_path)
    texts = ["rain falls", "snow falls", "rain and snow", "Über alles"]
    for key, text in enumerate(texts, 1):
        with first if key % 2 else second as writer:
            writer.add(document(key, text))
            writer.commit()

    snapshot = IndexReader(tmp_path).snapshot

    assert [words_of(snapshot, ARTICLE, key) for key in (1, 2, 3, 4)] == texts
    assert snapshot.lexicon.size.n_types == 6  # rain falls snow and Über alles


def test_too_many_tags_are_refused_and_the_writer_goes_on(tmp_path):
    writer = IndexWriter(tmp_path)
    tags = " ".join(f"x/x/T{i}" for i in range(256))
    with writer:
        writer.add(document(1, tags))
        with pytest.raises(TooManyTagsError):
            writer.commit()
    with writer:
        writer.add(document(2, "rain"))
        writer.commit()

    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 2) == "rain"


@pytest.mark.parametrize(
    ("word", "kept"),
    [("a\nb", "a b"), ("x" * 600, "x" * 512), ("\ud800", "?"), ("\0", "\0"), ("", "")],
    ids=["line feed", "long", "lone surrogate", "nul", "empty"],
)
def test_odd_words_are_stored_as_well_as_can_be(tmp_path, word, kept):
    odd = replace(document(1, "x"), tokens=[(word, word, "NN"), ("next", "next", "NN")])

    stored = snapshot_of(tmp_path, [odd]).document(ARTICLE, 1)

    assert [token.word for token in stored.tokens] == [kept, "next"]


def test_other_files_in_the_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")

    write(tmp_path, *[[document(key, "rain")] for key in range(1, 6)])

    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_old_files_go_after_the_next_generation(tmp_path):
    write(tmp_path, *[[document(key, f"word{key}")] for key in range(1, 20)])

    names = {path.suffix for path in tmp_path.iterdir()}
    segments = list(tmp_path.glob("*.segment"))

    assert names == {".segment", ".json", ".lock", ".log"}
    assert len(segments) == 2  # of this generation and the one before


@settings(deadline=None, max_examples=60)
@given(BATCHES, st.integers(1, 8))
def test_any_history_gives_the_same_as_a_fresh_index(tmp_path_factory, batches, tail_tokens):
    """merge(a, b) == index(a + b), whatever was replaced on the way."""
    folder, other = tmp_path_factory.mktemp("steps"), tmp_path_factory.mktemp("fresh")
    documents = [[document(key, text) for key, text in batch] for batch in batches]
    final = {item.key: item for batch in documents for item in batch}

    stepwise = snapshot_of(folder, *documents, tail_tokens=tail_tokens)
    fresh = snapshot_of(other, list(final.values()))

    assert everything(stepwise) == everything(fresh)


@settings(deadline=None, max_examples=40)
@given(BATCHES)
def test_merging_changes_no_generation(tmp_path_factory, batches):
    folder = tmp_path_factory.mktemp("generations")
    documents = [[document(key, text) for key, text in batch] for batch in batches]
    writer = IndexWriter(folder, tail_tokens=1)
    for batch in documents:
        with writer:
            for item in batch:
                writer.add(item)
            writer.commit()
    before = IndexReader(folder).snapshot
    told = [everything(before, generation) for generation in range(1, before.generation + 1)]

    with writer:
        writer.optimize()
    after = IndexReader(folder).snapshot

    assert len(after.segments) <= 1
    assert [everything(after, g) for g in range(1, after.generation + 1)] == told


def test_months_with_many_tokens_get_their_own_segments(tmp_path, monkeypatch):
    monkeypatch.setattr(merge, "MIN_PARTITION_TOKENS", 20)
    text = " ".join(["rain"] * 30)
    documents = [
        document(1, text),
        document(2, text),
        document(40, text),
        document(41, text, kind=COMMENT),
        document(70, "rain"),
    ]
    writer = IndexWriter(tmp_path)
    with writer:
        for item in documents:
            writer.add(item)
        writer.commit()
        writer.optimize()

    entries = [view.entry for view in IndexReader(tmp_path).snapshot.segments]

    assert sorted((e.kind, e.first_day, e.last_day, e.n_tokens) for e in entries) == [
        (0, 70, 70, 1),
        (1, 1, 2, 60),
        (1, 40, 40, 30),
        (2, 41, 41, 30),
    ]


def test_number_of_segments_stays_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(merge, "MIN_PARTITION_TOKENS", 1)
    monkeypatch.setattr(merge, "MAX_MONTH_SEGMENTS", 10)
    writer = IndexWriter(tmp_path, tail_tokens=1)
    most = 0
    for key in range(1, 60):
        with writer:
            writer.add(document(key * 31, "rain falls"))
            writer.commit()
        most = max(most, len(IndexReader(tmp_path).snapshot.segments))

    snapshot = IndexReader(tmp_path).snapshot

    assert most <= 10 + merge.MAX_DAY_SEGMENTS
    assert snapshot.size().n_documents == 59


def test_lexicon_is_rebased_and_numbers_stay(tmp_path, monkeypatch):
    monkeypatch.setattr("search.engine.index.building.rebase.REBASE_BYTES", 100)
    texts = [f"word{i} Word{i} other{i % 3}" for i in range(1, 30)]

    snapshot = snapshot_of(tmp_path, *[[document(i, t)] for i, t in enumerate(texts, 1)])

    assert len(list(tmp_path.glob("lexicon-*.base"))) in (1, 2)
    assert [words_of(snapshot, ARTICLE, i) for i in range(1, 30)] == texts
    assert snapshot.lexicon.find_form("Word7") is not None
    assert snapshot.lexicon.find_form("word99") is None


def test_manifest_names_all_files(tmp_path):
    write(tmp_path, [document(1, "rain")])

    assert {path.name for path in Path(tmp_path).iterdir()} == {
        MANIFEST_NAME, "writer.lock", "lexicon-000000.log", "00000001.segment",
    }  # fmt: skip
