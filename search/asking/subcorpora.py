"""Subcorpora: keeping one, by filters, search, list or others; its size; removing it.

The writer of `Subcorpus`.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from search.asking.address import Address
from search.asking.definitions import (
    Definition,
    Found,
    Joined,
    Listed,
    Member,
    Operation,
    as_json,
    depth_of,
    digests_in,
    in_force,
    made_as,
)
from search.asking.form import form_at
from search.asking.kept_sets import forget_unused_sets, keep_set
from search.asking.parameters import PARAMETERS
from search.asking.request import texts_in
from search.asking.values import ParameterGroup
from search.engine.index.documents import DocumentKind
from search.engine.index.selection import Base
from search.engine.query.errors import QueryError
from search.engine.query.filters import DocumentFilter, DocumentSet, select
from search.engine.statistics.slices import OF_TOKENS
from search.models import SavedQuery, Subcorpus, TextSet
from search.opened_index import current_snapshot

MOST_MEMBERS = 20  # that one is made from
MOST_DEPTH = 20  # definitions within each other; far above what anybody keeps apart in mind
_OF_TEXTS = {ParameterGroup.QUERY, ParameterGroup.FILTER, ParameterGroup.HITS}
_SEARCH = {parameter.name for parameter in PARAMETERS if parameter.group in _OF_TEXTS} - {"sub"}


class SubcorpusInUseError(Exception):
    """Raised when a subcorpus is to go that saved queries rest on; the view lists them."""

    def __init__(self, queries: tuple[SavedQuery, ...]) -> None:
        super().__init__(f"{len(queries)} saved queries use it")
        self.queries = queries


@dataclass(frozen=True, slots=True)
class Named:
    """What a subcorpus is called, whose it is, and whether it is pinned."""

    name: str
    owner: Any
    is_shared: bool = False
    is_pinned: bool = False


def save_filters(named: Named, address: Address) -> Subcorpus:
    """Keep the filters of an address, to which a search adds its own.

    Filters of a subcorpus that the address names are taken over; where that is a set of texts, the
    new one is a set too.

    Raises
    ------
    ValueError
        With a sentence, when there is nothing to keep, it cannot be worked out, or the owner has a
        subcorpus of this name.
    """
    form = form_at(address, named.owner)
    if form.errors.get("sub"):
        raise ValueError(form.errors["sub"])
    if not address.filters().pairs:
        raise ValueError("This search has no filters, so the subcorpus would be the whole corpus.")
    if form.subset is not None:
        return save_found(named, address.filters())
    filters = _with_filters_of(form.value("sub"), address.filters())
    generation = _generation_of(address)
    pinned = _worked_out(Found(filters), generation) if named.is_pinned else None
    return _keep(named, _Content(filters=str(filters), pinned=pinned, generation=generation))


def save_found(named: Named, address: Address, *, takes_comments: bool = False) -> Subcorpus:
    """Keep the texts that have a hit of a search.

    Raises
    ------
    ValueError
        As `save_filters`.
    """
    form = form_at(address, named.owner)
    if form.problem:
        raise ValueError(f"This search cannot be run: {form.problem}")
    row: Subcorpus | None = form.value("sub")
    asked = Address(tuple(pair for pair in address.pairs if pair[0] in _SEARCH))
    within = None
    if row is not None and form.subset is not None:
        within = Member(row.name, form.subset)
    else:
        asked = _with_filters_of(row, asked)
    if not asked.pairs and within is None:
        raise ValueError("This search has neither a query nor filters: it is the whole corpus.")
    if not form.has_query and any(one.column in OF_TOKENS for one in form.value("only")):
        raise ValueError("Parts of texts are no set of texts.")
    return _save(named, Found(asked, takes_comments, within), _generation_of(address))


def save_listed(
    named: Named, articles: Sequence[int], *, takes_comments: bool = False
) -> Subcorpus:
    """Keep articles that were listed, by their keys.

    Raises
    ------
    ValueError
        As `save_filters`.
    """
    if not articles:
        raise ValueError("None of these addresses is known, so there is no text to keep.")
    with transaction.atomic():
        kept = keep_set(DocumentSet.of((DocumentKind.ARTICLE, key) for key in articles))
        return _save(named, Listed(kept.digest, takes_comments))


def save_joined(named: Named, operation: Operation, rows: Sequence[Subcorpus]) -> Subcorpus:
    """Keep the union, intersection or difference of others, as they are now.

    Raises
    ------
    ValueError
        As `save_filters`.
    """
    if not 2 <= len(rows) <= MOST_MEMBERS:
        raise ValueError(f"Choose from two to {MOST_MEMBERS} subcorpora.")
    members = tuple(Member(row.name, in_force(row)) for row in rows)
    return _save(named, Joined(operation, members))


def pin(row: Subcorpus, named: Named) -> Subcorpus:
    """Keep the texts that a living subcorpus has now, under another name.

    Raises
    ------
    ValueError
        As `save_filters`.
    """
    generation = current_snapshot().generation
    definition = as_json(made_as(row))
    pinned = _worked_out(in_force(row), generation)
    return _keep(named, _Content(definition=definition, pinned=pinned, generation=generation))


def share(row: Subcorpus, *, is_shared: bool) -> None:
    row.is_shared = is_shared
    row.save(update_fields=["is_shared"])


def texts_of_subcorpus(row: Subcorpus) -> DocumentSet:
    """Work out which texts it has now.

    Raises
    ------
    QueryError
        If its search cannot be run any more, or costs too much.
    """
    return texts_in(in_force(row), current_snapshot().generation)


def size_of(row: Subcorpus) -> Base:
    """Count its texts and their tokens in the newest generation, every copy.

    Raises
    ------
    QueryError
        As `texts_of_subcorpus`.
    """
    return select(current_snapshot(), DocumentFilter(texts=texts_of_subcorpus(row))).base


def remove_subcorpus(subcorpus: Subcorpus) -> None:
    """Delete a subcorpus that no saved query rests on; those that were made from it stay.

    Raises
    ------
    SubcorpusInUseError
        With the queries that use it; nothing is deleted then.
    """
    users = tuple(
        query
        for query in SavedQuery.objects.filter(parameters__contains=f"sub={subcorpus.slug}")
        if Address.parse(query.parameters).get("sub") == subcorpus.slug
    )
    if users:
        raise SubcorpusInUseError(users)
    with transaction.atomic():
        subcorpus.delete()
        forget_unused_sets()


def _with_filters_of(row: Subcorpus | None, address: Address) -> Address:
    """Put what an address says over the filters of a subcorpus, as a search in it does."""
    if row is None:
        return address.without("sub")
    given = {name for name, _ in address.pairs}
    kept = [pair for pair in Address.parse(row.filters).pairs if pair[0] not in given]
    values: dict[str, list[str]] = {}
    for name, value in (*kept, *address.pairs):
        values.setdefault(name, []).append(value)
    return Address.of(values | {"sub": []})


def _generation_of(address: Address) -> int:
    newest = current_snapshot().generation
    asof = address.get("asof")
    return min(int(asof), newest) if asof.isdecimal() else newest


def _save(named: Named, definition: Definition, generation: int | None = None) -> Subcorpus:
    """Keep a set of texts; that it can be worked out is tried first."""
    if depth_of(definition) > MOST_DEPTH:
        raise ValueError("It is made of too many others, one from another: pin one of them.")
    newest = current_snapshot().generation
    generation = newest if generation is None or not named.is_pinned else generation
    texts = _worked_out(definition, generation)
    pinned = texts if named.is_pinned else None
    digests = frozenset(digests_in(definition))
    return _keep(named, _Content("", as_json(definition), pinned, generation, digests))


def _worked_out(definition: Definition, generation: int) -> DocumentSet:
    try:
        return texts_in(definition, generation)
    except QueryError as error:
        raise ValueError(error.message) from None


@dataclass(frozen=True, slots=True)
class _Content:
    """What a row is to hold beside its name; ``digests`` are the kept sets it rests on."""

    filters: str = ""
    definition: dict[str, Any] | None = None
    pinned: DocumentSet | None = None
    generation: int = 0
    digests: frozenset[str] = frozenset()


def _keep(named: Named, content: _Content) -> Subcorpus:
    if Subcorpus.objects.filter(owner=named.owner, name=named.name).exists():
        raise ValueError(f"You have a subcorpus “{named.name}” already.")
    base = slugify(named.name)[:80] or "subcorpus"
    for slug in (base, f"{base}-{secrets.token_hex(3)}"):
        try:
            with transaction.atomic():
                return _created(named, slug, content)
        except IntegrityError:
            continue
    raise ValueError(f"The name “{named.name}” is taken.")


def _created(named: Named, slug: str, content: _Content) -> Subcorpus:
    pinned = None if content.pinned is None else keep_set(content.pinned)
    row = Subcorpus.objects.create(
        owner=named.owner,
        name=named.name,
        slug=slug,
        is_shared=named.is_shared,
        filters=content.filters,
        definition=content.definition,
        pinned=pinned,
        generation=None if pinned is None else content.generation,
    )
    row.sets.set(TextSet.objects.filter(digest__in=content.digests))
    if pinned is not None:
        row.sets.add(pinned)
    return row
