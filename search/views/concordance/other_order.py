"""Copies counted before or after a choice of texts: two ways to one paper, and their numbers.

A filter chooses texts first and counts copies once among these; a slice (`only=`), to which the
counts beside a concordance lead, is cut from texts of which copies were counted once already. A
text that another paper had first stands in the one and not in the other.
"""

from dataclasses import dataclass

from django.urls import reverse

from search.answers.answering import selection_of
from search.answers.searching import count
from search.asking.address import Address
from search.asking.form import QueryForm
from search.asking.request import request_of
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, Stories
from search.engine.statistics.slices import Slice, parse_slice

# Columns of slices that are filters too.
_FILTERS = {"pub": "pub", "sec": "sec", "author": "author", "lang": "lang"}


@dataclass(frozen=True, slots=True)
class OtherOrder:
    """The same choice made in the other order: its hits, and how its number of texts differs."""

    is_filter: bool  # whether the other way is that of filters
    n_texts: int  # that one way has and the other has not
    n_hits: int
    address: str


def other_order(form: QueryForm) -> OtherOrder | None:
    """Return the other way to the texts of a form; None where it comes to the same.

    Slices that all are filters become filters, else filters become slices.
    """
    texts = request_of(form).texts
    if texts.filter.copies is not Copies.ONCE and texts.filter.stories is not Stories.ONCE:
        return None
    as_filters = _as_filters(form.address)
    turned = as_filters or _as_slices(form.address)
    if turned is None:
        return None
    there = form.like(turned)
    if not there.can_run:
        return None
    other = request_of(there)
    ours, theirs = selection_of(texts).base, selection_of(other.texts).base
    if ours.n_documents == theirs.n_documents:  # what is sliced is among what is filtered
        return None
    try:
        n_hits = count(other).total
    except QueryError:
        return None
    n_texts = abs(ours.n_documents - theirs.n_documents)
    return OtherOrder(as_filters is not None, n_texts, n_hits, turned.at(reverse("search")))


def _as_filters(address: Address) -> Address | None:
    """Write slices as filters, None where one of them is none or there are none."""
    slices = [parse_slice(text) for text in address.values("only")]
    turned = address.without("only")
    for one in slices:
        name = _FILTERS.get(one.column)
        if one.column == "days" and not (one.left_out or turned.get("from") or turned.get("to")):
            first, _, last = one.value.partition("..")
            turned = turned.change(from_=first, to=last)
        elif name and one.value and not (one.left_out and name == "lang"):
            chosen = f"{'-' if one.left_out else ''}{one.value}"
            if any(not text.startswith("-") for text in (*turned.values(name), chosen)) and (
                turned.values(name)
            ):
                return None  # a slice narrows what the filter has, a second value widens it
            turned = turned.change(**{name: [*turned.values(name), chosen]})
        else:
            return None
    return turned if slices else None


def _as_slices(address: Address) -> Address | None:
    """Write filters by one value of a column as slices, None where there is none."""
    turned, slices = address, address.values("only")
    for column, name in _FILTERS.items():
        values = address.values(name)
        if len([text for text in values if not text.startswith("-")]) > 1:
            continue  # of any of them: no slice
        turned = turned.without(name)
        slices += [
            str(Slice(column, text.removeprefix("-"), left_out=text.startswith("-")))
            for text in values
        ]
    return turned.change(only=slices) if turned != address else None
