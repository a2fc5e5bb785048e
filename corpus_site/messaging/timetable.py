"""When messages are made and tried again: quiet hours, days and weeks, gaps that grow.

Pure functions of moments; the hours are those of a reader's own zone.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

MINUTE, HOUR, DAY, WEEK = (
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
    timedelta(weeks=1),
)
# What breaks together is found within two looks at the alarms, a minute apart: one message.
SETTLE = 2 * MINUTE
# The least time to the next message "at once" while things go on happening: an alarm that flaps
# every minute for a day makes eleven.
GAPS = (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR)
# Waits between the first tries of a message; from then on the last one again and again.
RETRIES = (MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR)
# Then nobody is asked any more: some three days, a weekend.
MOST_TRIES = 75


@dataclass(frozen=True, slots=True)
class Hours:
    """A reader's zone, quiet hours (may pass midnight; None for none), and hour of digests."""

    zone: ZoneInfo
    daily_at: time = time(7)
    weekday: int = 0
    quiet_from: time | None = None
    quiet_until: time | None = None

    def quiet_end(self, now: datetime) -> datetime | None:
        """Return when the quiet hours end in which a moment lies; None outside of them.

        Examples
        --------
        >>> hours = Hours(ZoneInfo("UTC"), quiet_from=time(22), quiet_until=time(6))
        >>> hours.quiet_end(datetime(2026, 11, 20, 23, tzinfo=ZoneInfo("UTC"))).isoformat()
        '2026-11-21T06:00:00+00:00'
        """
        start, end = self.quiet_from, self.quiet_until
        if start is None or end is None or start == end:
            return None
        local = now.astimezone(self.zone)
        clock = local.time()
        is_quiet = start <= clock < end if start < end else clock >= start or clock < end
        if not is_quiet:
            return None
        return self._next(local, end)

    def next_day(self, now: datetime) -> datetime:
        """Return the next moment of a daily message, later than now."""
        return self._next(now.astimezone(self.zone), self.daily_at)

    def next_week(self, now: datetime) -> datetime:
        """Return the next moment of a weekly message, later than now."""
        local = now.astimezone(self.zone)
        ahead = (self.weekday - local.weekday()) % 7
        moment = datetime.combine(local.date() + ahead * DAY, self.daily_at, self.zone)
        return moment if _is_later(moment, local) else self._in_days(moment, 7)

    def _next(self, local: datetime, clock: time) -> datetime:
        moment = datetime.combine(local.date(), clock, self.zone)
        return moment if _is_later(moment, local) else self._in_days(moment, 1)

    def _in_days(self, moment: datetime, n: int) -> datetime:
        """Return the same hour of the clock some days later, also where clocks are changed."""
        return datetime.combine(moment.date() + n * DAY, moment.time(), self.zone)


def _is_later(moment: datetime, than: datetime) -> bool:
    """Compare as moments: Python compares two of one zone by their clocks, which are put back."""
    return moment.astimezone(UTC) > than.astimezone(UTC)


def next_gap(gap: int, last_made_at: datetime | None, now: datetime) -> int:
    """Choose the gap after a message made now: wider than the last if that is not long ago."""
    if last_made_at is None or now - last_made_at > 2 * GAPS[gap]:
        return 0
    return min(gap + 1, len(GAPS) - 1)


def next_try(n_tries: int, now: datetime) -> datetime | None:
    """Say when a message is tried again that was refused so many times; None: never."""
    if n_tries >= MOST_TRIES:
        return None
    return now + RETRIES[min(n_tries, len(RETRIES)) - 1]
