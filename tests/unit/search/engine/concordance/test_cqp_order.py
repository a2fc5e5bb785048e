"""The same order of lines as CQP's `sort … by word %c`, on a corpus of two million tokens."""

import oracle_corpus
import pytest
from small_corpora import snapshot_of
from vertical_files import read_vertical

from search.engine.concordance.sort_keys import parse_keys
from search.engine.concordance.sorting import Order, lines_in_order
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Hits of a lemma in an index of the texts that have it, and where each text starts."""
    folder = tmp_path_factory.mktemp("order")
    starts, position, documents = {}, 0, []
    for item in read_vertical(oracle_corpus.oracle_vertical()):
        starts[item.key] = position
        position += len(item.tokens)
        if any(lemma == "rain" for _, lemma, _ in item.tokens):
            documents.append(item)
    snapshot = snapshot_of(folder / "index", documents)
    return run(snapshot, parse('[lemma="rain"]', Language.CQL)), starts


@pytest.mark.parametrize(
    ("oracle", "keys"), [("sort_rain_right", "r1,r2,r3"), ("sort_rain_left", "l1,l2,l3")]
)
def test_lines_come_in_the_order_of_cqp(corpus, oracle, keys):
    hits, starts = corpus
    expected = oracle_corpus.oracle()[oracle]

    lines = lines_in_order(hits, Order(parse_keys(keys)), 0, len(expected))

    positions = []
    for line in lines:
        segment = hits.parts[line.part].view.segment
        key = int(segment.documents.key[line.row])
        positions.append(starts[key] + line.start - int(segment.bounds[line.row]))
    assert hits.total == 204
    assert positions == [int(start) for start, _ in expected]
