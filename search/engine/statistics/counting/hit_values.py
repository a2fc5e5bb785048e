"""What hits are counted by: the node, a token at a place of it or near it, a document column.

Input → output: hits and a `Key` → one value number per hit, and how the numbers are spelled;
`Selection` and columns → tokens by their values. A count by publication is normalized by the tokens
of that publication, not by those of the corpus.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.allowance import go_on
from search.engine.index.documents import WORDED_COLUMNS, DocumentKind
from search.engine.index.hits import Hits, SegmentHits, Spans, TokenHits
from search.engine.index.joined_names import AGENCY, JOINED_COLUMNS, NO_NAME, joined_names
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import ATTRIBUTES, TypeValues, type_values

I64 = npt.NDArray[np.int64]

NOTHING = -1  # value of a place outside the sentence or the node
NO_VALUE = ""  # how it is spelled
COLUMNS = (
    "publication", "section", "author", "agency", "language", "kind", "changed", "rights",
    "undated", "month", "year",
)  # fmt: skip
_PLACE = re.compile(r"(?P<side>[lr])(?P<distance>10|[1-9])|(?P<number>[1-9])|first|last")
_YEAR_OF_EPOCH = 1970
ColumnBases = dict[tuple[int, ...], int]
# Up to so many possible numbers a table is faster than sorting, even for few of them.
TABLE_SIZE = 1 << 22


@dataclass(frozen=True, slots=True)
class Node:
    """The whole node: its only token, or all tokens with spaces between."""

    attribute: str


@dataclass(frozen=True, slots=True)
class NodePlace:
    """One token: ``first``, ``last`` or ``1`` to ``9`` of the node; ``l1``-``l10``, ``r1``-``r10``.

    Places outside the node end where its sentence does; there they have no value.
    """

    name: str
    attribute: str


@dataclass(frozen=True, slots=True)
class HitColumn:
    """A column of the document, one of `COLUMNS`; months are ``2026-11``."""

    name: str


Key = Node | NodePlace | HitColumn


def parse_key(text: str) -> Key:
    """Read a key as addresses write it: ``lemma``, ``r1.lemma``, ``last.pos``, ``publication``.

    Raises
    ------
    ValueError
        With a sentence for the reader.

    Examples
    --------
    >>> parse_key("lemma"), parse_key("r1.pos"), parse_key("month")
    (Node(attribute='lemma'), NodePlace(name='r1', attribute='pos'), HitColumn(name='month'))
    """
    if text in COLUMNS:
        return HitColumn(text)
    if text in ATTRIBUTES:
        return Node(text)
    place, _, attribute = text.partition(".")
    if _PLACE.fullmatch(place) and attribute in ATTRIBUTES:
        return NodePlace(place, attribute)
    raise ValueError(
        f"“{text}” is nothing to count by. There are {', '.join(ATTRIBUTES)}; places before them "
        f"as in r1.lemma (l1 to l10, r1 to r10, first, last, 1 to 9); {', '.join(COLUMNS)}."
    )


def is_place(name: str) -> bool:
    """Say whether this is the name of a place, see `NodePlace`."""
    return _PLACE.fullmatch(name) is not None


def key_text(key: Key) -> str:
    """Write a key as addresses do; the inverse of `parse_key`."""
    match key:
        case Node(attribute):
            return attribute
        case NodePlace(name, attribute):
            return f"{name}.{attribute}"
        case _:
            return key.name


def n_node_tokens(hits: Hits) -> int:
    """Count the tokens of all nodes, which is what counting whole nodes looks at."""
    return sum(map(_n_node_tokens, hits.parts))


def _n_node_tokens(part: SegmentHits) -> int:
    if isinstance(part, TokenHits):
        return part.total
    return int((part.spans.ends - part.spans.starts).sum())


def longest_node(hits: Hits) -> int:
    """Count the tokens of the longest node; 0 without hits."""
    return max(map(_longest_node, hits.parts), default=0)


def _longest_node(part: SegmentHits) -> int:
    if isinstance(part, TokenHits):
        return 1
    return int((part.spans.ends - part.spans.starts).max(initial=0))


@dataclass(frozen=True, slots=True)
class HitValues:
    """Value numbers of hits, in the order of parts and spans; `NOTHING` where there is none.

    ``hits`` are the hits that the numbers belong to, where one may have several; else None.
    """

    numbers: I64
    spell: Callable[[int], str]
    hits: I64 | None = None


def hit_values(hits: Hits, key: Key) -> HitValues:
    """Return the value of every hit under a key.

    Parameters
    ----------
    hits : Hits
        Their spans are made if they are not yet.

    Returns
    -------
    HitValues
        A hit in a text of several authors has one value for each. O(hits), for nodes of several
        tokens O(tokens in nodes * log hits).
    """
    go_on()
    lexicon = hits.snapshot.lexicon
    match key:
        case HitColumn(name) if name in JOINED_COLUMNS:
            names = joined_names(hits.snapshot, name)
            places, numbers = names.parted(_joined([_column(part, name) for part in hits.parts]))
            return HitValues(numbers, names.spell, places)
        case HitColumn(name):
            return HitValues(_joined([_column(part, name) for part in hits.parts]),
                             column_speller(lexicon, name))  # fmt: skip
        case NodePlace(name, attribute):
            values = type_values(lexicon, attribute)
            numbers = _joined([place_values(part, name, values) for part in hits.parts])
            return HitValues(numbers, _spelled_or_nothing(values))
        case Node(attribute):
            return _nodes(hits, type_values(lexicon, attribute))


def place_values(part: SegmentHits, name: str, values: TypeValues) -> I64:
    """Return the value at a place of each hit of one segment."""
    places, is_inside = _places(part, name)
    stream = part.view.segment.stream
    found = values.numbers[stream[np.where(is_inside, places, 0)]] if len(places) else places
    return np.where(is_inside, found, NOTHING)


def _places(part: SegmentHits, name: str) -> tuple[I64, npt.NDArray[np.bool_]]:
    """Return the position each hit has at a place, and whether there is such a token."""
    segment, spans = part.view.segment, part.spans
    found = _PLACE.fullmatch(name)
    if found is None:
        raise ValueError(f"“{name}” is no place.")
    if found["side"]:
        distance = int(found["distance"])
        if found["side"] == "l":
            return spans.starts - distance, segment.left[spans.starts] >= distance
        return spans.ends - 1 + distance, segment.right[spans.ends - 1] >= distance
    if name == "last":
        return spans.ends - 1, np.ones(len(spans), dtype=np.bool_)
    places = spans.starts + (int(found["number"] or 1) - 1)
    return places, places < spans.ends


def _column(part: SegmentHits, name: str) -> I64:
    return np.repeat(column_values(part.view.segment.documents, name), part.document_counts)


def column_values(documents: DocumentColumns, name: str) -> I64:
    """Return the number of each document's value: of value tables, or months since the year 0.

    A text without a date has `NOTHING` for its month and its year, one that no agency can have
    signed `NO_NAME` for its agencies, which are parted from the authors by `joined_names`.
    """
    if name in ("month", "year"):
        unit = "M" if name == "month" else "Y"
        since_epoch = documents.day.astype("datetime64[D]").astype(f"datetime64[{unit}]")
        shift = _YEAR_OF_EPOCH * (12 if name == "month" else 1)
        return np.where(documents.dated, since_epoch.astype(np.int64) + shift, NOTHING)
    if name == AGENCY:  # readers who comment under the name of one are none
        authors = documents.author.astype(np.int64)
        return np.where(documents.kind == DocumentKind.COMMENT, NO_NAME, authors)
    numbers: I64 = getattr(documents, name).astype(np.int64)
    return numbers


def column_speller(lexicon: LexiconView, name: str) -> Callable[[int], str]:
    """Return how the numbers of a column are written, where they are none of names."""
    match name:
        case "month":
            return lambda number: NO_VALUE if number == NOTHING else _month_name(number)
        case "year":
            return lambda number: NO_VALUE if number == NOTHING else f"{number:04}"
        case _ if name in WORDED_COLUMNS:
            return WORDED_COLUMNS[name].__getitem__
        case _:
            return lexicon.value


def _month_name(number: int) -> str:
    return f"{number // 12:04}-{number % 12 + 1:02}"


def _spelled_or_nothing(values: TypeValues) -> Callable[[int], str]:
    return lambda number: NO_VALUE if number == NOTHING else values.spell(number)


def _nodes(hits: Hits, values: TypeValues) -> HitValues:
    """Give a number to each distinct node: of one token its value, longer ones token by token."""
    lengths = _joined([part.spans.ends - part.spans.starts for part in hits.parts])
    numbers = _tokens_at(hits, values, np.arange(len(lengths)), 0)
    first = values.n_values
    for step in range(1, int(lengths.max(initial=1))):
        go_on()
        longer = np.flatnonzero(lengths > step)
        last = _tokens_at(hits, values, longer, step)
        numbers[longer] = _extended(numbers[longer], last, first)
        first += len(longer)  # no number is given twice: shorter nodes keep theirs
    return HitValues(numbers, _Phrases(hits, values, numbers).spell)


def _tokens_at(hits: Hits, values: TypeValues, chosen: I64, step: int) -> I64:
    """Return the value of token number ``step`` of some hits, given ascending by their numbers."""
    found, begin = [], 0
    for part in hits.parts:
        stop = begin + len(part.spans)
        low, high = np.searchsorted(chosen, [begin, stop]).tolist()
        starts = part.spans.starts[chosen[low:high] - begin]
        found.append(values.numbers[part.view.segment.stream[starts + step]])
        begin = stop
    return _joined(found)


def _extended(prefixes: I64, last: I64, first: int) -> I64:
    """Return numbers, from `first` up, of prefixes that got one value more."""
    ends, second = ranked(last)
    extended: I64 = ranked(ranked(prefixes)[1] * max(1, len(ends)) + second)[1] + first
    return extended


class _Phrases:
    """How nodes are written: of each number one hit is known, and its tokens are read again.

    So a node of hundreds of tokens keeps no more than one number a hit.
    """

    def __init__(self, hits: Hits, values: TypeValues, numbers: I64) -> None:
        self._hits = hits
        self._values = values
        self._numbers = numbers

    @cached_property
    def _examples(self) -> tuple[I64, I64]:
        found, at = np.unique(self._numbers, return_index=True)
        return found, at.astype(np.int64)

    @cached_property
    def _places(self) -> list[tuple[Spans, npt.NDArray[np.integer]]]:
        return [(part.spans, part.view.segment.stream) for part in self._hits.parts]

    def spell(self, number: int) -> str:
        """Write the values with spaces between."""
        if number < self._values.n_values:
            return self._values.spell(number)
        found, examples = self._examples
        hit = int(examples[np.searchsorted(found, number)])
        go_on()
        for spans, stream in self._places:
            if hit < len(spans):
                types = stream[int(spans.starts[hit]) : int(spans.ends[hit])]
                return " ".join(map(self._values.spell, self._values.numbers[types].tolist()))
            hit -= len(spans)
        raise IndexError(number)


def _joined(arrays: list[I64]) -> I64:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays])


def tokens_by_columns(selection: Selection, names: Sequence[str]) -> ColumnBases:
    """Count the selected tokens by the values of one or more document columns.

    Parameters
    ----------
    names : sequence of str
        Columns as in `search.engine.statistics.counting.hit_values.COLUMNS`; at least one.

    Returns
    -------
    dict
        Tokens by tuple of value numbers (as `column_values` gives them; those of authors as
        `joined_names` numbers them). Values sum to ``selection.base.n_tokens``, but for texts of
        several authors, which count for each of them. O(documents log documents).
    """
    bases: ColumnBases = {}
    joined = [i for i, name in enumerate(names) if name in JOINED_COLUMNS]
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        columns = np.stack([column_values(documents, name) for name in names], axis=1)
        n_tokens: npt.NDArray[np.integer] = documents.n_tokens
        if mask is not None:
            columns, n_tokens = columns[mask], n_tokens[mask]
        for i in joined:
            rows, numbers = joined_names(selection.snapshot, names[i]).parted(columns[:, i])
            columns, n_tokens = columns[rows], n_tokens[rows]
            columns[:, i] = numbers
        distinct, numbers = _distinct_rows(columns)
        sums = np.bincount(numbers, weights=n_tokens, minlength=len(distinct))
        for values, n in zip(distinct.tolist(), sums.tolist(), strict=True):
            bases[tuple(values)] = bases.get(tuple(values), 0) + int(n)
    return bases


def _distinct_rows(columns: I64) -> tuple[I64, I64]:
    """Return the distinct rows of an array of two dimensions, and which of them each row is.

    A column alone is sorted as numbers, which takes a tenth of the time of rows.
    """
    if columns.shape[1] == 1:
        distinct, numbers = np.unique(columns[:, 0], return_inverse=True)
        return distinct[:, np.newaxis], numbers
    distinct, numbers = np.unique(columns, axis=0, return_inverse=True)
    return distinct, numbers.reshape(-1)


def ranked(numbers: I64) -> tuple[I64, I64]:
    """Return the distinct numbers and the rank of each number among them.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
        Not negative.

    Returns
    -------
    tuple of ndarrays of shape (n_distinct,) and (n,)
        As ``np.unique`` with ``return_inverse`` gives them; O(n + largest number) where that is
        not much larger than n, else O(n log n).

    Examples
    --------
    >>> ranked(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1]))
    """
    go_on()
    size = int(numbers.max(initial=-1)) + 1
    if size > max(TABLE_SIZE, len(numbers)):
        distinct, ranks = np.unique(numbers, return_inverse=True)
        return distinct, ranks.astype(np.int64)
    is_present = np.zeros(size, dtype=np.bool_)
    is_present[numbers] = True
    return np.flatnonzero(is_present), (np.cumsum(is_present) - 1)[numbers]
