"""Near-duplicates: signatures → a short list of candidates → which of them are the same text.

Three steps, so that a database can serve the middle one (`cluster.py` does it in memory):

1. `signature` reduces a text to sampled fingerprints, by which it is found, and to the shingles and
   words by which it is compared (`signatures.py`).
2. `shortlist` takes the articles that hold its fingerprints and names the few worth a comparison.
3. `compare` measures the overlap with each of them (`alignment.py`) and decides
   (`resemblance.py`). What several clusters of candidates hold counts less: that keeps columns and
   bulletins with standing sentences apart, without a table of all shingles.

A cluster is entered in the index of fingerprints by its first text, and by later ones that are
clearly longer (`is_fuller`). A text joins the cluster of its best match unless the fullest text of
that cluster speaks against it (`contradicted`), and makes one of two clusters that it surely
belongs to (`bridged`): a rewritten and a shortened text find each other when the whole one comes.
A text that stands inside another one with a body of its own is a part of it (`parts.py`) and joins
nothing by that.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from dedup.similarity.alignment import EVEN, Rarity, overlap, shared_shingles
from dedup.similarity.parts import is_part
from dedup.similarity.relations import Relation
from dedup.similarity.resemblance import (
    BRIDGING_PROBABILITY,
    CONTRADICTION,
    DUPLICATE_PROBABILITY,
    closeness,
)
from dedup.similarity.signatures import Fingerprints, Signature, distinct, signature

__all__ = [
    "MAX_CANDIDATES",
    "MAX_HOLDERS",
    "Kinship",
    "Match",
    "Signature",
    "bridged",
    "compare",
    "contradicted",
    "entries",
    "is_fuller",
    "kinship_of_part",
    "relation",
    "shortlist",
    "signature",
]

# A fingerprint of so many texts says nothing; further holders are not stored. 6 and 24 are alike.
MAX_HOLDERS = 12
# Six to twenty candidates give the same clusters.
MAX_CANDIDATES = 10
# One common fingerprint is chance.
MIN_SHARED = 2
# Below this share of common shingles (the lowest of a true pair is .34) nothing more is measured,
# and two texts are not made one by a third.
MIN_CONTAINMENT = 0.20
# A member with so many times the shingles of what it matched is entered too.
FULLER = 1.1
# Relations, by unweighted shares: a few words apart; held by a text clearly longer.
REPOST_JACCARD = 0.85
CONTAINED = 0.80
SHORTER = 0.85


@dataclass(frozen=True, slots=True)
class Match:
    """How a new text compares with one candidate.

    `containment` is the shared weight by that of the smaller text, `jaccard` by that of both, from
    0 to 1. `closeness` orders matches; from 1 on the texts are near-duplicates, unless one is a
    part of the other (`is_part`).
    """

    article_id: int
    containment: float
    jaccard: float
    is_duplicate: bool
    closeness: float
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Kinship:
    """The relation of a later text to an earlier one, and which of them is the master."""

    relation: Relation
    is_later_master: bool


def shortlist(
    fingerprints: Fingerprints,
    holders: Mapping[int, Sequence[int]],
    places: Mapping[int, int] | None = None,
) -> list[int]:
    """Name the articles worth a comparison.

    Parameters
    ----------
    fingerprints
        Those of the new text.
    holders
        For fingerprints that are known, the articles entered under them; `MAX_HOLDERS` of them
        suffice, for a fingerprint with that many is ignored.
    places
        The order of articles with as many common fingerprints, where it is not that of numbers.

    Returns
    -------
    list of int
        At most `MAX_CANDIDATES`, those with most common fingerprints first, then by number.
    """
    rows = [ids for fingerprint in fingerprints.tolist() if (ids := holders.get(fingerprint))]
    if not rows:
        return []
    n_shared = Counter(chain.from_iterable(ids for ids in rows if len(ids) < MAX_HOLDERS))
    floor = min(MIN_SHARED, len(fingerprints))
    order = places or {}
    found = [(-n, order.get(key, key), key) for key, n in n_shared.items() if n >= floor]
    return [article_id for _, _, article_id in sorted(found)[:MAX_CANDIDATES]]


def entries(new: Signature, holders: Mapping[int, Sequence[int]]) -> list[int]:
    """Name the fingerprints under which a text is to be entered: those with room left."""
    return [f for f in new.fingerprints.tolist() if len(holders.get(f, ())) < MAX_HOLDERS]


def compare(
    new: Signature, candidates: Mapping[int, Signature], clusters: Mapping[int, int] | None = None
) -> list[Match]:
    """Compare a new text with its candidates.

    Parameters
    ----------
    new, candidates
        The signatures; those of the candidates by article.
    clusters
        The cluster of each candidate, so that two texts of one cluster do not make what they share
        look common; each one its own by default.

    Returns
    -------
    list of Match
        One for each candidate, best first, then by number. Empty for a text without words;
        candidates without words are left out.

    Notes
    -----
    The result depends on the candidates that are compared together, not on their order.
    """
    usable = {name: other for name, other in candidates.items() if len(other.words)}
    if not usable or not len(new.words):
        return []
    rarity = rarity_of(usable, clusters or {})
    matches = [_match(new, name, other, rarity) for name, other in usable.items()]
    return sorted(matches, key=lambda match: (-match.closeness, match.article_id))


def rarity_of(candidates: Mapping[int, Signature], clusters: Mapping[int, int]) -> Rarity:
    """Weigh each shingle by the number of clusters that hold it."""
    if len(candidates) <= 1:
        return EVEN
    together: defaultdict[int, list[Signature]] = defaultdict(list)
    for name, other in candidates.items():
        together[clusters.get(name, name)].append(other)
    held = [distinct(np.concatenate([s.shingles for s in some])) for some in together.values()]
    ascending = np.sort(np.concatenate(held))
    firsts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    n_clusters = np.diff(firsts, append=len(ascending))
    return Rarity(ascending[firsts], 1.0 / n_clusters)


def _match(new: Signature, name: int, other: Signature, rarity: Rarity) -> Match:
    n_shared = shared_shingles(new, other)
    smaller, larger = sorted((len(new.shingles), len(other.shingles)))
    if n_shared < MIN_CONTAINMENT * smaller:
        jaccard = n_shared / (smaller + larger - n_shared)
        return Match(name, n_shared / smaller, jaccard, is_duplicate=False, closeness=0.0)
    found = overlap(new, other, rarity)
    near = closeness(found)
    part = is_part(new, other)
    is_duplicate = near >= 1.0 and not part
    return Match(name, found.containment, found.jaccard, is_duplicate, near, part)


def contradicted(
    matches: Collection[Match],
    candidates: Mapping[int, Signature],
    clusters: Mapping[int, int] | None = None,
) -> set[int]:
    """Name the candidates that a text must not join, however well they match.

    Of each cluster the fullest candidate has a veto: a short text that is wholly contained in each
    issue of a column would chain all the issues together.
    """
    named = clusters or {}
    together: defaultdict[int, list[Match]] = defaultdict(list)
    for match in matches:
        together[named.get(match.article_id, match.article_id)].append(match)
    found: set[int] = set()
    for some in together.values():
        fullest = max(some, key=lambda match: len(candidates[match.article_id].shingles))
        if fullest.closeness < CONTRADICTION:
            found |= {match.article_id for match in some}
    return found


def bridged(
    found: Sequence[Match],
    candidates: Mapping[int, Signature],
    clusters: Mapping[int, int],
    limit: float = 1.0,
) -> list[Match]:
    """Name matches in other clusters that a text makes one with the cluster of its best match.

    Parameters
    ----------
    found
        The matches that a text may join, best first.
    candidates, clusters
        The signature and the cluster of each.
    limit
        The closeness from which on two texts are one.

    Returns
    -------
    list of Match
        The best match of each further cluster, if it and the best of all are sure and these two
        share something: a round-up of two texts makes them no one text.
    """
    sure = limit * BRIDGING_PROBABILITY / DUPLICATE_PROBABILITY
    best: dict[int, Match] = {}
    for match in found:
        best.setdefault(clusters[match.article_id], match)
    if not found or found[0].closeness < sure:
        return []
    first = candidates[found[0].article_id]
    return [
        match
        for match in list(best.values())[1:]
        if match.closeness >= sure and _share_some(first, candidates[match.article_id])
    ]


def _share_some(one: Signature, other: Signature) -> bool:
    smaller = min(len(one.shingles), len(other.shingles))
    return shared_shingles(one, other) >= MIN_CONTAINMENT * smaller


def is_fuller(new: Signature, matched: Iterable[Signature]) -> bool:
    """Tell whether a text that joined a cluster is clearly longer than all it matched there.

    Such a text is entered under its fingerprints too: later copies are copies of it.
    """
    longest = max((len(other.shingles) for other in matched), default=0)
    return len(new.shingles) > FULLER * longest


def kinship_of_part(later: Signature, earlier: Signature) -> Kinship:
    """Say which of two texts contains the other: that one is the master."""
    return Kinship(Relation.PART, is_later_master=len(later.in_order) > len(earlier.in_order))


def relation(later: Signature, earlier: Signature) -> Kinship:
    """Say how the later of two near-duplicates follows from the earlier one.

    The master is the longer text where one holds the other, else the earlier one.
    """
    if not len(later.words) or not len(earlier.words):
        return Kinship(Relation.REPOST, is_later_master=False)
    found = overlap(later, earlier)
    smaller, larger = sorted((len(later.shingles), len(earlier.shingles)))
    if found.aligned_jaccard >= REPOST_JACCARD:
        return Kinship(Relation.REPOST, is_later_master=False)
    if found.aligned >= CONTAINED and smaller <= SHORTER * larger:
        if len(later.shingles) == larger:
            return Kinship(Relation.UPDATE, is_later_master=True)
        return Kinship(Relation.TRIMMED, is_later_master=False)
    return Kinship(Relation.NEAR, is_later_master=False)
