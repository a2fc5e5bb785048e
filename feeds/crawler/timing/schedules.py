"""When an editor wants a feed visited: every so many minutes, or at times of the day, on some days.

Moments are those of the publication's clock; where a time does not exist on a day (the clock was
put forward), the visit comes an hour later by the clock.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from presentation.wording.times import span

LEAST_MINUTES = 1
MOST_MINUTES = 7 * 24 * 60  # a week; rarer is what days of the week are for
MOST_TIMES = 48  # every half hour, written out
_DAYS_A_WEEK = 7
DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_TIME = re.compile(r"([01]?\d|2[0-3])[:.h]([0-5]\d)")


class BadScheduleError(ValueError):
    """Raised with a sentence for the form."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every so many minutes, or at these times; `days` from 0 for Monday, empty for every day."""

    every_minutes: int | None = None
    times: tuple[time, ...] = ()
    days: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if (self.every_minutes is None) is not bool(self.times):
            raise BadScheduleError("Give either minutes or times of the day.")
        minutes = self.every_minutes
        if minutes is not None and not LEAST_MINUTES <= minutes <= MOST_MINUTES:
            raise BadScheduleError(f"Between {LEAST_MINUTES} and {MOST_MINUTES} minutes.")
        if len(self.times) > MOST_TIMES:
            raise BadScheduleError(f"At most {MOST_TIMES} times of the day.")
        if not self.days <= set(range(_DAYS_A_WEEK)):
            raise BadScheduleError("Days of the week go from 0 to 6.")

    def next_after(self, now: datetime, zone: tzinfo) -> datetime:
        """Give the first moment after `now`, in UTC.

        Examples
        --------
        >>> friday = datetime(2026, 11, 20, 12, tzinfo=UTC)
        >>> Schedule(times=(time(6),), days=frozenset({0})).next_after(friday, UTC).isoformat()
        '2026-11-23T06:00:00+00:00'
        """
        if self.every_minutes is not None:
            at = now.astimezone(UTC) + timedelta(minutes=self.every_minutes)
            return at if self._holds(at.astimezone(zone)) else self._first(at, zone, (time(),))
        return self._first(now, zone, self.times)

    def _first(self, after: datetime, zone: tzinfo, times: tuple[time, ...]) -> datetime:
        today = after.astimezone(zone).date()
        for offset in range(_DAYS_A_WEEK + 2):  # today may be over, and its first hour with it
            day = today + timedelta(days=offset)
            if self.days and day.weekday() not in self.days:
                continue
            moments = (datetime.combine(day, at, zone).astimezone(UTC) for at in sorted(times))
            found = next((moment for moment in moments if moment > after), None)
            if found is not None:
                return found
        raise BadScheduleError("No such moment comes within a week.")

    def _holds(self, local: datetime) -> bool:
        return not self.days or local.weekday() in self.days

    def __str__(self) -> str:
        """Say it in words: "every 15 min", "at 06:00 and 18:30, on Mon and Tue"."""
        if self.every_minutes is not None:
            words = f"every {span(self.every_minutes * 60)}"
        else:
            words = f"at {_listed([f'{at:%H:%M}' for at in sorted(self.times)])}"
        days = [DAY_NAMES[day] for day in sorted(self.days)]
        return f"{words}, on {_listed(days)}" if days else words

    def to_json(self) -> dict[str, Any]:
        """Write it as the column holds it."""
        return {
            "every_minutes": self.every_minutes,
            "times": [f"{at:%H:%M}" for at in sorted(self.times)],
            "days": sorted(self.days),
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any] | None) -> "Schedule | None":
        """Read it back; None where there is none, or where it was edited into something else."""
        if not found:
            return None
        try:
            times = tuple(time.fromisoformat(text) for text in found.get("times", ()))
            return cls(found.get("every_minutes"), times, frozenset(found.get("days", ())))
        except (TypeError, ValueError):
            return None


def read_times(text: str) -> tuple[time, ...]:
    """Read times of the day as somebody types them.

    Raises
    ------
    BadScheduleError
        Naming what is no time.

    Examples
    --------
    >>> read_times("18:30, 6:00 6.00")
    (datetime.time(6, 0), datetime.time(18, 30))
    """
    found = set()
    for word in re.split(r"[,;\s]+", text.strip()):
        match = _TIME.fullmatch(word)
        if word and match is None:
            raise BadScheduleError(f"“{word[:20]}” is no time of the day, such as 06:00.")
        if match:
            found.add(time(int(match[1]), int(match[2])))
    return tuple(sorted(found))


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""
