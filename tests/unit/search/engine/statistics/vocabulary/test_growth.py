"""Vocabulary growth agrees with reading text by text; the exponent of an exact law is found."""

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from random_corpora import batches, build, filters, plain_selection, value_of
from small_corpora import document, snapshot_of

from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.reader import IndexReader
from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.vocabulary.growth import Growth, heaps_exponent, vocabulary_growth


def plain_growth(items):
    seen, n_tokens, points = set(), 0, []
    for item in sorted(items, key=lambda item: (item.published_seconds, item.kind, item.key)):
        n_tokens += len(item.tokens)
        seen |= {value_of(token, "lower") for token in item.tokens}
        points.append((n_tokens, len(seen)))
    return points


@settings(deadline=None, max_examples=50)
@given(batches, filters)
def test_growth_equals_reading_text_by_text(stories, wanted):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)
        values = type_values(snapshot.lexicon, "lower")
        every = np.ones(values.n_values, dtype=np.bool_)

        growth = vocabulary_growth(select(snapshot, wanted), values, every)

        again = vocabulary_growth(select(snapshot, wanted), values, every)
        for each in (growth, again):
            found = list(zip(each.n_tokens.tolist(), each.n_types.tolist(), strict=True))
            assert found == plain_growth(plain_selection(stories, wanted))


def test_only_words_that_count_are_counted(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain , snow"), document(2, "rain sun")])
    values = type_values(snapshot.lexicon, "lower")
    is_counted = np.ones(values.n_values, dtype=np.bool_)
    is_counted[snapshot.lexicon.find_form(",")] = False

    growth = vocabulary_growth(select(snapshot, DocumentFilter()), values, is_counted)

    assert growth.n_tokens.tolist() == [3, 5]
    assert growth.n_types.tolist() == [2, 3]


def test_a_long_curve_is_thinned_and_keeps_its_end(tmp_path):
    items = [document(i, f"rain w{i} w{i // 2}") for i in range(1, 60)]
    snapshot = snapshot_of(tmp_path, items)
    values = type_values(snapshot.lexicon, "lower")
    every = np.ones(values.n_values, dtype=np.bool_)

    growth = vocabulary_growth(select(snapshot, DocumentFilter()), values, every, n_points=10)

    assert len(growth.n_tokens) <= 10
    assert growth.n_tokens[-1] == 3 * 59
    assert growth.n_types[-1] == len({t for item in items for t, _, _ in item.tokens})


@pytest.mark.parametrize("exponent", [0.5, 0.7])
def test_the_exponent_of_an_exact_law_is_found(exponent):
    n_tokens = np.array([10, 100, 1000, 10**6])

    growth = Growth(n_tokens, np.rint(40 * n_tokens**exponent).astype(np.int64))

    assert heaps_exponent(growth) == pytest.approx(exponent, abs=0.002)


def test_a_point_alone_has_no_exponent(tmp_path):
    assert math.isnan(heaps_exponent(Growth(np.array([5]), np.array([3]))))
    nothing = np.empty(0, dtype=np.int64)
    assert math.isnan(heaps_exponent(Growth(nothing, nothing)))
    empty = select(snapshot_of(tmp_path), DocumentFilter())
    values = type_values(empty.snapshot.lexicon, "lower")
    assert len(vocabulary_growth(empty, values, nothing.astype(np.bool_)).n_tokens) == 0


@pytest.mark.parametrize("wanted", [DocumentFilter(), DocumentFilter(publications=("karoo",))])
def test_growth_follows_time_in_segments_of_another_order(tmp_path, wanted):
    items = [document(5, "rain snow"), document(2, "rain the"), document(9, "the sea")]
    items.append(document(1, "cape", publication="cape"))
    with BulkBuilder(tmp_path) as builder:
        for item in items:
            builder.add(item)
        builder.publish()
    snapshot = IndexReader(tmp_path).snapshot
    values = type_values(snapshot.lexicon, "lower")
    every = np.ones(values.n_values, dtype=np.bool_)

    growth = vocabulary_growth(select(snapshot, wanted), values, every)

    kept = [d for d in items if not wanted.publications or d.publication in wanted.publications]
    found = list(zip(growth.n_tokens.tolist(), growth.n_types.tolist(), strict=True))
    assert found == plain_growth(kept)
