"""Planned visits that come too late go on to the next age instead of piling up.

A host may have no room for all visits that fall due. One that waits until the page is twice as old
as planned would tell what the next age is to tell: so what waits at a host is bounded by what falls
due there in the meantime, whatever its ceiling is.
"""

from datetime import datetime

from django.db.models import Q

from feeds.host_claims import is_late
from feeds.models import Page, VisitPurpose
from feeds.planning.findings import found_by_publication
from feeds.planning.next_visits import plan_anew, planned_visit


def skip_late(limit: int, now: datetime) -> int:
    """Plan up to `limit` late visits anew, and drop those of publications that want none.

    Reads the due visits of an index; returns how many rows were written.
    """
    due = Page.objects.unfinished(now).filter(purpose=VisitPurpose.PLANNED, lease_owner="")
    rows = due.filter(is_late(now) | Q(publication__visit_share=0)).select_related("publication")[
        :limit
    ]
    pages = list(rows)
    found = found_by_publication({page.publication_id for page in pages})
    return sum(
        plan_anew(
            page, planned_visit(page, found[page.publication_id], now), "; the one before was late"
        )
        for page in pages
    )
