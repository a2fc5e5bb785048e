"""A corpus built into an index and exported again is the corpus."""

import resource
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_texts import SETTINGS, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.exchange.formats import Format, write_texts
from search.engine.exchange.texts import CorpusText, TextColumns
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter
from search.engine.workbench.building import BuildRequest, Built, build
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.errors import CommandError
from search.engine.workbench.exporting import exported

NO_BLANKS = st.characters(codec="utf-8", categories=["L", "N", "P", "S"], exclude_characters="_#|=")
ALL_KINDS = DocumentFilter(kinds=frozenset(DocumentKind))  # parts of texts come only when asked for
AGENCIES = ("", "AFP", "AFP; Nampa")
UNKNOWN = {"title": "", "original": "", "story": "", "parent": ""}


@st.composite
def corpora(draw) -> list[CorpusText]:
    """Texts with names of their own, and only columns that an index keeps by themselves.

    It keeps agencies among the authors, and tells them by names that it knows; comments have none.
    """
    drawn = draw(st.lists(texts(NO_BLANKS, has_spaces=True), min_size=1, max_size=5))
    dated = [text for text in drawn if text.columns.day is not None]
    agencies = [draw(st.sampled_from(AGENCIES)) for _ in dated]
    return [
        replace(
            text,
            columns=replace(
                text.columns,
                name=f"n{i}",
                ingested_seconds=i + 1,
                agency="" if text.columns.kind is DocumentKind.COMMENT else agencies[i],
                **UNKNOWN,
            ),
        )
        for i, text in enumerate(dated)
    ]


def built(data: str, folder: Path, kind: Format, options: VerticalOptions) -> Built:
    file = folder / "corpus"
    file.write_text(data, encoding="utf-8", newline="\n")
    return build(BuildRequest(str(file), folder / "index", kind, options))


@pytest.mark.parametrize("kind", Format)
@settings(SETTINGS, max_examples=6)
@given(corpora())
def test_a_corpus_comes_out_as_it_went_in(kind, corpus):
    options = VerticalOptions(has_glue=True)
    data = "".join(write_texts(kind, corpus, options))
    if not corpus:
        return
    with tempfile.TemporaryDirectory() as folder:
        report = built(data, Path(folder), kind, options).report
        opened = Corpus(Path(folder) / "index")

        again = "".join(exported(opened, kind, ALL_KINDS, options))

    assert report.n_documents == len(corpus)
    assert report.n_tokens == sum(len(text.tokens) for text in corpus)
    assert again == data


@settings(SETTINGS, max_examples=6)
@given(corpora())
def test_lines_and_tokens_make_the_same_index(corpus):
    if not corpus:
        return
    options = VerticalOptions()
    unspaced = [replace(text, space_before=None) for text in corpus]
    found = []
    for kind in (Format.VERTICAL, Format.JSONL):
        data = "".join(write_texts(kind, unspaced, options))
        with tempfile.TemporaryDirectory() as folder:
            built(data, Path(folder), kind, options)
            segments = sorted((Path(folder) / "index").glob("*.segment"))
            found.append([path.read_bytes() for path in segments])

    assert found[0] == found[1]


def text(name: str, **columns) -> CorpusText:
    return CorpusText(TextColumns(name=name, **columns), [("rain", "rain", "NN")], [0])


def test_copies_stories_and_parents_are_linked_by_name(tmp_path):
    corpus = [
        text("a", story="storm"),
        text("b", original="a", story="storm"),
        text("c", kind=DocumentKind.COMMENT, parent="a"),
        text("d", original="later"),
        text("e", original="later"),
        text("later"),
        text("a"),
    ]
    data = "".join(write_texts(Format.JSONL, corpus, VerticalOptions()))

    remarks = built(data, tmp_path, Format.JSONL, VerticalOptions()).remarks

    snapshot = Corpus(tmp_path / "index").snapshot
    rows = [snapshot.document_info(snapshot.segments[0], row) for row in range(7)]
    assert [row.story_cluster for row in rows] == [1, 1, 0, 0, 0, 0, 0]
    clusters = [row.duplicate_cluster for row in rows]
    assert clusters[:3] == [0, 1, 0]
    assert clusters[3] == clusters[4] > len(rows)
    assert [row.parent_key for row in rows] == [0, 0, 1, 0, 0, 0, 0]
    assert remarks == [
        "Some texts come before the one they are a copy of.",
        "Some texts have the id of an earlier one.",
        "Texts without a date are in no filter or count by time.",
    ]


def test_a_new_build_replaces_the_old_one_in_one_step(tmp_path):
    write = VerticalOptions()
    built(
        "".join(write_texts(Format.VERTICAL, [text("a")], write)), tmp_path, Format.VERTICAL, write
    )
    corpus = Corpus(tmp_path / "index")

    data = "".join(write_texts(Format.VERTICAL, [text("b"), text("c")], write))
    built(data, tmp_path, Format.VERTICAL, write)

    assert corpus.name(DocumentKind.ARTICLE, 1) == "a"
    corpus.refresh()
    assert [corpus.name(DocumentKind.ARTICLE, key) for key in (1, 2)] == ["b", "c"]
    assert corpus.snapshot.generation == 2


def test_a_build_that_fills_the_disk_leaves_the_folder_as_it_was(tmp_path):
    write = VerticalOptions()
    small = "".join(write_texts(Format.VERTICAL, [text("a")], write))
    built(small, tmp_path, Format.VERTICAL, write)
    before = sorted(tmp_path.joinpath("index").iterdir())
    large = "".join(f'<text id="{n}">\n<s>\nw{n}\tw\tNN\n</s>\n</text>\n' for n in range(1000))

    tmp_path.joinpath("large.vrt").write_text(large)
    request = BuildRequest(str(tmp_path / "large.vrt"), tmp_path / "index", Format.VERTICAL, write)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        with pytest.raises(CommandError, match="File too large"):
            build(request)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert sorted(tmp_path.joinpath("index").iterdir()) == before
    assert Corpus(tmp_path / "index").name(DocumentKind.ARTICLE, 1) == "a"
