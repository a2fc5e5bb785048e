"""`/search/today/`: the hits of a generation beside those of today, and why they differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from extraction.models import Article, Comment
from search.answers.kept_lists import SameToday, Searching, same_today
from search.asking.address import Address
from search.asking.form import QueryForm, form_at, form_of, whole_from
from search.asking.request import request_of
from search.asking.saving import find_link
from search.engine.concordance.list_changes import Fate, Part
from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.models import SavedQuery
from search.views.concordance.going_on import WHOLE, patience_of

_CAME = {
    Fate.NEW: "in new texts",
    Fate.CHANGED: "in texts that have other words now",
    Fate.COUNTED: "in texts that were there and are counted only now: as copies, or by the filters",
}
_GONE = {
    Fate.WITHDRAWN: "in texts that were withdrawn",
    Fate.CHANGED: "in texts that have other words now",
    Fate.LEFT: "in texts that are no longer in the corpus",
    Fate.SET_ASIDE: "in texts that are counted no longer: as copies, or by the filters",
}
_LOST = "in texts that were erased, or that the index keeps no longer"


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text with the number of its hits that have come or gone."""

    title: str
    address: str
    n_hits: int


@dataclass(frozen=True, slots=True)
class FateRow:
    """Hits that have come or gone for one reason, and some of their texts."""

    words: str
    n_hits: int
    n_texts: int | None
    address: str = ""
    texts: tuple[TextRow, ...] = ()

    @property
    def n_more(self) -> int:
        """Texts that are not listed."""
        return (self.n_texts or 0) - len(self.texts)


@require_safe
def same_today_page(request: HttpRequest) -> HttpResponse:
    form = form_of(request)
    address = form.address
    if not form.has_query or not form.can_run or not address.get("asof"):
        return redirect(address.at(reverse("search")))
    link = find_link(address.change())
    today = form_at(address.without("asof"), request.user)
    patience = patience_of(request, form)
    try:
        found = same_today(request_of(form, after=""), request_of(today, after=""), link, patience)
    except QueryError:
        return redirect(address.at(reverse("search")))
    context: dict[str, object] = {"form": form, "query": address.get("q")}
    if isinstance(found, Searching):
        on = address.at(reverse("same-today"))
        context |= {"searching": found, "on": on, "whole": f"{on}&{WHOLE}=1"}
    else:
        context |= _compared(form, today, found, link)
    return render(request, "search/same_today.html", context)


def _compared(
    form: QueryForm, today: QueryForm, found: SameToday, link: SavedQuery | None
) -> dict[str, object]:
    address = form.address
    return {
        "found": found,
        "n_gone": found.changes.n_gone + found.n_lost,
        "link": link,
        "whole_from": whole_from(found.generation),
        "then": address.at(reverse("search")),
        "today": today.address.at(reverse("search")),
        "canonical": address.at(reverse("same-today")),
        "came": list(_came(form, found)),
        "gone": list(_gone(form, found)),
    }


def _came(form: QueryForm, found: SameToday) -> Iterator[FateRow]:
    today = form.address.without("asof")
    for fate, part in _in_order(found.changes.came, _CAME):
        address = ""
        if fate is Fate.NEW and not today.get("since"):
            address = today.change(since=str(found.generation)).at(reverse("search"))
        yield FateRow(_CAME[fate], part.n_hits, part.n_texts, address, _text_rows(today, part))


def _gone(form: QueryForm, found: SameToday) -> Iterator[FateRow]:
    for fate, part in _in_order(found.changes.gone, _GONE):
        # Of withdrawn texts nothing but their number is said.
        texts = () if fate is Fate.WITHDRAWN else _text_rows(form.address, part)
        yield FateRow(_GONE[fate], part.n_hits, part.n_texts, "", texts)
    if found.n_lost:
        yield FateRow(_LOST, found.n_lost, None)


def _in_order(parts: Mapping[Fate, Part], words: Mapping[Fate, str]) -> Iterator[tuple[Fate, Part]]:
    return ((fate, parts[fate]) for fate in words if fate in parts)


def _text_rows(address: Address, part: Part) -> tuple[TextRow, ...]:
    comments = [key for kind, key, _ in part.texts if kind is DocumentKind.COMMENT]
    articles_of = dict(Comment.objects.filter(pk__in=comments).values_list("pk", "article_id"))
    ids = {
        articles_of.get(key, 0) if kind is DocumentKind.COMMENT else key
        for kind, key, _ in part.texts
    }
    titles = dict(Article.objects.filter(pk__in=ids).values_list("pk", "title"))
    return tuple(
        _text_row(address, kind, articles_of.get(key, 0) if kind is DocumentKind.COMMENT else key,
                  n, titles)
        for kind, key, n in part.texts
    )  # fmt: skip


def _text_row(
    address: Address, kind: DocumentKind, article: int, n: int, titles: Mapping[int, str]
) -> TextRow:
    is_comment = kind is DocumentKind.COMMENT
    if article not in titles:
        return TextRow("a text that is no longer kept", "", n)
    title = titles[article] or "without a title"
    place = reverse("article-comments" if is_comment else "article", args=[article])
    return TextRow(f"Comment: {title}" if is_comment else title, address.at(place), n)
