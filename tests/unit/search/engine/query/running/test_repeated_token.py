"""Longest rows of a token, and regions filled with it, equal the plain evaluator on long runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_queries import plain_spans
from small_corpora import document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import explain, run
from search.engine.query.running.chosen_way import Way

# Runs of up to three words of 64 bits, so that carries go on through whole words.
runs = st.lists(
    st.tuples(st.sampled_from(("NN", "VB")), st.integers(1, 200)), min_size=1, max_size=4
)
texts = st.lists(runs, min_size=1, max_size=3)
QUERIES = (
    '(?longest) [pos="NN"]+', '(?longest) [pos="NN"]+ within s', '(?longest) [word="w"]+',
    '(?longest) [pos="NN"]+ within text', '<s> [pos="NN"]+ </s>', '<text> [pos!="VB"]* </text>',
    '<s> [pos="NN"]+ </s> within 100', '<s> [word!="x"]+ </s>',
)  # fmt: skip


def sentence_of(tags):
    return " ".join(f"{'w' if tag == 'NN' else 'x'}/w/{tag}" for tag, n in tags for _ in range(n))


@settings(deadline=None, max_examples=150)
@given(st.lists(texts, min_size=1, max_size=4), st.sampled_from(QUERIES))
def test_rows_and_filled_regions_equal_the_plain_evaluator(tmp_path_factory, corpus, query):
    documents = [
        document(key, " | ".join(map(sentence_of, text))) for key, text in enumerate(corpus, 1)
    ]
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), documents)
    parsed = parse(query, Language.CQL)

    hits = run(snapshot, parsed)

    found = []
    for part in hits.parts:
        segment = part.view.segment
        for row in range(segment.n_documents):
            spans, start = part.spans_in(row), segment.bounds[row]
            pairs = zip((spans.starts - start).tolist(), (spans.ends - start).tolist(), strict=True)
            found += [(int(segment.documents.key[row]), *pair) for pair in pairs]
    assert found == [(item.key, *span) for item in documents for span in plain_spans(parsed, item)]


@pytest.mark.parametrize(
    ("cql", "way"),
    [
        ('(?longest) [pos="NN"]+', Way.LONGEST_ROWS),
        ('[pos="NN"]+', Way.FIRST_TOKENS),
        ('(?longest) [pos="NN"]+ within 2 s', Way.FIRST_TOKENS),
        ('(?longest) a:[pos="NN"]+ :: a.word = "w"', Way.STEP_BY_STEP),
        ('(?longest) @[pos="NN"]+', Way.STEP_BY_STEP),
    ],
)
def test_only_the_longest_rows_of_one_token_are_told_by_bits(tmp_path_factory, cql, way):
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), [document(1, "w/w/NN x/x/VB")])

    (chosen,) = explain(snapshot, parse(cql, Language.CQL))

    assert chosen.way is way
