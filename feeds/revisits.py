"""Visits to pages that are known: who wants one asks here, who has read one tells it here."""

from collections.abc import Mapping
from datetime import datetime

from feeds.models import Fetch, Page, VisitFound
from feeds.planning import findings
from feeds.planning.findings import Finding


def record_finding(page_id: int, is_changed: bool, now: datetime) -> None:
    """Tell whether a new document of a known article holds another text; see `record_findings`."""
    record_findings({page_id: is_changed}, now)


def record_findings(is_changed: Mapping[int, bool], now: datetime) -> None:
    """Tell of pages whose new document was read whether its normalised text has changed.

    Once a document, in the transaction that stores what was read, for all pages of a batch at once:
    rows are locked in one order then. What the fetch stage sees by itself (not modified, the same
    bytes) it records itself.
    """
    pages = Page.objects.filter(pk__in=is_changed).order_by("pk")
    rows = list(pages.only("publication", "feed_published_at", "found_at", "visited_at"))
    findings.add(Finding(page, page.visited_at or now, is_changed[page.pk]) for page in rows)
    for verdict, value in ((VisitFound.CHANGED, True), (VisitFound.SAME_TEXT, False)):
        chosen = [pk for pk, changed in is_changed.items() if changed is value]
        newest = Page.objects.filter(pk__in=chosen, content_fetch__isnull=False)
        Fetch.objects.filter(pk__in=newest.values("content_fetch")).update(found=verdict)
