"""Where an article's text stands elsewhere: its cluster in time, other like texts, its story."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from dedup.models import RELATION_WORDS, Detection, Duplicate, Verdict
from dedup.similarity.relations import Relation
from extraction.models import Article

# An agency's text may stand in hundreds of papers, a story in hundreds of articles: so many are
# shown, the earliest of each.
CLUSTER_LIMIT = 200
STORY_LIMIT = 50

# What the earlier text of a pair is, where the words differ from those for the later one.
_EARLIER_WORDS = {Relation.TRIMMED: "Longer text", Relation.UPDATE: "Earlier version"}
# What the longer and the shorter text of a pair are to the other one.
_CONTAINS, _STANDS_IN = "Contains this text", "Stands in this text"
_VERDICT_WORDS = {
    Verdict.SAME: "Same text",
    Verdict.EVENT: "Same event",
    Verdict.DIFFERENT: "Different",
}


@dataclass(frozen=True, slots=True)
class Twin:
    """An article with its place among others.

    `lag` is how much later it is than the article that its list is measured from (negative:
    earlier). The figures are those of `pair`; there is none for the text that all others were
    compared with.
    """

    article: Article
    words: str
    lag: timedelta
    pair: Duplicate | None = None
    is_self: bool = False
    is_original: bool = False
    is_representative: bool = False
    is_hidden: bool = False

    @property
    def is_earlier(self) -> bool:
        return self.lag < timedelta(0)

    @property
    def distance_seconds(self) -> float:
        return abs(self.lag.total_seconds())

    @property
    def is_judged(self) -> bool:
        """Whether an editor has said what the pair is."""
        return self.pair is not None and self.pair.verdict != Verdict.OPEN

    @property
    def is_part(self) -> bool:
        """Whether one text of the pair is a part of the other, and no editor said otherwise."""
        return self.pair is not None and self.pair.relation == Relation.PART and not self.is_judged


@dataclass(frozen=True, slots=True)
class TwinList:
    """All that is like one article. `is_looked_at` is False while it waits to be compared.

    `cluster` holds the article itself too, and is empty where it stands alone. `parts` are texts in
    which this one stands and that stand in it.
    """

    cluster: tuple[Twin, ...]
    n_cluster: int
    parts: tuple[Twin, ...]
    others: tuple[Twin, ...]
    story: tuple[Twin, ...]
    story_id: int | None
    is_looked_at: bool

    @property
    def is_empty(self) -> bool:
        return not (self.cluster or self.parts or self.others or self.story)


def twin_list(article: Article) -> TwinList:
    """Read the cluster of an article, other pairs of it, and the articles of the same event."""
    detection = Detection.objects.filter(article=article).first()
    mates, n_mates = _mates(detection)
    cluster = _cluster(article, detection, mates) if detection and len(mates) > 1 else []
    others = _other_pairs(article, {mate.article_id for mate in mates})
    known = {
        article.pk,
        *(mate.article_id for mate in mates),
        *(twin.article.pk for twin in others),
    }
    return TwinList(
        cluster=tuple(cluster),
        n_cluster=n_mates,
        parts=tuple(twin for twin in others if twin.is_part),
        others=tuple(twin for twin in others if not twin.is_part),
        story=tuple(_story(article, detection, known)),
        story_id=detection.story_id if detection else None,
        is_looked_at=bool(detection and detection.detected_at),
    )


def n_twins(article: Article) -> int:
    """Count the other articles with this one's text."""
    mates = Detection.objects.filter(original__copies__article=article, article__withdrawn_at=None)
    return mates.exclude(article=article).count()


def original_of(article: Article) -> Article | None:
    """Find the article of which this one is a copy; None for an original and for no copy."""
    originals = Article.shown.filter(copies__article=article).exclude(pk=article.pk)
    return originals.select_related("publication").only("title", "url", "publication").first()


def pair_of(one: Article, other: Article) -> Duplicate | None:
    """Find the pair of two articles, whichever is the later one."""
    ends = Q(article=one, other=other) | Q(article=other, other=one)
    return Duplicate.objects.filter(ends).first()


def relation_words(pair: Duplicate, article_id: int) -> str:
    """Say what one article of a pair is to the other; an editor's word goes before the method's."""
    if pair.verdict in {Verdict.EVENT, Verdict.DIFFERENT}:
        return _VERDICT_WORDS[Verdict(pair.verdict)]
    if pair.verdict == Verdict.SAME and not pair.joins:
        return "Joined"
    if pair.relation == Relation.PART and pair.verdict == Verdict.OPEN:
        longer_id = pair.article_id if pair.is_later_master else pair.other_id
        return _CONTAINS if article_id == longer_id else _STANDS_IN
    is_one_text = pair.joins or pair.verdict == Verdict.SAME
    relation = Relation(pair.relation) if is_one_text else Relation.SIMILAR
    if article_id == pair.other_id:
        return _EARLIER_WORDS.get(relation, RELATION_WORDS[relation])
    return RELATION_WORDS[relation]


def _mates(detection: Detection | None) -> tuple[list[Detection], int]:
    """Read the rows of an article's cluster, the article's own among them, and their number."""
    if detection is None or detection.original_id is None:
        return [], 0
    rows = Detection.objects.filter(original=detection.original_id, article__withdrawn_at=None)
    shown = (
        rows.select_related("article__publication")
        .defer("article__text", "article__blocks")
        .order_by("article__dated_at", "article_id")[:CLUSTER_LIMIT]
    )
    return list(shown), rows.count()


def _cluster(article: Article, detection: Detection, mates: Sequence[Detection]) -> list[Twin]:
    """Order a cluster by time, each text with the pair that put it there."""
    joining = _joining_pairs(mates)
    compared = {mate.representative_id for mate in mates if mate.representative_id is not None}
    start = mates[0].article.dated_at
    found = []
    for mate in mates:
        pair = joining.get(mate.article_id)
        is_representative = mate.article_id in compared
        found.append(
            Twin(
                mate.article,
                _words_in_cluster(mate, pair, is_representative=is_representative),
                mate.article.dated_at - start,
                pair,
                is_self=mate.article_id == article.pk,
                is_original=mate.article_id == detection.original_id,
                is_representative=is_representative,
                is_hidden=mate.is_hidden_copy,
            )
        )
    return found


def _words_in_cluster(mate: Detection, pair: Duplicate | None, *, is_representative: bool) -> str:
    if pair is not None:
        return relation_words(pair, mate.article_id)
    return "Representative" if is_representative else "By way of others"


def _joining_pairs(mates: Sequence[Detection]) -> dict[int, Duplicate]:
    """Find for each text of a cluster the pair that joins it.

    That with its representative if there is one, else the likest.
    """
    ids = [mate.article_id for mate in mates]
    representatives = {mate.article_id: mate.representative_id for mate in mates}
    pairs = Duplicate.objects.filter(
        Q(joins=True) | Q(verdict=Verdict.SAME), article__in=ids, other__in=ids
    ).exclude(verdict__in=[Verdict.EVENT, Verdict.DIFFERENT])
    found: dict[int, tuple[bool, float, Duplicate]] = {}
    for pair in pairs:
        ends = pair.article_id, pair.other_id
        for one, other in (ends, ends[::-1]):
            rank = representatives.get(one) == other, pair.similarity
            # Joined by an editor, a text may stay a representative; the later one was joined.
            is_joined = pair.verdict == Verdict.SAME and one == pair.article_id
            is_copy = one != representatives.get(one) or is_joined
            if is_copy and rank > found.get(one, (False, -1.0))[:2]:
                found[one] = (*rank, pair)
    return {article_id: pair for article_id, (_, _, pair) in found.items()}


def _other_pairs(article: Article, mate_ids: Iterable[int]) -> list[Twin]:
    """Like texts outside the cluster: below the limit, or parted by an editor."""
    pairs = (
        Duplicate.objects.filter(Q(article=article) | Q(other=article))
        .filter(article__withdrawn_at=None, other__withdrawn_at=None)
        .select_related("article__publication", "other__publication")
        .defer("article__text", "article__blocks", "other__text", "other__blocks")
    )
    mates = set(mate_ids)
    found = []
    for pair in pairs:
        other = pair.other if pair.article_id == article.pk else pair.article
        if other.pk not in mates:
            words = relation_words(pair, other.pk)
            found.append(Twin(other, words, _lag(article, other.dated_at), pair))
    return sorted(found, key=lambda twin: (twin.lag, twin.article.pk))


def _story(article: Article, detection: Detection | None, known: set[int]) -> list[Twin]:
    if detection is None or detection.story_id is None:
        return []
    others = (
        Article.shown.filter(detection__story=detection.story_id)
        .exclude(pk__in=known)
        .select_related("publication")
        .defer("text", "blocks")
        .order_by("dated_at", "pk")[:STORY_LIMIT]
    )
    words = _VERDICT_WORDS[Verdict.EVENT]
    return [Twin(other, words, _lag(article, other.dated_at)) for other in others]


def _lag(article: Article, moment: datetime) -> timedelta:
    return moment - article.dated_at
