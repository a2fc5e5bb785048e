"""Tokens and documents by type agree with counting one by one, whatever is selected."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_counts, plain_selection, value_of
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.counting import type_counts as subject
from search.engine.statistics.counting.type_counts import document_counts, type_counts


def counted(snapshot, counts):
    """Counts by (word, lemma, tag), without zeros."""
    present = np.flatnonzero(counts)
    types = map(tuple, snapshot.tokens(present.astype(np.uint32)))
    return dict(zip(types, counts[present].tolist(), strict=True))


@settings(deadline=None, max_examples=40)
@given(batches, filters, st.sampled_from([1, 300_000]))
def test_type_counts_equal_counting_one_by_one(stories, wanted, tail_tokens):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories, tail_tokens=tail_tokens)
        selection = select(snapshot, wanted)

        counts = type_counts(selection)

        expected = Counter(
            t for d in plain_selection(stories, wanted) for t in map(tuple, d.tokens)
        )
        assert counted(snapshot, counts) == expected
        assert counts.sum() == selection.base.n_tokens


@settings(deadline=None, max_examples=40)
@given(batches, filters, st.sampled_from([1, 300_000]))
def test_document_counts_equal_counting_one_by_one(stories, wanted, tail_tokens):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories, tail_tokens=tail_tokens)
        lexicon = snapshot.lexicon

        counts = document_counts(select(snapshot, wanted), lexicon.lower[lexicon.words])

        found = {lexicon.form(i): n for i, n in enumerate(counts.tolist()) if n}
        assert found == plain_counts(plain_selection(stories, wanted), "lower")[1]
        assert value_of(("The", "the", "DT"), "lower") == "the"


@pytest.mark.parametrize("block_tokens", [1, 2, 3, 1000])
def test_counts_do_not_depend_on_the_size_of_blocks(tmp_path, monkeypatch, block_tokens):
    items = [document(i, "rain Rain snow rain the", publication="ab"[i % 2]) for i in range(1, 8)]
    snapshot = snapshot_of(tmp_path, items)
    lexicon = snapshot.lexicon
    monkeypatch.setattr(subject, "BLOCK_TOKENS", block_tokens)

    selection = select(snapshot, DocumentFilter(publications=("a",)))

    assert counted(snapshot, type_counts(selection))["rain", "rain", "NN"] == 6
    texts = document_counts(selection, lexicon.lower[lexicon.words])
    assert texts[lexicon.find_form("rain")] == 3


def test_counts_of_a_selection_are_remembered(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain snow")])
    selection = select(snapshot, DocumentFilter())

    assert type_counts(selection) is type_counts(selection)


def test_an_empty_index_has_no_types(tmp_path):
    selection = select(snapshot_of(tmp_path), DocumentFilter())

    assert type_counts(selection).tolist() == []
    assert document_counts(selection, np.empty(0, dtype=np.uint32)).tolist() == []
