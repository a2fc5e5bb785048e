"""Near-duplicates of a batch: signatures → which stored text each article is, and by what pairs.

The calls of `similarity.cluster` with the database between them, for a batch in a constant number
of queries. The articles are judged one after the other, the earliest first, so batches of any size
give the same clusters: exact copies by digest, then candidates by fingerprints, then the
comparison. What is nobody's duplicate is entered under its fingerprints, and what is clearly longer
than all it matches. Stored texts that the batch puts out of order (`order`) are judged among its
own. The caller holds the writing turn.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dedup.similarity.clusters import UnionFind
from dedup.similarity.near import (
    MAX_HOLDERS,
    Match,
    bridged,
    compare,
    contradicted,
    entries,
    is_fuller,
    shortlist,
)
from dedup.stage import fingerprints
from dedup.stage.editors_words import EditorsWords
from dedup.stage.order import Disorder
from dedup.stage.texts import KnownText, Pair, Text, copies_by_digest, known_texts, pair_of

# Pairs from this part of the limit on are kept for editors to look at, though they join nothing.
NEAR_MISS = 0.25


@dataclass(frozen=True, slots=True)
class NearFindings:
    """What a batch brought: pairs, the text each article was joined to, fingerprints to enter.

    `bridges` are the articles that made two clusters one. What is entered under minus its number
    is no candidate. `crowded` are those with a fingerprint that has become one of too many: until
    now they were found by it.
    """

    pairs: tuple[Pair, ...]
    representatives: dict[int, int]
    entries: dict[int, list[int]]
    bridges: frozenset[int]
    crowded: frozenset[int]


def find_near(
    texts: Sequence[KnownText], limit: float, words: EditorsWords, disorder: Disorder
) -> NearFindings:
    """Judge the articles of a batch, and those that it put out of order, the earliest first.

    What former texts of these articles brought is gone from the tables before. Texts whose
    closeness is `limit` or more are one (1.0: the limits of `similarity.near`).
    """
    batch = _Batch(texts, limit, words, disorder)
    for new in sorted(texts, key=lambda new: new.text.age):
        batch.judge(new)
    return NearFindings(
        tuple(batch.pairs),
        batch.representatives,
        batch.entries,
        frozenset(batch.bridges),
        frozenset(batch.crowded()),
    )


class _Batch:
    """The articles of one batch while they are judged, and what of the tables they need."""

    def __init__(
        self, news: Sequence[KnownText], limit: float, words: EditorsWords, disorder: Disorder
    ) -> None:
        texts = [new.text for new in news]
        self.limit = limit
        self.words = words
        self.common = disorder.common
        ages = {**disorder.ages, **{text.article_id: text.age for text in texts}}
        self.places = {key: place for place, key in enumerate(sorted(ages, key=ages.__getitem__))}
        self.article_ids = {text.article_id for text in texts}
        self.pairs: list[Pair] = []
        self.representatives: dict[int, int] = {}
        self.entries: dict[int, list[int]] = {}
        self.bridges: set[int] = set()
        self.clusters = UnionFind[int]()  # what the batch has made one
        keys = {key for text in texts for key in text.signature.fingerprints.tolist()}
        # Fingerprints that a stored text was not entered under are not known yet.
        rest = fingerprints.all_holders(sorted(keys - disorder.holders.keys()))
        found = {**disorder.holders, **rest}
        self.holders = {key: [held for held in ids if held > 0] for key, ids in found.items()}
        self.unentered = {key: [held for held in ids if held < 0] for key, ids in found.items()}
        # Some of its holders may be judged again by now: it stays one of too many.
        self.holders |= {key: [0] * MAX_HOLDERS for key in disorder.common}
        self.full: set[int] = set()
        copies = copies_by_digest(texts) if disorder.others else disorder.copies
        self.copies = {digest: copy.article_id for digest, copy in copies.items()}
        self.stored_representatives = {
            copy.article_id: copy.representative_id for copy in copies.values()
        }
        self.known: dict[int, KnownText] = {}
        names = {name for text in texts for name in self._names(text)}
        self._load(names | {name for copy in copies.values() for name in copy.both})

    def judge(self, new: KnownText) -> None:
        """Find the text's place; enter it when it is the first or the fullest of its cluster."""
        copied = self._copied(new.text)
        if copied is not None and self._may_join(new, copied):
            self._join_copy(new, copied)
        else:
            self._join_nearest(new)
        self._remember(new)

    def _copied(self, text: Text) -> KnownText | None:
        """Find the earliest text that this one is a copy of.

        Who was joined to an article that is itself judged anew in this batch has no place yet: that
        article stands in for it once it has been judged, if it is a copy too.
        """
        copy_id = self.copies.get(text.digest, 0) if text.digest else 0
        name = self.representatives.get(copy_id) or self.stored_representatives.get(copy_id)
        if copy_id not in self.representatives and name in self.article_ids:
            copied = self.known.get(name) if name in self.representatives else None
            return copied if copied is not None and copied.text.digest == text.digest else None
        return self.known.get(copy_id)

    def _join_copy(self, new: KnownText, copied: KnownText) -> None:
        """Pair a copy with its earliest twin, and with the text that one was joined to."""
        copy_id = copied.text.article_id
        # Texts without words have nothing to compare, but may be copies.
        nothing = Match(copy_id, 1.0, 1.0, is_duplicate=True, closeness=self.limit)
        matches = compare(new.text.signature, {copy_id: copied.text.signature}) or [nothing]
        self.pairs.append(pair_of(new, copied, matches[0]))
        name = self.representatives.get(copy_id) or self.stored_representatives[copy_id]
        if name != copy_id and name in self.known:
            for match in compare(new.text.signature, {name: self.known[name].text.signature}):
                self.pairs.append(pair_of(new, self.known[name], match))
        self._join(new, self.known.get(name, copied))

    def _join_nearest(self, new: KnownText) -> None:
        """Compare with the candidates; join the best one that may be joined."""
        names = self._names(new.text)
        self._load(names)
        candidates = {name: self.known[name] for name in names if name in self.known}
        signatures = {name: known.text.signature for name, known in candidates.items()}
        clusters = {name: self.clusters.find(known.cluster) for name, known in candidates.items()}
        matches = compare(new.text.signature, signatures, clusters)
        matches.sort(key=lambda match: (-match.closeness, self._place(match.article_id)))
        barred = contradicted(matches, signatures, clusters)
        found = [
            match
            for match in matches
            if match.closeness >= self.limit
            and not match.is_part
            and match.article_id not in barred
        ]
        free = [m for m in found if self._may_join(new, candidates[m.article_id])]
        joined = [*free[:1], *bridged(free, signatures, clusters, self.limit)]
        for match in matches:
            if match.is_part or match.closeness >= NEAR_MISS * self.limit:
                other = candidates[match.article_id]
                # What an editor parts stays a link of the method: taken back, it holds again.
                joins = match in joined or (match in found[:1] and self._is_judged(new, other))
                pair = pair_of(new, other, match, joins=joins, is_one_text=match in found)
                self.pairs.append(pair)
        if joined:
            self._join(new, candidates[joined[0].article_id])
        if len(joined) > 1:
            self.bridges.add(new.text.article_id)
            for match in joined[1:]:
                self.clusters.union(new.cluster, clusters[match.article_id])
        own = self.clusters.find(new.cluster)
        mates = [m.article_id for m in found if self.clusters.find(clusters[m.article_id]) == own]
        if is_fuller(new.text.signature, [signatures[name] for name in mates]):
            self._enter(new)
        else:
            self._note(new)

    def _names(self, text: Text) -> list[int]:
        return shortlist(text.signature.fingerprints, self.holders, self.places)

    def _place(self, article_id: int) -> int:
        return self.places.get(article_id, article_id)

    def _load(self, article_ids: Collection[int]) -> None:
        """Read texts that are not known yet; those that are gone are left out."""
        wanted = [article_id for article_id in article_ids if article_id not in self.known]
        if wanted:
            self.known |= known_texts(wanted)

    def _may_join(self, new: KnownText, other: KnownText) -> bool:
        return self.words.may_join(new.text.article_id, other.text.article_id)

    def _is_judged(self, new: KnownText, other: KnownText) -> bool:
        return self.words.is_judged(new.text.article_id, other.text.article_id)

    def _join(self, new: KnownText, other: KnownText) -> None:
        new.cluster = other.cluster
        self.representatives[new.text.article_id] = other.text.article_id

    def _enter(self, new: KnownText) -> None:
        """Let later texts find this one."""
        article_id = new.text.article_id
        free = entries(new.text.signature, self.holders)
        for key in free:
            holders = self.holders.setdefault(key, [])
            holders.append(article_id)
            if len(holders) == MAX_HOLDERS:
                self.full.add(key)
        keys = new.text.signature.fingerprints.tolist()
        kept = [key for key in keys if article_id in self.common.get(key, ())]
        self.entries[article_id] = [*free, *kept]

    def _note(self, new: KnownText) -> None:
        """Let texts that come later, but belong before this one, find it to be judged again."""
        own = -new.text.article_id
        free = entries(new.text.signature, self.unentered)
        self.entries[own] = [key for key in free if len(self.holders.get(key, ())) < MAX_HOLDERS]
        for key in self.entries[own]:
            self.unentered.setdefault(key, []).append(own)

    def crowded(self) -> set[int]:
        """Name whoever holds a fingerprint that has become one of too many."""
        return {abs(held) for key in self.full for held in self._all_holders(key)}

    def _all_holders(self, key: int) -> list[int]:
        return [*self.holders[key], *self.unentered.get(key, ())]

    def _remember(self, new: KnownText) -> None:
        """Keep where the text belongs, and the earliest article of each digest."""
        text = new.text
        representative = self.representatives.setdefault(text.article_id, text.article_id)
        self.words.note(text.article_id, representative)
        self.known[text.article_id] = new
        earliest = self.known.get(self.copies.get(text.digest, 0))
        if text.digest and (earliest is None or text.age < earliest.text.age):
            self.copies[text.digest] = text.article_id
