"""Names that stand joined in one value: the authors of a text, ``A. Botha; T. Nkosi``.

Input → output: a snapshot and a column → which values hold a name, which names a value holds. The
index keeps the names of a text as one string; they are parted when somebody asks, once for a
generation. So texts of any age answer, and nothing is indexed again.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered

I64 = npt.NDArray[np.int64]

NAME_SIGN = "; "
JOINED_COLUMNS = frozenset({"author"})


class JoinedNames:
    """The values of a column and the names in them.

    Names have numbers: that of the value which is the name alone, where there is one, else numbers
    behind those of all values. O(documents + values of the column) to make.
    """

    def __init__(self, snapshot: Snapshot, column: str) -> None:
        self._lexicon = snapshot.lexicon
        n_values = snapshot.lexicon.size.n_values
        parted = dict(_parted_values(snapshot, column))
        self._extra = sorted(
            {name for names in parted.values() for name in names if self._number(name) is None}
        )
        behind = {name: n_values + i for i, name in enumerate(self._extra)}
        n_names = np.ones(n_values, dtype=np.int64)
        for value, names in parted.items():
            n_names[value] = len(names)
        self._n_names = n_names
        self._first = np.cumsum(n_names) - n_names
        self._names = np.repeat(np.arange(n_values), n_names)
        self._holding: dict[str, list[int]] = {}
        for value, names in parted.items():
            numbers = [self._number(name) for name in names]
            at = int(self._first[value])
            self._names[at : at + len(names)] = [
                behind[name] if number is None else number
                for name, number in zip(names, numbers, strict=True)
            ]
            for name in names:
                self._holding.setdefault(name, []).append(value)

    def _number(self, name: str) -> int | None:
        return self._lexicon.find_value(name)

    def values_with(self, name: str) -> list[int]:
        """Return the numbers of all values that hold a name, or are it."""
        number = self._number(name)
        return [*self._holding.get(name, ()), *(() if number is None else (number,))]

    def parted(self, values: npt.NDArray[np.integer]) -> tuple[I64, I64]:
        """Give each value once for each of its names.

        Parameters
        ----------
        values : ndarray of shape (n,)
            Numbers of values.

        Returns
        -------
        tuple of ndarrays of shape (n_names,)
            The place of each name's value among those given, ascending; the number of each name.
        """
        n_names = self._n_names[values]
        places = np.repeat(np.arange(len(values)), n_names)
        within = np.arange(len(places)) - np.repeat(np.cumsum(n_names) - n_names, n_names)
        return places, self._names[np.repeat(self._first[values], n_names) + within]

    def spell(self, number: int) -> str:
        """Write a name."""
        n_values = len(self._n_names)
        return self._lexicon.value(number) if number < n_values else self._extra[number - n_values]


def names_in(value: str) -> list[str]:
    """Part a value into its names, each once.

    Examples
    --------
    >>> names_in("A. Botha; T. Nkosi; A. Botha"), names_in("")
    (['A. Botha', 'T. Nkosi'], [''])
    """
    names = dict.fromkeys(name.strip() for name in value.split(NAME_SIGN))
    return [name for name in names if name] or [value]


def _parted_values(snapshot: Snapshot, column: str) -> Iterable[tuple[int, list[str]]]:
    """Give the values of a column that are no name by themselves, with the names in them."""
    found = [np.unique(getattr(view.segment.documents, column)) for view in snapshot.segments]
    for number in np.unique(np.concatenate([np.empty(0, dtype=np.uint32), *found])).tolist():
        value = snapshot.lexicon.value(number)
        names = names_in(value)
        if names != [value]:
            yield number, names


def names_of(snapshot: Snapshot, column: str) -> list[str]:
    """Return the names that texts have in a column, by alphabet. O(documents)."""
    names = joined_names(snapshot, column)
    return sorted(filter(None, map(names.spell, name_numbers(snapshot, column).tolist())))


def name_numbers(snapshot: Snapshot, column: str) -> I64:
    """Return the numbers of the names that texts have in a column, ascending. O(documents)."""
    found = [np.unique(getattr(view.segment.documents, column)) for view in snapshot.segments]
    values = np.unique(np.concatenate([np.empty(0, dtype=np.uint32), *found]))
    _, numbers = joined_names(snapshot, column).parted(values)
    return np.unique(numbers)


_NAMES: Remembered[str, JoinedNames] = Remembered()


def joined_names(snapshot: Snapshot, column: str) -> JoinedNames:
    """Return the names of a column; remembered with the snapshot."""
    return _NAMES.of(snapshot).get_or(column, lambda: JoinedNames(snapshot, column))
