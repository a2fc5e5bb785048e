"""Addresses of the search pages: one state of a query, one address.

An `Address` holds the parameters that were given and are not defaults, in the table's order; links
on a page are made by changing a few of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from django.http import QueryDict

from search.asking.parameters import DEFAULTS, FILTERS, PARAMETERS
from search.asking.values import as_stored

# What addresses may hold as it is, so that queries can be read in them.
UNQUOTED = '[]="@,:*?'
# A change of the query or of its order makes these void.
_PLACE = ("after", "hit")
# Parameters of the concordance that an article page keeps, to show where one came from.
_QUERY = frozenset(DEFAULTS) - {"view", "ctx", "show"}


@dataclass(frozen=True, slots=True)
class Address:
    """Parameters in canonical order, defaults left out."""

    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, parameters: QueryDict) -> Self:
        """Take the known parameters of a request or of a stored query string."""
        return cls.of({name: parameters.getlist(name) for name in DEFAULTS})

    @classmethod
    def parse(cls, query_string: str) -> Self:
        return cls.read(QueryDict(query_string))

    @classmethod
    def of(cls, values: Mapping[str, Sequence[str]]) -> Self:
        return cls(tuple(_canonical(values)))

    def __str__(self) -> str:
        return urlencode(self.pairs, safe=UNQUOTED)

    def get(self, name: str) -> str:
        """Give the value, or its default."""
        return next((value for key, value in self.pairs if key == name), DEFAULTS[name])

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]

    def change(self, **values: str | Sequence[str]) -> Self:
        """Replace parameters (`from_` and `in_` stand for Python's keywords).

        The place in the list, `after` and `hit`, is dropped unless it is given.
        """
        changed: dict[str, Sequence[str]] = {name: self.values(name) for name in DEFAULTS}
        changed |= dict.fromkeys(_PLACE, ())
        for name, value in values.items():
            changed[name.rstrip("_")] = [value] if isinstance(value, str) else value
        return self.of(changed)

    def without(self, name: str, value: str | None = None) -> Self:
        """Leave out a parameter, or one value of a repeatable one."""
        kept = [] if value is None else [other for other in self.values(name) if other != value]
        return self.change(**{name: kept})

    def query_part(self) -> Self:
        """Keep the query and its filters: what an article page carries along."""
        return type(self)(tuple(pair for pair in self.pairs if pair[0] in _QUERY))

    def filters(self) -> Self:
        return type(self)(tuple(pair for pair in self.pairs if pair[0] in FILTERS))

    def at(self, path: str) -> str:
        return f"{path}?{self}" if self.pairs else path


def unknown_names(parameters: Iterable[str], also_known: Iterable[str] = ()) -> list[str]:
    """Parameters that no control of the page reads, for a notice."""
    return sorted(set(parameters) - set(DEFAULTS) - set(also_known))


def _canonical(values: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, str]]:
    for parameter in PARAMETERS:
        name = parameter.name
        given = [text for value in values.get(name, ()) if (text := as_stored(value))]
        kept = parameter.written(given)
        yield from ((name, value) for value in kept if value != parameter.default)
