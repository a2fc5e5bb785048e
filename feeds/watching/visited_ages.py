"""What visits to the pages of a publication have found at each age, for its page."""

from dataclasses import dataclass

from feeds.crawler.timing.page_visits import AGES, Found, VisitAge, ages_visited
from feeds.models import Publication, VisitFinding


@dataclass(frozen=True, slots=True)
class AgeRow:
    """One age: all visits so far, those that found another text, and what is done from now on."""

    words: str
    n_visits: int
    n_changed: int
    plan: str

    @property
    def share(self) -> float | None:
        """Share of visits that found a change, 0 to 1; None before the first."""
        return self.n_changed / self.n_visits if self.n_visits else None


def visited_ages(publication: Publication) -> list[AgeRow]:
    """List the ages of the plan, and the finer ones that are visited or were."""
    rows = {row.age_hours: row for row in VisitFinding.objects.filter(publication=publication)}
    found = {hours: Found(row.recent_visits, row.recent_changed) for hours, row in rows.items()}
    visited = ages_visited(found) if publication.visit_share else ()
    return [
        _row(
            age, rows.get(age.hours), is_visited=age in visited, is_off=not publication.visit_share
        )
        for age in AGES
        if age in visited or age.hours in rows or not age.is_finer
    ]


def _row(age: VisitAge, row: VisitFinding | None, *, is_visited: bool, is_off: bool) -> AgeRow:
    if is_off:
        plan = "not visited"
    elif is_visited:
        plan = "each page is visited"
    elif age.is_finer:
        plan = "left out, found too little"
    else:
        plan = "one page in ten as a sample: the others would find nothing"
    n_visits, n_changed = (row.n_visits, row.n_changed) if row else (0, 0)
    return AgeRow(age.words, n_visits, n_changed, plan)
