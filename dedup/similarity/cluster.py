"""Clusters of near-duplicates in memory, in order of arrival: sketches → a cluster for each text.

The same functions that the site calls with its database between them (`near.py`); what a database
would hold are two dictionaries here.
"""

from collections import defaultdict
from collections.abc import Sequence

from dedup.similarity.clusters import UnionFind
from dedup.similarity.near import Sketch, compare, entries, shortlist
from dedup.similarity.overlap import MAX_ARTICLES_PER_SENTENCE, jaccard, relation
from dedup.similarity.sentences import SentenceKey, sentence_hashes
from extraction.text.sentences import split_sentences


class NearDuplicates:
    """All texts so far, by cluster; a cluster is named by its representative, the first text.

    Notes
    -----
    A text is compared with representatives only and stays where it was put, so clusters depend on
    the order of arrival: of three texts A, B, C with A ~ B and B ~ C alone, arrival A, B, C gives
    {A, B} {C}, arrival B, A, C gives {A, B, C}.
    """

    def __init__(self) -> None:
        self._holders: defaultdict[int, list[int]] = defaultdict(list)
        self._representatives: dict[int, Sketch] = {}

    def add(self, text_id: int, new: Sketch) -> int:
        """Enter a text; return its cluster, which is `text_id` itself for a new one."""
        held = [f for f in new.fingerprints.tolist() if f in self._holders]
        holders = {f: self._holders[f] for f in held}
        names = shortlist(new.fingerprints, holders)
        matches = compare(new, {name: self._representatives[name] for name in names})
        if matches and matches[0].is_duplicate:
            return matches[0].article_id
        self._representatives[text_id] = new
        for fingerprint in entries(new, holders):
            self._holders[fingerprint].append(text_id)
        return text_id


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
        whatever stands between them (single link, ALG-5, steps 3 to 6).
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
            if relation(jaccard(hashes, sets[mate], popular)) is not None:
                found.union(place, mate)
    return [found.find(place) for place in range(len(texts))]


def _keys(text: str) -> list[SentenceKey]:
    return sentence_hashes(text, split_sentences(text))
