"""What users keep: queries with the numbers of their day, permanent links, subcorpora."""

import hashlib
import secrets
from base64 import b32encode
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from search.asking.address import Address
from search.models import SavedQuery, Subcorpus

_SHORT_BYTES = 5  # 8 letters; a million links meet by chance once in a million


class SubcorpusInUseError(Exception):
    """Raised when a subcorpus is to go that saved queries rest on; the view lists them."""

    def __init__(self, queries: tuple[SavedQuery, ...]) -> None:
        super().__init__(f"{len(queries)} saved queries use it")
        self.queries = queries


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a search came to, and at which generation of the corpus."""

    generation: int
    n_hits: int


def short_of(address: Address) -> str:
    """Short name of a permanent address: the same address has the same name."""
    digest = hashlib.blake2b(str(address).encode(), digest_size=_SHORT_BYTES).digest()
    return b32encode(digest).decode().lower()


def permanent_address(address: Address, generation: int) -> Address:
    """Give the address that keeps these numbers for ever."""
    return address.change(asof=str(generation))


def keep_link(address: Address, numbers: Numbers, owner: Any) -> SavedQuery:
    """Make the short name of a permanent address, or find it again."""
    kept = permanent_address(address, numbers.generation)
    row, _ = SavedQuery.objects.get_or_create(
        short=short_of(kept),
        defaults={
            "owner": owner,
            "parameters": str(kept),
            "generation": numbers.generation,
            "n_hits": numbers.n_hits,
        },
    )
    return row


def find_link(address: Address) -> SavedQuery | None:
    """Find the permanent link of an address that has `asof`."""
    return SavedQuery.objects.filter(short=short_of(address)).first()


@dataclass(frozen=True, slots=True)
class QueryToSave:
    """A query a user gives a name."""

    address: Address
    name: str
    note: str = ""


def save_query(query: QueryToSave, numbers: Numbers, owner: Any) -> SavedQuery:
    kept = permanent_address(query.address, numbers.generation)
    return SavedQuery.objects.create(
        owner=owner,
        short=b32encode(secrets.token_bytes(_SHORT_BYTES)).decode().lower(),
        name=query.name,
        parameters=str(kept),
        note=query.note,
        generation=numbers.generation,
        n_hits=numbers.n_hits,
    )


def saved_queries(owner: Any) -> QuerySet[SavedQuery]:
    """Return what a user saved under a name; permanent links alone have none and are not listed."""
    return SavedQuery.objects.filter(owner=owner).exclude(name="").order_by("-created_at")


def save_subcorpus(name: str, address: Address, owner: Any, *, is_shared: bool) -> Subcorpus:
    """Keep the filters of an address under a name.

    Raises
    ------
    ValueError
        When the owner has a subcorpus of this name, or there is nothing to keep.
    """
    filters = address.filters()
    if not filters.pairs:
        raise ValueError("This search has no filters, so the subcorpus would be the whole corpus.")
    if Subcorpus.objects.filter(owner=owner, name=name).exists():
        raise ValueError(f"You have a subcorpus “{name}” already.")
    base = slugify(name)[:80] or "subcorpus"
    for slug in (base, f"{base}-{secrets.token_hex(3)}"):
        try:
            with transaction.atomic():
                return Subcorpus.objects.create(
                    owner=owner, name=name, slug=slug, filters=str(filters), is_shared=is_shared
                )
        except IntegrityError:
            continue
    raise ValueError(f"The name “{name}” is taken.")


def remove_subcorpus(subcorpus: Subcorpus) -> None:
    """Delete a subcorpus that no saved query rests on.

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
    subcorpus.delete()
