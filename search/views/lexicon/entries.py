"""`/words/lexicon/`: words whose tag people decide; one entry with its uses and its history."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from presentation.fragments import is_fragment_request, lead_to_page
from search.asking.address import Address
from search.lexicon import entries as in_force
from search.lexicon.correction_list import n_open
from search.lexicon.effects import effect
from search.lexicon.rows import (
    LexiconRow,
    history_of,
    is_shipped,
    lexicon_rows,
    newest_jobs,
    row_of,
)
from search.views.concordance.query_tabs import WORD_TABS, tab_links

# The whole list is a page of 180 kB.
ROWS_SHOWN = 100
JOBS_SHOWN = 5


def _overruled_most(row: LexiconRow) -> tuple[int]:
    return (-(row.use.n_overrode if row.use else 0),)


def _by_origin(row: LexiconRow) -> tuple[bool, str, str]:
    """Unknown origins come last."""
    return (not row.origin, row.origin.casefold(), row.word.casefold())


_SORT_KEYS: dict[str, Callable[[LexiconRow], tuple[Any, ...]]] = {
    "overrode": _overruled_most,
    "origin": _by_origin,
}


@require_safe
def lexicon(request: HttpRequest) -> HttpResponse:
    jobs = newest_jobs(JOBS_SHOWN)
    words = request.GET.get("words", "").strip()
    rows = lexicon_rows(words)
    sort = request.GET.get("sort", "")
    if key := _SORT_KEYS.get(sort):
        rows.sort(key=key)
    context = {
        "words": words,
        "sort": sort if key else "",
        "rows": rows if words or "all" in request.GET else rows[:ROWS_SHOWN],
        "n_rows": len(rows),
        "n_own": sum(row.entry is not None for row in rows),
        "jobs": jobs,
        "is_busy": any(job.finished_at is None for job in jobs),
    }
    return render(request, "search/lexicon.html", frame() | context)


@require_safe
def retagging_part(request: HttpRequest) -> HttpResponse:
    """Show the jobs of the lexicon page, which asks for them while one runs."""
    if not is_fragment_request(request):
        return lead_to_page(request, reverse("lexicon"))
    return render(request, "search/_retagging.html", {"jobs": newest_jobs(JOBS_SHOWN)})


@require_safe
def entry(request: HttpRequest, word: str) -> HttpResponse:
    word = word.replace("\0", "")  # PostgreSQL takes no NUL
    row = row_of(word)
    history = history_of(word)
    if row is None and not history:
        context: dict[str, Any] = {"word": word, "row": None, "history": []}
        return render(request, "search/lexicon_entry.html", frame() | context, status=404)
    context = {
        "word": row.word if row else word,
        "row": row,
        "history": history,
        "is_shipped": is_shipped(word),
        "effect": None,
    }
    if row:
        context["effect"] = effect([word], in_force.overrides_but(word), in_force.overrides())
    return render(request, "search/lexicon_entry.html", frame() | context)


def frame() -> dict[str, Any]:
    """Tabs of all pages of the lexicon, and how many corrections wait."""
    return {
        "tabs": tab_links(Address(), "lexicon", WORD_TABS),
        "tabs_label": "Words",
        "n_open": n_open(),
    }
