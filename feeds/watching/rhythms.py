"""What publications usually bring, learnt day by day: the one writer of their rhythms.

A day is learnt two days after it, and only once something has come after it: so a paper's silence
teaches nothing as long as it lasts, and an alarm is never forgotten by getting used to it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Max, Q, Sum

from feeds import article_flow
from feeds.crawler.timing.publishing import (
    PRIOR_ARTICLES_A_DAY,
    WINDOW,
    Expectation,
    Pattern,
    expect,
    learn,
)
from feeds.models import ArticleFlow, ArticleHour, Publication, PublicationState, PublishingRhythm
from feeds.work.row_updates import update_rows

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
LEARNT_AFTER = 2 * DAY
# Hours that are learnt still say what the last three days brought.
KEPT = 5 * DAY
# The first day brings all that the feeds list, which says nothing of a day.
FIRST_DAY = DAY
# What one look learns at most, of papers and of their days together; later looks take the rest.
# A paper costs 2.5 ms and a day 0.9 ms of processor time: so a look takes 0.5 s at 1,000 papers.
PAPERS_AT_ONCE, PAPER_DAYS_AT_ONCE = 25, 400
_COLUMNS = ("pattern", "expectation", "articles_a_day", "learnt_until", "heard_at")


class RunningPaper(NamedTuple):
    """Columns of a publication that runs, by their names; objects cost ten times that."""

    pk: int
    name: str
    slug: str
    started_at: datetime | None
    created_at: datetime
    quiet_after_days: int | None
    home_url: str
    include_pattern: str
    exclude_pattern: str


class _Rhythm(NamedTuple):
    publication_id: int
    expectation: dict[str, Any]
    articles_a_day: float
    heard_at: datetime | None


@dataclass(frozen=True, slots=True)
class Flowing:
    """A publication that runs: what it is expected to bring, against what it brought.

    `silent_since` is when its last article came, or when we began to listen, whichever is later;
    `n_stored` counts the last three days, `expected` what these usually bring.
    """

    publication: RunningPaper
    silent_since: datetime
    articles_a_day: float
    is_quiet: bool
    is_fewer: bool
    n_stored: int
    expected: float


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a publication brought, and what a newcomer is believed to bring."""

    stored_at: datetime | None
    n_stored: int
    newcomer: Expectation
    now: datetime


def flowing(now: datetime) -> list[Flowing]:
    """Judge all publications that run, in four queries."""
    publications = Publication.objects.filter(state=PublicationState.ACTIVE)
    known = PublishingRhythm.objects.values_list(*_Rhythm._fields)
    rows = {row.publication_id: row for row in map(_Rhythm._make, known)}
    stored_at = _last_stored()
    recent = _recent(now)
    newcomer = expect(Pattern(), _prior(rows.values()))
    return [
        _judge(
            row,
            rows.get(row.pk),
            _Seen(stored_at.get(row.pk), recent.get(row.pk, 0), newcomer, now),
        )
        for row in map(RunningPaper._make, publications.values_list(*RunningPaper._fields))
    ]


def _judge(publication: RunningPaper, row: _Rhythm | None, seen: _Seen) -> Flowing:
    now = seen.now
    expectation = Expectation(**row.expectation) if row and row.expectation else seen.newcomer
    begun = publication.started_at or publication.created_at
    heard_at = max(begun, (row and row.heard_at) or begun)
    since = max(heard_at, seen.stored_at or begun)
    is_whole = heard_at + FIRST_DAY <= now - WINDOW
    return Flowing(
        publication=publication,
        silent_since=since,
        articles_a_day=expectation.articles_a_day,
        is_quiet=_is_quiet(publication, expectation, since, now),
        is_fewer=is_whole and expectation.is_fewer(seen.n_stored, now - WINDOW, now),
        n_stored=seen.n_stored,
        expected=expectation.n_articles(now - WINDOW, now),
    )


def _is_quiet(
    publication: RunningPaper, expectation: Expectation, since: datetime, now: datetime
) -> bool:
    if publication.quiet_after_days is not None:
        return now - since > DAY * publication.quiet_after_days
    return expectation.is_silent(since, now)


def _last_stored() -> dict[int, datetime]:
    rows = ArticleFlow.objects.filter(stored_at__isnull=False).order_by()
    return dict(rows.values_list("publication").annotate(at=Max("stored_at")))


def _recent(now: datetime) -> dict[int, int]:
    rows = ArticleHour.objects.filter(hour__gte=now - WINDOW - HOUR).order_by()
    return dict(rows.values_list("publication").annotate(n=Sum("n_stored")))


def _prior(rows: Iterable[_Rhythm]) -> float:
    """Give what a newcomer is believed to bring: the median of those that are known."""
    known = [row.articles_a_day for row in rows if row.articles_a_day]
    return median(known) if known else PRIOR_ARTICLES_A_DAY


# --- Learning -------------------------------------------------------------------------------------


def not_heard(now: datetime, publication_ids: Collection[int] | None = None) -> None:
    """Let silence count from now on: for papers that pause, and all where nobody listened.

    `publication_ids` are those whose silence is our own: None for all.
    """
    rows = PublishingRhythm.objects.all()
    if publication_ids is not None:
        rows = rows.filter(
            Q(publication__in=publication_ids) | ~Q(publication__state=PublicationState.ACTIVE)
        )
    rows.update(heard_at=now)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Days of a publication that are over and unlearnt, from a midnight to a midnight."""

    row_id: int
    publication_id: int
    first: datetime
    until: datetime

    def shortened(self, n_days: int) -> "_Stretch":
        return replace(self, until=min(self.until, self.first + n_days * DAY))


def learn_days(now: datetime, most_days: int = PAPER_DAYS_AT_ONCE) -> int:
    """Learn days that are over, of some publications; returns how many publications.

    Those whose unlearnt days are the oldest come first and share `most_days` alike, so each gets
    its turn, and many looks learn what one would. Needs a transaction.
    """
    _add_newcomers()
    waiting = _unlearnt(_midnight(now - LEARNT_AFTER))
    turn = waiting[: min(PAPERS_AT_ONCE, most_days)]
    learning = {stretch.row_id: stretch.shortened(most_days // len(turn)) for stretch in turn}
    hours = _hours(learning.values())
    rows = list(PublishingRhythm.objects.filter(pk__in=learning).order_by("pk"))
    for row in rows:
        _learn(row, hours[row.publication_id], learning[row.pk])
    update_rows(rows, _COLUMNS)
    if waiting == list(learning.values()):
        article_flow.forget(_midnight(now - KEPT))
    return len(rows)


def _unlearnt(last_day: datetime) -> list[_Stretch]:
    """Give what is to be learnt before a day, the oldest first."""
    stored_at = _last_stored()
    rows = (
        PublishingRhythm.objects.filter(publication__in=stored_at)
        .filter(Q(learnt_until=None) | Q(learnt_until__lt=last_day))
        .select_related("publication")
        .only("learnt_until", "heard_at", "publication__started_at", "publication__created_at")
    )
    found = [
        _Stretch(
            row.pk,
            row.publication_id,
            _first_day(row),
            min(last_day, _midnight(stored_at[row.publication_id]) + DAY),
        )
        for row in rows
    ]
    return sorted(
        (stretch for stretch in found if stretch.first < stretch.until),
        key=lambda stretch: (stretch.first, stretch.row_id),
    )


def _add_newcomers() -> None:
    known = PublishingRhythm.objects.values("publication")
    unknown = Publication.objects.filter(state=PublicationState.ACTIVE).exclude(pk__in=known)
    PublishingRhythm.objects.bulk_create(
        [PublishingRhythm(publication_id=pk) for pk in unknown.values_list("pk", flat=True)],
        ignore_conflicts=True,
    )


def _first_day(row: PublishingRhythm) -> datetime:
    """Give the first day that is to be learnt: a whole one, in which we listened."""
    begun = row.publication.started_at or row.publication.created_at
    first = row.learnt_until or _midnight(begun + FIRST_DAY) + DAY
    return max(first, _midnight(row.heard_at) + DAY) if row.heard_at else first


def _learn(row: PublishingRhythm, hours: dict[datetime, int], days: _Stretch) -> None:
    pattern, first = Pattern.of_stored(row.pattern), days.first
    if row.learnt_until is not None and first > row.learnt_until:
        pattern = pattern.after_break()
    while first < days.until:
        pattern = learn(pattern, first, [hours.get(first + n * HOUR, 0) for n in range(24)])
        first += DAY
    row.pattern, row.learnt_until = pattern.stored(), first
    expectation = expect(pattern)
    row.expectation, row.articles_a_day = expectation.stored(), expectation.articles_a_day


def _hours(learning: Iterable[_Stretch]) -> dict[int, dict[datetime, int]]:
    """Read what came in the hours of these days, by publication; of no other hours."""
    found: dict[int, dict[datetime, int]] = defaultdict(dict)
    is_asked = Q(pk__in=[])
    for days in learning:
        is_asked |= Q(publication=days.publication_id, hour__gte=days.first, hour__lt=days.until)
    rows = ArticleHour.objects.filter(is_asked).order_by()
    for publication_id, hour, n in rows.values_list("publication", "hour", "n_stored"):
        found[publication_id][hour] = n
    return found


def _midnight(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
