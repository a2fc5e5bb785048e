"""Whom a batch puts out of order: stored texts that are judged once more together with it.

A text is judged by the texts before it, and pages arrive in any order. Clusters and pairs shall be
those of the order of time, (date, address): so where a text comes in before others that it could
have been compared with, all that hang together with it are judged anew, the earliest first. Texts
hang together that share enough fingerprints to be candidates of each other, whatever became of it,
copies, pairs, and those joined to one another; mostly that is nobody, else a few. Who stands before
all that came keeps its place. A text that changed leaves whom it hung together with: all of these
are judged anew.

It does not reach further than `MOST_TEXTS`: of more texts that hang together the order of arrival
is kept. Nor do fingerprints lead anywhere that so many hold that they are ignored.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db.models import Q

from dedup.models import Detection, Duplicate, EnteredText
from dedup.similarity.clusters import UnionFind
from dedup.similarity.near import MAX_HOLDERS, MIN_SHARED
from dedup.stage import fingerprints
from dedup.stage.rows import AGAIN, chunks
from dedup.stage.texts import Age, Copy, Text, copies_by_digest

# Some 50 kB each while they are judged. The largest of the development set hang together by 41.
MOST_TEXTS = 400


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a stored text stands: its age, the text that it was joined to, and its original."""

    age: Age
    representative_id: int
    original_id: int | None


@dataclass(frozen=True, slots=True)
class Disorder:
    """What is judged anew: `others` beside the batch, `ours` of the batch together with them.

    `common` are the fingerprints that are ignored, each with those of the texts looked at that are
    entered under it. `ages` are those of all stored texts that hang together with the batch,
    `holders` who is found by their fingerprints and by those of the batch, itself left out, and
    `copies` the earliest stored article with a digest of the batch.
    """

    others: Mapping[int, Standing] = field(default_factory=dict)
    ours: frozenset[int] = frozenset()
    common: Mapping[int, frozenset[int]] = field(default_factory=dict)
    ages: Mapping[int, Age] = field(default_factory=dict)
    holders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    copies: Mapping[str, Copy] = field(default_factory=dict)


def disorder(texts: Sequence[Text], changed: Collection[int]) -> Disorder:
    """Find what a batch puts out of order.

    Parameters
    ----------
    texts
        Those of the batch, with their signatures.
    changed
        The articles of the batch that have been detected before, with another text or this one;
        what they were found by is still stored. Some may have left the corpus.
    """
    kin = _Kin(texts, changed)
    kin.follow_all()
    return kin.disorder()


class _Kin:
    """The texts of a batch, and all stored ones that hang together with them."""

    def __init__(self, texts: Sequence[Text], changed: Collection[int]) -> None:
        self._texts = {text.article_id: text for text in texts}
        self._changed = set(changed)
        self._batch = self._texts.keys() | self._changed
        self._stored: dict[int, Standing] = {}
        self._copies = copies_by_digest(texts)
        self._holders: dict[int, list[int]] = {}
        self._sets = UnionFind[int]()
        self._common: defaultdict[int, set[int]] = defaultdict(set)
        self._border: set[int] = set(self._batch)

    def follow_all(self) -> None:
        """Look for kin, then for theirs, until there is none or too many."""
        while self._border and len(self._stored) <= MOST_TEXTS:
            links = set(self._links())
            ends = {end for link in links for end in link}
            new = _standings(ends - self._batch - self._stored.keys())
            self._stored |= new
            for one, other in links:
                if self._is_known(one) and self._is_known(other):
                    self._sets.union(one, other)
            self._border = set(new)

    def disorder(self) -> Disorder:
        """Choose what does not stand in the order of time."""
        groups: defaultdict[int, set[int]] = defaultdict(set)
        for article_id in self._batch | self._stored.keys():
            groups[self._sets.find(article_id)].add(article_id)
        unknown = {self._sets.find(article_id) for article_id in self._border}
        kept = [self._to_judge(group) for name, group in groups.items() if name not in unknown]
        chosen = frozenset[int]().union(*kept)
        judged = chosen | self._batch
        return Disorder(
            {key: self._stored[key] for key in chosen & self._stored.keys()},
            chosen & self._batch,
            {key: frozenset(ids) for key, ids in self._common.items()},
            {key: standing.age for key, standing in self._stored.items()},
            {
                key: [held for held in ids if abs(held) not in judged]
                for key, ids in self._holders.items()
            },
            {key: copy for key, copy in self._copies.items() if copy.article_id not in judged},
        )

    def _to_judge(self, group: Collection[int]) -> set[int]:
        """Choose those of a group that do not stand in the order of time; mostly nobody."""
        stored = {key for key in group if key in self._stored}
        if not stored:
            return set()
        if not self._changed.isdisjoint(group):
            return set(group)
        first = min(self._texts[key].age for key in group if key in self._texts)
        before = {key for key in stored if self._stored[key].age < first}
        if before == stored:
            return set()
        # Who stands before all that came has the place that it would have without them.
        return set(group) - before if self._is_apart(before) else set(group)

    def _is_apart(self, article_ids: Collection[int]) -> bool:
        """Whether no later text has made clusters of these one."""
        roots: dict[int | None, int] = {}
        for article_id in article_ids:
            root = article_id
            while root in article_ids and self._stored[root].representative_id != root:
                root = self._stored[root].representative_id
            if root not in article_ids:
                return False
            if roots.setdefault(self._stored[article_id].original_id, root) != root:
                return False
        return True

    def _is_known(self, article_id: int) -> bool:
        return article_id in self._batch or article_id in self._stored

    def _links(self) -> Iterator[tuple[int, int]]:
        known = self._border - (self._batch - self._changed)
        yield from self._by_fingerprints(_entered(known))
        yield from _joined(known)
        for article_id in self._border & self._texts.keys():
            copy = self._copies.get(self._texts[article_id].digest)
            if copy is not None:  # who has a pair with each of the later ones
                yield article_id, copy.article_id

    def _by_fingerprints(self, keys_of: defaultdict[int, set[int]]) -> Iterator[tuple[int, int]]:
        for article_id in self._border & self._texts.keys():
            keys_of[article_id].update(self._texts[article_id].signature.fingerprints.tolist())
        keys = set().union(*keys_of.values()) - self._holders.keys()
        self._holders |= {key: [] for key in keys}
        self._holders |= fingerprints.all_holders(sorted(keys))
        for article_id, own in keys_of.items():
            n_shared = Counter[int]()
            for key in own:
                ids = self._holders[key]
                if sum(holder > 0 for holder in ids) < MAX_HOLDERS:
                    n_shared.update(abs(holder) for holder in ids)
                else:
                    self._common[key].update({article_id}.intersection(ids))
            floor = min(MIN_SHARED, len(own))
            for other, n in n_shared.items():
                if n >= floor and other != article_id:
                    yield article_id, other


def _entered(article_ids: Iterable[int]) -> defaultdict[int, set[int]]:
    """Read what stored texts are found by."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for chunk in chunks(article_ids):
        signed = [*chunk, *(-article_id for article_id in chunk)]
        rows = EnteredText.objects.filter(article__in=signed)
        for article_id, stored in rows.values_list("article", "fingerprints"):
            found[abs(article_id)].update(np.frombuffer(stored, "<i8").tolist())
    return found


def _joined(article_ids: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Give pairs of these articles, and who was joined to whom."""
    for chunk in chunks(article_ids):
        pairs = Duplicate.objects.filter(Q(article_id__in=chunk) | Q(other_id__in=chunk))
        yield from pairs.order_by().values_list("article_id", "other_id")
        rows = Detection.objects.filter(
            Q(article_id__in=chunk) | Q(representative_id__in=chunk),
            representative__isnull=False,
        )
        for one, other in rows.order_by().values_list("article_id", "representative_id"):
            if other is not None and one != other:
                yield one, other


def _standings(article_ids: Collection[int]) -> dict[int, Standing]:
    """Read where texts stand.

    Without those that are to be detected again anyway: they are put in order when their turn comes.
    """
    columns = (
        "representative_id", "original_id", "article__dated_at", "article__url", "article_id",
    )  # fmt: skip
    found = {}
    for chunk in chunks(article_ids):
        rows = Detection.objects.filter(
            article_id__in=chunk,
            article__in_corpus=True,
            detected_at__isnull=False,
            representative__isnull=False,
        ).exclude(done_digest__startswith=AGAIN)
        for representative_id, original_id, dated_at, url, article_id in rows.values_list(*columns):
            age = dated_at, url, article_id
            found[article_id] = Standing(age, representative_id, original_id)
    return found
