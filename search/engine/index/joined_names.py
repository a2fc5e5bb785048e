"""Names that stand joined in one value: the authors of a text, ``A. Botha; T. Nkosi``.

Input → output: a snapshot and a column → which values hold a name, which names a value holds. The
index keeps the names of a text as one string; they are parted when somebody asks, once for a
generation. So texts of any age answer, and nothing is indexed again.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from extraction.html.fields.agencies import agency_of
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered

I64 = npt.NDArray[np.int64]

NAME_SIGN = "; "
NO_NAME = -1  # number of what a text has that no agency signs
AGENCY = "agency"
JOINED_COLUMNS = frozenset({"author", AGENCY})


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


def parted_names(value: str, kind: DocumentKind) -> tuple[str, str]:
    """Part the names of a value of authors: people and houses, and the agencies that sign beside.

    Readers who comment under the name of one are none.

    Examples
    --------
    >>> parted_names("T. Nkosi; AFP; Nampa", DocumentKind.ARTICLE)
    ('T. Nkosi', 'AFP; Nampa')
    >>> parted_names("AFP", DocumentKind.COMMENT)
    ('AFP', '')
    """
    if kind is DocumentKind.COMMENT:
        return value, ""
    names = names_in(value)
    agencies = [name for name in names if name and agency_of(name) == name]
    if not agencies:
        return value, ""  # as it is written
    authors = [name for name in names if name not in agencies]
    return NAME_SIGN.join(authors), NAME_SIGN.join(agencies)


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


class Agencies:
    """News agencies, which stand among the authors of texts and are told by their names alone.

    A text that none signs has `NO_NAME`. O(authors) to make.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._names = _joined(snapshot, "author")
        numbers = name_numbers(snapshot, "author")
        spelt = map(self._names.spell, numbers.tolist())
        is_agency = [agency_of(name) == name != "" for name in spelt]
        self.numbers: I64 = numbers[np.array(is_agency, dtype=np.bool_)]

    def values_with(self, name: str) -> list[int]:
        """Return the numbers of all values of authors that an agency is among."""
        return self._names.values_with(name)

    def values_with_any(self) -> list[int]:
        """Return the numbers of all values of authors that some agency is among."""
        names = map(self._names.spell, self.numbers.tolist())
        return [value for name in names for value in self._names.values_with(name)]

    def parted(self, values: npt.NDArray[np.integer]) -> tuple[I64, I64]:
        """Give each value of authors once for each agency in it, and once where there is none.

        As `JoinedNames.parted`; `NO_NAME` among the values is a text without authors.
        """
        signed = np.flatnonzero(values != NO_NAME)
        places, numbers = self._names.parted(values[signed])
        is_agency = np.isin(numbers, self.numbers)
        places, numbers = signed[places[is_agency]], numbers[is_agency]
        without = np.setdiff1d(np.arange(len(values)), places)
        places = np.concatenate([places, without])
        order = np.argsort(places, kind="stable")
        numbers = np.concatenate([numbers, np.full(len(without), NO_NAME)])
        return places[order], numbers[order]

    def spell(self, number: int) -> str:
        """Write a name."""
        return "" if number == NO_NAME else self._names.spell(number)


_NAMES: Remembered[str, JoinedNames] = Remembered()
_AGENCIES: Remembered[None, Agencies] = Remembered()


def joined_names(snapshot: Snapshot, column: str) -> JoinedNames | Agencies:
    """Return the names of a column; remembered with the snapshot."""
    return agencies_of(snapshot) if column == AGENCY else _joined(snapshot, column)


def agencies_of(snapshot: Snapshot) -> Agencies:
    """Return the agencies that sign texts; remembered with the snapshot."""
    return _AGENCIES.of(snapshot).get_or(None, lambda: Agencies(snapshot))


def _joined(snapshot: Snapshot, column: str) -> JoinedNames:
    return _NAMES.of(snapshot).get_or(column, lambda: JoinedNames(snapshot, column))
