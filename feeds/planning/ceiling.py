"""How many of a host's requests may be visits to pages that are known.

Counted on the host's row, whose holder is the only one to ask it: so no query counts. The share is
measured over a calendar day (UTC), everything that was asked of the host on that day being the
whole. A host that is asked little, for a weekly's feed once a day, is visited `QUIET_VISITS` times
a day all the same: its share alone would be one visit.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings

from feeds.models import Host, Page, VisitPurpose

# One an hour: what the slowest of schedules for a single page would ask.
QUIET_VISITS = 24


def may_go_on(host: Host, page: Page, n_before: int, now: datetime) -> bool:
    """Whether a page may be asked for as well, after so many visits in the same turn.

    The first page of a turn may: the claim looked at `visits_from`.
    """
    if page.purpose != VisitPurpose.PLANNED or not n_before:
        return True
    n_requests, n_visits = _counts(host, now)
    share = page.publication.visit_share
    return _has_room(n_requests + n_before, n_visits + n_before, share)


def count(host: Host, pages: Sequence[Page], now: datetime) -> None:
    """Add the pages that a turn asked for, and set when the next planned visit may come."""
    n_requests, n_visits = _counts(host, now)
    host.counted_on = _day(now)
    host.n_requests = n_requests + len(pages)
    host.n_visits = n_visits + sum(page.purpose == VisitPurpose.PLANNED for page in pages)
    share = max((page.publication.visit_share for page in pages), default=None)
    if share is None:
        return
    is_free = _has_room(host.n_requests, host.n_visits, share)
    host.visits_from = None if is_free else _midnight(now)


def _counts(host: Host, now: datetime) -> tuple[int, int]:
    """Give the requests of today, and the visits among them."""
    return (host.n_requests, host.n_visits) if host.counted_on == _day(now) else (0, 0)


def _has_room(n_requests: int, n_visits: int, share: float) -> bool:
    """Whether one more visit keeps the share; hours of a hurried plan are so much shorter."""
    quiet: float = QUIET_VISITS * settings.CRAWL_VISIT_HURRY
    return n_visits + 1 <= max(quiet, share * (n_requests + 1))


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()


def _midnight(now: datetime) -> datetime:
    tomorrow = now.astimezone(UTC).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), UTC)
