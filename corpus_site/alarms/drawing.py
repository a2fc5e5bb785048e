"""Pages that scripts draw: which papers send them, and the switch that lets a browser draw them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from corpus_site.alarms.examples import LOOKED_AT
from extraction.models import Extraction
from extraction.stage.page_reads import ExtractOutcome
from extraction.stage.textless import DRAWN_BY_SCRIPTS
from feeds import revisits
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rendering.renderer import what_is_missing
from feeds.models import Page, PageKind, Publication
from feeds.sources.publications import draw_pages
from feeds.sources.settings_history import kept_changes

# Fetched again at once when the switch is set, the newest first: more is for *Fetch again*.
_MOST_FETCHED_AGAIN = 1_000
_REASON = "A browser is to draw it: its text was not in it."


def sending_shells(publication_ids: Collection[int]) -> set[int]:
    """Find the publications whose newest article was sent without the text that scripts draw."""
    if not publication_ids:
        return set()
    newest = Page.objects.filter(
        kind=PageKind.ARTICLE, visited_at__isnull=False, outcome=Outcome.OK
    ).order_by("-visited_at")
    rows = newest.values_list("publication_id", "extraction__outcome_detail")
    found: dict[int, bool] = {}
    for publication_id, detail in rows[:LOOKED_AT]:
        if publication_id in publication_ids and detail:
            found.setdefault(publication_id, detail == DRAWN_BY_SCRIPTS)
    return {pk for pk, is_shell in found.items() if is_shell}


def how_to_draw() -> str:
    """Say what to do about such pages: to let a browser draw them, and what it needs first."""
    missing = what_is_missing()
    if not missing:
        return "let a browser draw them"
    return f"let a browser draw them, once it is there ({missing.removesuffix('.')})"


def let_browser_draw(publication: Publication, user: Any, now: datetime) -> int:
    """Switch drawing on and have the pages without text fetched again; returns how many."""
    with kept_changes([publication.pk], user, now):
        draw_pages(publication)
        rows = Extraction.objects.filter(
            page__publication=publication,
            outcome=ExtractOutcome.EMPTY.value,
            outcome_detail=DRAWN_BY_SCRIPTS,
        )
        newest = rows.order_by("-page__visited_at").values_list("page_id", flat=True)
        return revisits.fetch_again(list(newest[:_MOST_FETCHED_AGAIN]), now, _REASON)
