"""`/search/`: the concordance, and `/part/line/`: one of its lines opened or closed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from presentation.fragments import is_fragment_request, lead_to_page
from presentation.wording.figures import counted, grouped, rate
from presentation.wording.times import day
from search.answers.answering import selection_of
from search.answers.facets import OWN, Facet
from search.answers.searching import DEEPEST_LINE, SearchPage, search
from search.asking.address import Address
from search.asking.controls import Controls, chips, control_errors, mark_error
from search.asking.form import QueryForm, form_of, whole_from
from search.asking.history import Asked, remember
from search.asking.request import request_of
from search.asking.saving import find_link
from search.engine.index.documents import UNIX_EPOCH
from search.engine.query.errors import QueryError, QueryTooExpensiveError
from search.engine.statistics.counting.hit_values import NO_VALUE
from search.engine.statistics.slices import OF_TOKENS, Slice, day_slice
from search.engine.tables.exports import ExportFormat
from search.opened_index import current_snapshot
from search.views.articles.page_files import MOST_PAGES
from search.views.concordance.concordance_lines import line_rows, node_width
from search.views.concordance.export import most_lines, whole_lines
from search.views.concordance.going_on import PAGE_SECONDS, lines_going_on, patience_of
from search.views.concordance.other_order import other_order
from search.views.concordance.query_tabs import kept_part, tab_links
from search.views.concordance.sorting_controls import (
    heads,
    order_words,
    sample_panel,
    sample_words,
    sort_panel,
)
from search.views.concordance.trend_spark import SmallTrend, small_trend
from search.views.concordance.ways_out import (
    LinkedCount,
    as_cql,
    cheaper,
    near_authors,
    near_spellings,
    remark_links,
    ways_out,
)
from search.wording.periods import first_day, last_day
from search.wording.untagged import one_sided_words, untagged_words

_FACET_TITLES = {
    "kind": "Text",
    "part": "Part of the text",
    "publication": "Publication",
    "month": "Month",
    "agency": "Agency",
    "changed": "Changes",
    "rights": "Rights",
    "form": "Form",
}
_SCOPE_OF_KIND = {"article": "articles", "comment": "comments", "post": "posts"}
_EXAMPLES = (
    ("q=just+now", "two words one after the other"),
    ("q=*ish", "words that end in -ish"),
    ("q=lemma:braai", "every form of a word"),
    ("q=NOUN+of+the+NOUN", "a noun, two words, a noun"),
    ("q=not+..3..+but", "up to three words between"),
    ('q=[lemma="go"]+[pos="RP"]&ql=cql', "CQL: a form of go with a particle"),
)


@require_safe
def concordance(request: HttpRequest) -> HttpResponse:
    form = form_of(request)
    if len(request.GET.getlist("sort")) > 1:
        return redirect(form.address.at(reverse("search")))
    context: dict[str, Any] = {
        "form": form,
        "controls": Controls(form),
        "chips": chips(form),
        "errors": control_errors(form),
        "canonical": form.address.at(reverse("search")),
        "tabs": tab_links(form.address, "search"),
        "examples": [_example(query, words) for query, words in _EXAMPLES],
    }
    if not form.has_query or not form.can_run:
        status = 200 if form.can_run else 400
        return render(request, "search/concordance.html", context, status=status)
    try:
        page = search(request_of(form), patience=patience_of(request, form))
    except QueryTooExpensiveError as error:
        context |= {"too_expensive": error.message, "cheaper": cheaper(form)}
        return render(request, "search/concordance.html", context, status=400)
    except QueryError as error:
        context["query_error"] = mark_error(form.address.get("q"), error)
        if error.suggestion:
            better = form.address.change(q=error.suggestion)
            context["suggestion"] = (error.suggestion, better.at(reverse("search")))
        return render(request, "search/concordance.html", context, status=400)
    context |= _answer(request, form, page)
    # A wrong order or sample gives other lines than were asked for; they stand below the error.
    status = 400 if {"sort", "sample"} & set(form.errors) else 200
    if status != 400:
        _remember(request, form, page)
    return render(request, "search/concordance.html", context, status=status)


def _remember(request: HttpRequest, form: QueryForm, page: SearchPage) -> None:
    """Keep what was asked for whoever asked, when all its hits are found; not each page of them."""
    is_whole = page.counting is None and not page.is_index_missing and page.first_number == 1
    if request.user.is_authenticated and is_whole:
        address = form.address.change()
        kept, query = str(kept_part(address)), address.get("q")
        asked = Asked("search", str(address), kept, query, "", page.total, page.generation)
        remember(request.user, asked, timezone.now())


def _example(query: str, words: str) -> dict[str, str]:
    address = Address.parse(query)
    return {"address": address.at(reverse("search")), "query": address.get("q"), "words": words}


def _answer(request: HttpRequest, form: QueryForm, page: SearchPage) -> dict[str, Any]:
    address, path = form.address, reverse("search")
    opened = [page.lines[0].hit] if page.total == 1 and page.lines else [form.value("hit")]
    is_simple = form.value("ql") == "simple"
    kept = address.change(asof=str(page.generation))
    lines = line_rows(form, page.lines, page.first_number, opened)
    age = permanence(form, page)
    site = f"{request.scheme}://{request.get_host()}"
    context: dict[str, Any] = {
        "page": page,
        "base_words": form.base_words,
        "facets": facet_views(form, page),
        "permanence": age,
        "kept": kept.at(path),
        "kept_query": str(address),
        "cql": (page.cql, address.change(q=page.cql, ql="cql").at(path)) if is_simple else None,
        "lines": lines,
        "first": page.first_number,
        "last": page.first_number + len(page.lines) - 1,
        "node_width": node_width(lines),
        "untagged": _untagged(form),
        "remarks": remark_links(form, page.remarks),
        "citation": citation(form, page, site, age.digest if age else ""),
    }
    context |= _tools(request, form, page)
    if page.counting is not None:
        context["going_on"] = lines_going_on(address, page.counting, page.total)
    elif page.total and not form.address.get("after"):
        context["trend"] = _trend_of(form)
    if page.counting is None:
        context["other_order"] = other_order(form)
    context |= _turning(form, page, context["last"])
    if not page.total and page.counting is None:
        context |= {
            "ways_out": ways_out(form),
            "near": near_spellings(form) if page.base_tokens else [],
            "near_authors": near_authors(form),
            "other_parts": _other_parts(form, page),
            "as_cql": as_cql(form),
        }
    return context


def _untagged(form: QueryForm) -> str:
    request = request_of(form)
    asked = request.query, selection_of(request.texts)
    return " ".join(filter(None, (untagged_words(*asked), one_sided_words(*asked))))


def _turning(form: QueryForm, page: SearchPage, last: int) -> dict[str, Any]:
    """Return the links to the pages before and after, and where turning ends."""
    address, path = form.address, reverse("search")
    links: dict[str, Any] = {}
    if page.n_lines > DEEPEST_LINE <= last:
        links["deepest"] = DEEPEST_LINE
    if page.next_after is not None:
        links["next"] = address.change(after=page.next_after).at(path)
        links["n_next"] = min(form.value("n"), page.n_lines - last)
    if page.previous_after is not None:
        links["previous"] = address.change(after=page.previous_after).at(path)
    return links


def _tools(request: HttpRequest, form: QueryForm, page: SearchPage) -> dict[str, Any]:
    """Return what the bar above the lines and the heads of their columns need."""
    return {
        "heads": heads(form),
        "order_words": order_words(form),
        "sort_panel": sort_panel(form),
        "sample_panel": sample_panel(form),
        "sample": sample_words(form, page),
        "export": form.address.at(reverse("search-export")),
        "manifest": form.address.at(reverse("search-manifest")),
        "own_address": form.address.at(reverse("search")),
        "pages_limit": MOST_PAGES,
        "export_limit": most_lines(request, ExportFormat.CSV),
        "whole_limit": whole_lines(request),
        "xlsx_limit": most_lines(request, ExportFormat.XLSX),
    }


def _trend_of(form: QueryForm) -> SmallTrend | None:
    """Make the small trend; quarters of texts have no base by day."""
    wanted = request_of(form)
    if any(one.column in OF_TOKENS for one in wanted.texts.slices):
        return None
    return small_trend(wanted, form.address)


@require_safe
def line_part(request: HttpRequest) -> HttpResponse:
    """Answer one line, opened or closed, for htmx; a direct visit gets a link to the page."""
    form = form_of(request)
    page_address = form.address.at(reverse("search"))
    if not is_fragment_request(request):
        return lead_to_page(request, page_address)
    hit = form.value("hit")
    if not form.has_query or not form.can_run or not hit:
        return HttpResponse(status=400)
    try:
        page = search(request_of(form), with_facets=False, patience=PAGE_SECONDS)
    except QueryError:
        return HttpResponse(status=400)
    opened = [hit] if request.GET.get("open") == "1" else []
    rows = line_rows(form, page.lines, page.first_number, opened)
    line = next((row for row in rows if row.hit == hit), None)
    if line is None:
        # The corpus has moved on since the page was made: load it anew.
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return render(request, "search/_line.html", {"line": line})


@dataclass(frozen=True, slots=True)
class FacetView:
    title: str
    values: tuple[LinkedCount, ...]
    n_more: int
    n_rest: int


@dataclass(frozen=True, slots=True)
class Permanence:
    """What a page of an older generation says about itself.

    `short` is its short link's name, `digest` the hash of its hits, `same` where they are compared
    with those of today. Where a rebuild lost texts that had gone out before,
    `whole_from` is the first generation that has them all, else 0. `n_withdrawn` counts the texts
    that the generation had, and that no search finds any more.
    """

    generation: int
    newest: int
    whole_from: int
    address: str
    short: str
    same: str
    digest: str = ""
    n_withdrawn: int = 0


def facet_views(form: QueryForm, page: SearchPage) -> list[FacetView]:
    """Turn counts into links that narrow; a facet of one value that cannot narrow stays too."""
    return [
        FacetView(
            _FACET_TITLES.get(facet.name, facet.name.removeprefix(OWN)),
            tuple(_facet_values(form, facet)),
            facet.n_more,
            facet.rest_hits,
        )
        for facet in page.facets
        if facet.values
    ]


def _other_parts(form: QueryForm, page: SearchPage) -> list[LinkedCount]:
    """Return the parts of the text that have hits where those asked for have none."""
    return [
        value
        for facet in page.facets
        if facet.name == "part"
        for value in _facet_values(form, facet)
    ]


def _facet_values(form: QueryForm, facet: Facet) -> Iterator[LinkedCount]:
    for value in facet.values:
        if facet.name.startswith(OWN):
            text = f"{facet.name.removeprefix(OWN)}:{value.value}"
            address, is_chosen = _narrow_column(form.address, text)
        else:
            address, is_chosen = _narrow(form.address, facet.name, value.value)
        yield LinkedCount(value.label, value.hits, address.at(reverse("search")), is_chosen)


def _narrow(address: Address, name: str, value: str) -> tuple[Address, bool]:
    """Address that narrows by a value, and whether it is in force already.

    Slices are cut behind all filters, so that a link finds exactly the hits it counts.
    """
    if name == "kind":
        scope = _SCOPE_OF_KIND[value]
        return address.change(in_=scope), address.get("in") == scope
    if name == "part":
        return _narrow_part(address, value)
    if name == "publication" and address.values("pub") == [value]:
        return address.without("pub"), True
    if name == "month" and value and address.get("from") == value == address.get("to"):
        return address.change(from_=[], to=[]), True
    text = str(_SLICES[name](value))
    chosen = address.values("only")
    if text in chosen:
        return address.without("only", text), True
    return address.change(only=[*chosen, text]), False


def _narrow_column(address: Address, text: str) -> tuple[Address, bool]:
    """Columns of given texts are asked for behind copies, as slices are."""
    chosen = address.values("column")
    if text in chosen:
        return address.without("column", text), True
    return address.change(column=[*chosen, text]), False


def _narrow_part(address: Address, value: str) -> tuple[Address, bool]:
    chosen = address.values("part")
    if value == "body" and not chosen and address.get("in") == "articles":
        return address, True
    if chosen == [value]:
        return address.without("part"), True
    return address.change(in_="articles", part=[value]), False


def _month(value: str) -> Slice:
    if value == NO_VALUE:
        return Slice("undated", "yes")
    days = (first_day(value, UNIX_EPOCH), last_day(value, UNIX_EPOCH))
    return day_slice(*((day - UNIX_EPOCH).days for day in days))


_SLICES: dict[str, Callable[[str], Slice]] = {
    "publication": lambda value: Slice("pub", value),
    "month": _month,
    "form": lambda value: Slice("lower", value),
    "agency": lambda value: Slice("agency", value),
    "changed": lambda value: Slice("changed", value),
    "rights": lambda value: Slice("rights", value),
}


def permanence(form: QueryForm, page: SearchPage) -> Permanence | None:
    """Tell how old the numbers are, on a page that names its generation."""
    if not form.address.get("asof"):
        return None
    link = find_link(form.address.change())
    return Permanence(
        page.generation,
        page.newest_generation,
        whole_from(page.generation),
        form.address.without("asof").at(reverse("search")),
        link.short if link else "",
        form.address.at(reverse("same-today")),
        # After a withdrawal the lines are not those of the link any more.
        link.digest if link and link.n_hits == page.total else "",
        current_snapshot().n_withdrawn_since(page.generation),
    )


def citation(form: QueryForm, page: SearchPage, site: str, digest: str = "") -> str:
    """One paragraph that gives query, base, numbers, generation, date, and a list's hash."""
    kept = form.address.change(asof=str(page.generation))
    today = timezone.localdate()
    hash_words = f"; list of hits SHA-256 {digest}" if digest else ""
    language = "CQL" if form.value("ql") == "cql" else "simple query"
    return (
        f"Broadsheet corpus, {form.address.get('q')} ({language}): "
        f"{counted(page.total, 'hit')} in {counted(page.n_texts, 'text')}, "
        f"{rate(page.per_million)} per million of {counted(page.base_tokens, 'token')}, "
        f"{form.base_words}; generation {grouped(page.generation)}, "
        f"{day(today)}{hash_words}. {site}{kept.at(reverse('search'))}"
    )
