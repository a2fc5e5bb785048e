"""FORMAT.md tells the truth, and indexes written by older versions can be read."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from small_corpora import document, words_of, write

from search.engine.index import codec
from search.engine.index.codec import Container, write_container
from search.engine.index.documents import DocumentKind, DocumentRights
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.lexicon.log import decode_blocks, encode_block
from search.engine.index.reader import IndexReader
from search.engine.index.segments.removals import REMOVALS_MAGIC, Removals
from search.engine.index.segments.segment import SEGMENT_MAGIC
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

FORMAT = Path(codec.__file__).with_name("FORMAT.md")
OLD_INDEX = Path(__file__).parents[4] / "data" / "index-v1"


def example(name):
    """Bytes of a worked example: the lines of a fenced block without their addresses."""
    block = re.search(rf"```hex {name}\n(.*?)```", FORMAT.read_text(), re.DOTALL)[1]
    return bytes.fromhex("".join(line.split(maxsplit=1)[1] for line in block.splitlines()))


def test_example_container_is_what_is_written(tmp_path):
    path = tmp_path / "1.removals"

    arrays = {"row": np.array([3], dtype="<u4"), "generation": np.array([7], dtype="<u4")}
    write_container(path, REMOVALS_MAGIC, arrays)

    assert path.read_bytes() == example("container")


def test_example_container_is_read(tmp_path):
    path = tmp_path / "1.removals"
    path.write_bytes(example("container"))

    Container.open(path, REMOVALS_MAGIC).verify()

    removals = Removals.read(path)
    assert (removals.rows.tolist(), removals.generations.tolist()) == ([3], [7])


def test_example_sections_are_those_of_a_segment(tmp_path):
    columns = {"publication": "karoo", "section": "", "author": "", "language": "en"}
    write(
        tmp_path,
        [
            document(7, "It/it/A rains/rain/B ././C | Now/now/D ././C", **columns),
            document(9, "Now/now/D ././C", **columns),
        ],
    )
    container = Container.open(next(tmp_path.glob("*.segment")), SEGMENT_MAGIC)

    lines = re.search(r"```hex sections\n(.*?)```", FORMAT.read_text(), re.DOTALL)[1]
    shown = {
        line.split()[0]: bytes.fromhex(line.split(maxsplit=1)[1]) for line in lines.splitlines()
    }

    stored = {name: array.tobytes() for name, array in container.arrays.items()}
    stored["doc_least"] = stored["doc_least"][:32]
    assert {name: data for name, data in stored.items() if data} == shown


def test_marks_are_stored_where_a_text_bears_one(tmp_path):
    plain, marked = tmp_path / "plain", tmp_path / "marked"
    write(plain, [document(1, "rain"), document(2, "hail")])
    write(
        marked,
        [
            document(1, "rain", is_changed=True),
            document(2, "hail", rights=DocumentRights.RESERVED, is_undated=True),
        ],
    )

    sections = {
        path: Container.open(next(path.glob("*.segment")), SEGMENT_MAGIC).arrays
        for path in (plain, marked)
    }

    assert {"doc_changed", "doc_rights", "doc_undated"}.isdisjoint(sections[plain])
    assert sections[marked]["doc_changed"].tolist() == [1, 0]
    assert sections[marked]["doc_rights"].tolist() == [0, 1]
    assert sections[marked]["doc_undated"].tolist() == [0, 1]
    (segment,) = IndexReader(plain).snapshot.segments
    assert segment.segment.documents.rights.tolist() == [0, 0]


def test_example_block_is_what_is_written_and_read():
    builder = LexiconBuilder(Lexicon())
    builder.types([("Café", "café", "NN")])
    builder.value("karoo")

    written = encode_block(builder.take_block())
    (block,) = decode_blocks("log", example("block"))

    assert written == example("block")
    assert block.forms.decode().split() == ["Café", "café", "cafe", "Cafe"]
    assert block.types.tolist() == [0, 1, 0]
    assert (block.values, block.tags) == (b"karoo\n", b"NN\n")


@pytest.fixture
def old_index(tmp_path):
    return Path(shutil.copytree(OLD_INDEX, tmp_path / "index"))


def test_index_of_version_1_is_read(old_index):
    snapshot = IndexReader(old_index).snapshot

    assert snapshot.generation == 4
    assert not snapshot.damaged
    assert words_of(snapshot, DocumentKind.ARTICLE, 1) == "Snow fell on the Karoo ."
    assert words_of(snapshot, DocumentKind.ARTICLE, 1, generation=1) == "Rain fell on the Karoo ."
    assert words_of(snapshot, DocumentKind.ARTICLE, 2) is None
    assert words_of(snapshot, DocumentKind.COMMENT, 1) == "Café weather !"
    assert run(snapshot, parse('[lemma="fall"] []{0,2} "Karoo"', Language.CQL)).total == 1
    assert run(snapshot, parse('"cafe"%cd', Language.CQL)).total == 1


def test_index_of_version_1_is_written_on(old_index):
    write(old_index, [document(5, "Hail fell on the Karoo")])
    write(old_index, [document(6, "Sleet", rights=DocumentRights.GRANTED)])
    snapshot = IndexReader(old_index).snapshot

    assert snapshot.generation == 6
    assert select(snapshot, DocumentFilter(rights=DocumentRights.GRANTED)).base.n_documents == 1
    assert select(snapshot, DocumentFilter(is_changed=True)).base.n_documents == 0
    assert words_of(snapshot, DocumentKind.ARTICLE, 5) == "Hail fell on the Karoo"
    assert words_of(snapshot, DocumentKind.ARTICLE, 1) == "Snow fell on the Karoo ."
