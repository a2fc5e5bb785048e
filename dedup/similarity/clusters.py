"""Clusters: pairs that belong together → disjoint sets, each named by its smallest member.

Union–find with path halving (Tarjan & van Leeuwen 1984). The smallest member is the root, so the
result does not depend on the order of the pairs: with members ordered by (time of publication, id)
the root is the original (ALG-5, step 6).
"""

from typing import Any, Generic, Protocol, TypeVar


class Ordered(Protocol):
    """What members must be able to do beside being hashable."""

    def __lt__(self, other: Any, /) -> bool: ...


Member = TypeVar("Member", bound=Ordered)


class UnionFind(Generic[Member]):
    """Disjoint sets that only grow together.

    Notes
    -----
    Rooting at the smallest member gives up union by rank: with path halving an operation costs
    O(log n) amortized.

    Examples
    --------
    >>> sets = UnionFind[int]()
    >>> sets.union(7, 3)
    3
    >>> sets.union(9, 7)
    3
    >>> sets.groups()
    {3: [3, 7, 9]}
    """

    def __init__(self) -> None:
        self._parents: dict[Member, Member] = {}

    def add(self, member: Member) -> None:
        """Enter a member as a set of its own, unless it is known."""
        self._parents.setdefault(member, member)

    def find(self, member: Member) -> Member:
        """Return the smallest member of the set of `member`, which is entered when it is new."""
        parents = self._parents
        parents.setdefault(member, member)
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    def union(self, first: Member, second: Member) -> Member:
        """Join the sets of two members; return the smallest member of the result."""
        first, second = self.find(first), self.find(second)
        if second < first:
            first, second = second, first
        self._parents[second] = first
        return first

    def groups(self) -> dict[Member, list[Member]]:
        """Return all sets, members in ascending order, by their smallest member."""
        found: dict[Member, list[Member]] = {}
        for member in sorted(self._parents):
            found.setdefault(self.find(member), []).append(member)
        return found
