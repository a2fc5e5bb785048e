"""What editors said of the articles of a batch: whom each of them must not join.

"Different" and "same event" hold between clusters, not only between two articles: a text goes to no
cluster that holds somebody whom its own cluster is kept apart from. Nearly all batches have no
judged pair and cost one query here.
"""

from collections.abc import Collection

from django.db.models import Q

from dedup.models import APART, Detection, Duplicate, Verdict
from dedup.stage.rows import chunks


class EditorsWords:
    """Whom articles must not join; kept up while a batch is judged.

    `judged` are the articles of the batch of which an editor has said anything.
    """

    def __init__(self, article_ids: Collection[int]) -> None:
        self._pairs = _judged_pairs(article_ids)
        self.judged = frozenset().union(*self._pairs) & frozenset(article_ids)
        self._foes: dict[int, set[int]] = {}
        self._clusters: dict[int, int] = {}
        for article_id in self.judged:
            foes = _foes(article_id)
            if foes:
                self._foes[article_id] = foes

    def may_join(self, article_id: int, other_id: int) -> bool:
        """Whether an article may come into the cluster of another one."""
        foes = self._foes.get(article_id)
        if not foes:
            return True
        return self._cluster(other_id) not in {self._cluster(foe) for foe in foes}

    def is_judged(self, article_id: int, other_id: int) -> bool:
        """Whether an editor has spoken of these two themselves."""
        return frozenset((article_id, other_id)) in self._pairs

    def note(self, article_id: int, representative: int) -> None:
        """Keep in mind where an article of the batch has gone."""
        if self._foes:
            is_own = representative == article_id
            # Negative: not the former cluster that was named after this article.
            self._clusters[article_id] = -article_id if is_own else self._cluster(representative)

    def _cluster(self, article_id: int) -> int:
        if article_id not in self._clusters:
            row = Detection.objects.filter(article_id=article_id).values_list("original_id")
            original = row.first()
            self._clusters[article_id] = (original[0] if original else None) or article_id
        return self._clusters[article_id]


def _judged_pairs(article_ids: Collection[int]) -> set[frozenset[int]]:
    """Pairs of these articles of which an editor has said something."""
    ids = list(article_ids)
    pairs = Duplicate.objects.filter(
        ~Q(verdict=Verdict.OPEN), Q(article_id__in=ids) | Q(other_id__in=ids)
    )
    return {frozenset(ends) for ends in pairs.order_by().values_list("article_id", "other_id")}


def _foes(article_id: int) -> set[int]:
    """Everybody whom an article, or a text that is the same by an editor's word, is apart from."""
    allies = same_texts([article_id])
    if len(allies) > 1:  # with all that are in the clusters of its mates
        names = Detection.objects.filter(article_id__in=allies - {article_id}).values("original_id")
        members = Detection.objects.filter(original_id__in=names)
        allies |= set(members.values_list("article_id", flat=True))
    foes: set[int] = set()
    pairs = Duplicate.objects.filter(
        Q(article_id__in=allies) | Q(other_id__in=allies), verdict__in=APART
    )
    for ends in pairs.values_list("article_id", "other_id"):
        foes.update(ends)
    return foes - allies


def same_texts(article_ids: Collection[int]) -> set[int]:
    """Find all that editors said are the same texts, through third ones too; these among them."""
    mates, border = set(article_ids), set(article_ids)
    while border:
        found: set[int] = set()
        for chunk in chunks(border):
            pairs = Duplicate.objects.filter(
                Q(article_id__in=chunk) | Q(other_id__in=chunk), verdict=Verdict.SAME
            )
            found.update(
                end for ends in pairs.values_list("article_id", "other_id") for end in ends
            )
        border = found - mates
        mates |= border
    return mates
