"""Vertical files of the benchmark corpus generator → index documents."""

import datetime as dt
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from search.engine.index.documents import UNIX_EPOCH, DocumentKind, IndexDocument

CORPUS_NAME = "corpus.vrt"
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def make_corpus(shared: Path, folder: Path, n_tokens: int) -> Path:
    """Unpack the seed texts and run the generator over them."""
    seed = folder / "seed"
    seed.mkdir(parents=True)
    archive = shared / "data" / "search" / "seed-public-domain.tar.xz"
    subprocess.run(["tar", "xJf", archive, "-C", seed], check=True)
    vertical = folder / CORPUS_NAME
    subprocess.run(
        [sys.executable, shared / "bench" / "search" / "make_corpus.py", seed,
         "--lexicon", shared / "data" / "search" / "lexicon.tsv.gz",
         "--tokens", str(n_tokens), "--out", vertical],
        check=True, capture_output=True,
    )  # fmt: skip
    return vertical


def read_vertical(path: Path) -> Iterator[IndexDocument]:
    """Read document by document; keys are those of the file's ids."""
    values: dict[str, str] = {}
    tokens: list[tuple[str, str, str]] = []
    sentences: list[int] = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line[0] != "<" or line[1] == "\t":
                word, lemma, tag = line.rstrip("\n").split("\t")
                tokens.append((word, lemma, tag))
            elif line == "<s>\n":
                sentences.append(len(tokens))
            elif line.startswith("<text "):
                values, tokens, sentences = dict(ATTRIBUTE.findall(line)), [], []
            elif line == "</text>\n":
                yield document_of(values, tokens, sentences)


def document_of(
    values: dict[str, str], tokens: list[tuple[str, str, str]], sentences: list[int]
) -> IndexDocument:
    """Make a document of the attributes of its `<text>`, its tokens and sentence starts."""
    day = dt.date.fromisoformat(values["date"])
    return IndexDocument(
        key=int(values["id"][1:]),
        kind=DocumentKind[values["kind"].upper()],
        tokens=tokens,
        sentence_starts=sentences,
        publication=values["publication"],
        section=values["section"],
        author=values["author"],
        published_seconds=(day - UNIX_EPOCH).days * 86_400,
    )
