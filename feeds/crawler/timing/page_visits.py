"""At which ages an article's page is visited again, and what visits at these ages have found.

The plan begins with four ages after publication: four hours, a day, a week, a month. That changes
thin out with age is assumed for a newcomer only: so the ages stand some factor apart, not some
time. Per publication and age it is counted how many visits found another text; an age is left out
where that is hardly ever so, and a finer age is added before one that finds much.

The share of visits that find a change is the posterior mean under a Beta prior, for the bare
quotient is 0 or 1 after a single visit (Cho and Garcia-Molina, Estimating frequency of change, ACM
TOIT 3, 2003, smooth it for the same reason). The prior is one change in ten visits with the weight
of ten visits: a newcomer is visited at all four ages until forty visits have found nothing.
Of an age that is left out one page in ten is visited all the same, so that a publication which
begins to correct its texts is noticed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class VisitAge:
    """An age in hours and in words; a finer one stands before the age that it is added for."""

    hours: int
    words: str
    is_finer: bool = False


AGES = (
    VisitAge(1, "an hour", is_finer=True),
    VisitAge(4, "four hours"),
    VisitAge(12, "half a day", is_finer=True),
    VisitAge(24, "a day"),
    VisitAge(72, "three days", is_finer=True),
    VisitAge(168, "a week"),
    VisitAge(336, "two weeks", is_finer=True),
    VisitAge(720, "a month"),
)
LAST_AGE = HOUR * AGES[-1].hours
# One change in ten visits, believed as much as ten visits are.
PRIOR_SHARE, PRIOR_VISITS = 0.1, 10.0
# An age that finds less is left out: fifty requests for one change. A newcomer gets there by forty
# visits without any.
LEAST_SHARE = 0.02
# An age that finds this much has missed states of a text in between: the finer age halves the gap.
# The finer one stays while it finds half of that itself.
MUCH_SHARE = 0.2
# Of an age that is left out, this share of the pages is visited all the same.
SAMPLE_SHARE = 0.1
# A visit this close to the last one would tell nothing new: part of the age that it is planned for.
LEAST_GAP_SHARE = 0.25
# Visits of pages that were published together are spread over this part of their age.
SPREAD_SHARE = 0.1
# What was found fades: so many visits are remembered.
MEMORY_VISITS = 200


@dataclass(frozen=True, slots=True)
class Found:
    """Visits at one age, and those of them that found a changed text; newer ones count for more."""

    n_visits: float = 0.0
    n_changed: float = 0.0

    def share(self, prior_share: float = PRIOR_SHARE) -> float:
        """Share of visits that find a change, 0 to 1, as far as it is known.

        Examples
        --------
        >>> Found().share(), Found(40, 0).share()
        (0.1, 0.02)
        """
        return (self.n_changed + prior_share * PRIOR_VISITS) / (self.n_visits + PRIOR_VISITS)

    def after(self, n_visits: int, n_changed: int) -> "Found":
        """Add findings; earlier ones fade, so that some `MEMORY_VISITS` are remembered."""
        kept = fading(n_visits)
        return Found(self.n_visits * kept + n_visits, self.n_changed * kept + n_changed)


@dataclass(frozen=True, slots=True)
class PageLife:
    """What the plan knows of a page: its moments and two numbers in [0, 1) that are its own.

    ``spread`` moves its visits within their ages, ``lot`` decides whether it is one of a sample.
    ``open_until``: it takes readers' comments and is looked at daily until then.
    """

    published_at: datetime
    now: datetime
    spread: float = 0.0
    lot: float = 0.5
    open_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlannedVisit:
    """The next visit to a page: when, and why in words."""

    at: datetime
    reason: str


_NOTHING = Found()
_DAILY = timedelta(days=1)


def fading(n_visits: int) -> float:
    """Factor that is left of earlier findings after so many more visits."""
    return (1 - 1 / MEMORY_VISITS) ** n_visits


def age_of(age: timedelta) -> VisitAge | None:
    """Give the age as which a visit counts: the nearest by ratio; None long after the last.

    Examples
    --------
    >>> age_of(timedelta(hours=30)).words, age_of(timedelta(days=90))
    ('a day', None)
    """
    if age > LAST_AGE * 2:
        return None
    hours = max(age / HOUR, 0.1)
    return min(AGES, key=lambda known: abs(log(known.hours / hours)))


def ages_visited(found: Mapping[int, Found]) -> tuple[VisitAge, ...]:
    """List the ages at which each page of a publication is visited; `found` is by hours."""
    return tuple(age for age, is_visited in _judged(found) if is_visited)


def _judged(found: Mapping[int, Found]) -> Iterator[tuple[VisitAge, bool]]:
    """Say of every age whether it is visited: a finer one by the age that it stands before."""
    for age, following in zip(AGES, (*AGES[1:], None), strict=True):
        own = found.get(age.hours, _NOTHING)
        if not age.is_finer or following is None:
            yield age, own.share() > LEAST_SHARE
        else:
            # Of what the coarser age finds, half falls before the middle: the finer one's prior.
            expected = found.get(following.hours, _NOTHING).share() / 2
            yield age, own.share(expected) >= MUCH_SHARE / 2


def next_visit(page: PageLife, found: Mapping[int, Found]) -> PlannedVisit | None:
    """Give the next visit to a page; None when it is older than the last age.

    Parameters
    ----------
    page
        Moments of the page; `published_at` is the feed's date, else when it was found.
    found
        What visits found at its publication, by hours of the age.

    Returns
    -------
    PlannedVisit or None
        At the first age that is visited and not too close; for a page that is open to comments
        within a day.

    Examples
    --------
    >>> noon = datetime(2026, 11, 20, 12)
    >>> next_visit(PageLife(noon, noon), {}).at.isoformat()
    '2026-11-20T16:00:00'
    """
    planned = _by_age(page, found)
    if page.open_until is None or page.open_until <= page.now:
        return planned
    look = PlannedVisit(page.now + _DAILY, "planned: readers comment on the page, so daily")
    return look if planned is None or look.at < planned.at else planned


def _by_age(page: PageLife, found: Mapping[int, Found]) -> PlannedVisit | None:
    for age, is_visited in _judged(found):
        length = HOUR * age.hours
        at = page.published_at + length * (1 + SPREAD_SHARE * page.spread)
        if at - page.now < length * LEAST_GAP_SHARE:
            continue
        own = found.get(age.hours, _NOTHING)
        if is_visited:
            return PlannedVisit(at, f"planned: {age.words} after publication, {_experience(own)}")
        if not age.is_finer and page.lot < SAMPLE_SHARE:
            words = f"planned: {age.words} after publication, one page in ten as a sample"
            return PlannedVisit(at, f"{words}: {_experience(own)}")
    return None


def _experience(own: Found) -> str:
    if own.n_visits < 1:
        return "no visit at this age is known yet"
    n = round(own.n_visits)
    if n == 1:
        return f"where the last visit found {'a change' if own.n_changed >= 0.5 else 'no change'}"
    return (
        f"where {round(100 * own.n_changed / own.n_visits)} % of the last {n} visits found a change"
    )
