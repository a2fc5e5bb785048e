"""Days, ISO weeks, months and years as numbers that can be counted by.

A day is its number since 1970-01-01; a period is its number in its unit.
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from presentation.wording.times import day as day_words
from presentation.wording.times import month as month_words
from search.engine.index.documents import UNIX_EPOCH

I64 = npt.NDArray[np.int64]

_TO_MONDAY = 3  # 1970-01-01 was a Thursday: its week began three days before
_YEAR_ZERO = 1970


class Unit(StrEnum):
    """Length of a period; weeks are those of ISO 8601, from Monday on."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


def period_numbers(days: npt.ArrayLike, unit: Unit) -> I64:
    """Return the number of the period that each day lies in.

    Examples
    --------
    >>> period_numbers([0, 3, 4, 31, 365], Unit.WEEK).tolist()
    [0, 0, 1, 4, 52]
    >>> period_numbers([0, 30, 31, 365], Unit.MONTH).tolist()
    [0, 0, 1, 12]
    """
    numbers = np.asarray(days, dtype=np.int64)
    if unit is Unit.DAY:
        return numbers
    if unit is Unit.WEEK:
        return (numbers + _TO_MONDAY) // 7
    calendar = numbers.astype("datetime64[D]")
    return calendar.astype("datetime64[M]" if unit is Unit.MONTH else "datetime64[Y]").astype(
        np.int64
    )


def first_days(numbers: npt.ArrayLike, unit: Unit) -> I64:
    """Return the first day of each period."""
    periods = np.asarray(numbers, dtype=np.int64)
    if unit is Unit.DAY:
        return periods
    if unit is Unit.WEEK:
        return periods * 7 - _TO_MONDAY
    calendar = periods.astype("datetime64[M]" if unit is Unit.MONTH else "datetime64[Y]")
    return calendar.astype("datetime64[D]").astype(np.int64)


def day_of(number: int) -> dt.date:
    """Return the day of a number."""
    return UNIX_EPOCH + dt.timedelta(days=number)


def period_name(number: int, unit: Unit) -> str:
    """Write a period: `20 Nov 2026`, `2026-W47`, `Nov 2026`, `2026`."""
    if unit is Unit.YEAR:
        return str(_YEAR_ZERO + number)
    day = day_of(int(first_days(number, unit)))
    if unit is Unit.WEEK:
        year, week, _ = day.isocalendar()
        return f"{year}-W{week:02}"
    return month_words(day) if unit is Unit.MONTH else day_words(day)


@dataclass(frozen=True)
class Periods:
    """All periods from one day to another, both inclusive; the outer ones are cut to those days."""

    unit: Unit
    first_day: int
    last_day: int

    @cached_property
    def numbers(self) -> I64:
        """Numbers of the periods; none when the last day lies before the first."""
        if self.last_day < self.first_day:
            return np.empty(0, dtype=np.int64)
        first, last = period_numbers([self.first_day, self.last_day], self.unit).tolist()
        return np.arange(first, last + 1)

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the periods."""
        return tuple(period_name(number, self.unit) for number in self.numbers.tolist())

    def days(self, index: int) -> tuple[int, int]:
        """Return the first and last day of a period within the span."""
        number = int(self.numbers[index])
        first, after = first_days([number, number + 1], self.unit).tolist()
        return max(first, self.first_day), min(after - 1, self.last_day)

    def sums(self, by_day: npt.NDArray[np.integer]) -> I64:
        """Add up values by day of the span: shape (..., n_days) → (..., n_periods)."""
        starts = first_days(self.numbers, self.unit) - self.first_day
        if not len(starts):
            return np.zeros((*by_day.shape[:-1], 0), dtype=np.int64)
        return np.add.reduceat(by_day, np.maximum(0, starts), axis=-1, dtype=np.int64)
