"""Hits restricted to documents: masks over positions, the outermost hits, totals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.hits import SpanHits, Spans
from search.engine.index.selection import DocumentMask
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

LENGTHS = st.lists(st.integers(0, 300), min_size=1, max_size=12)


class Documents:
    """As much of a segment as a mask looks at."""

    def __init__(self, lengths):
        self.bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self.n_tokens = int(self.bounds[-1])

    def document_of(self, positions):
        return np.searchsorted(self.bounds, positions, side="right") - 1


@given(LENGTHS, st.data())
def test_mask_holds_at_the_tokens_of_its_documents(lengths, data):
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(lengths), max_size=12)))
    chosen = chosen[: len(lengths)]
    mask = DocumentMask(Documents(lengths), chosen)
    expected = np.repeat(chosen, lengths)
    positions = np.arange(len(expected), dtype=np.uint32)

    assert mask.holds(positions).tolist() == expected.tolist()
    assert mask.count(positions) == expected.sum()
    assert mask.count(positions[::200]) == expected[::200].sum()
    for start in range(0, len(expected), 200):
        found = positions[start:] % 3 > 0
        mask.cut(found, start)
        assert found.tolist() == (expected[start:] & (positions[start:] % 3 > 0)).tolist()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """3,000 texts with a word in every second, another in all, 90 rare ones."""
    texts = [
        " ".join(["rain", "falls" if key % 2 else "snow", f"w{key % 90}"] * 4)
        for key in range(1, 3001)
    ]
    documents = [document(key, text) for key, text in enumerate(texts, 1)]
    return snapshot_of(tmp_path_factory.mktemp("many"), documents)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(('"rain"', '"falls"', '"w7"', '"w.*"', '"w1.|rain"', '"nothing"')),
    st.sampled_from((1, 3, 50, 2_500, 40_000)),
    st.booleans(),
    st.sampled_from((None, 1, 2, 50, 4_000)),
)
def test_outermost_hits_are_the_ends_of_all_hits(many, query, n, last, every):
    view = many.segments[0]
    chosen = np.arange(view.segment.n_documents) % (every or 1) == 0
    mask = None if every is None else DocumentMask(view.segment, chosen)
    part = run(many, parse(query, Language.CQL)).parts[0]
    part = type(part)(view, part.test, mask)

    found = part.outermost(n, last=last)

    expected = part.spans.starts[-n:] if last else part.spans.starts[:n]
    assert found.starts.tolist() == expected.tolist()
    assert part.total == len(part.spans)


def test_outermost_spans_of_a_few():
    spans = Spans(np.array([1, 5, 9]), np.array([2, 7, 10]))
    hits = SpanHits(None, spans, None)

    assert hits.outermost(2, last=True).ends.tolist() == [7, 10]
    assert hits.outermost(2, last=False).ends.tolist() == [2, 7]
    assert hits.outermost(9, last=True).starts.tolist() == [1, 5, 9]


@pytest.mark.parametrize("far", [0, 1 << 25], ids=["narrow", "wide"])
@given(pairs=st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 300))))
def test_spans_in_order(far, pairs):
    starts = np.array([start + far for start, _ in pairs], dtype=np.int64)
    ends = starts + np.array([length for _, length in pairs], dtype=np.int64)

    spans = Spans(starts, ends).in_order()

    expected = sorted(zip(starts.tolist(), ends.tolist(), strict=True))
    assert list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)) == expected
