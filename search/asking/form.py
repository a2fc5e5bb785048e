"""An address and its reader → checked values and what is wrong, by the table of parameters.

A wrong value of what the answer rests on (query, filters, generation) stops the search; a wrong
value of how it is shown is named at its control, and the default is shown.
"""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from propcache.api import cached_property

from search.asking import base_words
from search.asking.address import Address, unknown_names
from search.asking.definitions import (
    Definition,
    holds_comments_alone,
    in_force,
    made_as,
    searches_in,
)
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
        errors = self._checked[1]
        if not self._subcorpus_problem:
            return errors
        return {**errors, "sub": f"The subcorpus cannot be used: {self._subcorpus_problem}"}

    @cached_property
    def _subcorpus_problem(self) -> str:
        """Say what is wrong with what the subcorpus rests on: a publication may be gone by now."""
        kept = [] if self._kept is None else [self._kept]
        if self.subset is not None:
            kept = [self.like(address) for address in searches_in(self.subset)]
        return next(filter(None, (form.problem for form in kept)), "")

    @property
    def problem(self) -> str:
        """A sentence on the first thing that keeps the search from running, empty if it can."""
        if not self.can_run:
            return next(iter(self.errors.values()))
        try:
            self.written.parse()
        except QueryError as error:
            return error.message if self.has_query else ""
        return ""

    @property
    def written(self) -> WrittenQuery:
        """The query with how it is read."""
        return WrittenQuery(self.address.get("q"), self.value("ql"), self.value("case"))

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
        given = {name for name, _ in self.address.pairs}
        if self._kept is not None and self._kept.can_run:
            values |= {name: self._kept.value(name) for name in names if name not in given}
        elif "in" not in given and self._has_comments_alone:
            values["in"] = base_words.KINDS["comments"]
        return values

    @cached_property
    def _kept(self) -> "QueryForm | None":
        """The filters of the subcorpus, None where it is a set of texts, or there is none."""
        subcorpus: Subcorpus | None = self.value("sub")
        if subcorpus is None or self.subset is not None:
            return None
        return self.like(Address.parse(subcorpus.filters))

    @cached_property
    def subset(self) -> Definition | None:
        """What the texts must be among, by a subcorpus that is a set of texts."""
        subcorpus: Subcorpus | None = self.value("sub")
        if subcorpus is None or (subcorpus.definition is None and subcorpus.pinned is None):
            return None
        return in_force(subcorpus)

    @property
    def _has_comments_alone(self) -> bool:
        """Whether comments are meant by a subcorpus that was made of nothing else."""
        if self.subset is None:
            return False
        return holds_comments_alone(made_as(self.value("sub")))

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
