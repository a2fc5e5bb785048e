"""Vertical files with faults: the line and the reason, whichever way they are read."""

import gzip
import lzma

import pytest
from corpus_texts import read_all, source_of
from small_corpora import document, write

from search.engine.exchange.errors import CorpusFileError
from search.engine.exchange.source import MAX_LINE_BYTES, pieces
from search.engine.exchange.texts import MAX_TOKEN_CHARACTERS
from search.engine.exchange.vertical import read_vertical
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind
from search.engine.workbench.building import BuildRequest, build
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.errors import CommandError

GOOD = '<text id="a">\n<s>\nIt\tit\tPRP\nrains\train\tVBZ\n</s>\n</text>\n'  # 6 lines
LONG = "x" * (MAX_TOKEN_CHARACTERS + 1)

FAULTS = {
    "one column": (GOOD + '<text id="b">\n<s>\nIt\n</s>\n</text>\n', 9,
                   "1 column instead of 3 (word, lemma, pos)"),
    "four columns": (GOOD.replace("\tVBZ", "\tVBZ\tx"), 4, "4 columns instead of 3"),
    "empty word": (GOOD.replace("It\t", "\t"), 3, "the word is empty"),
    "unclosed text": (GOOD + '<text id="b">\n<s>\nIt\tit\tPRP\n</s>\n', 10,
                      "the file ends inside of the <text> of line 7"),
    "unclosed sentence": ('<text id="a">\n<s>\nIt\tit\tPRP\n</text>\n', 2, "<s>"),
    "sentence in sentence": ('<text id="a">\n<s>\nIt\tit\tPRP\n<s>\n</s>\n</text>\n', 4, "<s>"),
    "end without sentence": ('<text id="a">\nIt\tit\tPRP\n</s>\n</text>\n', 3, "</s> without <s>"),
    "text in text": ('<text id="a">\n<s>\nIt\tit\tPRP\n</s>\n<text id="b">\n</text>\n', 5,
                     "<text> inside of <text>"),
    "end without text": (GOOD + "</text>\n", 7, "</text> without <text>"),
    "token after the end": (GOOD + "It\tit\tPRP\n", 7, "text outside of any text"),
    "token before the start": ("It\tit\tPRP\n" + GOOD, 1, "text outside of any text"),
    "sentence outside": (GOOD + "<s>\n</s>\n", 7, "a sentence outside of any text"),
    "tag without end": (GOOD.replace('"a">', '"a"'), 1, "no proper end"),
    "tag in text without end": (GOOD.replace("<s>", "<s"), 2, "no proper end"),
    "unclosed quote": (GOOD.replace('"a"', '"a'), 1, "no proper end"),
    "attribute twice": (GOOD.replace('id="a"', 'id="a" id="b"'), 1, "the attribute id comes twice"),
    "no date": (GOOD.replace('id="a"', 'date="yesterday"'), 1, "the date 'yesterday'"),
    "date that is none": (GOOD.replace('id="a"', 'date="2026-02-30"'), 1, "the date '2026-02-30'"),
    "no moment": (GOOD.replace('id="a"', 'published="noon"'), 1, "the moment 'noon'"),
    "long token": (GOOD.replace("rains", LONG), 4, "a token of 10,001 characters"),
    "long lemma": (GOOD.replace("\train\t", f"\t{LONG}\t"), 4, "a token of 10,001 characters"),
    "endless line": (GOOD + "x" * (MAX_LINE_BYTES + 1), 7, "a line of more than 1,048,576 bytes"),
    "NUL": (GOOD.replace("rains", "ra\0ns"), 4, "a NUL byte"),
    "Latin 1": (GOOD.encode().replace(b"rains", b"r\xe9ns"), 4, "byte 0xe9 is not UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), 1, "the file is in UTF-16"),
    "UTF-8 cut short": (GOOD.encode() + b"\xc3", 7, "byte 0xc3 is not UTF-8"),
    "gzip cut short": (gzip.compress(GOOD.encode() * 2000)[:-20], 0, "the file breaks off here"),
    "gzip with a fault": (gzip.compress(GOOD.encode())[:12] + b"\xff" * 30, 1, "breaks off here"),
    "xz cut short": (lzma.compress(GOOD.encode() * 2000)[:-20], 0, "the file breaks off here"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_reading_stops_with_line_and_reason(fault):
    data, line, reason = FAULTS[fault]

    with pytest.raises(CorpusFileError) as caught:
        read_all(read_vertical, data, VerticalOptions())

    assert reason in caught.value.reason
    if line:
        assert caught.value.line == line


@pytest.mark.parametrize("fault", FAULTS)
def test_building_stops_and_leaves_nothing(fault, tmp_path):
    data, line, reason = FAULTS[fault]
    file, folder = tmp_path / "bad.vrt", tmp_path / "index"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())

    with pytest.raises(CorpusFileError) as caught:
        build(BuildRequest(str(file), folder))

    assert caught.value.name == str(file)
    assert reason in caught.value.reason
    if line:
        assert caught.value.line == line
    assert not folder.exists()


@pytest.mark.parametrize("data", ["", "\n\n", '<?xml version="1.0"?>\n<corpus>\n</corpus>\n'])
def test_a_file_without_texts_is_refused(data, tmp_path):
    file = tmp_path / "empty.vrt"
    file.write_text(data)

    with pytest.raises(CorpusFileError, match="the file holds no text"):
        build(BuildRequest(str(file), tmp_path / "index"))


def test_a_fault_leaves_the_old_index_as_it_was(tmp_path):
    good, bad, folder = tmp_path / "good.vrt", tmp_path / "bad.vrt", tmp_path / "index"
    good.write_text(GOOD)
    bad.write_text(GOOD * 3 + "<text>\n")
    build(BuildRequest(str(good), folder))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    with pytest.raises(CorpusFileError):
        build(BuildRequest(str(bad), folder))

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    corpus = Corpus(folder)
    assert corpus.snapshot.size().n_documents == 1
    assert corpus.name(DocumentKind.ARTICLE, 1) == "a"


def test_the_line_is_right_far_into_a_file():
    lines = "".join(f"w{i}\tw\tNN\n" for i in range(400_000))
    data = f"{GOOD}<text>\n{lines}odd\n</text>\n"

    with pytest.raises(CorpusFileError) as caught:
        read_all(read_vertical, data, VerticalOptions())

    assert caught.value.line == 400_008


def test_pieces_join_to_the_file_and_know_their_lines():
    data = "".join(f"line {i}\n" for i in range(700_000)) + "no end"

    found = list(pieces(source_of(data)))

    assert len(found) > 1
    assert b"".join(piece.data for piece in found).decode() == data + "\n"
    assert [p.first_line for p in found[1:]] == [
        1 + sum(q.n_lines for q in found[:i]) for i in range(1, len(found))
    ]


def test_too_many_tags_are_said_with_their_text_and_columns(tmp_path):
    lines = "".join(f"w\tw\ttag{i}\n" for i in range(300))
    file = tmp_path / "bad.vrt"
    file.write_text(f"{GOOD}<text>\n<s>\n{lines}</s>\n</text>\n")

    with pytest.raises(CorpusFileError, match="more than 255 tags") as caught:
        build(BuildRequest(str(file), tmp_path / "index"))

    assert caught.value.line == 7
    assert not (tmp_path / "index").exists()


def test_the_index_of_a_site_is_not_replaced(tmp_path):
    write(tmp_path / "index", [document(1, "rain falls")])
    file = tmp_path / "good.vrt"
    file.write_text(GOOD)

    with pytest.raises(CommandError, match="has not built"):
        build(BuildRequest(str(file), tmp_path / "index"))

    assert Corpus(tmp_path / "index").snapshot.size().n_tokens == 2


def test_a_damaged_index_can_be_built_anew(tmp_path):
    file, folder = tmp_path / "good.vrt", tmp_path / "index"
    file.write_text(GOOD)
    build(BuildRequest(str(file), folder))
    (folder / "manifest.json").write_text("{")

    build(BuildRequest(str(file), folder))

    corpus = Corpus(folder)
    assert (corpus.snapshot.size().n_tokens, corpus.name(DocumentKind.ARTICLE, 1)) == (2, "a")
