"""Documents as numbered lines → token columns: where sentences start, what is glued together.

Input → output: per document its row of columns and the numbers of its lines (types and marks, see
``line_numbers``) → the columns of all of them, worked out for many documents at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.building.line_numbers import FIRST_MARK, LineMark
from search.engine.index.errors import TokenLineError
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.segments.attributes import TokenColumns, distances_to_end
from search.engine.index.segments.columns import DocumentColumns, columns_of_rows
from search.engine.index.segments.segment import SegmentData

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
MaskArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NumberedDocument:
    """A document whose lines have numbers; ``space`` is given for tokens that come with theirs."""

    row: tuple[int, ...]
    numbers: U32
    first_line: int = 1
    space: Sequence[bool] | None = None


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of several documents: numbers, where documents start, and the lines with marks.

    ``places`` counts the tokens before each mark.
    """

    numbers: U32
    bounds: I64
    is_token: MaskArray
    marks: U32
    at: I64
    places: I64


def read_lines(documents: Sequence[NumberedDocument], builder: LexiconBuilder) -> SegmentData:
    """Turn the lines of some documents into columns, in the order given.

    Raises
    ------
    TokenLineError
        For a sentence within a sentence, an end without a start, and a start without an end.
    """
    lines = _join(documents)
    _check_sentences(lines, documents)
    types = lines.numbers[lines.is_token]
    tokens_before = np.concatenate([[0], np.cumsum(lines.is_token)])
    bounds = tokens_before[lines.bounds]
    starts = _sentence_starts(lines, bounds)
    rows = columns_of_rows([document.row for document in documents])
    lengths = np.diff(bounds).astype(np.uint32)
    return SegmentData(
        DocumentColumns({**rows.arrays(), "n_tokens": lengths}),
        TokenColumns(
            types,
            builder.tags_of(types),
            starts,
            distances_to_end(np.flatnonzero(starts), len(types)),
            _spaces(documents, lines, bounds, builder.guess_spaces(types)),
            np.zeros(len(types), np.uint8),
        ),
    )


def _join(documents: Sequence[NumberedDocument]) -> _Lines:
    numbers = np.concatenate([document.numbers for document in documents])
    bounds = np.cumsum([0, *(len(document.numbers) for document in documents)])
    is_token: MaskArray = numbers < FIRST_MARK
    at = np.flatnonzero(~is_token)
    return _Lines(numbers, bounds, is_token, numbers[at], at, at - np.arange(len(at)))


def _check_sentences(lines: _Lines, documents: Sequence[NumberedDocument]) -> None:
    """Refuse tags of sentences that do not come in pairs within each document."""
    is_edge = (lines.marks == LineMark.SENTENCE_START) | (lines.marks == LineMark.SENTENCE_END)
    at, is_start = lines.at[is_edge], lines.marks[is_edge] == LineMark.SENTENCE_START
    owners = np.searchsorted(lines.bounds, at, side="right") - 1
    in_pairs = len(at) % 2 == 0 and bool(is_start[0::2].all()) and not bool(is_start[1::2].any())
    if in_pairs and bool((owners[0::2] == owners[1::2]).all()):
        return
    edge, reason = _first_fault(is_start.tolist(), owners.tolist())
    owner = int(owners[edge])
    line = int(at[edge] - lines.bounds[owner])
    raise TokenLineError(documents[owner].first_line + line, reason)


def _first_fault(is_start: list[bool], owners: list[int]) -> tuple[int, str]:
    """Return the number of the first edge that is wrong, and what is wrong with it."""
    opened: int | None = None
    for i, start in enumerate(is_start):
        if opened is not None and owners[i] != owners[opened]:
            break
        if start == (opened is not None):
            return i, "<s> in a sentence that is not closed" if start else "</s> without <s>"
        opened = i if start else None
    return opened or 0, "<s> is never closed in its text"


def _sentence_starts(lines: _Lines, bounds: I64) -> MaskArray:
    """Say which tokens start a sentence: those at edges, outside of any, and a document's first."""
    starts = np.zeros(int(bounds[-1]) + 1, dtype=np.bool_)
    starts[bounds] = True
    edges = (LineMark.SENTENCE_START, LineMark.SENTENCE_END, LineMark.BREAK)
    for mark in edges:
        starts[lines.places[lines.marks == mark]] = True
    return starts[:-1]


def _spaces(
    documents: Sequence[NumberedDocument], lines: _Lines, bounds: I64, guessed: MaskArray
) -> MaskArray:
    """Put white space that is known over the guessed one: given, or everywhere but at glue."""
    spaces = np.append(guessed, False)
    spaces[bounds[:-1]] = False
    glued = lines.marks == LineMark.GLUE
    if glued.any():
        for owner in np.unique(np.searchsorted(lines.bounds, lines.at[glued], side="right") - 1):
            spaces[bounds[owner] + 1 : bounds[owner + 1]] = True
        spaces[lines.places[glued]] = False
    for i, document in enumerate(documents):
        if document.space is not None:
            spaces[bounds[i] : bounds[i + 1]] = document.space
    return spaces[:-1]
