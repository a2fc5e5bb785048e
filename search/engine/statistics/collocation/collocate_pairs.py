"""Which collocates stand near the same hits: what links a network of them has.

Input → output: hits, a window, chosen values → hits with both of each pair, how many chance would
give, and how strongly the two go together.

Two words that are near the same hits more often than chance has it belong to one use of the node
(Brezina, McEnery & Wattam 2015, *Collocations in context*, draw such networks; their links are
collocations in the whole corpus, these are among the hits alone).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits
from search.engine.statistics.collocation.association import MEASURES, contingency
from search.engine.statistics.collocation.collocate_places import (
    SET_BITS,
    numbers_of_types,
    sets_held,
)
from search.engine.statistics.counting.attribute_values import TypeValues
from search.engine.statistics.counting.in_parallel import in_parallel
from search.engine.statistics.counting.windows import Window, WindowBlock, window_blocks

I64 = npt.NDArray[np.int64]

HARDLY_CHANCE = 10.83  # log-likelihood of p < 0.001 with one degree of freedom
MOST_VALUES = SET_BITS


@dataclass(frozen=True, slots=True)
class CollocatePair:
    """Two collocates, by their places among the chosen ones, ``first`` below ``second``.

    ``n_hits`` have both in their window, where chance would give ``expected``; ``log_likelihood``
    and ``log_dice`` are of these counts of hits.
    """

    first: int
    second: int
    n_hits: int
    expected: float
    log_likelihood: float
    log_dice: float


def collocate_pairs(
    hits: Hits, values: TypeValues, chosen: I64, window: Window, least: int
) -> list[CollocatePair]:
    """Find the pairs of collocates that stand near the same hits more often than by chance.

    Parameters
    ----------
    chosen : ndarray of shape (n_chosen,)
        Value numbers, at most `MOST_VALUES`.
    least : int
        Fewest hits with both.

    Returns
    -------
    list of CollocatePair
        Those above `HARDLY_CHANCE`, by logDice, strongest first. O(hits * (window + chosen²)).
    """
    with_both = hits_with_both(hits, values, chosen, window)
    rows, columns = np.triu_indices(len(chosen), 1)
    enough = np.flatnonzero(with_both[rows, columns] >= max(1, least))
    first, second = rows[enough], columns[enough]
    table = contingency(
        with_both[first, second], with_both[first, first], with_both[second, second], hits.total
    )
    found = [
        CollocatePair(*numbers)
        for numbers in zip(
            first.tolist(),
            second.tolist(),
            with_both[first, second].tolist(),
            table.expected[0].tolist(),
            MEASURES["ll"](table).tolist(),
            MEASURES["logdice"](table).tolist(),
            strict=True,
        )
    ]
    drawn = [
        pair
        for pair in found
        if pair.n_hits > pair.expected and pair.log_likelihood > HARDLY_CHANCE
    ]
    return sorted(drawn, key=lambda pair: (-pair.log_dice, pair.first, pair.second))


def hits_with_both(hits: Hits, values: TypeValues, chosen: I64, window: Window) -> I64:
    """Count hits by each two values in their window.

    Returns
    -------
    ndarray of shape (n_chosen, n_chosen)
        Symmetric; hits with each value on the diagonal.
    """
    if len(chosen) > MOST_VALUES:
        raise ValueError(f"at most {MOST_VALUES} values are paired")
    number_of_type = numbers_of_types(values, chosen)
    bits = np.arange(len(chosen), dtype=np.uint64)

    def count(block: WindowBlock) -> I64:
        held = sets_held(number_of_type.take(block.types, mode="clip"), 1)
        # Products of 0 and 1 below 2**24 are exact in 32 bits, and matrices of these are fast.
        has = ((held[:, np.newaxis] >> bits) & np.uint64(1)).astype(np.float32)
        return (has.T @ has).astype(np.int64)

    with_both = np.zeros((len(chosen), len(chosen)), dtype=np.int64)
    for counted in in_parallel(count, window_blocks(hits, window)):
        with_both += counted
    return with_both
