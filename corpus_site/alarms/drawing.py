"""Pages that scripts draw: which papers send them, and the switch that lets a browser draw them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from corpus_site.alarms.examples import LOOKED_AT
from extraction.models import Extraction
from extraction.stage.page_reads import ExtractOutcome
from extraction.stage.textless import DRAWN_BY_SCRIPTS
from feeds import revisits
from feeds.archive.fetches import NOT_DRAWN
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rendering.renderer import what_is_missing
from feeds.models import Fetch, Page, PageKind, Publication
from feeds.sources.publications import draw_pages
from feeds.sources.settings_history import kept_changes

# Fetched again at once when the switch is set, the newest first: more is for *Fetch again*.
_MOST_FETCHED_AGAIN = 1_000
_REASON = "A browser is to draw it: its text was not in it."


@dataclass(frozen=True, slots=True)
class Shell:
    """The newest article of a paper, without its text; and what kept a browser from drawing it."""

    is_to_be_drawn: bool
    failure: str


def sent_shells(publication_ids: Collection[int]) -> dict[int, Shell]:
    """Find the publications whose newest article was sent without the text that scripts draw."""
    if not publication_ids:
        return {}
    newest = Page.objects.filter(
        kind=PageKind.ARTICLE, visited_at__isnull=False, outcome=Outcome.OK
    ).order_by("-visited_at")
    columns = ("pk", "publication", "publication__render_pages", "extraction__outcome_detail")
    found: dict[int, Shell | None] = {}
    for page, pk, is_to_be_drawn, detail in newest.values_list(*columns)[:LOOKED_AT]:
        if pk in publication_ids and detail and pk not in found:
            failure = _failure(page) if is_to_be_drawn else ""
            found[pk] = Shell(is_to_be_drawn, failure) if detail == DRAWN_BY_SCRIPTS else None
    return {pk: shell for pk, shell in found.items() if shell}


def _failure(page_id: int) -> str:
    """Say why a page was not drawn at its last visit; empty where it was not to be drawn yet."""
    visits = Fetch.objects.filter(page=page_id).order_by("-started_at")
    error = visits.values_list("error", flat=True).first() or ""
    return error.removeprefix(NOT_DRAWN) if error.startswith(NOT_DRAWN) else ""


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
