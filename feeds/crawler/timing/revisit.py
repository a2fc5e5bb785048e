"""When a feed is visited next, and why: overlap with the last document → interval → moment.

The interval is learnt by Media Cloud's rule: a document that repeats most of the one before was
asked for too soon, one that repeats little was asked for too late. The next visit is the largest
of what was learnt and what feed, server and robots.txt ask for, clamped; every term is kept, so
that the screen can show the table and its winner. Failures lengthen the interval linearly and
never end it: feeds come back from what looks like death.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from feeds.crawler.outcomes import Outcome
from presentation.wording.times import span

DEFAULT_INTERVAL_SECONDS = 1_800  # half an hour, until a feed's rhythm is known
HIGH_OVERLAP, LOW_OVERLAP = 0.67, 0.33  # Media Cloud: nothing was missed above the lower one
STEP_UP_SECONDS, STEP_UP_QUIET_SECONDS, STEP_DOWN_SECONDS = 600, 3_600, 3_600
QUIET_DAYS = 31  # without anything new, the interval grows by the long step
ON_TIME_SECONDS = 1_200  # only a poll within 20 minutes of its plan says something about rhythm
GOOD_POLLS = 2  # in a row, before anything is learnt
MAX_RETRY_AFTER_SECONDS = 7 * 86_400  # 88 hours were seen; a year would be a mistake
MAX_FAILING_SECONDS = 30 * 86_400  # the slowest that failures alone can make a feed
# While a hub tells of a feed's news, visits only look whether it told of all: an hourly feed six
# times a day. So a hub that falls silent costs four intervals of news, and never more than a day.
TOLD_FACTOR, MOST_TOLD_SECONDS = 4, 86_400
SPREAD_SHARE = 0.1  # of the interval at most, so that clumps of due feeds dissolve

# Media Cloud's weights: 1 for what will not mend by itself, a quarter for passing troubles.
_FAILURE_WEIGHTS = {
    Outcome.NOT_A_FEED: 1.0,
    Outcome.RIGHTS_RESERVED: 1.0,
    Outcome.UNEXPECTED_TYPE: 1.0,
    Outcome.GONE: 1.0,
    Outcome.FORBIDDEN: 1.0,
    Outcome.ROBOTS_FORBID: 1.0,
    Outcome.PRIVATE_ADDRESS: 1.0,
    Outcome.BAD_URL: 1.0,
    Outcome.CHALLENGE: 1.0,
    Outcome.TOO_LARGE: 1.0,
    Outcome.TOO_MANY_REDIRECTS: 1.0,
    Outcome.REDIRECTED_TO_SECTION: 1.0,
    Outcome.CLIENT_ERROR: 1.0,
    Outcome.NOT_FOUND: 0.5,
    Outcome.RATE_LIMITED: 0.5,
    Outcome.SERVER_ERROR: 0.5,
    Outcome.DNS_ERROR: 0.5,
    Outcome.TIMEOUT: 0.5,
    Outcome.BAD_ENCODING: 0.5,
    Outcome.CONNECTION_ERROR: 0.25,
}


class TermName(StrEnum):
    """Terms of a visit, in the order of the table on the feed's page."""

    BY_HAND = "by hand"
    LEARNT = "learnt"
    TTL = "ttl"
    MAX_AGE = "max-age"
    HUB = "hub"
    RETRY_AFTER = "Retry-After"
    CRAWL_DELAY = "crawl delay"
    FAILURES = "failures"


# What stands beside a schedule by hand: wishes of the other side.
_ABOVE_LEARNING = frozenset({TermName.BY_HAND, TermName.RETRY_AFTER, TermName.CRAWL_DELAY})


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What is known of a feed's rhythm.

    ``interval_seconds`` None: nothing learnt. ``good_polls`` counts answers in a row.
    """

    interval_seconds: int | None = None
    good_polls: int = 0


@dataclass(frozen=True, slots=True)
class PollObservation:
    """What one good poll showed.

    ``n_known`` of ``n_items`` were listed before; ``is_unchanged`` covers 304 and equal bytes;
    ``late_seconds`` is how long after its plan the poll ran; ``quiet_days`` since the newest item.
    """

    n_items: int
    n_known: int
    is_unchanged: bool = False
    late_seconds: float = 0.0
    quiet_days: float = 0.0

    @property
    def overlap(self) -> float | None:
        """Share of known items, 0 to 1; None when the document lists nothing."""
        if self.is_unchanged:
            return 1.0
        return self.n_known / self.n_items if self.n_items else None


@dataclass(frozen=True, slots=True)
class VisitLimits:
    """Bounds of the interval between two visits, in seconds (settings of the site)."""

    least_seconds: float = 600.0
    most_seconds: float = 86_400.0


@dataclass(frozen=True, slots=True)
class VisitRequest:
    """What the parties ask for, in seconds; None where one says nothing.

    ``failures`` is the weighted number in a row; ``spread`` a number in [0, 1) that is the
    feed's own. Where an editor set a schedule, its moment decides, but for what server and
    robots.txt ask for. ``told_seconds`` is for how long a hub will tell of the news.
    """

    learnt_seconds: float = DEFAULT_INTERVAL_SECONDS
    learnt_from: str = "no visits yet"
    ttl_seconds: float | None = None
    max_age_seconds: float | None = None
    retry_after_seconds: float | None = None
    crawl_delay_seconds: float | None = None
    told_seconds: float | None = None
    failures: float = 0.0
    spread: float = 0.0
    by_hand_seconds: float | None = None
    by_hand_words: str = ""


@dataclass(frozen=True, slots=True)
class VisitTerm:
    """One row of the table: what it asks for, where that comes from, whether it decides."""

    name: TermName
    seconds: float
    origin: str
    decides: bool = False


@dataclass(frozen=True, slots=True)
class NextVisit:
    """The next visit: moment, the terms it was made from, and the reason in words."""

    at: datetime
    terms: tuple[VisitTerm, ...]
    reason: str


def failure_weight(outcome: Outcome) -> float:
    """Weight of a failed poll; 0 for an answer.

    Examples
    --------
    >>> failure_weight(Outcome.OK), failure_weight(Outcome.SERVER_ERROR)
    (0.0, 0.5)
    """
    return _FAILURE_WEIGHTS.get(outcome, 0.0)


def may_have_missed(previous_items: int, observation: PollObservation) -> bool:
    """Tell whether items may have come and gone between two polls: nothing overlaps."""
    return bool(previous_items and observation.n_items and observation.overlap == 0)


def missed_items(
    n_items: int, first: datetime | None, last: datetime | None, known_until: datetime | None
) -> int:
    """Estimate how many items came and went before a document that repeats nothing.

    Parameters
    ----------
    n_items
        In the document, dated from `first` to `last`.
    known_until
        Moment until which the document before told of all items.

    Returns
    -------
    int
        The gap between both documents, at the rate of the newer one; 0 where dates do not tell.

    Examples
    --------
    >>> noon = datetime(2026, 11, 20, 12)
    >>> missed_items(31, noon, noon + timedelta(hours=3), noon - timedelta(hours=2))
    20
    """
    if first is None or last is None or known_until is None or not known_until < first < last:
        return 0
    return round((n_items - 1) * ((first - known_until) / (last - first)))


def learn(rhythm: Rhythm, poll: PollObservation, limits: VisitLimits) -> Rhythm:
    """Adjust the interval by what a good poll showed.

    Parameters
    ----------
    rhythm
        What was known before the poll.
    poll
        The poll; failed ones do not come here, they reset ``good_polls`` (see `interrupted`).
    limits
        Bounds of the interval.

    Returns
    -------
    Rhythm
        With one more good poll; the interval changes only after `GOOD_POLLS` in a row, and only
        when this one ran on time.

    References
    ----------
    Media Cloud rss-fetcher, ``fetcher/tasks.py`` (auto-adjust): overlap of at least 67 % → 10
    minutes more, an hour when nothing was new for 31 days; below 33 % → an hour less, at once to
    the default when it was longer.
    """
    good_polls = rhythm.good_polls + 1
    current = rhythm.interval_seconds or DEFAULT_INTERVAL_SECONDS
    if good_polls < GOOD_POLLS or abs(poll.late_seconds) > ON_TIME_SECONDS:
        return Rhythm(rhythm.interval_seconds, good_polls)
    overlap = 1.0 if poll.overlap is None else poll.overlap  # an empty document repeats itself
    if overlap >= HIGH_OVERLAP:
        current += STEP_UP_QUIET_SECONDS if poll.quiet_days >= QUIET_DAYS else STEP_UP_SECONDS
    elif overlap < LOW_OVERLAP:
        current = min(current - STEP_DOWN_SECONDS, DEFAULT_INTERVAL_SECONDS)
    return Rhythm(round(_clamp(current, limits)), good_polls)


def interrupted(rhythm: Rhythm) -> Rhythm:
    """Keep the interval after a failed poll, and start counting good ones anew."""
    return Rhythm(rhythm.interval_seconds, 0)


def next_visit(now: datetime, request: VisitRequest, limits: VisitLimits) -> NextVisit:
    """Give the next visit with all its terms.

    Parameters
    ----------
    now
        End of the poll, with zone.
    request
        What each party asks for.
    limits
        Bounds; they hold for learnt, ttl, max-age and crawl delay. Retry-After is kept up to
        `MAX_RETRY_AFTER_SECONDS`, failures slow down to `MAX_FAILING_SECONDS`.

    Returns
    -------
    NextVisit
        ``at`` is ``now`` plus the largest term, plus a spread of at most `SPREAD_SHARE` of it
        within the limits (never after a Retry-After, which names its own moment).

    Examples
    --------
    >>> visit = next_visit(
    ...     datetime(2026, 11, 20, 14),
    ...     VisitRequest(600, "overlap 71 %", ttl_seconds=300, retry_after_seconds=1800),
    ...     VisitLimits(),
    ... )
    >>> visit.at.isoformat(), visit.reason
    ('2026-11-20T14:30:00', 'Retry-After: 30 min, asked for by the server')
    """
    terms = _terms(request, limits)
    deciding = terms
    if request.by_hand_seconds is not None:
        deciding = [term for term in terms if term.name in _ABOVE_LEARNING]
    winner = max(deciding, key=lambda term: term.seconds)
    seconds = winner.seconds
    if winner.name not in {TermName.RETRY_AFTER, TermName.BY_HAND}:
        seconds = min(seconds * (1 + SPREAD_SHARE * request.spread), _ceiling(winner, limits))
    marked = tuple(
        VisitTerm(term.name, term.seconds, term.origin, decides=term is winner) for term in terms
    )
    reason = f"{winner.name}: {span(winner.seconds)}, {winner.origin}"
    return NextVisit(now + timedelta(seconds=seconds), marked, reason)


def _terms(request: VisitRequest, limits: VisitLimits) -> list[VisitTerm]:
    learnt = _clamp(request.learnt_seconds, limits)
    terms = [VisitTerm(TermName.LEARNT, learnt, request.learnt_from)]
    if request.by_hand_seconds is not None:
        by_hand = VisitTerm(TermName.BY_HAND, request.by_hand_seconds, request.by_hand_words)
        terms.insert(0, by_hand)
    asked = (
        (TermName.TTL, request.ttl_seconds, "asked for by the feed"),
        (TermName.MAX_AGE, request.max_age_seconds, "asked for by the server's cache rules"),
        (TermName.CRAWL_DELAY, request.crawl_delay_seconds, "asked for by robots.txt"),
    )
    for name, seconds, origin in asked:
        if seconds:
            # A lower bound of our own is no wish of theirs: only the upper bound applies.
            terms.append(VisitTerm(name, min(seconds, limits.most_seconds), origin))
    if request.told_seconds:
        # Not beyond the lease: from its end on the feed is visited as is learnt.
        until = request.told_seconds / (1 + SPREAD_SHARE)
        wait = min(learnt * TOLD_FACTOR, MOST_TOLD_SECONDS, limits.most_seconds, until)
        terms.append(VisitTerm(TermName.HUB, wait, "its hub tells of news meanwhile"))
    if request.retry_after_seconds:
        wait = min(request.retry_after_seconds, MAX_RETRY_AFTER_SECONDS)
        terms.append(VisitTerm(TermName.RETRY_AFTER, wait, "asked for by the server"))
    if request.failures:
        wait = min(learnt * (1 + request.failures), MAX_FAILING_SECONDS)
        origin = f"failures in a row, weight {request.failures:g}"
        terms.append(VisitTerm(TermName.FAILURES, wait, origin))
    return terms


def _clamp(seconds: float, limits: VisitLimits) -> float:
    return max(limits.least_seconds, min(seconds, limits.most_seconds))


def _ceiling(winner: VisitTerm, limits: VisitLimits) -> float:
    return max(limits.most_seconds, winner.seconds)
