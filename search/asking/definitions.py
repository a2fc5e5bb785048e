"""What a subcorpus is made of: what a search finds, texts that were listed, sets that are joined.

A definition is a value: it holds those of the subcorpora it was made from, so nothing that becomes
of them changes it. Input → output: a row's JSON → `Definition` and back.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from search.asking.address import Address
from search.models import Subcorpus


class Operation(StrEnum):
    """How sets are joined; the difference takes all others from the first."""

    UNION = "union"
    INTERSECTION = "intersection"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class Member:
    """A subcorpus that another is made from, by the name it had."""

    name: str
    definition: "Definition"


@dataclass(frozen=True, slots=True)
class Found:
    """Texts with a hit of a search, or those that its filters let through if it has no query.

    Parameters
    ----------
    address : Address
        Without ``sub`` and ``asof``.
    takes_comments : bool
        Whether the comments on its articles belong to it.
    within : Member or None
        In which subcorpus it was searched.
    """

    address: Address
    takes_comments: bool = False
    within: Member | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """Texts named one by one, by the digest of a kept set."""

    digest: str
    takes_comments: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    """The union, intersection or difference of others."""

    operation: Operation
    members: tuple[Member, ...]


Definition = Found | Listed | Joined


def as_json(definition: Definition) -> dict[str, Any]:
    """Write a definition as rows keep it; `read_definition` reads it back."""
    match definition:
        case Found(address, takes_comments, within):
            found: dict[str, Any] = {"address": str(address), "comments": takes_comments}
            return found | ({"within": _member_as_json(within)} if within else {})
        case Listed(digest, takes_comments):
            return {"set": digest, "comments": takes_comments}
        case Joined(operation, members):
            return {"operation": operation.value, "members": [_member_as_json(m) for m in members]}


def read_definition(kept: dict[str, Any]) -> Definition:
    if "operation" in kept:
        return Joined(Operation(kept["operation"]), tuple(map(_read_member, kept["members"])))
    if "set" in kept:
        return Listed(kept["set"], kept["comments"])
    within = _read_member(kept["within"]) if "within" in kept else None
    return Found(Address.parse(kept["address"]), kept["comments"], within)


def _member_as_json(member: Member) -> dict[str, Any]:
    return {"name": member.name, "definition": as_json(member.definition)}


def _read_member(kept: dict[str, Any]) -> Member:
    return Member(kept["name"], read_definition(kept["definition"]))


def made_as(row: Subcorpus) -> Definition:
    """Return what a subcorpus was made as, whether it is pinned or not."""
    if row.definition is None:
        return Found(Address.parse(row.filters))
    return read_definition(row.definition)


def in_force(row: Subcorpus) -> Definition:
    """Return what decides which texts a subcorpus has: a pinned one has those of its day."""
    return made_as(row) if row.pinned is None else Listed(row.pinned.digest)


def holds_comments_alone(definition: Definition) -> bool:
    """Say whether there can be no article in it."""
    match definition:
        case Found(address):
            return address.get("in") == "comments"
        case Listed():
            return False
        case Joined(operation, members):
            of_members = [holds_comments_alone(member.definition) for member in members]
            if operation is Operation.DIFFERENCE:
                return of_members[0]
            return all(of_members) if operation is Operation.UNION else any(of_members)


def searches_in(definition: Definition) -> list[Address]:
    """Return the addresses of all searches that a definition rests on."""
    match definition:
        case Found(address, _, within):
            return [address, *(searches_in(within.definition) if within else [])]
        case Listed():
            return []
        case Joined(members=members):
            return [one for member in members for one in searches_in(member.definition)]


def digests_in(definition: Definition) -> set[str]:
    """Return the kept sets that a definition names."""
    match definition:
        case Found(within=within):
            return digests_in(within.definition) if within else set()
        case Listed(digest):
            return {digest}
        case Joined(members=members):
            return set().union(*(digests_in(member.definition) for member in members))


def depth_of(definition: Definition) -> int:
    """Count the definitions that lie within each other."""
    match definition:
        case Found(within=within):
            return 1 + (depth_of(within.definition) if within else 0)
        case Listed():
            return 1
        case Joined(members=members):
            return 1 + max(depth_of(member.definition) for member in members)
