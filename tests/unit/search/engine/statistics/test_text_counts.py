"""Counts by text equal counting text by text, in every order."""

from operator import itemgetter

from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_selection

from search.engine.query.filters import select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.text_counts import TextCounts, TextOrder

RAIN = parse('[lemma="rain"]', Language.CQL)


def slow_rows(batches, wanted, order, *, with_zeros):
    """Key, kind, hits and tokens of each text in an order, by the triples of the texts."""
    rows = []
    for item in plain_selection(batches, wanted):
        n_hits = sum(token[1] == "rain" for token in item.tokens)
        n_tokens, published = len(item.tokens), item.published_seconds
        first = {
            TextOrder.HITS: -n_hits,
            TextOrder.RATE: -n_hits / n_tokens,
            TextOrder.OLD: published,
            TextOrder.NEW: -published,
            TextOrder.LONG: -n_tokens,
        }[order]
        if n_hits or with_zeros:
            rows.append(((first, published, item.kind, item.key), (n_hits, n_tokens)))
    rows.sort(key=itemgetter(0))
    return [(kind, key, *counts) for (_, _, kind, key), counts in rows]


@settings(max_examples=60, deadline=None)
@given(
    batches=batches,
    wanted=filters,
    order=st.sampled_from(TextOrder),
    with_zeros=st.booleans(),
    limit=st.integers(0, 9),
)
def test_rows_are_those_of_a_slow_count(
    tmp_path_factory, batches, wanted, order, with_zeros, limit
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=12)

    counts = TextCounts(
        run(snapshot, RAIN, wanted), select(snapshot, wanted), with_zeros=with_zeros
    )

    slow = slow_rows(batches, wanted, order, with_zeros=with_zeros)
    found = [
        (row.info.kind, row.info.key, row.n_hits, row.info.n_tokens)
        for row in counts.rows(order, limit)
    ]
    assert found == slow[:limit]
    assert len(counts) == len(slow)
