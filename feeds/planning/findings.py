"""What visits found, by publication and age of the page: written here, read by the plan."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection

from feeds.crawler.timing.page_visits import Found, age_of, fading
from feeds.crawler.timing.plan_clock import PlanClock
from feeds.models import Page, VisitFinding

# A key's counts: those of the visits behind what is left of the earlier ones.
_ADD = """
INSERT INTO feeds_visitfinding AS known
    (publication_id, age_hours, n_visits, n_changed, recent_visits, recent_changed)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (publication_id, age_hours) DO UPDATE SET
    n_visits = known.n_visits + excluded.n_visits,
    n_changed = known.n_changed + excluded.n_changed,
    recent_visits = known.recent_visits * %s + excluded.recent_visits,
    recent_changed = known.recent_changed * %s + excluded.recent_changed
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One visit: whether the text of a page had changed since the visit before."""

    page: Page
    visited_at: datetime
    is_changed: bool


def published_at(page: Page) -> datetime:
    """Give the moment from which a page's age counts: the feed's date, if that is before ours."""
    return min(page.feed_published_at or page.found_at, page.found_at)


def plan_clock(page: Page) -> PlanClock:
    """Give the clock by which a page grows old."""
    return PlanClock(page.found_at, settings.CRAWL_VISIT_HURRY)


def found_by_publication(publication_ids: Collection[int]) -> dict[int, dict[int, Found]]:
    """Give what visits found, by publication and hours of the age, in one query."""
    found: dict[int, dict[int, Found]] = {pk: {} for pk in publication_ids}
    rows = VisitFinding.objects.filter(publication__in=found) if found else ()
    for row in rows:
        found[row.publication_id][row.age_hours] = Found(row.recent_visits, row.recent_changed)
    return found


def add(findings: Iterable[Finding]) -> None:
    """Count findings; visits long after the last age teach nothing about the plan.

    Rows are written in the order of their key, so two batches at work cannot lock each other out.
    """
    visits: Counter[tuple[int, int]] = Counter()
    changed: Counter[tuple[int, int]] = Counter()
    for finding in findings:
        visited_at = plan_clock(finding.page).shows(finding.visited_at)
        age = age_of(visited_at - published_at(finding.page))
        if age is not None:
            key = (finding.page.publication_id, age.hours)
            visits[key] += 1
            changed[key] += finding.is_changed
    if not visits:
        return
    # One prepared statement for all: building an UPDATE for each key costs 20 times its work.
    rows = [
        (*key, visits[key], changed[key], visits[key], changed[key], *(2 * [fading(visits[key])]))
        for key in sorted(visits)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_ADD, rows)
