"""Counted rows: the same hits as rows whose positions are looked up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_queries import plain_spans
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.query.running.row_scan import RowScanHits

TAGS = ("DT", "NN", "JJ")
sentences = st.lists(st.sampled_from(TAGS), min_size=1, max_size=40)
texts = st.lists(sentences, min_size=1, max_size=3)
QUERIES = (
    '[pos="DT"] [pos="NN"]', '[pos="DT"] [pos="NN"] within s', '[pos="DT|NN"] [] [pos="J.*"]',
    '[pos!="DT"] [pos="NN"] within text', "[] []", '[pos="DT"] [word="w"] within 1 s',
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _always_counted():
    """Blocks of 64 tokens, and no positions are looked up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("search.engine.query.conditions.kept_bits.SCAN_BLOCK", 8)
        patch.setattr("search.engine.query.running.tag_bits.WORDS_AT_ONCE", 1)
        patch.setattr("search.engine.query.conditions.kept_bits.KEPT_SETS", 2)
        patch.setattr("search.engine.query.running.row_scan.FIRST_STRETCH", 2)
        patch.setattr("search.engine.query.running.row_scan.KEPT_HITS", 2)
        patch.setattr(
            "search.engine.query.running.sequences.TokenRow.is_dense", lambda row, _: row.length > 1
        )
        yield


@settings(deadline=None, max_examples=80)
@given(
    st.lists(texts, min_size=1, max_size=4),
    st.sampled_from(QUERIES),
    st.sampled_from(((), ("x",), ("x", "y"))),
    st.integers(1, 6),
)
def test_counted_rows_equal_the_plain_evaluator(tmp_path_factory, corpus, query, kept, n):
    documents = [
        document(
            key,
            " | ".join(" ".join(f"w/w/{tag}" for tag in sentence) for sentence in text),
            publication="xyz"[key % 3],
        )
        for key, text in enumerate(corpus, 1)
    ]
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), documents)
    parsed = parse(query, Language.CQL)

    hits = run(snapshot, parsed, DocumentFilter(publications=kept))

    found = []
    for part in hits.parts:
        assert isinstance(part, RowScanHits)
        bounds, keys = part.view.segment.bounds, part.view.segment.documents.key
        for row in range(part.view.segment.n_documents):
            spans = part.spans_in(row)
            assert part.document_counts[row] == len(spans)
            start = bounds[row]
            pairs = zip((spans.starts - start).tolist(), (spans.ends - start).tolist(), strict=True)
            found += [(int(keys[row]), *pair) for pair in pairs]
        for last in (False, True):
            expected = part.spans.starts[-n:] if last else part.spans.starts[:n]
            assert part.outermost(n, last=last).starts.tolist() == expected.tolist()
        assert part.total == len(part.spans)
    expected = [
        (item.key, *span)
        for item in documents
        for span in plain_spans(parsed, item)
        if not kept or item.publication in kept
    ]
    assert found == expected
    assert hits.total == len(expected)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(texts, min_size=1, max_size=3), st.sampled_from(('[pos="DT"] []', '[pos="DT"] [] []'))
)
def test_what_reaches_past_the_corpus_is_not_counted(tmp_path_factory, corpus, query):
    tags = [tag for text in corpus for sentence in text for tag in sentence]
    documents = [
        document(key, " | ".join(" ".join(f"w/w/{tag}" for tag in sentence) for sentence in text))
        for key, text in enumerate(corpus, 1)
    ]
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), documents)

    hits = run(snapshot, parse(query, Language.CQL), across_texts=True)

    assert hits.total == tags[: 1 - len(query.split())].count("DT")
    assert hits.total == sum(len(part.spans) for part in hits.parts)


def test_rows_within_two_texts_may_lie_in_both(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "w/w/DT"), document(2, "w/w/NN")])
    parsed = parse('[pos="DT"] [pos="NN"] within 2 text', Language.CQL)

    assert run(snapshot, parsed, across_texts=True).total == 1
    assert run(snapshot, parsed).total == 0
