"""Lines of a trend: name, numbers, and the address of the hits behind each point."""

from collections.abc import Callable
from dataclasses import dataclass

from propcache.api import cached_property

from search.engine.index.documents import DocumentKind
from search.engine.statistics.slices import day_slice
from search.engine.statistics.trend import MovingAverage, Trend, moving_average
from search.views.statistics.statistic_page import StatisticPage


@dataclass(frozen=True)
class Behind:
    """What stands behind a line: another query than the page's, slices of the corpus."""

    page: StatisticPage
    query: str = ""
    slices: tuple[str, ...] = ()
    kind: int = 0

    @property
    def address(self) -> str:
        """Address of all hits of the line."""
        return self.page.hits_in(*self._slices, **self._changes)

    @cached_property
    def address_of(self) -> Callable[[str], str]:
        """Gives the address of the hits of the line in a further slice."""
        return self.page.slice_addresses(*self._slices, **self._changes)

    @property
    def _slices(self) -> tuple[str, ...]:
        kind = (f"kind:{DocumentKind(self.kind).label}",) if self.kind else ()
        return (*self.slices, *kind)

    @property
    def _changes(self) -> dict[str, str]:
        return {"q": self.query} if self.query else {}


@dataclass(frozen=True, slots=True)
class TrendLine:
    """A line of the picture; `series` chooses its colour, `n_averaged` periods are averaged."""

    name: str
    trend: Trend
    series: int
    behind: Behind
    n_averaged: int = 1

    @property
    def average(self) -> MovingAverage | None:
        """The line without its ups and downs, if that was asked for."""
        return moving_average(self.trend, self.n_averaged) if self.n_averaged > 1 else None

    @property
    def address(self) -> str:
        """Address of all hits of the line."""
        return self.behind.address

    def point_address(self, index: int) -> str:
        """Address of the hits of a point."""
        return self.behind.address_of(str(day_slice(*self.trend.periods.days(index))))

    def day_address(self, day: int) -> str:
        """Address of the hits of a day."""
        return self.behind.address_of(str(day_slice(day, day)))

    @property
    def n_hits(self) -> int:
        """All hits."""
        return int(self.trend.hits.sum())

    @property
    def n_tokens(self) -> int:
        """Tokens of the base."""
        return int(self.trend.tokens.sum())
