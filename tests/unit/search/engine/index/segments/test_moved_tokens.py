"""Tokens of texts are moved some at a time, and stand where they would if moved at once."""

import numpy as np
import pytest

from search.engine.index.segments import attributes, postings
from search.engine.index.segments.attributes import TokenColumns
from search.engine.index.segments.postings import build_postings

LENGTHS = np.array([3, 0, 9, 1, 4, 4, 0, 2])
STARTS = np.cumsum(LENGTHS) - LENGTHS


@pytest.fixture
def tokens():
    chance = np.random.default_rng(5)
    n_tokens = int(LENGTHS.sum())
    return TokenColumns(
        types=chance.integers(0, 9, n_tokens, dtype=np.uint32),
        tags=chance.integers(0, 40, n_tokens, dtype=np.uint8),
        starts=chance.random(n_tokens) < 0.5,
        right=chance.integers(0, 40, n_tokens, dtype=np.uint8),
        space=chance.random(n_tokens) < 0.5,
        blocks=chance.integers(0, 5, n_tokens, dtype=np.uint8),
    )


def as_lists(tokens):
    return [column.tolist() for column in tokens.columns()]


def texts_in(tokens, order):
    """Each column by whole texts, in plain Python."""
    return [
        [x for text in order for x in column[STARTS[text] : STARTS[text] + LENGTHS[text]]]
        for column in as_lists(tokens)
    ]


@pytest.mark.parametrize("at_once", [1, 4, 5, 100])
def test_texts_are_taken_in_the_order_given(tokens, monkeypatch, at_once):
    monkeypatch.setattr(attributes, "_MOVED_AT_ONCE", at_once)
    order = np.array([7, 2, 1, 0, 5])

    taken = tokens.take_texts(STARTS[order], LENGTHS[order])

    assert as_lists(taken) == texts_in(tokens, order)


@pytest.mark.parametrize("at_once", [1, 4, 5, 100])
def test_texts_are_put_where_they_belong(tokens, monkeypatch, at_once):
    monkeypatch.setattr(attributes, "_MOVED_AT_ONCE", at_once)
    order = np.array([7, 2, 1, 0, 6, 5, 4, 3])
    places = np.empty(len(order), np.int64)
    places[order] = np.cumsum(LENGTHS[order]) - LENGTHS[order]
    placed = tokens.blank(len(tokens))

    placed.put_texts(tokens, places, LENGTHS)

    assert as_lists(placed) == texts_in(tokens, order)


def test_no_texts_are_no_tokens(tokens):
    none = np.empty(0, np.int64)

    assert len(tokens.take_texts(none, none)) == 0


def test_postings_are_the_same_however_many_tokens_are_numbered_at_once(tokens, monkeypatch):
    whole = build_postings(tokens.types)
    monkeypatch.setattr(postings, "_NUMBERED_AT_ONCE", 4)

    pieces = build_postings(tokens.types)

    assert pieces.positions.tolist() == whole.positions.tolist()
    assert pieces.starts.tolist() == whole.starts.tolist()
