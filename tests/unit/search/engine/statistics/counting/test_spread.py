"""Where values occur agrees with looking into each document."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_selection, value_of
from small_corpora import document, snapshot_of

from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.spread import places_of, spread_of


@settings(deadline=None, max_examples=40)
@given(batches, filters, st.sampled_from(["lower", "lemma", "pos"]))
def test_spread_equals_looking_into_each_document(stories, wanted, attribute):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)
        values = type_values(snapshot.lexicon, attribute)
        every = np.unique(values.numbers)

        spread = spread_of(select(snapshot, wanted), values.numbers, every)

        items = plain_selection(stories, wanted)
        n_tokens = sum(len(item.tokens) for item in items)
        firsts = spread.first_documents()
        for i, number in enumerate(every.tolist()):
            form = values.spell(number)
            hits = {
                (item.kind, item.key): Counter(value_of(t, attribute) for t in item.tokens)[form]
                for item in items
            }
            total = sum(hits.values())
            having = [item for item in items if hits[item.kind, item.key]]
            assert spread.hits[i] == total
            assert spread.texts[i] == len(having)
            assert spread.n_publications[i] == len({item.publication for item in having})
            if total:
                first = min(
                    having,
                    key=lambda item: (item.is_undated, item.published_seconds, item.kind, item.key),
                )
                assert firsts[i].day == (None if first.is_undated else first.day_number)
                columns = firsts[i].view.segment.documents
                assert (columns.kind[firsts[i].row], columns.key[firsts[i].row]) == (
                    first.kind,
                    first.key,
                )
                dp = (
                    sum(abs(hits[d.kind, d.key] / total - len(d.tokens) / n_tokens) for d in items)
                    / 2
                )
                assert spread.dispersion[i] == pytest.approx(dp)
            else:
                assert firsts[i] is None


def test_frequent_and_rare_types_are_found_alike(tmp_path):
    items = [document(i, "the rain the The snow" if i == 3 else "the the") for i in range(1, 30)]
    snapshot = snapshot_of(tmp_path, items)
    values = type_values(snapshot.lexicon, "lower")
    wanted = np.array([snapshot.lexicon.find_form(form) for form in ("rain", "the")])

    spread = spread_of(select(snapshot, DocumentFilter()), values.numbers, wanted)

    assert spread.hits.tolist() == [1, 59]
    assert spread.texts.tolist() == [1, 29]


def test_dispersion_gives_the_value_of_the_paper(tmp_path):
    # Gries (2008): five parts of 9, 10, 10, 10 and 11 words hold "a" 1, 2, 3, 4 and 5 times.
    sizes = (9, 10, 10, 10, 11)
    items = [document(i, "a " * i + "b " * (n - i)) for i, n in enumerate(sizes, 1)]
    snapshot = snapshot_of(tmp_path, items)
    values = type_values(snapshot.lexicon, "word")

    spread = spread_of(select(snapshot, DocumentFilter()), values.numbers, np.array([0]))

    assert snapshot.lexicon.form(0) == "a"
    assert spread.dispersion[0] == pytest.approx(0.18, abs=0.002)


@settings(deadline=None, max_examples=40)
@given(batches, filters)
def test_places_equal_looking_into_each_document(stories, wanted):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)
        values = type_values(snapshot.lexicon, "lower")
        every = np.unique(values.numbers)

        places = places_of(select(snapshot, wanted), values.numbers, every)

        found = {}
        for value, part, row, count in zip(
            places.value, places.part, places.row, places.count, strict=True
        ):
            columns = snapshot.segments[part].segment.documents
            identity = (int(columns.kind[row]), int(columns.key[row]))
            found[values.spell(int(every[value])), identity] = int(count)
        expected = Counter(
            (value_of(token, "lower"), (item.kind, item.key))
            for item in plain_selection(stories, wanted)
            for token in item.tokens
        )
        assert found == expected


def test_first_documents_are_told_apart_by_kind(tmp_path):
    items = [
        document(1, "rain", kind=DocumentKind.COMMENT, published_seconds=50),
        document(1, "rain", published_seconds=50),
    ]
    snapshot = snapshot_of(tmp_path, items)
    values = type_values(snapshot.lexicon, "word")

    spread = spread_of(select(snapshot, DocumentFilter()), values.numbers, np.array([0]))

    assert snapshot.document_info(*_place(spread)).kind is DocumentKind.ARTICLE


def _place(spread):
    first = spread.first_documents()[0]
    return first.view, first.row


def test_first_documents_are_found_in_segments_of_another_order(tmp_path):
    with BulkBuilder(tmp_path) as builder:
        for number in (5, 2, 9, 7):
            builder.add(document(number, "rain the snow" if number > 2 else "the"))
        builder.publish()
    snapshot = IndexReader(tmp_path).snapshot
    values = type_values(snapshot.lexicon, "word")
    wanted = np.array([snapshot.lexicon.find_form(form) for form in ("rain", "the")])

    spread = spread_of(select(snapshot, DocumentFilter()), values.numbers, wanted)

    assert [first.day for first in spread.first_documents()] == [5, 2]
    assert not snapshot.segments[0].segment.in_time_order
