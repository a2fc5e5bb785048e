"""The limit-trial stage: another limit held against the pairs that are known, a slice a turn.

Only its own row is written. Each text is looked at as a newcomer once: what stood alone
joins when its likest pair reaches the new limit, what was joined by a pair below it is parted. That
is the first effect of a limit. The second, that texts meet other representatives then, is seen only
when the limit is in force; on 2,500 texts of the development set it is small: foretold and real are
11 and 12 joined at 0.5, 4 and 4 at 0.8; 9 and 9 parted at 1.3.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse

from dedup.models import Detection, Duplicate, ThresholdTrial, Verdict
from dedup.similarity.overlap import DUPLICATE_FROM
from dedup.similarity.resemblance import DUPLICATE_PROBABILITY
from dedup.stage import detect_methods
from dedup.stage.detect_methods import SENTENCES, SHINGLES
from dedup.stage.near_duplicates import NEAR_MISS
from dedup.stage.rows import take_turn
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import WorkQuerySet
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from presentation.wording.figures import percent

# A few statements a slice, whatever the corpus holds; texts go on between slices.
SLICE_ARTICLES = 2000
# Pairs that are kept as examples on either side.
MAX_EXAMPLES = 60
# Pairs below this part of the limit in force are not stored; nine in ten joined pairs are closer
# than the highest, up to 1.39 (certainty): a limit among them would part copies at random.
LOWEST, HIGHEST = NEAR_MISS, 1.35
# The closeness that each method gives where it is certain.
CERTAINTY = {SHINGLES: 1 / DUPLICATE_PROBABILITY, SENTENCES: 1 / DUPLICATE_FROM}


@dataclass(frozen=True, slots=True)
class _Example:
    """A pair that the limit decides otherwise; kept in JSON as [pair, closeness]."""

    pair_id: int
    closeness: float


class LimitError(ValueError):
    """Raised by `start` for a limit that cannot be tried, by `use` for a trial that is out of date.

    Its text is for the editor.
    """


@transaction.atomic
def start(limit: float, user_id: int | None, now: datetime) -> ThresholdTrial:
    """Begin to try a limit, as a share of the method's own; earlier trials are kept.

    Raises
    ------
    LimitError
        When the pairs that it would join are not stored, it is the limit in force, or another
        trial is still running: one at a time.
    """
    take_turn(now)
    method = detect_methods.current()
    low, high = bounds(method.limit)
    if not low <= limit <= high:
        raise LimitError(f"A limit from {low:.2f} to {high:.2f} can be tried.")
    if limit == method.limit:
        raise LimitError("This limit is in force.")
    running = ThresholdTrial.objects.filter(finished_at=None, quarantined_at=None).first()
    if running is not None:
        share = running.n_done / max(running.n_articles, 1)
        raise LimitError(
            f"Limit {running.limit:.2f} is being tried, {percent(share)} done: one at a time."
        )
    return ThresholdTrial.objects.create(
        limit=limit,
        limit_before=method.limit,
        method=method.name,
        asked_at=now,
        asked_by_id=user_id,
        n_articles=_detected().count(),
        due_at=now,
    )


def bounds(limit: float) -> tuple[float, float]:
    """Give the lowest and highest limit that can be tried while `limit` is in force."""
    return limit * LOWEST, HIGHEST


def use(trial: ThresholdTrial, user_id: int | None, now: datetime) -> None:
    """Put a tried limit in force; every article is detected anew.

    Raises
    ------
    LimitError
        When the trial has not ended, or another limit or method is in force by now. One that was
        put in force and taken back can be put in force again.
    """
    with transaction.atomic():
        row = ThresholdTrial.objects.select_for_update().get(pk=trial.pk)
        if row.limit == detect_methods.current().limit:
            raise LimitError("This limit has been put in force already.")
        if not is_current(row):
            raise LimitError("The trial has not ended, or the limit was changed since: try again.")
        detect_methods.set_limit(row.limit, user_id, now)
        ThresholdTrial.objects.filter(pk=row.pk).update(used_at=now)


def is_current(trial: ThresholdTrial) -> bool:
    """Whether a trial has ended and the limit it was held against is (again) in force."""
    method = detect_methods.current()
    is_same = (trial.method, trial.limit_before) == (method.name, method.limit)
    return trial.finished_at is not None and is_same


def run(limit: int, terms: Claim) -> Report:
    """Claim trials and do the next slice of each."""
    return run_each(ThresholdTrial.objects.all(), limit, terms, _try_slice)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest trials."""
    rows = ThresholdTrial.objects.select_related("asked_by").defer("joined", "parted")
    for row in rows[:JOBS_PER_KIND]:
        yield Job(
            kind="Trial of a limit for duplicates",
            subject=f"{row.limit:.2f} instead of {row.limit_before:.2f}",
            address=reverse("threshold-trial", args=[row.pk]),
            n_done=row.n_done,
            n_all=row.n_articles,
            unit="article,articles",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.asked_at,
            since=row.asked_at,
        )


def _try_slice(row: ThresholdTrial, terms: Claim) -> Report:
    """Count the next articles; a slice whose lease was lost changes nothing."""
    rows = _detected().filter(article_id__gt=row.last_article).order_by("article_id")
    ids = list(rows.values_list("article_id", flat=True)[:SLICE_ARTICLES])
    slice_ = _Slice(ids, row.limit, row.limit_before)
    slice_.count()
    is_last = len(ids) < SLICE_ARTICLES
    leases.complete(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        last_article=ids[-1] if ids else row.last_article,
        n_done=row.n_done + len(ids),
        counts=dict(Counter(row.counts) + slice_.counts),
        joined=_kept(row.joined, slice_.joined, sign=1),
        parted=_kept(row.parted, slice_.parted, sign=-1),
        finished_at=terms.now if is_last else None,
    )
    return Report(done=Counter(articles=len(ids)))


def _detected() -> "WorkQuerySet[Detection]":
    return Detection.objects.filter(detected_at__isnull=False)


def _kept(
    before: Sequence[Sequence[float]], found: Sequence[_Example], *, sign: int
) -> list[list[float]]:
    """Keep the pairs most in doubt: the least close that would join, the closest parted."""
    examples = [[example.pair_id, example.closeness] for example in found]
    everything = [*map(list, before), *examples]
    return sorted(everything, key=lambda example: (sign * example[1], example[0]))[:MAX_EXAMPLES]


class _Slice:
    """Some articles as newcomers: their pairs with articles that came before them."""

    def __init__(self, article_ids: Sequence[int], limit: float, limit_before: float) -> None:
        self.article_ids = article_ids
        self.limit = limit
        self.limit_before = limit_before
        self.counts: Counter[str] = Counter()
        self.joined: list[_Example] = []
        self.parted: list[_Example] = []

    def count(self) -> None:
        """Fill counts and examples."""
        for _, pairs in groupby(self._pairs(), key=_newcomer):
            self._count_newcomer(list(pairs))

    def _pairs(self) -> Iterator[Duplicate]:
        """Read the pairs whose later arrival is in the slice, by newcomer, the likest first."""
        if not self.article_ids:
            return
        first, last = self.article_ids[0], self.article_ids[-1]
        rows = Duplicate.objects.filter(
            Q(article__gte=first, article__lte=last, other__lt=F("article"))
            | Q(other__gte=first, other__lte=last, article__lt=F("other")),
            closeness__isnull=False,
        )
        yield from sorted(
            rows.defer("detected_at"), key=lambda pair: (_newcomer(pair), -(pair.closeness or 0.0))
        )

    def _count_newcomer(self, pairs: Sequence[Duplicate]) -> None:
        """Count one article by its pairs with earlier ones, the likest first."""
        for pair in pairs:
            self._count_judged(pair)
        if any(pair.verdict == Verdict.SAME or pair.similarity == 1.0 for pair in pairs):
            return  # an editor's word or the very same text holds it, whatever the limit
        free = [pair for pair in pairs if pair.verdict == Verdict.OPEN]
        joining = next((pair for pair in free if pair.joins), None)
        if joining is not None and _closeness(joining) < self.limit:
            self.counts["parted"] += 1
            self.parted.append(_Example(joining.pk, _closeness(joining)))
        # What is above the limit in force and yet stands apart is parted by an editor's word.
        likest = free[0] if joining is None and free else None
        if likest is not None and self.limit <= _closeness(likest) < self.limit_before:
            self.counts["joined"] += 1
            self.joined.append(_Example(likest.pk, _closeness(likest)))

    def _count_judged(self, pair: Duplicate) -> None:
        """Hold both limits against what editors said of a pair."""
        if pair.verdict == Verdict.OPEN:
            return
        is_same = pair.verdict == Verdict.SAME
        self.counts["judged"] += 1
        self.counts["right before"] += (_closeness(pair) >= self.limit_before) == is_same
        self.counts["right then"] += (_closeness(pair) >= self.limit) == is_same


def _newcomer(pair: Duplicate) -> int:
    """Name the end of a pair that arrived later."""
    return max(pair.article_id, pair.other_id)


def _closeness(pair: Duplicate) -> float:
    return pair.closeness if pair.closeness is not None else 0.0
