"""The page about the program says what the program does: its examples are run."""

import io
import json
import re
from pathlib import Path

import pytest

from search.engine.exchange.formats import Format
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.query.filters import DocumentFilter
from search.engine.workbench.building import BuildRequest, build
from search.engine.workbench.conversation import converse
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.exporting import exported
from search.engine.workbench.program import main, make_parser

PAGE = (Path(__file__).resolve().parents[5] / "docs/search-tool.md").read_text()
# Blocks whose lines are long: what is indented goes on with the line before.
FOLDED = ("conversation", "jsonl")


def block(name: str) -> str:
    found = re.search(rf"```{name}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return re.sub(r"\n {4}(?=\S)", " ", found[1]) if name in FOLDED else found[1]


def corpus_of(vertical: str, folder: Path) -> Corpus:
    (folder / "corpus.vrt").write_text(vertical)
    build(BuildRequest(str(folder / "corpus.vrt"), folder / "index"))
    return Corpus(folder / "index")


def test_the_conversation_goes_as_shown(tmp_path):
    lines = block("conversation").splitlines()
    asked = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    shown = [json.loads(line.removeprefix("< ")) for line in lines if line.startswith("< ")]
    out = io.BytesIO()

    questions = io.BytesIO("".join(f"{line}\n" for line in asked).encode())
    converse(corpus_of(block("vertical"), tmp_path), questions, out)

    given = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer | {"ms": 0} for answer in given] == [answer | {"ms": 0} for answer in shown]


@pytest.mark.parametrize("kind", [Format.JSONL, Format.CONLLU, Format.TEI])
def test_formats_look_as_shown(kind, tmp_path):
    first = block("vertical").split("<s>\nHeavy")[0] + "</text>\n"
    corpus = corpus_of(first, tmp_path)

    written = "".join(exported(corpus, kind, DocumentFilter(), VerticalOptions()))

    assert block(kind.value) in written


def test_every_key_of_a_request_is_named(tmp_path):
    corpus = corpus_of(block("vertical"), tmp_path)
    for inside in ("", "filter", "freq", "colloc", "trend"):
        wrong = {inside: {"x": 1}} if inside else {"x": 1}
        out = io.BytesIO()
        question = json.dumps({"simple": "a"} | wrong).encode()
        converse(corpus, io.BytesIO(question), out)
        known = json.loads(out.getvalue())["error"].partition("known are ")[2].rstrip(".")
        assert [key for key in known.split(", ") if f"`{key.rstrip('s')}" not in PAGE] == []


def test_every_figure_of_an_index_is_named(tmp_path, capfdbinary):
    corpus_of(block("vertical"), tmp_path)

    assert main(["info", str(tmp_path / "index"), "--json"]) == 0

    figures = json.loads(capfdbinary.readouterr().out)
    assert [name for name in figures if f"`{name}`" not in PAGE] == []


def test_every_option_is_named():
    options = re.findall(r"--[a-z-]+", make_parser().format_help())
    for action in make_parser()._actions:
        for command in getattr(action, "choices", None) or ():
            options += re.findall(r"--[a-z-]+", action.choices[command].format_help())

    assert [option for option in options if option not in PAGE and option != "--help"] == []
