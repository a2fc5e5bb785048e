"""The bar above an article that was opened from a hit: which hit, the ones beside it, the way back.

Also the hits of the query in the article's own texts, to be marked there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from search.answers.part_places import place_in_body, split_hit
from search.answers.searching import HitPlace, hits_in_text, place_of_hit
from search.asking.form import QueryForm, form_of
from search.asking.request import request_of
from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.opened_index import current_snapshot
from search.views.concordance.concordance_lines import hit_address


@dataclass(frozen=True, slots=True)
class HitBar:
    """`number` is None when the query no longer finds the hit."""

    query: str
    number: int | None
    total: int
    back: str
    anchor: str
    before: str = ""
    after: str = ""


def hit_bar(request: HttpRequest, tab: str) -> HitBar | None:
    """Make the bar of a tab when the address carries a hit and a query that can run."""
    form = form_of(request)
    hit = form.value("hit")
    if not hit or not form.has_query or not form.can_run:
        return None
    kind, key, position = split_hit(hit)
    try:
        place = place_of_hit(request_of(form), kind, key, position)
    except QueryError:
        return None
    query = form.address.get("q")
    if place is None:
        back = form.address.change().at(reverse("search"))
        return HitBar(query, None, 0, back, "")
    return HitBar(
        query,
        place.number,
        place.n_lines,
        _back(form, place, hit),
        _anchor(request, tab, hit),
        hit_address(form.address, place.previous) if place.previous else "",
        hit_address(form.address, place.next) if place.next else "",
    )


def _anchor(request: HttpRequest, tab: str, hit: str) -> str:
    """Point to the word: in this tab, or in the tab of its text."""
    if tab == "article-tagged":
        place = place_in_article(hit)
        return f"#t{place + 1}" if place is not None else ""
    home = "article-comments" if hit.startswith("c") else "article"
    if tab == home:
        return f"#h{hit}"
    match = request.resolver_match
    path = reverse(home, kwargs=match.kwargs if match else None)
    return f"{form_of(request).address.query_part().at(path)}#h{hit}"


def place_in_article(hit: str) -> int | None:
    """Return the number of a hit's token in its article's body, None where it is not in it."""
    kind, key, position = split_hit(hit)
    if not kind.is_part:
        return position
    return place_in_body(current_snapshot(), kind, key, position)


def _back(form: QueryForm, place: HitPlace, hit: str) -> str:
    """Give the address of the page of lines that holds the hit, at the link of its line.

    A browser focuses a link that its fragment names: keys go on from that line.
    """
    begin = (place.number - 1) // form.value("n") * form.value("n")
    generation = form.address.get("after").partition(".")[0] or current_snapshot().generation
    after = f"{generation}.{begin}" if begin else []
    address = form.address.change(after=after)
    return f"{address.at(reverse('search'))}#o{hit}"


def hits_by_text(
    request: HttpRequest, kind: DocumentKind, keys: Iterable[int]
) -> dict[int, list[tuple[int, int]]]:
    """Find the hits of the address's query in these texts, as token spans; none without one."""
    form = form_of(request)
    if not form.has_query or not form.can_run:
        return {}
    try:
        wanted = request_of(form, after="")
        found = {key: hits_in_text(wanted, kind, key) for key in keys}
    except QueryError:
        return {}
    return {key: spans for key, spans in found.items() if spans}
