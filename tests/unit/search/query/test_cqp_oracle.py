"""The same hits as CQP, position by position, on a corpus of two million tokens."""

import datetime as dt
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from shared_data import shared

from search.index.documents import UNIX_EPOCH, DocumentKind, IndexDocument
from search.index.reader import IndexReader
from search.index.writer import IndexWriter
from search.query.ast import Strategy
from search.query.parser import Language, parse
from search.query.run import run

pytestmark = [pytest.mark.data, pytest.mark.timeout(300)]

# One of the 1,575 hits begins in one text and ends in the next. Ours never cross texts: their
# order in the index is that of publication times and means nothing.
CROSSES_TEXTS = {r'"\?" "\""': 1574}
DOCUMENTS_PER_COMMIT = 200
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


@pytest.fixture(scope="module")
def oracle():
    return json.loads(shared("bench/search/oracle_cqp.json").read_text())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, oracle):
    """Index of the oracle's corpus, and where each text starts in it."""
    folder = tmp_path_factory.mktemp("oracle")
    subprocess.run(
        ["tar", "xJf", shared("data/search/seed-public-domain.tar.xz"), "-C", folder], check=True
    )
    vertical = folder / "corpus.vrt"
    subprocess.run(
        [sys.executable, shared("bench/search/make_corpus.py"), folder,
         "--lexicon", shared("data/search/lexicon.tsv.gz"), "--tokens", "2000000",
         "--out", vertical],
        check=True, capture_output=True,
    )  # fmt: skip
    assert hashlib.md5(vertical.read_bytes()).hexdigest() == oracle["corpus"]["md5"]  # noqa: S324 (the oracle's)
    starts = _build(folder / "index", vertical)
    return IndexReader(folder / "index").snapshot, starts


def _build(folder, vertical):
    starts, position = [], 0
    writer = IndexWriter(folder)
    with writer:
        for number, item in enumerate(_read(vertical), 1):
            starts.append(position)
            position += len(item.tokens)
            writer.add(item)
            if number % DOCUMENTS_PER_COMMIT == 0:
                writer.commit()
        writer.commit()
    return np.array(starts)


def _read(vertical):
    with vertical.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("<text "):
                values, tokens, sentences = dict(ATTRIBUTE.findall(line)), [], []
            elif line == "<s>\n":
                sentences.append(len(tokens))
            elif line == "</text>\n":
                yield _document(values, tokens, sentences)
            elif line != "</s>\n":
                tokens.append(tuple(line.rstrip("\n").split("\t")))


def _document(values, tokens, sentences):
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


def spans_in_corpus_order(hits, starts):
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for part in hits.parts:
        segment, spans = part.view.segment, part.spans
        rows = segment.document_of(spans.starts)
        shift = starts[segment.documents.key[rows]] - segment.bounds[rows]
        pairs.append(np.stack([spans.starts + shift, spans.ends + shift - 1], axis=1))
    joined = np.concatenate(pairs)
    return joined[np.lexsort((joined[:, 1], joined[:, 0]))]


def test_all_queries_give_the_hits_of_cqp(corpus, oracle):
    snapshot, starts = corpus
    different = []
    for case in oracle["queries"]:
        query = replace(parse(case["query"], Language.CQL), strategy=Strategy(case["strategy"]))
        spans = spans_in_corpus_order(run(snapshot, query), starts)
        text = "".join(f"{start} {end}\n" for start, end in spans.tolist())
        same = hashlib.sha1(text.encode()).hexdigest() == case["sha1"]  # noqa: S324 (the oracle's)
        if not same:
            different.append((case["query"], len(spans)))

    assert len(oracle["queries"]) == 79
    assert dict(different) == CROSSES_TEXTS
