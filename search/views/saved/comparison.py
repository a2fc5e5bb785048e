"""`/search/compare/`: two searches beside one another, what is in one and not in the other."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from search.answers.answering import FOREVER, answer, counts_of
from search.asking.address import Address
from search.asking.controls import Chip, chips_of
from search.asking.form import QueryForm, form_at, reader_of
from search.asking.request import request_of
from search.engine.concordance.narrowing import found_too
from search.engine.index.hits import Hits
from search.engine.query.errors import QueryError
from search.opened_index import current_snapshot
from search.views.concordance.going_on import PAGE_SECONDS, WHOLE
from search.views.concordance.query_tabs import kept_part

MOST_ADDRESS_CHARS = 8_000  # of a link that servers take; a query is quoted twice in it
_NAMES = ("one", "other")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the searches: its numbers, and addresses of its hits by whether the other has them.

    An address is empty where it would be too long.
    """

    query: str
    chips: tuple[Chip, ...]
    base_words: str
    base_tokens: int
    n_hits: int
    all_hits: str
    n_also: int
    also: str
    n_less: int
    less: str


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    texts = [request.GET.get(name, "") for name in _NAMES]
    one, other = (kept_part(Address.parse(text)).change(also="", less="") for text in texts)
    context: dict[str, object] = {
        "swapped": compare_address(str(other), str(one)),
        "on": compare_address(str(one), str(other)),
        "whole": f"{compare_address(str(one), str(other))}&{WHOLE}=1",
    }
    status = 200
    try:
        context |= _compared(request, (one, other))
    except QueryError as error:
        context["error"], status = error.message, 400
    return render(request, "search/compare.html", context, status=status)


def compare_address(one: str, other: str) -> str:
    """Address of the page that compares two searches."""
    return f"{reverse('compare')}?{urlencode({'one': one, 'other': other})}"


def _compared(request: HttpRequest, addresses: tuple[Address, Address]) -> dict[str, object]:
    """Search for both on one snapshot, no longer than a page may.

    Raises
    ------
    QueryError
        If one of them cannot be run.
    """
    snapshot = current_snapshot()
    forms = [_form(request, address) for address in addresses]
    patience = FOREVER if request.GET.get(WHOLE) == "1" else PAGE_SECONDS
    found = []
    for form in forms:
        try:
            found.append(answer(request_of(form), patience, snapshot))
        except QueryError as error:
            raise QueryError(f"{form.address.get('q')}: {error.message}") from None
    if not all(each.is_done for each in found):
        n_done, n_all = sum(one.n_done for one in found), sum(one.n_segments for one in found)
        return {"n_done": n_done, "n_segments": n_all}
    (one, other), (form, beside) = [each.hits for each in found], forms
    sides = [_side(request, form, one, beside, other), _side(request, beside, other, form, one)]
    return {"sides": sides, "generation": snapshot.generation}


def _form(request: HttpRequest, address: Address) -> QueryForm:
    form = form_at(address.without("asof"), request.user)
    if not form.has_query:
        raise QueryError("There is no query in one of them: tick two in your history.")
    if form.problem:
        raise QueryError(f"{form.address.get('q')}: {form.problem}")
    return form


def _side(
    request: HttpRequest, form: QueryForm, hits: Hits, beside: QueryForm, others: Hits
) -> Side:
    address, other = form.address, str(beside.address)
    counts, n_also = counts_of(hits), found_too(hits, others).total
    chips = chips_of(address, reader_of(request).publications)
    return Side(
        address.get("q"),
        tuple(chips),
        form.base_words,
        counts.base_tokens,
        counts.total,
        address.at(reverse("search")),
        n_also,
        _link(address.change(also=other)),
        counts.total - n_also,
        _link(address.change(less=other)),
    )


def _link(address: Address) -> str:
    link = address.at(reverse("search"))
    return link if len(link) <= MOST_ADDRESS_CHARS else ""
