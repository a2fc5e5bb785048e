"""The same hits as CQP, position by position, on a corpus of two million tokens."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from shared_data import shared
from vertical_files import make_corpus, read_vertical

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


@pytest.fixture(scope="module")
def oracle():
    return json.loads(shared("bench/search/oracle_cqp.json").read_text())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, oracle):
    """Index of the oracle's corpus, and where each text starts in it."""
    folder = tmp_path_factory.mktemp("oracle")
    shared("data/search/lexicon.tsv.gz")
    vertical = make_corpus(shared("."), folder, 2_000_000)
    assert hashlib.md5(vertical.read_bytes()).hexdigest() == oracle["corpus"]["md5"]  # noqa: S324 (the oracle's)
    starts = _build(folder / "index", vertical)
    return IndexReader(folder / "index").snapshot, starts


def _build(folder, vertical):
    starts, position = [], 0
    writer = IndexWriter(folder)
    with writer:
        for number, item in enumerate(read_vertical(vertical), 1):
            starts.append(position)
            position += len(item.tokens)
            writer.add(item)
            if number % DOCUMENTS_PER_COMMIT == 0:
                writer.commit()
        writer.commit()
    return np.array(starts)


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
