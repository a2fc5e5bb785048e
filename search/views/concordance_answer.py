"""A search page → what stands around its lines: facets, heads, pager, base, citation, ways out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone

from search.asking.address import Address
from search.asking.controls import chips
from search.asking.form import QueryForm, whole_from
from search.asking.request import request_of
from search.facets import Facet
from search.index.documents import UNIX_EPOCH
from search.query.cql import parse_cql
from search.query.errors import QueryError
from search.saving import find_link
from search.searching import SearchPage, count
from search.statistics.slices import Slice, day_slice
from search.wording.figures import counted, grouped, rate
from search.wording.near_words import near_words
from search.wording.periods import first_day, last_day
from search.wording.remarks import Remark

_FACET_TITLES = {"kind": "Text", "publication": "Publication", "month": "Month", "form": "Form"}
_SCOPE_OF_KIND = {"article": "articles", "comment": "comments"}
_ONE_WORD = re.compile(r"[\w'’-]+")
# A condition on a token in brackets, or a repetition of any token.
_LIKE_CQL = re.compile(r"\[\s*(?:\w+\s*!?=|\])")


@dataclass(frozen=True, slots=True)
class LinkedCount:
    """A value with its hits; the address narrows to it, or takes it away when it is chosen."""

    label: str
    n: int
    address: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class FacetView:
    title: str
    values: tuple[LinkedCount, ...]
    n_more: int
    n_rest: int


@dataclass(frozen=True, slots=True)
class Permanence:
    """What a page of an older generation says about itself.

    `short` is its short link's name. Where a rebuild lost texts that had gone out before,
    `whole_from` is the first generation that has them all, else 0.
    """

    generation: int
    newest: int
    whole_from: int
    address: str
    short: str


def facet_views(form: QueryForm, page: SearchPage) -> list[FacetView]:
    """Turn counts into links that narrow; a facet of one value that cannot narrow stays too."""
    return [
        FacetView(
            _FACET_TITLES[facet.name],
            tuple(_facet_values(form, facet)),
            facet.n_more,
            facet.rest_hits,
        )
        for facet in page.facets
        if facet.values
    ]


def _facet_values(form: QueryForm, facet: Facet) -> Iterator[LinkedCount]:
    for value in facet.values:
        address, is_chosen = _narrow(form.address, facet.name, value.value)
        yield LinkedCount(value.label, value.hits, address.at(reverse("search")), is_chosen)


def _narrow(address: Address, name: str, value: str) -> tuple[Address, bool]:
    """Address that narrows by a value, and whether it is in force already.

    Slices are cut behind all filters, so that a link finds exactly the hits it counts.
    """
    if name == "kind":
        scope = _SCOPE_OF_KIND[value]
        return address.change(in_=scope), address.get("in") == scope
    if name == "publication" and address.values("pub") == [value]:
        return address.without("pub"), True
    if name == "month" and address.get("from") == value == address.get("to"):
        return address.change(from_=[], to=[]), True
    text = str(_SLICES[name](value))
    chosen = address.values("only")
    if text in chosen:
        return address.without("only", text), True
    return address.change(only=[*chosen, text]), False


def _month(value: str) -> Slice:
    days = (first_day(value, UNIX_EPOCH), last_day(value, UNIX_EPOCH))
    return day_slice(*((day - UNIX_EPOCH).days for day in days))


_SLICES: dict[str, Callable[[str], Slice]] = {
    "publication": lambda value: Slice("pub", value),
    "month": _month,
    "form": lambda value: Slice("lower", value),
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
    )


def citation(form: QueryForm, page: SearchPage, site: str) -> str:
    """One paragraph that gives query, base, numbers, generation and date."""
    kept = form.address.change(asof=str(page.generation))
    today = timezone.localdate()
    language = "CQL" if form.value("ql") == "cql" else "simple query"
    return (
        f"Broadsheet corpus, {form.address.get('q')} ({language}): "
        f"{counted(page.total, 'hit', 'hits')} in {counted(page.n_texts, 'text', 'texts')}, "
        f"{rate(page.per_million)} per million of {counted(page.base_tokens, 'token', 'tokens')}, "
        f"{form.base_words}; generation {grouped(page.generation)}, "
        f"{today.day} {today:%b %Y}. {site}{kept.at(reverse('search'))}"
    )


def cheaper(form: QueryForm) -> list[tuple[str, str]]:
    """Words and addresses of searches like one that would cost too much, which cost less."""
    address, path = form.address, reverse("search")
    found = []
    if form.value("sort") != "new" or form.value("sample"):
        plain = address.change(sort="", sample="", seed="")
        found.append(("all hits, newest first", plain.at(path)))
    if not address.get("from"):
        found.append(("the texts of the last 30 days", address.change(from_="30d").at(path)))
    if address.get("in") == "both":
        found.append(("articles only", address.change(in_="articles").at(path)))
    return found


def ways_out(form: QueryForm) -> list[LinkedCount]:
    """Each filter left out, with the hits there would be without it."""
    found = [_without(form, chip.without, f"{chip.name} {chip.value}") for chip in chips(form)]
    if form.address.get("in") != "both":
        wider = form.address.change(in_="both")
        label = f"looking in {form.address.get('in')} only"
        found.append(_without(form, wider.at(reverse("search")), label))
    if form.address.get("case"):
        folded = form.address.without("case").at(reverse("search"))
        found.append(_without(form, folded, "matching case"))
    return [way for way in found if way.n]


def _without(form: QueryForm, address: str, label: str) -> LinkedCount:
    other = form.like(Address.parse(address.partition("?")[2]))
    return LinkedCount(label, count(request_of(other)).total, address)


def as_cql(form: QueryForm) -> str | None:
    """Address of the query read as CQL, if it stands in the simple box by mistake."""
    text = form.address.get("q")
    if form.value("ql") != "simple" or not _LIKE_CQL.search(text):
        return None
    try:
        parse_cql(text)
    except QueryError:
        return None
    return form.address.change(ql="cql").at(reverse("search"))


def remark_links(form: QueryForm, remarks: tuple[Remark, ...]) -> list[tuple[Remark, str]]:
    """Return remarks, each with the address of the query it recommends or an empty string."""
    path = reverse("search")
    return [
        (row, form.address.change(q=row.query, ql=row.language).at(path) if row.query else "")
        for row in remarks
    ]


def near_spellings(form: QueryForm) -> list[LinkedCount]:
    """Words of the corpus spelled nearly like the one that was not found."""
    word = form.address.get("q")
    if form.value("ql") != "simple" or not _ONE_WORD.fullmatch(word):
        return []
    return [
        LinkedCount(near.word, near.n, form.address.change(q=near.word).at(reverse("search")))
        for near in near_words(word)
    ]
