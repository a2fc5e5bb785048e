"""Words of erased documents leave the lexicon; what others hold keeps its name and number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, words_of, write

from search.engine.index.building import merge
from search.engine.index.building.fading import fade, is_fading_due
from search.engine.index.building.merging import merge_step
from search.engine.index.building.rebuild import STAGING_NAME
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import IndexReader

ARTICLE = DocumentKind.ARTICLE
WORDS = ("Quagga", "quagga", "Kéry", "rain", "falls", "snow", "QUAGGA")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "erase", "erase", "fade", "merge"]),
        st.integers(1, 4),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        st.integers(0, 1),
    ),
    max_size=16,
)


def files_of(folder):
    """All bytes of a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def erase(folder, key):
    with IndexWriter(folder) as writer:
        writer.erase(ARTICLE, key)
        writer.commit()


def test_words_of_an_erased_document_are_in_no_file(tmp_path):
    write(tmp_path, [document(1, "Quagga rain"), document(2, "snow rain")])
    assert not is_fading_due(tmp_path)
    erase(tmp_path, 1)
    before = files_of(tmp_path)

    n_faded = fade(tmp_path)

    assert b"Quagga" in before
    assert b"uagga" not in files_of(tmp_path)
    assert n_faded == 2  # and its lower case
    assert not is_fading_due(tmp_path)
    snapshot = IndexReader(tmp_path).snapshot
    assert words_of(snapshot, ARTICLE, 2) == "snow rain"
    assert snapshot.lexicon.find_form("Quagga") is None
    assert snapshot.lexicon.find_form("rain") is not None


def test_values_of_an_erased_document_are_in_no_file(tmp_path):
    write(tmp_path, [document(1, "rain", author="Q. Uagga"), document(2, "rain", author="Gogo")])
    erase(tmp_path, 1)

    fade(tmp_path)
    snapshot = IndexReader(tmp_path).snapshot

    assert b"Uagga" not in files_of(tmp_path)
    assert snapshot.document(ARTICLE, 2).info.author == "Gogo"


def test_a_generation_of_before_keeps_its_words(tmp_path):
    write(tmp_path, [document(1, "Quagga"), document(2, "okapi rain")])
    write(tmp_path, [document(2, "rain")])
    erase(tmp_path, 1)

    fade(tmp_path)
    snapshot = IndexReader(tmp_path).snapshot

    assert words_of(snapshot, ARTICLE, 2, generation=1) == "okapi rain"
    assert words_of(snapshot, ARTICLE, 2) == "rain"


def test_a_writer_that_knew_a_word_gives_it_a_number_anew(tmp_path):
    writer, reader = IndexWriter(tmp_path), IndexReader(tmp_path)
    for act in (("add", 1, "Quagga"), ("add", 2, "rain"), ("erase", 1, ""), ("fade", 0, "")):
        _do(tmp_path, writer, act)

    _do(tmp_path, writer, ("add", 3, "Quagga rain"))
    reader.refresh()

    assert words_of(reader.snapshot, ARTICLE, 3) == "Quagga rain"
    assert words_of(reader.snapshot, ARTICLE, 2) == "rain"


def test_what_killed_merges_and_rebuilds_left_goes_too(tmp_path):
    write(tmp_path, [document(1, "Quagga"), document(2, "rain")])
    erase(tmp_path, 1)
    (tmp_path / "merging-0.segment").write_bytes(b"Quagga")
    (tmp_path / STAGING_NAME).mkdir()
    (tmp_path / STAGING_NAME / "lexicon-000001.log").write_bytes(b"Quagga")

    fade(tmp_path)

    assert b"uagga" not in files_of(tmp_path)


def test_nothing_is_said_to_be_gone_while_a_segment_cannot_be_read(tmp_path):
    write(tmp_path, [document(1, "rain"), document(2, "Quagga")], tail_tokens=1)
    (tmp_path / load_manifest(tmp_path).segments[0].name).unlink()
    erase(tmp_path, 2)

    with pytest.raises(DamagedFileError):
        fade(tmp_path)

    assert is_fading_due(tmp_path)


def test_a_crash_before_the_manifest_leaves_it_due(tmp_path, monkeypatch):
    write(tmp_path, [document(1, "Quagga"), document(2, "rain")])
    erase(tmp_path, 1)

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("search.engine.index.building.fading.store_manifest", die)
        with pytest.raises(KeyboardInterrupt):
            fade(tmp_path)
    whole = words_of(IndexReader(tmp_path).snapshot, ARTICLE, 2)

    assert whole == "rain"
    assert fade(tmp_path) == 2
    assert b"uagga" not in files_of(tmp_path)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_any_order_of_acts_keeps_what_is_there_and_names_nothing_else(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("index")
    # Two processes that write by turns, and one that reads all the while.
    writers, reader = (IndexWriter(folder, tail_tokens=1), IndexWriter(folder)), IndexReader(folder)
    texts: dict[int, list[str]] = {}
    for name, key, words, place in steps:
        _do(folder, writers[place], (name, key, " ".join(words)))
        if name == "add":
            texts.setdefault(key, []).append(" ".join(words))
        if name == "erase":
            texts.pop(key, None)
        reader.refresh()
        found = {key: words_of(reader.snapshot, ARTICLE, key) for key in range(1, 5)}
        assert found == {key: texts[key][-1] if key in texts else None for key in range(1, 5)}
    fade(folder)

    if any(name == "erase" for name, *_ in steps):
        held = {word for versions in texts.values() for text in versions for word in text.split()}
        held |= {word.lower() for word in held}
        lexicon = IndexReader(folder).snapshot.lexicon
        assert {word for word in WORDS if lexicon.find_form(word) is not None} <= held


def _do(folder, writer, act):
    name, key, text = act
    if name == "fade":
        fade(folder)
    elif name == "merge":
        while merge_step(folder):
            pass
    else:
        with writer:
            writer.add(document(key, text)) if name == "add" else writer.erase(ARTICLE, key)
            writer.commit()


@pytest.fixture(autouse=True)
def early_merges(monkeypatch):
    """Let merges be due after a few commits."""
    monkeypatch.setattr(merge, "DAY_SEGMENTS", 3)
