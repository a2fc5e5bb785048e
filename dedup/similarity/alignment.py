"""How two texts overlap: signatures and weights of shingles → the measures that decide.

Beside the share of common shingles these are measures of *where* they lie. Sub-editing leaves short
gaps in a shared stretch: one changed word costs three shingles. So gaps are bridged, and what lies
in a bridged stretch is aligned. A bulletin with other values aligns as well, but its facts (numbers
and names) differ within the aligned stretches: that is a conflict.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dedup.similarity.signatures import SHINGLE_WORDS, Hashes, Marks, Signature

Weights = npt.NDArray[np.float64]

# Shared shingles at most this many places apart belong to one stretch: two changed words between
# them. Of 1, 4, 6, 8, 12, 20 the one that parts true pairs best from the rest.
BRIDGED = 4
# Added to both counts of shingles before a share of breaks is taken, so that a few chance
# shingles do not look like an edited text.
_FEW_SHINGLES = 10


@dataclass(frozen=True, slots=True)
class Overlap:
    """Measures of two texts, each from 0 to 1 and the same in both directions, save `length`.

    Attributes
    ----------
    containment, jaccard
        Weight of the common shingles by that of the smaller text, and by that of both.
    aligned, aligned_jaccard
        The same for places within bridged stretches.
    conflict
        Share of facts within aligned stretches that the other text has nowhere: of numbers, or of
        numbers and names, whichever is more; of the text where it is less.
    common_facts
        Share of distinct facts common to both in those of the text with fewer; of numbers, or of
        all, whichever is less.
    length
        Natural logarithm of one more than the words of the shorter text.
    breaks
        Number of unbridged runs by the places in them.
    """

    containment: float
    jaccard: float
    aligned: float
    aligned_jaccard: float
    conflict: float
    common_facts: float
    length: float
    breaks: float


@dataclass(frozen=True, slots=True)
class Rarity:
    """What shingles weigh: one by the number of clusters that hold it.

    `shingles` ascending, `weights` beside them; any other shingle weighs 1.
    """

    shingles: Hashes
    weights: Weights

    def of(self, wanted: Hashes) -> Weights:
        """Weights of some shingles."""
        if not len(self.shingles):
            return np.ones(len(wanted))
        places = np.minimum(np.searchsorted(self.shingles, wanted), len(self.shingles) - 1)
        return np.where(self.shingles[places] == wanted, self.weights[places], 1.0)


EVEN = Rarity(np.zeros(0, np.uint64), np.zeros(0))


def shared_shingles(one: Signature, other: Signature) -> int:
    """Count the common shingles."""
    return int(held(other.shingles, one.shingles).sum())


def held(ascending: Hashes, wanted: Hashes) -> Marks:
    """Tell which of the `wanted` are among the `ascending` values."""
    if not len(ascending):
        return np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    found: Marks = ascending[places] == wanted
    return found


def overlap(one: Signature, other: Signature, rarity: Rarity = EVEN) -> Overlap:
    """Measure how two texts with at least one word each overlap."""
    containment, jaccard = _plain_shares(one, other, rarity)
    sides = _Side(one, other, rarity), _Side(other, one, rarity)
    shared = sum(side.aligned_weight for side in sides) / 2
    union = sum(side.weight for side in sides) - shared
    n_runs, n_places = sum(side.n_runs for side in sides), sum(side.n_shared for side in sides)
    return Overlap(
        containment=containment,
        jaccard=jaccard,
        aligned=max(side.aligned_weight / side.weight for side in sides),
        aligned_jaccard=shared / union,
        conflict=max(
            min(side.conflict(side.signature.numbers) for side in sides),
            min(side.conflict(side.signature.facts) for side in sides),
        ),
        common_facts=min(
            _common(one.distinct_numbers, other.distinct_numbers),
            _common(one.distinct_facts, other.distinct_facts),
        ),
        length=float(np.log(min(one.n_words, other.n_words) + 1)),
        breaks=n_runs / (n_places + _FEW_SHINGLES),
    )


def bridged(shared: Marks) -> Marks:
    """Mark also the places of short gaps between marked ones (at most `BRIDGED` apart).

    Examples
    --------
    >>> bridged(np.array([1, 0, 0, 0, 1, 0, 0, 0, 0, 1], bool)).astype(int)
    array([1, 1, 1, 1, 1, 0, 0, 0, 0, 1])
    """
    places = np.flatnonzero(shared)
    steps = places[1:] - places[:-1]
    is_short = (steps > 1) & (steps <= BRIDGED)
    opened = np.zeros(len(shared) + 1, np.int64)
    opened[places[:-1][is_short]] += 1
    opened[places[1:][is_short]] -= 1
    return shared | (np.cumsum(opened)[:-1] > 0)


def _plain_shares(one: Signature, other: Signature, rarity: Rarity) -> tuple[float, float]:
    weights = rarity.of(one.shingles)
    first, second = float(weights.sum()), float(rarity.of(other.shingles).sum())
    shared = float(weights[held(other.shingles, one.shingles)].sum())
    return shared / min(first, second), shared / (first + second - shared)


def _common(one: Hashes, other: Hashes) -> float:
    """Share of common values in the smaller set; one more in both counts: no fact agrees."""
    n_common = int(held(other, one).sum())
    return (n_common + 1) / (min(len(one), len(other)) + 1)


class _Side:
    """One of two texts, place by place, against the other."""

    def __init__(self, signature: Signature, other: Signature, rarity: Rarity) -> None:
        self.signature = signature
        self._other = other.vocabulary
        shared = held(other.shingles, signature.in_order)
        self._aligned = bridged(shared)
        self.n_shared = int(shared.sum())
        self.n_runs = int(shared[0]) + int((shared[1:] & ~shared[:-1]).sum())
        weights = rarity.of(signature.in_order)
        # What lies in a gap was changed: it weighs as much as what is shared around it.
        mean = float(weights[shared].mean()) if self.n_shared else 1.0
        weights[self._aligned & ~shared] = mean
        self.weight = float(weights.sum())
        self.aligned_weight = float(weights[self._aligned].sum())

    def conflict(self, kind: Marks) -> float:
        """Share of the words of a kind, within aligned stretches, that the other text has not."""
        n_words = self.signature.n_words
        is_aligned = np.zeros(n_words, np.bool_)
        for offset in range(min(SHINGLE_WORDS, n_words)):
            is_aligned[offset : len(self._aligned) + offset] |= self._aligned
        wanted = self.signature.words[is_aligned & kind]
        n_missing = len(wanted) - int(held(self._other, wanted).sum())
        return n_missing / (len(wanted) + 1)
