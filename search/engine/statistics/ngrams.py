"""N-grams: the sequences of words that occur most often, in the corpus or around the hits.

Input → output: selected documents, or hits, and an `NgramRequest` → rows with hits, texts, first
day and how often each stands outside of longer frequent sequences.

Notes
-----
All keys of 64 bits are sorted at once and runs of equal ones counted: ``np.sort`` does some 30 to
70 million a second, many times what a hash table does. 100 million tokens need 800 MB for it.
Sequences stay within sentences, so within texts.

*On their own* are the occurrences that are not part of a sequence one word longer which is itself
in the list by its hits: the adjusted frequency of O'Donnell, M. B. 2011. The adjusted frequency
list. ICAME Journal 35, 135-169.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from search.engine.allowance import go_on
from search.engine.index.hits import Hits
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import TypeValues, numbers_of, type_values
from search.engine.statistics.counting.in_parallel import in_parallel
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import type_counts
from search.engine.statistics.counting.word_classes import word_values
from search.engine.statistics.ngram_keys import (
    Beginnings,
    KeyFilter,
    Shape,
    TokenStretch,
    keys_at,
    shape_of,
    sort_keys,
    stretches,
    whole,
)
from search.engine.statistics.ngram_rows import NgramRow, Occurrences, RowRequest, day_of, rows_of

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.uint64, np.int64)

LONGEST = 6  # words of a sequence that is asked for
MOST_SKIPPED = 3  # tokens between its words
ATTRIBUTES = ("lower", "word", "lemma", "pos")
ANY = "*"
STARTING = "starting"
MOST_TIES = 2_000  # rows looked at beyond the limit because they have as many hits as the last


@dataclass(frozen=True, slots=True)
class NgramRequest:
    """Which sequences to count.

    Parameters
    ----------
    n : int
        Words, 1 to 6.
    attribute : str
        One of `ATTRIBUTES`.
    pattern : tuple of str
        Values of the words, ``*`` for any; empty for all sequences of ``n`` words.
    skip : int
        Up to so many words may be left out between the words of a sequence (k-skip-n-grams).
    least, least_texts : int
        Fewest hits and texts.
    limit : int
        Rows to return.
    with_punctuation : bool
        Count sequences with punctuation in them.
    around : str
        With hits: ``containing`` for sequences that contain the whole node, ``starting`` for those
        that begin with it.
    """

    n: int = 3
    attribute: str = "lower"
    pattern: tuple[str, ...] = ()
    skip: int = 0
    least: int = 2
    least_texts: int = 1
    limit: int = 100
    with_punctuation: bool = False
    around: str = "containing"

    def check(self) -> None:
        """Refuse what cannot be counted; raises ValueError with a sentence for the reader."""
        if self.attribute not in ATTRIBUTES:
            raise ValueError(f"“{self.attribute}” is not among: {', '.join(ATTRIBUTES)}.")
        if not 1 <= self.n_words <= LONGEST:
            raise ValueError(f"Sequences have 1 to {LONGEST} words.")
        if not 0 <= self.skip <= MOST_SKIPPED or (self.skip and self.pattern):
            raise ValueError(f"Up to {MOST_SKIPPED} words are left out, and none from a pattern.")
        if self.pattern and set(self.pattern) == {ANY}:
            raise ValueError("A pattern needs at least one word.")

    @property
    def n_words(self) -> int:
        """Words of a sequence."""
        return len(self.pattern) or self.n

    @property
    def offsets(self) -> list[tuple[int, ...]]:
        """The ways to lay the words, each as distances from the first."""
        most = self.n_words + self.skip
        return [(0, *rest) for rest in combinations(range(1, most), self.n_words - 1)]


@dataclass(frozen=True, slots=True)
class NgramList:
    """The most frequent rows; ``n_ngrams`` have the least hits, ``n_sequences`` are all counted."""

    rows: tuple[NgramRow, ...]
    n_ngrams: int
    n_sequences: int


def ngrams(selection: Selection, request: NgramRequest, hits: Hits | None = None) -> NgramList:
    """Count sequences of words.

    Parameters
    ----------
    selection : Selection
        The documents to count in.
    hits : Hits or None
        Count only sequences around these hits, found in the same documents: then a row counts the
        hits that have the sequence around them, each once.

    Returns
    -------
    NgramList
        Most hits first, then by their words. O(tokens log tokens) time and 8 bytes a token; with
        hits or a pattern only their surroundings are looked at.

    Raises
    ------
    ValueError
        If the request cannot be counted.
    """
    request.check()
    if request.n_words == 1 and hits is None and not request.pattern:
        return _single_words(selection, request)
    source = NgramSource(selection, request, hits)
    keys = source.sorted_keys()
    n_sequences = len(keys)
    frequent, counts = frequent_runs(keys, max(1, request.least))
    del keys
    rows: list[NgramRow] = []
    for chosen in _batches(frequent, counts, request):
        found = rows_of(source.occurrences(chosen), source.row_request())
        rows += [row for row in found if _is_enough(row, request)]
        if len(rows) >= request.limit:
            break
    return NgramList(_first(rows, request), len(frequent), n_sequences)


def _single_words(selection: Selection, request: NgramRequest) -> NgramList:
    """Count words by their types: the places of frequent ones would be half the corpus."""
    lexicon = selection.snapshot.lexicon
    values = type_values(lexicon, request.attribute)
    is_counted = _counted_types(lexicon, request)
    numbers = np.where(is_counted, values.numbers, values.n_values)
    counts = values.fold(type_counts(selection) * is_counted)
    enough = np.flatnonzero(counts >= max(1, request.least))
    rows: list[NgramRow] = []
    for chosen in _batches(enough, counts[enough], request):
        spread = spread_of(selection, numbers, chosen)
        for i, (number, first) in enumerate(
            zip(chosen.tolist(), spread.first_documents(), strict=True)
        ):
            row = NgramRow(
                (values.spell(number),),
                int(counts[number]),
                int(spread.texts[i]),
                None if first is None or first.day is None else day_of(first.day),
            )
            if _is_enough(row, request):
                rows.append(row)
        if len(rows) >= request.limit:
            break
    return NgramList(_first(rows, request), len(enough), int(counts.sum()))


def _counted_types(lexicon: LexiconView, request: NgramRequest) -> Mask:
    if request.with_punctuation:
        return np.ones(lexicon.size.n_types, dtype=np.bool_)
    numbers = type_values(lexicon, request.attribute).numbers
    return word_values(lexicon, request.attribute)[numbers]


def _first(rows: list[NgramRow], request: NgramRequest) -> tuple[NgramRow, ...]:
    return tuple(sorted(rows, key=lambda row: (-row.n_hits, row.words))[: request.limit])


def _is_enough(row: NgramRow, request: NgramRequest) -> bool:
    return row.n_hits >= request.least and row.n_texts >= request.least_texts


def frequent_runs(keys: U64, least: int) -> tuple[U64, I64]:
    """Return the keys that occur at least so often, and how often, from sorted keys.

    Parameters
    ----------
    keys : ndarray of shape (n,)
        Ascending.
    least : int
        From 1 up.

    Returns
    -------
    tuple of two ndarrays of shape (n_frequent,)
    """
    n = len(keys)
    if n < least:
        return keys[:0], np.empty(0, dtype=np.int64)
    is_edge = np.ones(n + 1, dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_edge[1:-1])
    # A run is long enough if its first key stands once more so many places on.
    is_long = keys[least - 1 :] == keys[: n - least + 1]
    starts = np.flatnonzero(is_edge[: n - least + 1] & is_long)
    lasts = np.flatnonzero(is_edge[least:] & is_long) + least - 1
    return keys[starts], lasts - starts + 1


def _batches(
    frequent: npt.NDArray[Number], counts: I64, request: NgramRequest
) -> Iterator[npt.NDArray[Number]]:
    """Give the most frequent keys, and more of them while too few rows had enough texts."""
    done = 0
    for size in (request.limit, 4 * request.limit, 16 * request.limit):
        order = _most_frequent(counts, done + size)
        if len(order) > done:
            yield np.sort(frequent[order[done:]])
        done = len(order)


def _most_frequent(counts: I64, n: int) -> I64:
    """Return the places of the highest counts with those that tie at the end, up to a limit."""
    places = np.arange(len(counts))
    if len(counts) > n:
        least = np.partition(counts, len(counts) - n)[len(counts) - n]
        places = np.flatnonzero(counts >= least)
    return places[np.argsort(-counts[places], kind="stable")][: n + MOST_TIES]


class NgramSource:
    """Gives the sequences of a request, as often as needed."""

    def __init__(self, selection: Selection, request: NgramRequest, hits: Hits | None) -> None:
        self._selection = selection
        self._request = request
        self._hits = hits
        lexicon = selection.snapshot.lexicon
        self._values = type_values(lexicon, request.attribute)
        is_counted = None if request.with_punctuation else _counted_types(lexicon, request)
        self._shapes = [
            shape_of(self._values.numbers, offsets, is_counted) for offsets in request.offsets
        ]

    def row_request(self) -> RowRequest:
        """Return what rows are made with."""
        counts_own = self._hits is None and not self._request.skip and not self._request.pattern
        return RowRequest(self._values, self._request.least, counts_own=counts_own)

    def sorted_keys(self) -> U64:
        """Return the keys of all sequences, ascending."""
        pieces: Iterator[U64]
        if self._is_everything:
            each = (
                in_parallel(partial(TokenStretch.keys, shape=shape), stretches(self._selection))
                for shape in self._shapes
            )
            pieces = chain.from_iterable(each)
            joined = _filled(pieces, self._selection.base.n_tokens * len(self._shapes))
        else:
            pieces = (keys for shape in self._shapes for _, keys in self._of(shape))
            joined = np.concatenate([np.empty(0, dtype=np.uint64), *pieces])
        sort_keys(joined)
        return joined

    def occurrences(self, chosen: U64) -> Iterator[Occurrences]:
        """Give where the sequences of some ascending keys are."""
        wanted = KeyFilter(chosen)
        for shape in self._shapes:
            if self._is_everything:
                search = partial(TokenStretch.find, shape=shape, wanted=wanted)
                for beginnings, rows in in_parallel(search, stretches(self._selection)):
                    yield Occurrences(beginnings, rows, shape)
                continue
            for beginnings, keys in self._of(shape):
                found, rows = wanted.find(keys)
                yield Occurrences(beginnings.where(found), rows, shape)

    @property
    def _is_everything(self) -> bool:
        return self._hits is None and not self._request.pattern

    def _of(self, shape: Shape) -> Iterator[tuple[Beginnings, U64]]:
        """Give the sequences of one shape around hits or of a pattern, with their keys."""
        if self._hits is not None:
            found = _around_hits(self._hits, self._request, shape)
        else:
            found = _of_pattern(self._selection, self._request, self._values)
        for beginnings in found:
            go_on()
            kept = whole(beginnings, shape)
            if self._request.pattern:
                kept = _matching(kept, self._request, self._selection, self._values)
            yield kept, keys_at(kept, shape)


def _filled(pieces: Iterable[U64], most: int) -> U64:
    """Join pieces in one array without holding them twice."""
    joined = np.empty(most, dtype=np.uint64)
    n = 0
    for piece in pieces:
        joined[n : n + len(piece)] = piece
        n += len(piece)
    return joined[:n]


def _around_hits(hits: Hits, request: NgramRequest, shape: Shape) -> Iterator[Beginnings]:
    """Give the places where sequences around hits may begin."""
    first_document = first_hit = 0
    for part in hits.parts:
        go_on()
        segment, spans = part.view.segment, part.spans
        numbers = np.arange(len(spans)) + first_hit
        steps = range(1) if request.around == STARTING else range(shape.reach + 1)
        for step in steps:
            starts = spans.starts - step
            fits = segment.left[spans.starts] >= step
            if request.around != STARTING:
                fits &= spans.ends - starts <= shape.reach + 1
            yield Beginnings(segment, starts[fits], first_document, numbers[fits])
        first_document += segment.n_documents
        first_hit += len(spans)


def _of_pattern(
    selection: Selection, request: NgramRequest, values: TypeValues
) -> Iterator[Beginnings]:
    """Give the places where a pattern may begin, by the rarest of its words."""
    wanted = _pattern_numbers(selection, request)
    if any(not numbers for _, numbers in wanted):
        return
    counts = selection.snapshot.type_counts
    types = [np.flatnonzero(np.isin(values.numbers, numbers)) for _, numbers in wanted]
    rarest = min(range(len(wanted)), key=lambda i: int(counts[types[i]].sum()))
    at = wanted[rarest][0]
    first = 0
    for view, mask in zip(selection.snapshot.segments, selection.document_masks, strict=True):
        postings = view.segment.postings
        found = postings.of_rows(postings.rows(types[rarest].astype(np.uint32))).astype(np.int64)
        found = found[view.segment.left[found] >= at] - at
        yield Beginnings(view.segment, found if mask is None else found[mask.holds(found)], first)
        first += view.segment.n_documents


def _matching(
    beginnings: Beginnings, request: NgramRequest, selection: Selection, values: TypeValues
) -> Beginnings:
    """Keep the places where each word of the pattern is what it should be."""
    for at, numbers in _pattern_numbers(selection, request):
        found = values.numbers[beginnings.segment.stream[beginnings.positions + at]]
        beginnings = beginnings.where(np.isin(found, numbers))
    return beginnings


def _pattern_numbers(selection: Selection, request: NgramRequest) -> list[tuple[int, list[int]]]:
    """Return distance and value of the words of a pattern that are not free."""
    lexicon = selection.snapshot.lexicon
    return [
        (at, numbers_of(lexicon, request.attribute, word))
        for at, word in enumerate(request.pattern)
        if word != ANY
    ]
