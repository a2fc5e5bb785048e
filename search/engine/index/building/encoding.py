"""Documents → segment data: tokens to type numbers, strings to value numbers, sentences to edges.

White space is guessed by punctuation for documents that come without it.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import IndexDocument
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.segments.attributes import TokenColumns, distances_to_end
from search.engine.index.segments.columns import columns_of_rows
from search.engine.index.segments.segment import SegmentData

Mask = npt.NDArray[np.bool_]


def encode_documents(
    documents: Sequence[IndexDocument], builder: LexiconBuilder, generation: int
) -> SegmentData:
    """Turn documents into arrays, in time order.

    Parameters
    ----------
    builder : LexiconBuilder
        Gives and remembers the numbers.
    generation : int
        The generation in which documents come in that do not say another.
    """
    types: list[int] = []
    bounds: list[int] = [0]
    sentence_starts: list[int] = []
    rows = []
    for document in documents:
        types += builder.types(document.tokens)
        length = len(types) - bounds[-1]
        starts_here = full_starts(document.sentence_starts, length)
        sentence_starts += [bounds[-1] + start for start in starts_here]
        bounds.append(len(types))
        rows.append(row_of(document, length, builder, generation))
    stream = np.array(types, dtype=np.uint32)
    starts = np.array(sentence_starts, dtype=np.int64)
    is_start = np.zeros(len(stream), dtype=np.bool_)
    is_start[starts] = True
    right = distances_to_end(starts, len(stream))
    space = _spaces(documents, bounds, builder.guess_spaces(stream))
    blocks = _blocks(documents, bounds)
    tokens = TokenColumns(stream, builder.tags_of(stream), is_start, right, space, blocks)
    return SegmentData(columns_of_rows(rows), tokens).in_time_order()


def full_starts(starts: Iterable[int], length: int) -> list[int]:
    """Return the sentence starts of a text; one with tokens starts a sentence at its first."""
    return sorted({0, *(start for start in starts if start < length)}) if length else []


def _spaces(documents: Sequence[IndexDocument], bounds: list[int], guessed: Mask) -> Mask:
    """Put the documents' own white space over the guessed one."""
    for document, start, stop in zip(documents, bounds, bounds[1:], strict=False):
        if document.space_before is not None:
            if len(document.space_before) != stop - start:
                message = f"document {document.key}: space_before and tokens differ in length"
                raise ValueError(message)
            guessed[start:stop] = document.space_before
        elif start < stop:
            guessed[start] = False
    return guessed


def _blocks(documents: Sequence[IndexDocument], bounds: list[int]) -> npt.NDArray[np.uint8]:
    """Put the kinds of the documents' blocks one after the other."""
    blocks = np.zeros(bounds[-1], dtype=np.uint8)
    for document, start, stop in zip(documents, bounds, bounds[1:], strict=False):
        if document.blocks:
            if len(document.blocks) != stop - start:
                raise ValueError(f"document {document.key}: blocks and tokens differ in length")
            blocks[start:stop] = document.blocks
    return blocks


def row_of(
    document: IndexDocument, length: int, builder: LexiconBuilder, generation: int
) -> tuple[int, ...]:
    """Return the values of the columns, in the order of ``DocumentColumns``."""
    return (
        length,
        document.key,
        int(document.kind),
        builder.value(document.publication),
        builder.value(document.section),
        builder.value(document.author),
        builder.value(document.language),
        document.day_number,
        document.published_seconds,
        document.ingested_seconds,
        document.duplicate_cluster,
        document.story_cluster,
        document.parent_key,
        document.generation_in or generation,
        0,
        int(document.is_changed),
        int(document.rights),
        int(document.is_undated),
    )
