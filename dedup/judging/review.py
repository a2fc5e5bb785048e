"""What editors have still to look at, how far they are, and whether two of them agree.

The queue holds the pairs whose closeness is near the limit in force: those the method may get
wrong. Read only; `judgements` writes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Abs

from dedup.models import Decision, Detection, Duplicate, Judgement, Verdict
from dedup.similarity.agreement import Agreement, agreement
from dedup.stage import detect_methods
from dedup.stage.near_duplicates import NEAR_MISS
from dedup.stage.texts import ends_of

# In closeness over the limit in force: from the lowest pairs that are stored. On the development
# set 13 of the method's 18 wrong decisions lie in this band, with 55 of its 2,152 best candidates;
# up to 1.35 there is 1 more with 47 pairs, and above lie the thousand of which it is certain.
DOUBTFUL_FROM, DOUBTFUL_TO = NEAR_MISS, 1.25
# The queue's length: more than an editor does in a day, and cheap to order.
QUEUE_LIMIT = 500

# Joined whatever the limit; a high one comes near their closeness.
_IS_VERBATIM = Q(article__text_digest=F("other__text_digest")) & ~Q(article__text_digest="")

Ends = frozenset[int]


@dataclass(frozen=True, slots=True)
class QueuedPair:
    """A pair to be looked at, with the number of texts in the larger of its clusters."""

    pair: Duplicate
    n_texts: int


@dataclass(frozen=True, slots=True)
class LastDecision:
    """What a user decided last, and the first pair of it, if that is still there."""

    decision: Decision
    pair: Duplicate | None


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Doubtful pairs that were judged, and all of them."""

    n_judged: int
    n_pairs: int


class Review:
    """The review as it stands at one moment, under the limit in force."""

    def __init__(self) -> None:
        self.limit = detect_methods.current().limit

    def queue(self) -> list[QueuedPair]:
        """Pairs that nobody has judged: of the largest clusters first, then the most doubtful."""
        doubt = Abs(F("closeness") - self.limit)
        pairs = self._doubtful().filter(verdict=Verdict.OPEN).order_by(doubt, "pk")
        return self._in_order(with_articles(pairs)[:QUEUE_LIMIT])

    def second_readings(self, user_id: int | None) -> list[QueuedPair]:
        """Pairs that one other reader has judged, for a second one who does not see the verdict."""
        ends = {
            both
            for both, by_user in _readings().items()
            if len(by_user) == 1 and user_id not in by_user
        }
        newest = sorted(ends, key=max)[-QUEUE_LIMIT:]
        articles = {article_id for both in newest for article_id in both}
        pairs = with_articles(Duplicate.objects.filter(article__in=articles, other__in=articles))
        return self._in_order(pair for pair in pairs if ends_of(pair) in ends)

    def progress(self) -> ReviewProgress:
        """How many of the doubtful pairs have a verdict."""
        counts = self._doubtful().aggregate(
            n_pairs=Count("*"), n_judged=Count("pk", filter=~Q(verdict=Verdict.OPEN))
        )
        return ReviewProgress(counts["n_judged"], counts["n_pairs"])

    def queued(self, pair: Duplicate) -> QueuedPair:
        """Say of one pair what the queue says of its own."""
        return self._in_order([pair])[0]

    def _doubtful(self) -> "QuerySet[Duplicate]":
        near = Duplicate.objects.filter(
            closeness__gte=DOUBTFUL_FROM * self.limit, closeness__lt=DOUBTFUL_TO * self.limit
        )
        return near.exclude(_IS_VERBATIM)

    def _in_order(self, pairs: Iterable[Duplicate]) -> list[QueuedPair]:
        found = list(pairs)
        sizes = _cluster_sizes({end for pair in found for end in ends_of(pair)})
        queued = [QueuedPair(pair, max(sizes[end] for end in ends_of(pair))) for pair in found]
        return sorted(queued, key=lambda one: (-one.n_texts, self._doubt(one.pair), one.pair.pk))

    def _doubt(self, pair: Duplicate) -> float:
        """Distance from the limit: least where the method might as well have said the other."""
        return abs((pair.closeness or 0.0) - self.limit)


def pair_with_articles(pair_id: int) -> Duplicate | None:
    """Read a pair as the queue has it; None when it is gone."""
    return with_articles(Duplicate.objects.filter(pk=pair_id)).first()


def pair_name(pair: Duplicate) -> str:
    """Name a pair by its articles: its row is another one after each detection."""
    return f"{pair.article_id}-{pair.other_id}"


def pair_between(first_id: int, second_id: int) -> Duplicate | None:
    """Read the pair of two articles as the queue has it, whichever is the later one."""
    ends = (first_id, second_id)
    pairs = Duplicate.objects.filter(article__in=ends, other__in=ends)
    return with_articles(pairs).first()


def are_compared_again(article_ids: Collection[int]) -> bool:
    """Whether all of some articles are in the corpus and one of them waits to be detected."""
    rows = Detection.objects.filter(article__in=article_ids, article__in_corpus=True)
    due = list(rows.values_list("due_at", flat=True))
    return len(due) == len(article_ids) and any(due_at is not None for due_at in due)


def agreement_of_readers() -> Agreement:
    """Hold against each other what the first two readers of a pair said last."""
    answers = [list(by_user.values())[:2] for by_user in _readings().values() if len(by_user) > 1]
    return agreement([(first, second) for first, second in answers])


def last_decision(user_id: int | None) -> LastDecision | None:
    """Give what a user decided last and has not taken back: what "undo" would undo."""
    if user_id is None:
        return None
    decision = Decision.objects.filter(by=user_id, undone_at=None).select_related("article").first()
    if decision is None:
        return None
    judgement = decision.judgements.first()
    if judgement is None:
        return LastDecision(decision, None)
    pairs = Duplicate.objects.filter(article=judgement.article_id, other=judgement.other_id)
    return LastDecision(decision, pairs.first())


def reading_of(pair: Duplicate, user_id: int | None) -> str:
    """Say what a user said last of a pair; empty for nothing."""
    return _readings(pair).get(ends_of(pair), {}).get(user_id, "")


def _readings(pair: Duplicate | None = None) -> dict[Ends, dict[int | None, str]]:
    """For each judged pair what each user said of it last, users in order of their first word."""
    rows = Judgement.objects.filter(decision__undone_at=None, decision__by__isnull=False)
    if pair is not None:
        rows = rows.filter(article=pair.article_id, other=pair.other_id)
    found: dict[Ends, dict[int | None, str]] = defaultdict(dict)
    values = rows.order_by("pk").values_list("article_id", "other_id", "decision__by", "verdict")
    for article_id, other_id, user_id, verdict in values:
        found[frozenset((article_id, other_id))][user_id] = verdict
    said = {
        both: {user: word for user, word in by_user.items() if word != Verdict.OPEN}
        for both, by_user in found.items()
    }
    return {both: by_user for both, by_user in said.items() if by_user}


def with_articles(pairs: "QuerySet[Duplicate]") -> "QuerySet[Duplicate]":
    """Read pairs with all that a list shows of their articles, but not the texts.

    Pairs of withdrawn texts are left out.
    """
    shown = pairs.filter(article__withdrawn_at=None, other__withdrawn_at=None)
    return shown.select_related("article__publication", "other__publication").defer(
        "article__text", "article__blocks", "other__text", "other__blocks"
    )


def _cluster_sizes(article_ids: Collection[int]) -> dict[int, int]:
    """Count the texts in each article's cluster; 1 for those that were not detected."""
    originals = dict(
        Detection.objects.filter(article__in=article_ids).values_list("article_id", "original_id")
    )
    counted = dict(
        Detection.objects.filter(original__in=set(originals.values()) - {None})
        .values_list("original_id")
        .annotate(n=Count("*"))
    )
    return {key: counted.get(originals.get(key), 1) for key in article_ids}
