"""What users keep: queries with the numbers of their day, permanent links."""

import hashlib
import secrets
from base64 import b32encode
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from search.asking.address import Address
from search.models import SavedQuery

_SHORT_BYTES = 5  # 8 letters; a million links meet by chance once in a million


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a search came to, and at which generation of the corpus.

    ``digest`` is the hash of the list, empty where it is too long to be hashed while one waits.
    """

    generation: int
    n_hits: int
    digest: str = ""


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
            "digest": numbers.digest,
        },
    )
    return row


def add_digest(address: Address, numbers: Numbers) -> None:
    """Give a permanent link of as many hits the hash that its list was too long for."""
    links = SavedQuery.objects.filter(short=short_of(address), digest="", n_hits=numbers.n_hits)
    links.update(digest=numbers.digest)


def find_link(address: Address) -> SavedQuery | None:
    """Find the permanent link of an address that has `asof`, or a query that was saved there."""
    link = SavedQuery.objects.filter(short=short_of(address)).first()
    return link or SavedQuery.objects.filter(parameters=str(address)).first()


@dataclass(frozen=True, slots=True)
class QueryToSave:
    """A query a user gives a name."""

    address: Address
    name: str
    note: str = ""


def names_of_queries(owner: Any) -> set[str]:
    """Give the names of a user's saved queries; permanent links have none."""
    named = SavedQuery.objects.filter(owner=owner).exclude(name="")
    return set(named.values_list("name", flat=True))


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
        digest=numbers.digest,
    )


def saved_queries(owner: Any) -> QuerySet[SavedQuery]:
    """Return what a user saved under a name; permanent links alone have none and are not listed."""
    return SavedQuery.objects.filter(owner=owner).exclude(name="").order_by("-created_at")
