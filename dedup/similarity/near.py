"""Near-duplicates: texts → sketches → a short list of candidates → which of them are one text.

Three steps, so that a database can serve the middle one (`cluster.py` does it in memory):

1. `sketch` reduces a text to sampled 5-gram fingerprints, by which it is found, and to the set of
   its 3-grams, by which it is compared (Broder 1997; sampling as in Manber 1994).
2. `shortlist` takes, for each fingerprint, the articles that hold it, and names the few that are
   worth a comparison.
3. `compare` weighs what a text shares with each candidate. What several candidates hold counts
   less: that keeps columns and bulletins with standing sentences apart.

A text joins a cluster only when it matches the cluster's representative, never a mere member.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

from dedup.similarity.relations import Relation
from extraction.text.comparable import comparable

Hashes = npt.NDArray[np.uint64]
Fingerprints = npt.NDArray[np.int64]

# Words of a fingerprint and of a shingle.
FINGERPRINT_WORDS = 5
SHINGLE_WORDS = 3
# One 5-gram in eight is a fingerprint, but at least the smallest sixteen.
SAMPLED = 1 / 8
MIN_FINGERPRINTS = 16
# A book is found by its smallest fingerprints.
MAX_FINGERPRINTS = 512
# What follows the first words of a very long text is not compared: 5 MB stay cheap.
MAX_WORDS = 200_000
# A fingerprint of so many articles says nothing; further holders are not stored.
MAX_HOLDERS = 12
MAX_CANDIDATES = 10
MIN_SHARED = 2
# Two texts are one when the smaller is mostly within the larger, or both are mostly shared.
DUPLICATE_CONTAINMENT = 0.70
DUPLICATE_JACCARD = 0.40
# Above: the same text but for a few words. Contained, and clearly longer or shorter.
REPOST_JACCARD = 0.90
CONTAINED = 0.90
OTHER_LENGTH_JACCARD = 0.70

_WORD = re.compile(r"\w+")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A text as it is found and compared.

    Attributes
    ----------
    fingerprints
        Distinct sampled 5-gram hashes, ascending; int64 of shape (k,), as databases store them.
    shingles
        Distinct 3-gram hashes, ascending; uint64 of shape (n,).
    n_words
        Words of the text, repetitions included.
    """

    fingerprints: Fingerprints
    shingles: Hashes
    n_words: int


@dataclass(frozen=True, slots=True)
class Match:
    """How a new text compares with one candidate.

    `containment` is the shared weight by that of the smaller text, `jaccard` by that of both, from
    0 to 1. `closeness` orders matches; from 1 on the texts are duplicates.
    """

    article_id: int
    containment: float
    jaccard: float
    is_duplicate: bool
    closeness: float


@dataclass(frozen=True, slots=True)
class Kinship:
    """The relation of a later text to an earlier one, and which of them is the master."""

    relation: Relation
    is_later_master: bool


def sketch(text: str) -> Sketch:
    """Reduce a text to its fingerprints and shingles."""
    words = _WORD.findall(comparable(text))[:MAX_WORDS]
    hashed = np.fromiter(
        (xxhash.xxh3_64_intdigest(word.encode("utf-8", "surrogatepass")) for word in words),
        np.uint64,
        len(words),
    )
    grams = np.unique(_grams(hashed, FINGERPRINT_WORDS))
    n_sampled = int(np.searchsorted(grams, np.uint64(int(2**64 * SAMPLED))))
    n_kept = min(max(n_sampled, MIN_FINGERPRINTS), MAX_FINGERPRINTS)
    fingerprints = np.sort(grams[:n_kept].view(np.int64))
    return Sketch(fingerprints, np.unique(_grams(hashed, SHINGLE_WORDS)), len(words))


def _grams(hashed: Hashes, n: int) -> Hashes:
    """Hash each run of `n` words; a text of fewer words is one run."""
    if not len(hashed):
        return hashed
    n = min(n, len(hashed))
    last = len(hashed) - n + 1
    mixed = hashed[:last].copy()
    for offset in range(1, n):
        mixed *= _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
        mixed += hashed[offset : last + offset]
    mixed *= _MULTIPLIER
    mixed ^= mixed >> np.uint64(32)
    mixed *= _MULTIPLIER
    return mixed ^ (mixed >> np.uint64(29))


def shortlist(fingerprints: Fingerprints, holders: Mapping[int, Sequence[int]]) -> list[int]:
    """Name the articles worth a comparison, those with most common fingerprints first."""
    n_shared: Counter[int] = Counter()
    for fingerprint in fingerprints.tolist():
        ids = holders.get(fingerprint, ())
        if len(ids) < MAX_HOLDERS:
            n_shared.update(ids)
    floor = min(MIN_SHARED, len(fingerprints))
    found = [(-n, article_id) for article_id, n in n_shared.items() if n >= floor]
    return [article_id for _, article_id in sorted(found)[:MAX_CANDIDATES]]


def entries(new: Sketch, holders: Mapping[int, Sequence[int]]) -> list[int]:
    """Name the fingerprints under which a new text is to be stored: those with room left."""
    return [f for f in new.fingerprints.tolist() if len(holders.get(f, ())) < MAX_HOLDERS]


def compare(new: Sketch, candidates: Mapping[int, Sketch]) -> list[Match]:
    """Compare a new text with its candidates; best first."""
    if not candidates or not len(new.shingles):
        return []
    others = [other.shingles for other in candidates.values()]
    known, n_holders = np.unique(np.concatenate(others), return_counts=True)
    weights = 1.0 / n_holders
    new_weights = _weights_of(new.shingles, known, weights)
    new_total = float(new_weights.sum())
    matches = []
    for article_id, other in candidates.items():
        other_total = float(_weights_of(other.shingles, known, weights).sum())
        is_shared = np.isin(new.shingles, other.shingles, assume_unique=True)
        shared = float(new_weights[is_shared].sum())
        matches.append(_judge(article_id, shared, new_total, other_total))
    return sorted(matches, key=lambda match: (-match.closeness, match.article_id))


def _weights_of(
    shingles: Hashes, known: Hashes, weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    places = np.minimum(np.searchsorted(known, shingles), len(known) - 1)
    return np.where(known[places] == shingles, weights[places], 1.0)


def _judge(article_id: int, shared: float, first: float, second: float) -> Match:
    smaller, union = min(first, second), first + second - shared
    containment = shared / smaller if smaller else 0.0
    jaccard = shared / union if union else 0.0
    closeness = max(containment / DUPLICATE_CONTAINMENT, jaccard / DUPLICATE_JACCARD)
    return Match(article_id, containment, jaccard, closeness >= 1.0, closeness)


def relation(later: Sketch, earlier: Sketch, match: Match) -> Kinship:
    """Say how the later of two near-duplicates follows from the earlier one."""
    if match.jaccard >= REPOST_JACCARD:
        return Kinship(Relation.REPOST, is_later_master=False)
    if match.containment >= CONTAINED and match.jaccard < OTHER_LENGTH_JACCARD:
        if len(later.shingles) > len(earlier.shingles):
            return Kinship(Relation.UPDATE, is_later_master=True)
        return Kinship(Relation.TRIMMED, is_later_master=False)
    return Kinship(Relation.NEAR, is_later_master=False)
