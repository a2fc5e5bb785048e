"""An address and its reader → checked values and what is wrong, by the table of parameters.

A wrong value of what the answer rests on (query, filters, generation) stops the search; a wrong
value of how it is shown is named at its control, and the default is shown.
"""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from propcache.api import cached_property

from search.asking.address import Address, unknown_names
from search.asking.parameters import BY_NAME, DISPLAY, FILTERS, PARAMETERS
from search.asking.parts import Kinds, kinds_in, parts_named
from search.asking.values import Reader, WrongValueError
from search.asking.written_query import WrittenQuery
from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language
from search.models import Subcorpus
from search.opened_index import current_snapshot


class QueryForm:
    """The parameters of a search as a reader gave them; `unknown` are those of no control."""

    def __init__(self, parameters: QueryDict, reader: Reader) -> None:
        self.address = Address.read(parameters)
        self.unknown = unknown_names(parameters)
        self.reader = reader

    def like(self, address: Address) -> "QueryForm":
        """Make a form of the same reader and day for another address."""
        return QueryForm(QueryDict(str(address)), self.reader)

    @cached_property
    def _checked(self) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        """Check all values: what they are, and for wrong ones the default and a sentence."""
        values: dict[str, Any] = {}
        errors: dict[str, str] = {}
        for parameter in PARAMETERS:
            name = parameter.name
            try:
                values[name] = parameter.value_of(self.address.values(name), self.reader)
            except WrongValueError as error:
                values[name] = parameter.value_of((), self.reader)
                errors[name] = error.message
        if values["from"] and values["to"] and values["to"] < values["from"]:
            values["to"] = None
            errors["to"] = "The end lies before the beginning."
        if values["minwords"] and values["maxwords"] and values["maxwords"] < values["minwords"]:
            values["maxwords"] = None
            errors["maxwords"] = "The greatest length is below the least."
        return values, errors

    @property
    def errors(self) -> Mapping[str, str]:
        """A sentence for each parameter whose value is wrong, in the table's order."""
        return self._checked[1]

    def value(self, name: str) -> Any:
        """Give a checked value, or the default where it was wrong."""
        return self._checked[0][name]

    @property
    def has_query(self) -> bool:
        return bool(self.address.get("q"))

    @property
    def can_run(self) -> bool:
        """Whether nothing is wrong with what the answer rests on."""
        return not set(self.errors) - DISPLAY

    @property
    def publications(self) -> dict[str, str]:
        """Names of all publications by their short names."""
        return self.reader.publications

    def publication_named(self, text: str) -> str:
        """Give the short name of a publication that was typed, by short name or name."""
        return self.reader.publication_named(text)

    @cached_property
    def filters(self) -> Mapping[str, Any]:
        """The checked filters, the subcorpus' own under those of the address."""
        names = [name for name in FILTERS if name != "sub"]
        values = {name: self.value(name) for name in names}
        subcorpus: Subcorpus | None = self.value("sub")
        if subcorpus is None:
            return values
        given = {name for name, _ in self.address.pairs}
        kept = self.like(Address.parse(subcorpus.filters))
        return values | {
            name: kept.value(name) for name in names if name not in given and kept.can_run
        }

    @cached_property
    def kinds(self) -> Kinds:
        """Which documents are looked at: by the filters, and by a query that names a part."""
        parts = self.filters["part"] or self._parts_of_query
        return kinds_in(self.filters["in"], parts)

    @property
    def counts_bodies(self) -> bool:
        """Whether articles count by their bodies alone, which a page then says."""
        return self.kinds == {DocumentKind.ARTICLE}

    @property
    def _parts_of_query(self) -> Kinds:
        text = self.address.get("q")
        if self.value("ql") is not Language.CQL or "within" not in text:
            return frozenset()
        try:
            return parts_named(WrittenQuery(text, Language.CQL).parse())
        except QueryError:  # whoever runs the query says what is wrong with it
            return frozenset()

    @property
    def base_words(self) -> str:
        """Which texts numbers rest on: `articles of Karoo Courier, copies counted once`."""
        values = {**self.filters, "in": self.kinds}
        words = [
            say(value, self.publications)
            for name, value in values.items()
            if (say := BY_NAME[name].in_base) is not None
        ]
        subcorpus: Subcorpus | None = self.value("sub")
        return "".join(words) + (f", subcorpus “{subcorpus.name}”" if subcorpus else "")


def reader_of(request: HttpRequest) -> Reader:
    return Reader(timezone.localdate(), request.user)


def form_of(request: HttpRequest) -> QueryForm:
    """Read the parameters of a request."""
    return QueryForm(request.GET, reader_of(request))


def form_at(address: Address, user: Any) -> QueryForm:
    """Read an address that was kept, for a user of today."""
    return QueryForm(QueryDict(str(address)), Reader(timezone.localdate(), user))


def whole_from(generation: int) -> int:
    """Return the first generation with all its texts, 0 where this one has them."""
    first = current_snapshot().history_from
    return first if generation < first else 0
