"""What the engine is asked for: a query, texts, hits and lines, all of it parsed once.

Input → output: a checked form → `SearchRequest`.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self

from search.asking.base_words import KINDS
from search.asking.form import QueryForm
from search.asking.hit_filters import HitFilter
from search.asking.parameters import BY_NAME, OF_HITS, PLACE
from search.asking.parts import kinds_in, parts_named
from search.asking.written_query import WrittenQuery
from search.engine.concordance.kwic import PageRequest
from search.engine.concordance.sort_keys import SortKey, parse_keys
from search.engine.concordance.sorting import Order
from search.engine.index.documents import TEXT_KINDS
from search.engine.query.ast import Query
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, DocumentFilter
from search.engine.query.language.parser import Language
from search.engine.statistics.slices import Slice

_AMONG = "among"  # what tags and origins of publications come to
ARTICLES = DocumentFilter(kinds=KINDS["articles"], copies=Copies.ONCE)  # what an empty address asks
EVERYTHING = DocumentFilter()


@dataclass(frozen=True, slots=True)
class Texts:
    """Which texts are looked at: `slices` are cut from what the filter lets through."""

    filter: DocumentFilter = ARTICLES
    slices: tuple[Slice, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for, in which texts, which hits count, and which lines to show of them.

    ``written`` is what ``query`` was parsed from, for remarks on its language.
    """

    written: WrittenQuery
    query: Query
    texts: Texts = field(default_factory=Texts)
    hits: HitFilter = field(default_factory=HitFilter)
    page: PageRequest = field(default_factory=PageRequest)

    def with_query(self, text: str) -> Self:
        """Ask the same of another query in the same language.

        Raises
        ------
        QueryError
        """
        written = replace(self.written, text=text)
        return replace(self, written=written, query=written.parse())


def asked(written: WrittenQuery, texts: Texts | None = None) -> SearchRequest:
    """Ask for all hits of a query; without ``texts`` those of an address that names none.

    Raises
    ------
    QueryError
    """
    query, texts = written.parse(), texts or Texts()
    kinds = texts.filter.kinds
    if (named := parts_named(query)) and kinds <= TEXT_KINDS:
        texts = replace(texts, filter=replace(texts.filter, kinds=kinds_in(kinds, named)))
    return SearchRequest(written, query, texts)


def asked_in_cql(text: str, texts: Texts | None = None) -> SearchRequest:
    """Ask for all hits of a query in CQL that the program wrote itself."""
    return asked(WrittenQuery(text, Language.CQL), texts)


def request_of(form: QueryForm, after: str | None = None) -> SearchRequest:
    """Make the request of a form that can run; `after` stands for the place in its address.

    Raises
    ------
    QueryError
        If the query cannot be read, or the place in the list is not one of ours.
    """
    written = WrittenQuery(form.address.get("q"), form.value("ql"), form.value("case"))
    query = written.parse()
    generation, offset = read_place(form.value("after") if after is None else after)
    texts = texts_of(form)
    if texts.filter.generation is None:
        texts = replace(texts, filter=replace(texts.filter, generation=generation))
    return SearchRequest(written, query, texts, _hits_of(form), _page_of(form, offset))


def texts_of(form: QueryForm) -> Texts:
    """Return the texts that a form asks for, whatever its query."""
    fields: dict[str, Any] = {}
    for name, value in form.filters.items():
        found = BY_NAME[name].fields_of(value)
        if _AMONG in found:  # several filters name publications: of all of them
            found = {_AMONG: _of_both(fields.get(_AMONG), found[_AMONG])}
        fields |= found
    fields["kinds"] = form.kinds
    return Texts(DocumentFilter(**fields, generation=form.value("asof")), form.filters["only"])


def _of_both(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted({*one} & {*other}))


def _hits_of(form: QueryForm) -> HitFilter:
    fields: dict[str, Any] = {}
    for name in OF_HITS:
        fields |= BY_NAME[name].fields_of(form.value(name))
    return HitFilter(**fields, seed=form.value("seed"))


def _page_of(form: QueryForm, offset: int) -> PageRequest:
    sample, view = form.value("sample"), form.value("view")
    return PageRequest(
        offset,
        form.value("n"),
        Order(
            parse_keys(form.value("sort")) or (SortKey.NEW,),
            sample if isinstance(sample, int) else None,
            sample if isinstance(sample, float) else None,
            form.value("seed"),
        ),
        form.value("ctx"),
        whole_sentence=view != "kwic",
        sentences=1 if view == "wide" else 0,
    )


def write_place(generation: int, offset: int) -> str:
    """Write the place a page of lines begins at, for `after`; empty for the first one.

    It holds the generation, so that turning pages in a growing corpus skips and repeats nothing.
    """
    return f"{generation}.{offset}" if offset else ""


def read_place(text: str) -> tuple[int | None, int]:
    """Read the generation a first page was made of, None for the newest, and the lines before.

    Raises
    ------
    QueryError
        If it is not one of ours.
    """
    if not text:
        return None, 0
    found = PLACE.fullmatch(text)
    if found is None:
        raise QueryError("The place in the list is not one of ours; start again from page one.")
    return int(found[1]), int(found[2])
