"""What a paper usually brings by hour of the week, and when its silence is no accident.

Each hour of the week has a faded count of articles, of the weeks in which it brought any, and of
the weeks in which we listened. A rate is shrunk to the product of its weekday's and its hour's, as
168 separate counts say little after a month (empirical Bayes with Gamma priors; Gelman et al.,
Bayesian Data Analysis, 2.6); a newcomer's are shrunk to a prior.

Silence is measured in surprise: the sum of -log(1 - p) over the hours that went by, where p is how
often such an hour brings anything. So nights, weekends and the six days of a weekly say nothing,
and articles that come together count once. It rings above what chance gives once in ten years of
hours, above a whole day of the paper's busiest (a holiday), and above half as much again as
the longest silence that has ended by itself (Christmas, next year).

Fewer articles than usual: the lower tail of a negative binomial over three days, whose scatter is
learnt from the days before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from math import exp, lgamma, log
from typing import Any

HOUR = timedelta(hours=1)
_DAY_HOURS, _WEEK_HOURS = 24, 168
# A week counts half after eight: long enough for weeklies, short enough for a new schedule.
_FADING = 0.5 ** (1 / 8)
# What the priors weigh: days of the whole rate, weeks of a weekday, articles of the hours of a
# day, weeks of an hour.
_RATE_DAYS, _WEEKDAY_WEEKS, _HOUR_ARTICLES, _SLOT_WEEKS = 2.0, 0.5, 5.0, 1.0
# Neighbouring hours lend each other part of their counts: editors are not that punctual.
_KERNEL = (1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9)
# What is usual is known after two weeks; before, silence is judged by the days below.
KNOWN_AFTER_DAYS = 14
NEWCOMERS_QUIET = timedelta(days=7)
# Of a newcomer nobody knows anything of: the median of the papers of the evaluation data.
PRIOR_ARTICLES_A_DAY = 10.0
_CHANCE_A_YEAR = 0.1
_HOLIDAY_SHARE, _LONGEST_SHARE = 1.2, 1.5
# The longest silence counts half after half a year: Christmas is still known at the next one.
_LONGEST_FADING = 0.5 ** (1 / 180)
WINDOW = timedelta(days=3)
_FEWER_SHARE, _FEWER_CHANCE, _LEAST_EXPECTED = 0.4, 1e-6, 10.0
_SCATTER_SHARE, _FIRST_SCATTER, _MOST_SCATTER = 0.05, 3.0, 50.0
# An hour that brings more than some days do is a backlog, not a habit.
_MOST_DAYS_AN_HOUR, _ALWAYS_TAKEN = 3.0, 20.0


# Digits of what is learnt: as they are stored, so that it is the same whenever it is stored.
_DIGITS = 3
_SEQUENCES = ("counts", "active", "heard", "days")


@dataclass(frozen=True, slots=True)
class Pattern:
    """What was learnt of one paper; sequences are by hour of the week, Monday 0:00 UTC first.

    Attributes
    ----------
    counts, active, heard
        Articles; weeks in which the hour brought any; weeks in which we listened. All faded.
    days
        Weeks in which the weekday brought any, faded.
    n_days
        Days learnt in all.
    longest
        The longest silence that ended by itself, in surprise; it fades.
    scatter
        Variance of a day's articles over their expectation.
    last_at
        The last hour that brought any; None where the silence since then is not to be learnt.
    """

    counts: tuple[float, ...] = (0.0,) * _WEEK_HOURS
    active: tuple[float, ...] = (0.0,) * _WEEK_HOURS
    heard: tuple[float, ...] = (0.0,) * _WEEK_HOURS
    days: tuple[float, ...] = (0.0,) * 7
    n_days: int = 0
    longest: float = 0.0
    scatter: float = _FIRST_SCATTER
    last_at: datetime | None = None

    @property
    def is_known(self) -> bool:
        return self.n_days >= KNOWN_AFTER_DAYS

    def after_break(self) -> "Pattern":
        """Give the pattern of a paper that nobody listened to for a while."""
        return replace(self, last_at=None)

    def stored(self) -> dict[str, Any]:
        """Give the values for a JSON column."""
        values = asdict(self)
        for name in _SEQUENCES:
            values[name] = list(values[name])
        return values | {"last_at": self.last_at.isoformat() if self.last_at else None}

    @classmethod
    def of_stored(cls, values: Mapping[str, Any]) -> "Pattern":
        """Read what `stored` gave; an empty mapping is a newcomer."""
        known = dict(values)
        for name in _SEQUENCES:
            if name in known:
                known[name] = tuple(known[name])
        if known.get("last_at"):
            known["last_at"] = datetime.fromisoformat(known["last_at"])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a pattern lets expect, by hours and fractions of them.

    Attributes
    ----------
    limit
        The surprise at which silence is no accident.
    articles, surprises
        Sums of the hours of a week from Monday 0:00 UTC on, beginning with 0.
    """

    articles_a_day: float
    limit: float
    scatter: float
    is_known: bool
    articles: tuple[float, ...]
    surprises: tuple[float, ...]

    def stored(self) -> dict[str, Any]:
        """Give the values for a JSON column."""
        values = asdict(self)
        for name in ("articles", "surprises"):
            values[name] = [round(value, _DIGITS) for value in values[name]]
        return values

    def n_articles(self, since: datetime, until: datetime) -> float:
        """Give the number of articles to be expected."""
        return _between(self.articles, since, until)

    def surprise(self, since: datetime, until: datetime) -> float:
        """Give -log of the chance that nothing comes."""
        return _between(self.surprises, since, until)

    def is_silent(self, since: datetime, now: datetime) -> bool:
        """Whether nothing since a moment is more than the paper's own pattern explains."""
        if not self.is_known:
            return now - since > NEWCOMERS_QUIET
        return self.surprise(since, now) > self.limit

    def is_fewer(self, n_stored: int, since: datetime, until: datetime) -> bool:
        """Whether so few articles in a stretch of time are no accident; none at all is silence."""
        if not self.is_known:
            return False
        expected = self.n_articles(since, until)
        if expected < _LEAST_EXPECTED or not 0 < n_stored < _FEWER_SHARE * expected:
            return False
        return _lower_tail(n_stored, expected, self.scatter) < _FEWER_CHANCE


def expect(pattern: Pattern, prior: float = PRIOR_ARTICLES_A_DAY) -> Expectation:
    """Say what a pattern lets expect; `prior` is the articles a day of papers like this one."""
    surprises = _surprises(pattern, min(prior, PRIOR_ARTICLES_A_DAY))
    by_day = [sum(surprises[n : n + _DAY_HOURS]) for n in range(0, _WEEK_HOURS, _DAY_HOURS)]
    active_a_year = 365 * _rate(pattern.active, pattern.heard, 1.0)
    chance = log(max(active_a_year, 1.0) / _CHANCE_A_YEAR)
    return Expectation(
        articles_a_day=_rate(pattern.counts, pattern.heard, prior),
        limit=max(chance, _HOLIDAY_SHARE * max(by_day), _LONGEST_SHARE * pattern.longest),
        scatter=pattern.scatter,
        is_known=pattern.is_known,
        articles=(0.0, *accumulate(_rates(pattern.counts, pattern.heard, prior))),
        surprises=(0.0, *accumulate(surprises)),
    )


def learn(pattern: Pattern, first: datetime, counts: Sequence[int]) -> Pattern:
    """Add the 24 hours of a day that begins at `first`, in UTC.

    Examples
    --------
    >>> monday = datetime(2026, 11, 16)
    >>> learn(Pattern(), monday, [0] * 12 + [4] + [0] * 11).counts[11:14]
    (0.0, 4.0, 0.0)
    """
    expectation = expect(pattern)
    most = max(_ALWAYS_TAKEN, _MOST_DAYS_AN_HOUR * expectation.articles_a_day)
    sums, active, heard = list(pattern.counts), list(pattern.active), list(pattern.heard)
    longest, last_at = pattern.longest * _LONGEST_FADING, pattern.last_at
    days = list(pattern.days)
    days[first.weekday()] = _faded(days[first.weekday()], any(counts))
    for place, n in enumerate(counts):
        at = first + place * HOUR
        slot = _slot(at)
        sums[slot] = _faded(sums[slot], min(n, most))
        active[slot] = _faded(active[slot], n > 0)
        heard[slot] = _faded(heard[slot], 1)
        if n:
            if pattern.is_known and last_at is not None:
                longest = max(longest, expectation.surprise(last_at + HOUR, at))
            last_at = at
    return replace(
        pattern,
        counts=tuple(sums),
        active=tuple(active),
        heard=tuple(heard),
        days=tuple(days),
        n_days=pattern.n_days + 1,
        longest=longest,
        scatter=_scatter(pattern, expectation.n_articles(first, first + _DAY_HOURS * HOUR), counts),
        last_at=last_at,
    )


def _faded(count: float, more: float) -> float:
    """Add what a week brought to a count that fades."""
    return round(count * _FADING + more, _DIGITS)


def _scatter(pattern: Pattern, expected: float, counts: Sequence[int]) -> float:
    if not pattern.is_known:
        return pattern.scatter
    seen = (sum(counts) - expected) ** 2 / max(expected, 1.0)
    mixed = pattern.scatter + _SCATTER_SHARE * (min(seen, _MOST_SCATTER) - pattern.scatter)
    return max(mixed, 1.0)


def _slot(moment: datetime) -> int:
    return moment.weekday() * _DAY_HOURS + moment.hour


def _between(steps: Sequence[float], since: datetime, until: datetime) -> float:
    """Integrate hourly values, given as sums from Monday on, over a stretch of time."""
    if until <= since:
        return 0.0
    weeks, rest = divmod(until - since, timedelta(days=7))
    first = _place(since)
    last = first + rest / HOUR
    whole = weeks * steps[-1]
    if last > _WEEK_HOURS:
        return whole + steps[-1] - _at(steps, first) + _at(steps, last - _WEEK_HOURS)
    return whole + _at(steps, last) - _at(steps, first)


def _place(moment: datetime) -> float:
    return _slot(moment) + (moment.minute * 60 + moment.second) / 3600


def _at(steps: Sequence[float], place: float) -> float:
    whole = min(int(place), _WEEK_HOURS - 1)
    return steps[whole] + (place - whole) * (steps[whole + 1] - steps[whole])


def _rate(counts: Sequence[float], heard: Sequence[float], prior: float) -> float:
    """Give the articles a day, a newcomer's shrunk to the prior."""
    return (sum(counts) + prior * _RATE_DAYS) / (sum(heard) / _DAY_HOURS + _RATE_DAYS)


def _rates(counts: Sequence[float], heard: Sequence[float], prior: float) -> list[float]:
    """Shrink each hour of the week to the product of its weekday and its hour of the day."""
    a_day = _rate(counts, heard, prior)
    smooth = _smooth(counts)
    by_hour = [sum(smooth[hour::_DAY_HOURS]) for hour in range(_DAY_HOURS)]
    n = sum(by_hour)
    shares = [(count + _HOUR_ARTICLES / _DAY_HOURS) / (n + _HOUR_ARTICLES) for count in by_hour]
    rates = []
    for day in range(0, _WEEK_HOURS, _DAY_HOURS):
        weeks = sum(heard[day : day + _DAY_HOURS]) / _DAY_HOURS
        total = sum(counts[day : day + _DAY_HOURS]) + _WEEKDAY_WEEKS * a_day
        of_day = total / (weeks + _WEEKDAY_WEEKS)
        for hour in range(_DAY_HOURS):
            slot = day + hour
            expected = smooth[slot] + _SLOT_WEEKS * of_day * shares[hour]
            rates.append(expected / (heard[slot] + _SLOT_WEEKS))
    return rates


def _smooth(counts: Sequence[float]) -> list[float]:
    """Spread counts over the neighbouring hours of the same day."""
    reach = len(_KERNEL) // 2
    found = [0.0] * _WEEK_HOURS
    for slot, count in enumerate(counts):
        if count:
            day = slot - slot % _DAY_HOURS
            for step, weight in enumerate(_KERNEL, -reach):
                near = min(max(slot + step, day), day + _DAY_HOURS - 1)
                found[near] += weight * count
    return found


def _surprises(pattern: Pattern, prior: float) -> list[float]:
    """Give -log(1 - p) of each hour; a day that always brings something says so as a whole too."""
    chances = _rates(pattern.active, pattern.heard, prior)
    found: list[float] = []
    for day in range(0, _WEEK_HOURS, _DAY_HOURS):
        weeks = sum(pattern.heard[day : day + _DAY_HOURS]) / _DAY_HOURS
        most = (weeks + 0.5) / (weeks + 1)
        hours = [-log(1 - min(chance, most)) for chance in chances[day : day + _DAY_HOURS]]
        whole = -log(1 - min(pattern.days[day // _DAY_HOURS] / (weeks + 0.5), most))
        scale = max(1.0, whole / max(sum(hours), 1e-9))
        found += [scale * hour for hour in hours]
    return found


def _lower_tail(n: int, mean: float, scatter: float) -> float:
    """Chance of `n` or fewer under a negative binomial with variance `scatter` times its mean."""
    if scatter <= 1.001:
        terms = (exp(k * log(mean) - mean - lgamma(k + 1)) for k in range(n + 1))
        return sum(terms)
    size = mean / (scatter - 1)
    common = size * log(1 / scatter) - lgamma(size)
    return sum(
        exp(common + lgamma(k + size) - lgamma(k + 1) + k * log(1 - 1 / scatter))
        for k in range(n + 1)
    )
