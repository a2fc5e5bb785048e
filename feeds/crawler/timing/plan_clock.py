"""The clock by which pages grow old: the plain one, or a faster one where somebody watches.

A demonstration cannot wait four hours for the first planned visit. On a faster clock a page has its
true age when it is found, and grows older some thousand times as fast from then on; the plan of
ages, what it learns and its reasons stay as they are.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from presentation.wording.figures import grouped

# Where a faster clock stops: long after the last age, and far from the last date there is.
_MOST = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class PlanClock:
    """One page's clock: it shows the true time until the page is found, `speed` times it after.

    A speed of 1 is the plain clock.
    """

    found_at: datetime
    speed: float = 1.0

    def shows(self, moment: datetime) -> datetime:
        """Give what the clock shows at a moment.

        Examples
        --------
        >>> noon = datetime(2026, 11, 20, 12)
        >>> PlanClock(noon, 3600).shows(noon + timedelta(seconds=4)).isoformat()
        '2026-11-20T16:00:00'
        """
        elapsed = moment - self.found_at
        if self.speed == 1 or elapsed <= timedelta():
            return moment
        if elapsed > _MOST / self.speed:
            return self.found_at + _MOST
        return self.found_at + elapsed * self.speed

    def moment(self, shown: datetime) -> datetime:
        """Give the moment at which the clock shows a time: the inverse of `shows`."""
        elapsed = shown - self.found_at
        if self.speed == 1 or elapsed <= timedelta():
            return shown
        return self.found_at + elapsed / self.speed

    @property
    def words(self) -> str:
        """What a reason adds where the clock is not the plain one."""
        return "" if self.speed == 1 else f" (hurried {grouped(round(self.speed))} times)"
