"""Clusters of near-duplicates in memory, in order of arrival: signatures → a cluster for each text.

The same functions that the site calls with its database between them (`near.py`); what a database
would hold are two dictionaries here.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dedup.similarity.clusters import UnionFind
from dedup.similarity.near import (
    Signature,
    bridged,
    compare,
    contradicted,
    entries,
    is_fuller,
    shortlist,
)
from dedup.similarity.overlap import MAX_ARTICLES_PER_SENTENCE, SIMILAR_ABOVE, jaccard
from dedup.similarity.sentences import SentenceKey, sentence_hashes
from extraction.text.sentences import split_sentences


class NearDuplicates:
    """All texts so far, by cluster; a cluster is named by its first text.

    Notes
    -----
    A text is compared with what is entered at that moment and stays where it was put; clusters are
    joined only by a text that surely belongs to both. So they depend on the order of arrival, in
    three ways:

    - Of texts A ~ B ~ C with A unlike C, arrival A, B, C gives {A, B} {C}, or {A, B, C} when B is
      clearly longer than A and so is entered itself; B first gives {A, B, C}; A, C, B gives all
      three when B surely is one with both, else B to the better match and leaves the other alone.
    - What a shingle weighs depends on the clusters that are candidates by then: the second issue
      of a column is judged with less evidence than the third.
    - Of a fingerprint's holders the first `MAX_HOLDERS` are known.

    Exact copies share a cluster in any order. On the development set the pairwise F1 of five random
    orders lies between 98.9 and 99.1.
    """

    def __init__(self) -> None:
        self._holders: defaultdict[int, list[int]] = defaultdict(list)
        self._entered: dict[int, Signature] = {}
        self._clusters = UnionFind[int]()
        self._clusters_by_digest: dict[str, int] = {}

    def add(self, text_id: int, new: Signature, digest: str = "") -> int:
        """Enter a text; return its cluster by now, which is `text_id` itself for a new one.

        Parameters
        ----------
        text_id
            The number of the text, higher than those before.
        new
            Its signature.
        digest
            What only exact copies share (`extraction.text.digest`): they go without a comparison.
        """
        cluster = self._clusters_by_digest.get(digest) if digest else None
        if cluster is None:
            cluster = self._place(text_id, new)
            if digest:
                self._clusters_by_digest[digest] = cluster
        return self._clusters.union(cluster, text_id)

    def cluster_of(self, text_id: int) -> int:
        """Return the cluster of a text, which later texts may have joined with an earlier one."""
        return self._clusters.find(text_id)

    def _place(self, text_id: int, new: Signature) -> int:
        keys = new.fingerprints.tolist()
        holders = {key: self._holders[key] for key in keys if key in self._holders}
        names = shortlist(new.fingerprints, holders)
        candidates = {name: self._entered[name] for name in names}
        clusters = {name: self._clusters.find(name) for name in names}
        matches = compare(new, candidates, clusters)
        barred = contradicted(matches, candidates, clusters)
        found = [m for m in matches if m.is_duplicate and m.article_id not in barred]
        cluster = clusters[found[0].article_id] if found else text_id
        for match in bridged(found, candidates, clusters):
            cluster = self._clusters.union(cluster, clusters[match.article_id])
        mates = [
            candidates[match.article_id]
            for match in found
            if self._clusters.find(match.article_id) == cluster
        ]
        if is_fuller(new, mates):
            self._enter(text_id, new, holders)
        return cluster

    def _enter(self, text_id: int, new: Signature, holders: Mapping[int, Sequence[int]]) -> None:
        self._entered[text_id] = new
        for fingerprint in entries(new, holders):
            self._holders[fingerprint].append(text_id)


def sentence_clusters(texts: Sequence[str]) -> list[int]:
    """Cluster by shared sentences, the original method; the place of each text's earliest mate.

    Parameters
    ----------
    texts
        In order of arrival.

    Returns
    -------
    list of int
        For each text the smallest place in its cluster. Pairs above `SIMILAR_ABOVE` are joined
        whatever stands between them (single link).
    """
    sets = [frozenset(key.hash for key in _keys(text)) for text in texts]
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for place, hashes in enumerate(sets):
        for key in hashes:
            holders[key].append(place)
    popular = {key for key, places in holders.items() if len(places) > MAX_ARTICLES_PER_SENTENCE}
    found = UnionFind[int]()
    for place, hashes in enumerate(sets):
        found.add(place)
        mates = {mate for key in hashes - popular for mate in holders[key] if mate < place}
        for mate in mates:
            if (jaccard(hashes, sets[mate], popular) or 0.0) > SIMILAR_ABOVE:
                found.union(place, mate)
    return [found.find(place) for place in range(len(texts))]


def _keys(text: str) -> list[SentenceKey]:
    return sentence_hashes(text, split_sentences(text))
