"""Cuts slices out of hits and selections, see `search.engine.statistics.slices`.

Input → output: hits, the documents they were looked for in, slices → the hits of the slices and
their base. Slices of documents come first; those of tokens (quarters of each text, strokes of
all texts in order of time) are cut from what is left.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from search.engine.allowance import go_on
from search.engine.index.documents import WORDED_COLUMNS, DocumentKind
from search.engine.index.hits import Hits, SegmentHits, SpanHits, TokenHits
from search.engine.index.joined_names import AGENCY, JOINED_COLUMNS, agencies_of, joined_names
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.selection import Base, DocumentMask, Selection
from search.engine.index.text_names import named_text
from search.engine.statistics.counting.time_order import time_order_of
from search.engine.statistics.slices import (
    BLOCKS,
    NAMED_COLUMNS,
    OF_TIME,
    OF_TOKENS,
    QUARTERS,
    STROKES,
    Slice,
)
from search.engine.statistics.value_slices import is_value_column, value_mask

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_HOUR_SECONDS = 3600
_MONDAY = 3  # 1970-01-01 was a Thursday


def weekdays(days: npt.NDArray[np.integer]) -> I64:
    """Return the day of the week, 1 for Monday to 7, of days since 1970-01-01."""
    return (days.astype(np.int64) + _MONDAY) % 7 + 1


def hours(seconds: npt.NDArray[np.integer], zone: dt.tzinfo) -> I64:
    """Return the hour on a clock, 0 to 23, of seconds since 1970-01-01 UTC.

    Each distinct quarter of an hour is looked up once, as clocks may be 15 minutes apart.
    """
    quarter = _HOUR_SECONDS // 4
    distinct, inverse = np.unique(seconds // quarter, return_inverse=True)
    clock = [dt.datetime.fromtimestamp(n * quarter, zone).hour for n in distinct.tolist()]
    return np.asarray(clock, dtype=np.int64)[inverse]


def quarter_of(offsets: I64, lengths: I64) -> I64:
    """Return the quarter of a text, 1 to 4, in which its tokens lie, by number from 0."""
    return QUARTERS * offsets // np.maximum(1, lengths) + 1


def stroke_of(places: I64, n_tokens: int) -> I64:
    """Return the stroke, 1 to 1200, in which places in order of time lie."""
    return STROKES * places // max(1, n_tokens) + 1


def quarter_tokens(lengths: npt.NDArray[np.integer]) -> I64:
    """Count the tokens of texts in each quarter: shape (4,)."""
    n_texts = np.bincount(lengths)
    distinct = np.flatnonzero(n_texts)
    edges = -(-np.arange(QUARTERS + 1) * distinct[:, None] // QUARTERS)
    result: I64 = (np.diff(edges, axis=1) * n_texts[distinct][:, None]).sum(axis=0)
    return result


def narrow_selection(selection: Selection, slices: Sequence[Slice], zone: dt.tzinfo) -> Selection:
    """Keep the documents of some slices; slices of tokens keep those with tokens in them.

    The base counts the tokens in all slices.
    """
    if not slices:
        return selection
    whole = _in_columns(selection, slices, zone)
    wanted = _TokenSlices.of(slices)
    return wanted.documents(whole) if wanted.is_any else whole


def narrow_hits(hits: Hits, selection: Selection, slices: Sequence[Slice], zone: dt.tzinfo) -> Hits:
    """Keep the hits in some slices.

    Parameters
    ----------
    selection : Selection
        The documents they were looked for in.
    zone : tzinfo
        Of the site's clock.

    Returns
    -------
    Hits
        A hit lies where its first token lies.
    """
    whole = _in_columns(selection, slices, zone)
    wanted = _TokenSlices.of(slices)
    narrowed = wanted.documents(whole) if wanted.is_any else whole
    number = {id(view): i for i, view in enumerate(selection.snapshot.segments)}
    parts: list[SegmentHits] = []
    for part in hits.parts:
        at = number[id(part.view)]
        if narrowed.is_empty_in[at]:
            continue
        kept = _in_documents(part, narrowed.document_masks[at])
        if wanted.is_any:
            starts = kept.spans.starts
            kept = SpanHits(part.view, kept.spans.where(wanted.hold(whole, at, starts)), None)
        parts.append(_by_values(kept, hits.snapshot, slices))
    return Hits(hits.snapshot, hits.generation, tuple(parts), narrowed.base)


def _in_documents(part: SegmentHits, mask: DocumentMask | None) -> SegmentHits:
    if isinstance(part, TokenHits):
        return TokenHits(part.view, part.test, mask)
    return SpanHits(part.view, part.spans, mask)


def _by_values(part: SegmentHits, snapshot: Snapshot, slices: Iterable[Slice]) -> SegmentHits:
    """Apply the slices of what hits read."""
    for wanted in slices:
        go_on()
        if is_value_column(wanted.column):
            mask = value_mask(part, snapshot.lexicon, wanted.column, wanted.value)
            part = SpanHits(part.view, part.spans.where(mask), None)
    return part


def _in_columns(selection: Selection, slices: Iterable[Slice], zone: dt.tzinfo) -> Selection:
    """Apply the slices of documents."""
    others = [each for each in slices if each.column not in OF_TOKENS]
    wanted = [each for each in others if not is_value_column(each.column)]
    if not wanted:
        return selection
    masks = []
    for view, old in zip(selection.snapshot.segments, selection.masks, strict=True):
        mask = _document_mask(selection.snapshot, view, wanted, zone)
        masks.append(mask if old is None else mask & old)
    return _selection(selection, masks)


def _selection(selection: Selection, masks: Sequence[Mask]) -> Selection:
    pairs = list(zip(selection.snapshot.segments, masks, strict=True))
    n_tokens = sum(
        int(view.segment.documents.n_tokens[mask].sum(dtype=np.int64)) for view, mask in pairs
    )
    base = Base(n_tokens, sum(int(np.count_nonzero(mask)) for mask in masks))
    kept = tuple(None if bool(mask.all()) else mask for mask in masks)
    return Selection(selection.snapshot, selection.generation, kept, base)


def _document_mask(
    snapshot: Snapshot, view: SegmentView, slices: Iterable[Slice], zone: dt.tzinfo
) -> Mask:
    documents = view.segment.documents
    mask = np.ones(len(documents), dtype=np.bool_)
    for wanted in slices:
        if wanted.column in NAMED_COLUMNS:
            column = NAMED_COLUMNS[wanted.column]
            held = np.isin(getattr(documents, column), _values(snapshot, column, wanted.value))
            if wanted.column == AGENCY and not wanted.value:
                held = ~np.isin(documents.author, agencies_of(snapshot).values_with_any())
                held |= documents.kind == DocumentKind.COMMENT
            elif wanted.column == AGENCY:
                held &= documents.kind != DocumentKind.COMMENT
        elif wanted.column == "text":
            kind, key = named_text(wanted.value)
            held = (documents.key == key) & (documents.kind == kind)
        else:
            numbers = _numbers(documents, wanted.column, zone)
            held = (numbers >= wanted.first) & (numbers <= wanted.last)
            if wanted.column in OF_TIME:
                held &= documents.dated
        mask &= ~held if wanted.left_out else held
    return mask


def _values(snapshot: Snapshot, column: str, value: str) -> list[int]:
    """Return the numbers of the values of a column that a slice keeps."""
    if column in JOINED_COLUMNS:
        return joined_names(snapshot, column).values_with(value)
    number = snapshot.lexicon.find_value(value)
    return [] if number is None else [number]


def _numbers(documents: DocumentColumns, column: str, zone: dt.tzinfo) -> npt.NDArray[np.integer]:
    if column == "days":
        return documents.day
    if column in WORDED_COLUMNS:
        numbers: npt.NDArray[np.uint8] = getattr(documents, column)
        return numbers
    if column == "weekday":
        return weekdays(documents.day)
    return hours(documents.published, zone)


@dataclass(frozen=True, slots=True)
class _TokenSlices:
    """Quarters, strokes and kinds of blocks that tokens must lie in, all of them at once."""

    quarters: frozenset[int]
    strokes: frozenset[int]
    blocks: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, slices: Iterable[Slice]) -> "_TokenSlices":
        wanted = list(slices)
        return cls(
            frozenset(each.first for each in wanted if each.column == "quarter"),
            frozenset(each.first for each in wanted if each.column == "stroke"),
            tuple(BLOCKS[each.value] for each in wanted if each.column == "block"),
        )

    @property
    def is_any(self) -> bool:
        return bool(self.quarters or self.strokes or self.blocks)

    def documents(self, whole: Selection) -> Selection:
        """Keep the documents with tokens in the slices, and count those tokens."""
        masks = []
        n_tokens = 0
        for number, view in enumerate(whole.snapshot.segments):
            rows = self._rows(whole, number)
            lengths = view.segment.documents.n_tokens[rows].astype(np.int64)
            owners = np.repeat(np.arange(len(rows)), lengths)
            positions = np.arange(int(lengths.sum())) - np.repeat(
                np.cumsum(lengths) - lengths - view.segment.bounds[rows], lengths
            )
            held = self.hold(whole, number, positions)
            n_tokens += int(np.count_nonzero(held))
            mask = np.zeros(view.segment.n_documents, dtype=np.bool_)
            mask[rows[np.unique(owners[held])]] = True
            masks.append(mask)
        narrowed = _selection(whole, masks)
        return replace(narrowed, base=Base(n_tokens, narrowed.base.n_documents), memories={})

    def _rows(self, whole: Selection, number: int) -> npt.NDArray[np.intp]:
        """Return the selected documents of a segment that touch the strokes."""
        starts = time_order_of(whole).starts[number]
        touches = starts >= 0
        n_tokens = time_order_of(whole).n_tokens
        for wanted in self.strokes:
            lengths = whole.snapshot.segments[number].segment.documents.n_tokens
            last = starts + np.maximum(1, lengths.astype(np.int64)) - 1
            touches &= stroke_of(starts, n_tokens) <= wanted
            touches &= stroke_of(last, n_tokens) >= wanted
        return np.flatnonzero(touches)

    def hold(self, whole: Selection, number: int, positions: I64) -> Mask:
        """Return which positions in selected documents of a segment lie in the slices."""
        segment = whole.snapshot.segments[number].segment
        rows = segment.document_of(positions)
        offsets = positions - segment.bounds[rows]
        held = np.ones(len(positions), dtype=np.bool_)
        if self.quarters:
            lengths = segment.documents.n_tokens[rows].astype(np.int64)
            quarter = quarter_of(offsets, lengths)
            held &= np.logical_and.reduce([quarter == wanted for wanted in self.quarters])
        if self.strokes:
            order = time_order_of(whole)
            stroke = stroke_of(order.starts[number][rows] + offsets, order.n_tokens)
            held &= np.logical_and.reduce([stroke == wanted for wanted in self.strokes])
        if self.blocks:
            kinds = segment.blocks_at(positions)
            held &= np.logical_and.reduce([np.isin(kinds, list(each)) for each in self.blocks])
        return held
