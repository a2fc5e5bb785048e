"""Slices: one value of a column of a table, as a filter behind all other filters.

Input → output: hits, the documents they were looked for in, slices → the hits of the slices and
their base. A cell of a table counts hits after copies and stories have been counted once; a slice
is cut from the same documents, so that it holds exactly the hits of the cell (a filter narrows
first and then counts once, which may keep another copy).

Written ``column:value``: ``days:2026-09-01..2026-09-30``, ``pub:karoo``, ``sec:Sport``,
``author:…``, ``lang:en``, ``kind:comment``, ``weekday:1`` (Monday) to 7, ``hour:0`` to 23 on the
site's clock, ``quarter:1`` to 4 (of each text, by tokens).
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.columns import DocumentColumns
from search.index.documents import UNIX_EPOCH, DocumentKind
from search.index.hits import Hits, SegmentHits, SpanHits, TokenHits
from search.index.reader import SegmentView, Snapshot
from search.index.selection import Base, DocumentMask, Selection

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

QUARTERS = 4
_HOUR_SECONDS = 3600
_MONDAY = 3  # 1970-01-01 was a Thursday
_STRINGS = {"pub": "publication", "sec": "section", "author": "author", "lang": "language"}
_KINDS = {kind.label: int(kind) for kind in DocumentKind}
_RANGES = {"weekday": (1, 7), "hour": (0, 23), "quarter": (1, QUARTERS)}
_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Slice:
    """A column and its value; where values are numbers, the first and the last of them."""

    column: str
    value: str
    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        return f"{self.column}:{self.value}"


def parse_slice(text: str) -> Slice:
    """Read ``column:value``.

    Raises
    ------
    ValueError
        With a sentence for the reader.

    Examples
    --------
    >>> str(parse_slice("weekday:1")), parse_slice("sec:Arts: film").value
    ('weekday:1', 'Arts: film')
    """
    column, sign, value = text.partition(":")
    if column == "days":
        return _days(value)
    if column in _RANGES:
        return _numbered(column, value)
    if column == "kind" and value in _KINDS:
        return Slice(column, value, _KINDS[value], _KINDS[value])
    if sign and column in _STRINGS:
        return Slice(column, value)
    raise ValueError(f"“{text[:80]}” is no part of the corpus: write days:, pub:, hour: and so on.")


def _days(value: str) -> Slice:
    found = _DAYS.fullmatch(value)
    try:
        days = [dt.date.fromisoformat(text) for text in found.groups()] if found else []
    except ValueError:
        days = []
    if len(days) != 2 or days[1] < days[0]:
        raise ValueError(f"“{value[:40]}” are no days: write 2026-09-01..2026-09-30.")
    return day_slice(*((day - UNIX_EPOCH).days for day in days))


def _numbered(column: str, value: str) -> Slice:
    low, high = _RANGES[column]
    if not re.fullmatch(r"[0-9]{1,2}", value) or not low <= int(value) <= high:
        raise ValueError(f"“{value[:40]}” is no {column}: {low} to {high}.")
    return Slice(column, str(int(value)), int(value), int(value))


def day_slice(first: int, last: int) -> Slice:
    """Make the slice of a span of days, numbered since 1970-01-01, both inclusive."""
    days = (UNIX_EPOCH + dt.timedelta(days=number) for number in (first, last))
    return Slice("days", "..".join(day.isoformat() for day in days), first, last)


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
    return np.minimum(QUARTERS * offsets // np.maximum(1, lengths), QUARTERS - 1) + 1


def quarter_lengths(lengths: I64) -> I64:
    """Return how many tokens of each text lie in each quarter: shape (n_documents, 4)."""
    edges = -(-np.arange(QUARTERS + 1) * lengths[:, None] // QUARTERS)
    return np.diff(edges, axis=1)


def narrow_selection(selection: Selection, slices: Sequence[Slice], zone: dt.tzinfo) -> Selection:
    """Keep the documents of some slices; a quarter of the texts keeps them all.

    The base counts the tokens of the quarters only, if there are such slices.
    """
    if not slices:
        return selection
    masks = []
    n_tokens = n_documents = 0
    quarters = {wanted.first for wanted in slices if wanted.column == "quarter"}
    for view, old in zip(selection.snapshot.segments, selection.masks, strict=True):
        mask = _document_mask(selection.snapshot, view, slices, zone)
        mask = mask if old is None else mask & old
        lengths = view.segment.documents.n_tokens[mask].astype(np.int64)
        n_tokens += _tokens(lengths, quarters)
        n_documents += len(lengths)
        masks.append(None if bool(mask.all()) else mask)
    base = Base(n_tokens, n_documents)
    return Selection(selection.snapshot, selection.generation, tuple(masks), base)


def _tokens(lengths: I64, quarters: set[int]) -> int:
    if not quarters:
        return int(lengths.sum())
    if len(quarters) > 1:
        return 0  # no token lies in two quarters
    return int(quarter_lengths(lengths)[:, quarters.pop() - 1].sum())


def _document_mask(
    snapshot: Snapshot, view: SegmentView, slices: Iterable[Slice], zone: dt.tzinfo
) -> Mask:
    documents = view.segment.documents
    mask = np.ones(len(documents), dtype=np.bool_)
    for wanted in slices:
        if wanted.column in _STRINGS:
            number = snapshot.lexicon.find_value(wanted.value)
            mask &= getattr(documents, _STRINGS[wanted.column]) == (
                -1 if number is None else number
            )
        elif wanted.column != "quarter":
            numbers = _numbers(documents, wanted, zone)
            mask &= (numbers >= wanted.first) & (numbers <= wanted.last)
    return mask


def _numbers(documents: DocumentColumns, wanted: Slice, zone: dt.tzinfo) -> npt.NDArray[np.integer]:
    if wanted.column == "days":
        return documents.day
    if wanted.column == "kind":
        return documents.kind
    if wanted.column == "weekday":
        return weekdays(documents.day)
    return hours(documents.published, zone)


def narrow_hits(hits: Hits, narrowed: Selection, slices: Sequence[Slice]) -> Hits:
    """Keep the hits in some slices.

    Parameters
    ----------
    hits : Hits
    narrowed : Selection
        What `narrow_selection` made of the documents the hits were looked for in.
    slices : sequence of Slice

    Returns
    -------
    Hits
    """
    quarters = {wanted.first for wanted in slices if wanted.column == "quarter"}
    masks = {id(view): i for i, view in enumerate(narrowed.snapshot.segments)}
    parts: list[SegmentHits] = []
    for part in hits.parts:
        number = masks[id(part.view)]
        if not narrowed.is_empty_in[number]:
            kept = _in_documents(part, narrowed.document_masks[number])
            parts.append(_in_quarters(kept, quarters) if quarters else kept)
    return Hits(hits.snapshot, hits.generation, tuple(parts), narrowed.base)


def _in_documents(part: SegmentHits, mask: DocumentMask | None) -> SegmentHits:
    if isinstance(part, TokenHits):
        return TokenHits(part.view, part.test, mask)
    return SpanHits(part.view, part.spans, mask)


def _in_quarters(part: SegmentHits, quarters: set[int]) -> SegmentHits:
    spans = part.spans
    segment = part.view.segment
    rows = segment.document_of(spans.starts)
    lengths = segment.documents.n_tokens[rows].astype(np.int64)
    quarter = quarter_of(spans.starts - segment.bounds[rows], lengths)
    kept = np.logical_and.reduce([quarter == wanted for wanted in sorted(quarters)])
    return SpanHits(part.view, spans.where(kept), None)
