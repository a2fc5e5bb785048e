"""Documents that no generation shows any more, however old: withdrawn, not only gone out.

Input → output: rows and the generations in which they went out → the same with the withdrawn ones
marked. The mark is the highest bit of `generation_out`; the other bits go on saying from which
generation on the document was out without it, so that each older generation can count what it
lacks by now.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.segment import Segment

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Span = tuple[int, int, int]  # came in, went out, how many documents

WITHDRAWN = 1 << 31


def take_out(segment: Segment, generation_out: U32, leaving: U64, generation: int) -> bool:
    """Mark all versions of documents as withdrawn; the current ones are since a generation.

    Returns whether any was not marked before.
    """
    rows = segment.rows_of(leaving)
    rows = rows[(generation_out[rows] < WITHDRAWN) & (_came_in(segment)[rows] < generation)]
    since = np.where(generation_out[rows] == 0, generation, generation_out[rows])
    generation_out[rows] = since.astype(np.uint32) | np.uint32(WITHDRAWN)
    return bool(len(rows))


def _came_in(segment: Segment) -> U32:
    return segment.documents.generation_in


def shown_at(generation_in: U32, generation_out: U32, generation: int) -> Mask:
    """Return which documents belong to a generation."""
    stays = (generation_out == 0) | (
        (generation_out > generation) & (generation_out < np.uint32(WITHDRAWN))
    )
    result: Mask = (generation_in <= generation) & stays
    return result


def had_at(generation_in: U32, generation_out: U32, generation: int) -> Mask:
    """Return which documents a generation had, those that were withdrawn since too."""
    since = generation_out & np.uint32(WITHDRAWN - 1)
    result: Mask = (generation_in <= generation) & ((since == 0) | (since > generation))
    return result


def n_withdrawn_since(generation_in: U32, generation_out: U32, generation: int) -> int:
    """Count the documents that a generation had and lacks by now."""
    is_withdrawn = generation_out >= np.uint32(WITHDRAWN)
    had = (generation_in <= generation) & (generation_out - np.uint32(WITHDRAWN) > generation)
    return int(np.count_nonzero(is_withdrawn & had))


def spans(generation_in: U32, generation_out: U32) -> list[Span]:
    """Sum up between which generations withdrawn documents would be shown."""
    pairs = np.stack([generation_in, generation_out & np.uint32(WITHDRAWN - 1)], axis=1)
    found, counts = np.unique(pairs, axis=0, return_counts=True)
    return [(*pair, n) for pair, n in zip(found.tolist(), counts.tolist(), strict=True)]
