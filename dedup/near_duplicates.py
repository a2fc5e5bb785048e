"""Near-duplicates of a batch: sketches → which stored text each article is, and by what pairs.

The calls of `similarity.cluster` with the database between them, for a batch in a constant number
of queries. The articles are judged one after the other, in order of arrival, so batches of any size
give the same clusters: exact copies by digest, then candidates by fingerprints, then the
comparison; what is nobody's duplicate becomes a representative and is entered. The caller holds the
writing turn.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dedup import fingerprints
from dedup.comparing import Known, pair_of
from dedup.editors_words import EditorsWords
from dedup.known_texts import copies_by_digest, known_texts
from dedup.pairs import Pair, Text
from dedup.similarity.near import Match, compare, entries, shortlist

# Pairs from this part of the limit on are kept for editors to look at, though they join nothing.
NEAR_MISS = 0.75


@dataclass(frozen=True, slots=True)
class NearFindings:
    """What a batch brought: pairs, the text each article was joined to, fingerprints to enter."""

    pairs: tuple[Pair, ...]
    representatives: dict[int, int]
    entries: dict[int, list[int]]


def find_near(texts: Sequence[Text], limit: float, words: EditorsWords) -> NearFindings:
    """Judge the articles of a batch in order of arrival.

    What former texts of these articles brought is gone from the tables before. Texts whose
    closeness is `limit` or more are one (1.0: the limits of `similarity.near`).
    """
    batch = _Batch(texts, limit, words)
    for text in sorted(texts, key=lambda text: text.article_id):
        batch.judge(text)
    return NearFindings(tuple(batch.pairs), batch.representatives, batch.entries)


class _Batch:
    """The articles of one batch while they are judged, and what of the tables they need."""

    def __init__(self, texts: Sequence[Text], limit: float, words: EditorsWords) -> None:
        self.limit = limit
        self.words = words
        self.pairs: list[Pair] = []
        self.representatives: dict[int, int] = {}
        self.entries: dict[int, list[int]] = {}
        hashes = {key for text in texts for key in text.sketch.fingerprints.tolist()}
        self.holders = fingerprints.holders(hashes)
        copies = copies_by_digest(texts)
        self.copies = {digest: copy.article_id for digest, copy in copies.items()}
        self.stored_representatives = {
            copy.article_id: copy.representative_id for copy in copies.values()
        }
        self.known: dict[int, Known] = {}
        names = {name for text in texts for name in self._names(text)}
        self._load(names | {name for copy in copies.values() for name in copy.both})

    def judge(self, text: Text) -> None:
        """Find the text's place; enter it when it is nobody's duplicate."""
        copied = self.known.get(self.copies.get(text.digest, 0)) if text.digest else None
        if copied is not None and self._may_join(text, copied):
            representative = self._join_copy(text, copied)
        else:
            representative = self._join_nearest(text)
        self._settle(text, representative)

    def _join_copy(self, text: Text, copied: Known) -> int:
        """Pair a copy with its earliest twin, and with that one's representative."""
        copy_id = copied.text.article_id
        # Texts without words have nothing to compare, but may be copies.
        [match] = compare(text.sketch, {copy_id: copied.text.sketch}) or [
            Match(copy_id, 1.0, 1.0, is_duplicate=True, closeness=self.limit)
        ]
        self.pairs.append(pair_of(Known(text), copied, match))
        name = self.representatives.get(copy_id) or self.stored_representatives[copy_id]
        if name == copy_id or name not in self.known:
            return copy_id
        for match in compare(text.sketch, {name: self.known[name].text.sketch}):
            self.pairs.append(pair_of(Known(text), self.known[name], match))
        return name

    def _join_nearest(self, text: Text) -> int:
        """Compare with the candidates; join the best one that may be joined."""
        names = self._names(text)
        self._load(names)
        sketches = {name: self.known[name].text.sketch for name in names if name in self.known}
        representative = text.article_id
        for match in compare(text.sketch, sketches):
            if match.closeness < NEAR_MISS * self.limit:
                break
            known = self.known[match.article_id]
            is_free = representative == text.article_id and match.closeness >= self.limit
            joins = is_free and self._may_join(text, known)
            if joins:
                representative = match.article_id
            # What an editor parts stays a link of the method: taken back, it holds again.
            joins |= is_free and self.words.is_judged(text.article_id, match.article_id)
            self.pairs.append(pair_of(Known(text), known, match, joins=joins))
        return representative

    def _names(self, text: Text) -> list[int]:
        return shortlist(text.sketch.fingerprints, self.holders)

    def _load(self, article_ids: Collection[int]) -> None:
        """Read texts that are not known yet; those that are gone are left out."""
        wanted = [article_id for article_id in article_ids if article_id not in self.known]
        if wanted:
            self.known |= known_texts(wanted)

    def _may_join(self, text: Text, known: Known) -> bool:
        return self.words.may_join(text.article_id, known.text.article_id)

    def _settle(self, text: Text, representative: int) -> None:
        """Remember where the text belongs; a text of its own is found from now on."""
        article_id = text.article_id
        self.representatives[article_id] = representative
        self.words.note(article_id, representative)
        self.known[article_id] = Known(text)
        earliest = self.known.get(self.copies.get(text.digest, 0))
        if text.digest and (earliest is None or text.age < earliest.text.age):
            self.copies[text.digest] = article_id
        if representative == article_id:
            self.entries[article_id] = entries(text.sketch, self.holders)
            for key in self.entries[article_id]:
                self.holders.setdefault(key, []).append(article_id)
