"""The same hits as CQP, position by position, on a corpus of two million tokens."""

import hashlib
from dataclasses import replace

import numpy as np
import oracle_corpus
import pytest
from vertical_files import read_vertical

from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.reader import IndexReader, corpus_offsets
from search.engine.query.ast import Strategy
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.hit_values import parse_key
from search.engine.statistics.frequency import frequencies

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def oracle():
    return oracle_corpus.oracle()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Index of the oracle's corpus, in its order."""
    folder = tmp_path_factory.mktemp("oracle")
    vertical = oracle_corpus.oracle_vertical()
    with BulkBuilder(folder / "index") as builder:
        for item in read_vertical(vertical):
            builder.add(item)
        builder.publish()
    return IndexReader(folder / "index").snapshot


def sha1_of(hits):
    """The SHA-1 over the lines `start end` of all hits, in order."""
    digest = hashlib.sha1()  # noqa: S324 (the oracle's)
    for part, offset in zip(hits.parts, corpus_offsets(hits.snapshot), strict=True):
        starts, ends = part.spans.starts + offset, part.spans.ends + offset - 1
        pairs = np.stack([starts, ends], axis=1)[np.lexsort((ends, starts))]
        digest.update("".join(f"{start} {end}\n" for start, end in pairs.tolist()).encode())
    return digest.hexdigest()


def test_all_queries_give_the_hits_of_cqp(corpus, oracle):
    different = []
    for case in oracle["queries"]:
        query = replace(parse(case["query"], Language.CQL), strategy=Strategy(case["strategy"]))
        hits = run(corpus, query, across_texts=True)
        if (hits.total, sha1_of(hits)) != (case["hits"], case["sha1"]):
            different.append((case["query"], hits.total))

    assert len(oracle["queries"]) == 79
    assert different == []


def test_without_leaving_texts_one_hit_of_cqp_is_missing(corpus, oracle):
    """It begins in one text and ends in the next."""
    query = parse(r'"\?" "\""', Language.CQL)

    assert run(corpus, query, across_texts=True).total == 1575
    assert run(corpus, query).total == 1574


def test_frequency_list_is_that_of_cqp(corpus, oracle):
    hits = run(corpus, parse('[pos="JJ.*"] "rain"', Language.CQL))

    found = frequencies(hits, [parse_key("first.lemma")])

    assert [[*row.values, str(row.n_hits)] for row in found.rows] == oracle[
        "freq_lemma_of_JJ_before_rain"
    ]
