"""Same texts elsewhere: the articles like one article, and two of them side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from dedup.models import Detection, Duplicate, Relation, Verdict
from dedup.similarity.sentences import sentence_hashes
from extraction.models import Article
from extraction.text.sentences import split_sentences
from search.articles.reading import blocks_of

SAME_EVENT = "Same event"
# A story may hold hundreds of articles; the nearest in time are shown.
STORY_LIMIT = 50


@dataclass(frozen=True, slots=True)
class Twin:
    """An article like another one; `lag` is how much later it is (negative: earlier)."""

    article: Article
    relation: str
    similarity: float | None
    n_shared: int | None
    lag: timedelta

    @property
    def is_earlier(self) -> bool:
        return self.lag < timedelta(0)

    @property
    def distance_seconds(self) -> float:
        return abs(self.lag.total_seconds())


@dataclass(frozen=True, slots=True)
class TwinList:
    """The cluster in order of time. `is_looked_at` is False while the article waits its turn."""

    twins: tuple[Twin, ...]
    original: Article | None
    is_looked_at: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one column; `twin` is the number of the same sentence in the other."""

    number: int
    text: str
    starts_paragraph: bool
    twin: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    left: tuple[Sentence, ...]
    right: tuple[Sentence, ...]
    n_shared: int


def twin_list(article: Article) -> TwinList:
    """Articles with the same, nearly the same or shared text, and those of the same event."""
    detection = (
        Detection.objects.filter(article=article).select_related("original__publication").first()
    )
    found = {twin.article.pk: twin for twin in _pairs(article)}
    if detection and detection.story_id:
        for twin in _story(article, detection.story_id):
            found.setdefault(twin.article.pk, twin)
    original = detection.original if detection else None
    return TwinList(
        twins=tuple(sorted(found.values(), key=lambda twin: (twin.lag, twin.article.pk))),
        original=original if original and original.pk != article.pk else None,
        is_looked_at=bool(detection and detection.detected_at),
    )


def _pairs(article: Article) -> Iterator[Twin]:
    pairs = Duplicate.objects.filter(
        Q(article=article) | Q(other=article), ~Q(verdict=Verdict.DIFFERENT)
    ).select_related("article__publication", "other__publication")
    for pair in pairs:
        other = pair.other if pair.article_id == article.pk else pair.article
        relation = SAME_EVENT if pair.verdict == Verdict.EVENT else Relation(pair.relation).label
        yield Twin(other, relation, pair.similarity, pair.n_shared, _lag(article, other.dated_at))


def _story(article: Article, story_id: int) -> Iterator[Twin]:
    others = (
        Article.objects.filter(detection__story=story_id)
        .exclude(pk=article.pk)
        .select_related("publication")
        .defer("text", "blocks")
        .order_by("dated_at")[:STORY_LIMIT]
    )
    for other in others:
        yield Twin(other, SAME_EVENT, None, None, _lag(article, other.dated_at))


def _lag(article: Article, moment: datetime) -> timedelta:
    return moment - article.dated_at


def compare(left: Article, right: Article) -> Comparison:
    """Put two texts side by side; a sentence is shared when detection would count it as shared."""
    left_spans, right_spans = split_sentences(left.text), split_sentences(right.text)
    left_keys = {key.hash: key.position for key in sentence_hashes(left.text, left_spans)}
    right_keys = {key.hash: key.position for key in sentence_hashes(right.text, right_spans)}
    shared = left_keys.keys() & right_keys.keys()
    to_right = {left_keys[key]: right_keys[key] for key in shared}
    to_left = {right_keys[key]: left_keys[key] for key in shared}
    return Comparison(
        left=tuple(_sentences(left, left_spans, to_right)),
        right=tuple(_sentences(right, right_spans, to_left)),
        n_shared=len(shared),
    )


def _sentences(
    article: Article, spans: list[tuple[int, int]], twins: dict[int, int]
) -> Iterator[Sentence]:
    block_starts = {start for _, start, _ in blocks_of(article)}
    for number, (start, end) in enumerate(spans):
        yield Sentence(
            number,
            article.text[start:end].strip(),
            starts_paragraph=bool(number) and start in block_starts,
            twin=twins.get(number),
        )
