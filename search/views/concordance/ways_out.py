"""What to ask instead of a query that finds nothing or would cost too much."""

import re
from dataclasses import dataclass
from itertools import islice

from django.urls import reverse

from search.answers.searching import count
from search.asking.address import Address
from search.asking.controls import chips
from search.asking.form import QueryForm
from search.asking.request import request_of
from search.engine.index.joined_names import joined_names, names_of
from search.opened_index import current_snapshot
from search.wording.near_names import MOST_NAMES, near_names
from search.wording.near_words import MOST_WORDS, near_words
from search.wording.remarks import Remark

_MOST_WAYS = 20  # each is a question of its own
_MOST_TYPED_NAMES = 3  # whose like is looked for
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
    """Each of the first filters left out, with the hits there would be without it."""
    found = [
        _without(form, chip.without, f"{chip.name} {chip.value}")
        for chip in islice(chips(form), _MOST_WAYS)
    ]
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
    """Address of the query read as CQL, which names its faults, if it looks like CQL."""
    if form.value("ql") != "simple" or not _LIKE_CQL.search(form.address.get("q")):
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
    """Words spelled nearly like the one that was not found, with the hits their links open."""
    word = form.address.get("q")
    if form.value("ql") != "simple" or not _ONE_WORD.fullmatch(word):
        return []

    def hits(near: str) -> int:
        return count(request_of(form.like(form.address.change(q=near)))).total

    return [
        LinkedCount(near.word, near.n, form.address.change(q=near.word).at(reverse("search")))
        for near in near_words(word, hits)
    ]


def near_authors(form: QueryForm) -> list[LinkedCount]:
    """Return authors like those of the filter that no text has, with the hits their links open."""
    typed = form.address.values("author")
    wanted = [one for one in typed if not one.startswith("-")]
    if not wanted:
        return []
    snapshot = current_snapshot()
    known = joined_names(snapshot, "author")
    unknown = [one for one in wanted if not known.values_with(one)][:_MOST_TYPED_NAMES]
    names = names_of(snapshot, "author") if unknown else []
    likes = [(one, near) for one in unknown for near in near_names(one, names)]
    found = []
    for one, near in likes[:MOST_NAMES]:
        address = form.address.change(author=[near if name == one else name for name in typed])
        n_hits = count(request_of(form.like(address))).total
        found.append(LinkedCount(near, n_hits, address.at(reverse("search"))))
    return sorted((way for way in found if way.n), key=lambda way: -way.n)[:MOST_WORDS]
