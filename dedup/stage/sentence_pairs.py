"""The sentence method: texts with their sentence keys → pairs.

The method of the South African English corpus, for a batch of articles in a constant number of
queries. The caller holds the stage's writing turn, so nothing changes between look-up and insert.
The keys are stored whatever the method (`hash_tables`): stories and summaries leave out what recurs
by them.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from django.db.models import Count

from dedup.models import Detection, SentenceHash
from dedup.similarity.overlap import (
    DUPLICATE_FROM,
    MAX_ARTICLES_PER_SENTENCE,
    SIMILAR_ABOVE,
    jaccard,
)
from dedup.similarity.relations import Relation
from dedup.stage.rows import chunks
from dedup.stage.texts import Age, Pair, Text, earliest_by_digest
from extraction.models import Article

_EXACT = 1 / DUPLICATE_FROM


def find_pairs(
    texts: Sequence[Text], holders: Mapping[int, Sequence[int]], limit: float
) -> list[Pair]:
    """Compare a batch with what is stored and with itself; `limit` times `DUPLICATE_FROM` joins.

    `holders` are the stored articles of the batch's sentences (`hash_tables.sentence_holders`). The
    batch's own rows of an earlier detection are gone from the tables before.
    """
    comparison = _Comparison(texts, holders, limit)
    pairs = {(pair.article_id, pair.other_id): pair for pair in comparison.similar_pairs()}
    pairs |= {(pair.article_id, pair.other_id): pair for pair in _exact_pairs(texts)}
    return list(pairs.values())


def _exact_pairs(texts: Sequence[Text]) -> Iterator[Pair]:
    """Pair each text with the earliest one of the same digest."""
    same: dict[str, list[tuple[Age, int]]] = defaultdict(list)
    for text in texts:
        if text.digest:
            same[text.digest].append((text.age, len(text.keys)))
    stored = earliest_by_digest(texts, Detection.objects.all()).values_list(
        "article__text_digest", "n_sentences", "article__dated_at", "article__url", "article_id"
    )
    for digest, n_sentences, dated_at, url, article_id in stored:
        same[digest].append(((dated_at, url, article_id), n_sentences))
    for members in same.values():
        (first, _), *copies = sorted(members)
        for copy, n in copies:
            yield Pair(copy[-1], first[-1], Relation.REPOST, 1.0, n, joins=True, closeness=_EXACT)


class _Comparison:
    """The sentence sets of one batch and of the stored articles that share sentences with it."""

    def __init__(
        self, texts: Sequence[Text], stored: Mapping[int, Sequence[int]], limit: float
    ) -> None:
        self.duplicate_from = min(DUPLICATE_FROM * limit, 1.0)
        self.texts = {text.article_id: text for text in texts}
        self.sets: dict[int, frozenset[int]] = {text.article_id: text.hashes for text in texts}
        self.ages = {text.article_id: text.age for text in texts}
        holders: dict[int, list[int]] = defaultdict(list)
        holders |= {key: list(ids) for key, ids in stored.items()}
        for article_id, hashes in self.sets.items():
            for key in hashes:
                holders[key].append(article_id)
        self.popular = {key for key, ids in holders.items() if len(ids) > MAX_ARTICLES_PER_SENTENCE}
        self.holders = holders

    def similar_pairs(self) -> Iterator[Pair]:
        """Yield each pair above the limit once."""
        candidates = {article_id: self._candidates(article_id) for article_id in self.texts}
        self._load(set().union(*candidates.values()) - self.texts.keys())
        for article_id, others in candidates.items():
            for other_id in others:
                # of two in the batch, one look is enough
                if other_id not in self.texts or article_id > other_id:
                    yield from self._pair(article_id, other_id)

    def _candidates(self, article_id: int) -> set[int]:
        """Articles that share enough sentences to come above the limit whatever else they hold."""
        usable = self.sets[article_id] - self.popular
        n_shared = Counter(other for key in usable for other in self.holders[key])
        del n_shared[article_id]
        floor = SIMILAR_ABOVE * len(usable)
        return {other for other, shared in n_shared.items() if shared > floor}

    def _load(self, article_ids: Collection[int]) -> None:
        """Read the candidates' sentences, which of them are popular, and the dates."""
        sets: dict[int, set[int]] = {article_id: set() for article_id in article_ids}
        stored = SentenceHash.objects.filter(article_id__in=article_ids)
        for article_id, key in stored.values_list("article_id", "hash"):
            sets[article_id].add(key)
        self.sets |= {article_id: frozenset(keys) for article_id, keys in sets.items()}
        known = self.holders.keys()
        self.popular |= _popular(frozenset().union(*sets.values()) - known)
        ages = Article.objects.filter(pk__in=article_ids).values_list("dated_at", "url", "pk")
        self.ages |= {age[-1]: age for age in ages}

    def _pair(self, article_id: int, other_id: int) -> Iterator[Pair]:
        first, second = self.sets[article_id], self.sets[other_id]
        similarity = jaccard(first, second, self.popular)
        if similarity is not None and similarity > SIMILAR_ABOVE:
            later, earlier = sorted((article_id, other_id), key=self.ages.__getitem__, reverse=True)
            joins = similarity >= self.duplicate_from
            yield Pair(
                later,
                earlier,
                Relation.NEAR if joins else Relation.SIMILAR,
                similarity,
                n_shared=len((first & second) - self.popular),
                joins=joins,
                closeness=similarity / DUPLICATE_FROM,
            )


def _popular(hashes: Collection[int]) -> set[int]:
    counted: set[int] = set()
    for chunk in chunks(hashes):
        counts = (
            SentenceHash.objects.filter(hash__in=chunk)
            .values("hash")
            .annotate(n=Count("*"))
            .filter(n__gt=MAX_ARTICLES_PER_SENTENCE)
        )
        counted |= set(counts.values_list("hash", flat=True))
    return counted
