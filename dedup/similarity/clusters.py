"""Clusters: pairs that belong together → disjoint sets, each named by its smallest member.

Union–find with path halving (Tarjan & van Leeuwen 1984). The smallest member is the root, so the
result does not depend on the order of the pairs: with members ordered by (time of publication, id)
the root is the original.
"""

from collections import defaultdict
from collections.abc import Iterable
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


def joined_but_apart(
    members: Iterable[Member],
    links: Iterable[tuple[Member, Member]],
    apart: Iterable[tuple[Member, Member]],
) -> UnionFind[Member]:
    """Join by links, but never two members that are to stay apart.

    Parameters
    ----------
    members
        All of them, those without a link too.
    links
        Pairs that belong together, the most certain first.
    apart
        Pairs that must not come into one set, also not through third members.

    Returns
    -------
    UnionFind
        Each link in turn has joined its two sets, unless a member of one is apart from a member of
        the other.

    Notes
    -----
    For each set the sets that it must not join are kept, so a link costs no look at all of `apart`.

    Examples
    --------
    >>> joined_but_apart([1, 2, 3], [(1, 2), (2, 3)], [(1, 3)]).groups()
    {1: [1, 2], 3: [3]}
    """
    sets = UnionFind[Member]()
    for member in members:
        sets.add(member)
    foes: defaultdict[Member, set[Member]] = defaultdict(set)
    for one, another in apart:
        foes[one].add(another)
        foes[another].add(one)
    for first, second in links:
        roots = sets.find(first), sets.find(second)
        if roots[0] == roots[1] or roots[1] in foes[roots[0]]:
            continue
        root = sets.union(*roots)
        [other] = {*roots} - {root}
        for foe in foes.pop(other, set()):
            foes[foe].remove(other)
            foes[foe].add(root)
            foes[root].add(foe)
    return sets
