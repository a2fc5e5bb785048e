"""Postings: the inverse of the stream, by slow comparison."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.engine.index.segments.attributes import distances_to_end
from search.engine.index.segments.postings import build_postings

STREAMS = st.lists(st.integers(0, 50), max_size=200)


@given(STREAMS)
def test_postings_invert_the_stream(types):
    stream = np.array(types, dtype=np.uint32)

    postings = build_postings(stream)

    plain = {t: [i for i, other in enumerate(types) if other == t] for t in sorted(set(types))}
    assert postings.types.tolist() == list(plain)
    assert [postings.of_row(i).tolist() for i in range(len(plain))] == list(plain.values())
    assert postings.counts().tolist() == [len(places) for places in plain.values()]


@given(STREAMS, st.sets(st.integers(0, 60)))
def test_positions_of_several_types_are_ascending_and_complete(types, wanted):
    postings = build_postings(np.array(types, dtype=np.uint32))

    rows = postings.rows(np.array(sorted(wanted), dtype=np.uint32))

    assert postings.of_rows(rows).tolist() == [i for i, t in enumerate(types) if t in wanted]


@given(st.lists(st.integers(1, 400), max_size=6))
def test_distances_count_to_the_end_of_the_sentence(lengths):
    starts = np.cumsum([0, *lengths[:-1]]) if lengths else np.empty(0, dtype=np.int64)

    right = distances_to_end(starts.astype(np.int64), sum(lengths))

    assert right.tolist() == [min(n - 1 - i, 255) for n in lengths for i in range(n)]
