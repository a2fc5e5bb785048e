"""Documents → segment data: tokens to type numbers, strings to value numbers, sentences to edges.

Also guesses white space by punctuation for documents that come without it.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from search.index.attributes import TokenColumns, sentence_distances
from search.index.columns import columns_of_rows
from search.index.documents import IndexDocument
from search.index.lexicon_builder import LexiconBuilder
from search.index.segment import SegmentData

NO_SPACE_BEFORE = frozenset(".,;:!?%)]}…’”»") | {"'s", "’s", "n't", "n’t", "''"}
NO_SPACE_BEFORE |= {f"{mark}{rest}" for mark in "'’" for rest in ("re", "ve", "ll", "d", "m")}
NO_SPACE_AFTER = frozenset("([{‘“«$£€#") | {"``"}


def guess_spaces(words: Sequence[str]) -> list[bool]:
    """Say before which tokens white space stood, by rules of English typography.

    Examples
    --------
    >>> guess_spaces(["It", "'s", "late", "(", "very", ")", "."])
    [False, False, True, True, False, False, False]
    """
    spaces = []
    after = True
    for word in words:
        spaces.append(after and word.lower() not in NO_SPACE_BEFORE)
        after = word not in NO_SPACE_AFTER
    if spaces:
        spaces[0] = False
    return spaces


def encode_documents(
    documents: Sequence[IndexDocument], builder: LexiconBuilder, generation: int
) -> SegmentData:
    """Turn documents into arrays, in time order.

    Parameters
    ----------
    documents : sequence of IndexDocument
    builder : LexiconBuilder
        Gives and remembers the numbers.
    generation : int
        The generation in which these documents come in.
    """
    types: list[int] = []
    sentence_starts: list[int] = []
    spaces: list[bool] = []
    rows = []
    for document in documents:
        start = len(types)
        numbers = builder.types(document.tokens)
        types.extend(numbers)
        sentence_starts.extend(_starts_within(document.sentence_starts, start, len(numbers)))
        spaces.extend(_spaces_of(document, len(numbers)))
        rows.append(_row(document, len(numbers), builder, generation))
    stream = np.array(types, dtype=np.uint32)
    starts = np.array(sentence_starts, dtype=np.int64)
    left, right = sentence_distances(starts, len(stream))
    space = np.array(spaces, dtype=np.bool_)
    tokens = TokenColumns(stream, builder.tags_of(stream), left, right, space)
    return SegmentData(columns_of_rows(rows), tokens).in_time_order()


def _starts_within(starts: Iterable[int], offset: int, length: int) -> list[int]:
    """Return sentence starts as positions; a text with tokens starts a sentence at its first."""
    if not length:
        return []
    return [offset + start for start in sorted({0, *starts}) if start < length]


def _spaces_of(document: IndexDocument, length: int) -> Sequence[bool]:
    if document.space_before is None:
        return guess_spaces([token[0] for token in document.tokens])
    if len(document.space_before) != length:
        raise ValueError(f"document {document.key}: space_before has another length than tokens")
    return document.space_before


def _row(
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
        generation,
        0,
    )
