"""Ranks by frequency: equal frequencies get successive ranks, in code-point order of the values.

Input → output: values with counts → the value at a rank, the rank of a value. Only groups of equal
counts that are asked for are spelled and sorted, so a page deep in the list costs little.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]
SpellAll = Callable[[list[int]], list[str]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A value with its rank, from 1."""

    rank: int
    number: int
    value: str
    hits: int


class ValueRanking:
    """Values in order of frequency.

    Parameters
    ----------
    numbers, counts : ndarray of shape (n_values,)
        Value numbers and how often each occurs.
    spell_all : callable
        Value numbers → how they are written; decides the order of equal counts.
    """

    def __init__(self, numbers: I64, counts: I64, spell_all: SpellAll) -> None:
        order = np.argsort(-counts, kind="stable")
        self._numbers = numbers[order]
        self._counts = counts[order]
        self._ascending = -self._counts
        self._spell_all = spell_all
        self._groups: dict[int, _Group] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def counts(self) -> I64:
        """Counts in order of rank."""
        return self._counts

    def at(self, ranks: Iterable[int]) -> list[Ranked]:
        """Return the values at some ranks, those beyond the end left out."""
        return [self._at(rank) for rank in ranks if 1 <= rank <= len(self)]

    def rank_of(self, value: str, hits: int) -> int:
        """Return the rank of a value that is in the list.

        Raises
        ------
        ValueError
            If it is not.
        """
        start = self._start(hits)
        values = self._group(start).values
        place = bisect_left(values, value)
        if place == len(values) or values[place] != value:
            raise ValueError(f"“{value}” with {hits} hits is not in the list.")
        return start + place + 1

    def _at(self, rank: int) -> Ranked:
        hits = int(self._counts[rank - 1])
        start = self._start(hits)
        group, place = self._group(start), rank - 1 - start
        return Ranked(rank, group.numbers[place], group.values[place], hits)

    def _start(self, hits: int) -> int:
        """Return how many values are more frequent."""
        return int(np.searchsorted(self._ascending, -hits, side="left"))

    def _group(self, start: int) -> "_Group":
        """Return the values that are as frequent as the one at a place, spelled and sorted."""
        group = self._groups.get(start)
        if group is None:
            stop = start
            if start < len(self):
                stop = int(np.searchsorted(self._ascending, self._ascending[start], side="right"))
            numbers = self._numbers[start:stop].tolist()
            spelled = self._spell_all(numbers)
            order = sorted(range(len(numbers)), key=spelled.__getitem__)
            group = _Group([spelled[i] for i in order], [numbers[i] for i in order])
            self._groups[start] = group
        return group


@dataclass(frozen=True, slots=True)
class _Group:
    """Values of equal counts with their numbers, in order."""

    values: list[str]
    numbers: list[int]
