"""Lines of a trend: name, numbers, and the address of the hits behind each point."""

from dataclasses import dataclass

from search.index.documents import DocumentKind
from search.statistics.slices import day_slice
from search.statistics.trend import Trend
from search.views.statistic_page import StatisticPage


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind a line: another query than the page's, slices of the corpus."""

    page: StatisticPage
    query: str = ""
    slices: tuple[str, ...] = ()
    kind: int = 0

    def hits_at(self, *slices: str) -> str:
        """Address of the hits of the line in further slices."""
        mine = [*self.slices, *slices]
        if self.kind:
            mine.append(f"kind:{DocumentKind(self.kind).label}")
        changes = {"q": self.query} if self.query else {}
        return self.page.hits_in(*mine, **changes)


@dataclass(frozen=True, slots=True)
class TrendLine:
    """A line of the picture; `series` chooses its colour."""

    name: str
    trend: Trend
    series: int
    behind: Behind

    @property
    def address(self) -> str:
        """Address of all hits of the line."""
        return self.behind.hits_at()

    def point_address(self, index: int) -> str:
        """Address of the hits of a point."""
        return self.behind.hits_at(str(day_slice(*self.trend.periods.days(index))))

    def day_address(self, day: int) -> str:
        """Address of the hits of a day."""
        return self.behind.hits_at(str(day_slice(day, day)))

    @property
    def n_hits(self) -> int:
        """All hits."""
        return int(self.trend.hits.sum())

    @property
    def n_tokens(self) -> int:
        """Tokens of the base."""
        return int(self.trend.tokens.sum())
