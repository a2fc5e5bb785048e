"""What the engine is asked for: a query, texts, hits and lines, all of it parsed once.

Input → output: a checked form → `SearchRequest`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_, sub
from typing import Any, Self

from django.utils import timezone

from search.asking.address import Address
from search.asking.base_words import KINDS
from search.asking.crawl_texts import texts_of_crawl
from search.asking.definitions import Definition, Found, Joined, Listed, Operation
from search.asking.form import QueryForm, form_at
from search.asking.hit_filters import HitFilter, OtherSearch, narrow
from search.asking.kept_sets import kept_set
from search.asking.parameters import BY_NAME, OF_HITS, PLACE
from search.asking.parts import kinds_in, parts_named
from search.asking.written_query import WrittenQuery
from search.engine.concordance.kwic import PageRequest
from search.engine.concordance.sort_keys import SortKey, parse_keys
from search.engine.concordance.sorting import Order
from search.engine.index.documents import TEXT_KINDS, DocumentKind
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.engine.query.ast import Query
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, DocumentFilter, DocumentSet, select
from search.engine.query.language.parser import Language
from search.engine.query.run import run
from search.engine.query.text_sets import texts_of_hits, texts_of_selection, with_comments
from search.engine.statistics.slices import Slice
from search.engine.statistics.slicing import narrow_hits, narrow_selection
from search.opened_index import current_snapshot

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
    written = form.written
    query = written.parse()
    generation, offset = read_place(form.value("after") if after is None else after)
    texts = texts_of(form, generation)
    return SearchRequest(written, query, texts, _hits_of(form), _page_of(form, offset))


def texts_of(form: QueryForm, generation: int | None = None) -> Texts:
    """Return the texts that a form asks for, whatever its query.

    ``generation`` is the one to ask where the form names none; where texts must be of a set that
    is worked out anew for each, the newest is named.

    Raises
    ------
    QueryError
        If a subcorpus cannot be worked out.
    """
    fields: dict[str, Any] = {}
    for name, value in form.filters.items():
        found = BY_NAME[name].fields_of(value)
        if _AMONG in found:  # several filters name publications: of all of them
            found = {_AMONG: _of_both(fields.get(_AMONG), found[_AMONG])}
        fields |= found
    fields["kinds"] = form.kinds
    if form.value("asof") is not None:
        generation = form.value("asof")
    sets = []
    if form.subset is not None:
        generation = current_snapshot().generation if generation is None else generation
        sets.append(texts_in(form.subset, generation))
    if form.filters["crawl"] is not None:
        sets.append(_of_crawl(form, generation))
    if sets:
        fields["texts"] = reduce(and_, sets)
    return Texts(DocumentFilter(**fields, generation=generation), form.filters["only"])


# 8 bytes a text.
_COMMENTED: Remembered[tuple[DocumentSet, int], DocumentSet] = Remembered(8)


def _of_crawl(form: QueryForm, generation: int | None) -> DocumentSet:
    """Give the texts of a crawl, with the comments on them where comments are looked at."""
    snapshot = current_snapshot()
    articles = texts_of_crawl(form.filters["crawl"], snapshot)
    if form.kinds and DocumentKind.COMMENT not in form.kinds:
        return articles
    then = snapshot.generation if generation is None else generation
    commented = _COMMENTED.of(snapshot)
    return commented.get_or((articles, then), lambda: with_comments(articles, snapshot, then))


_FOUND: Remembered[tuple[Query | None, Texts, HitFilter, bool], DocumentSet] = Remembered(16)
_JOINED: Remembered[tuple[Operation, tuple[DocumentSet, ...]], DocumentSet] = Remembered(16)
_JOIN: dict[Operation, Callable[[DocumentSet, DocumentSet], DocumentSet]] = {
    Operation.UNION: or_,
    Operation.INTERSECTION: and_,
    Operation.DIFFERENCE: sub,
}


def texts_in(definition: Definition, generation: int) -> DocumentSet:
    """Work out which texts a subcorpus has, as of a generation; kept with the snapshot.

    Raises
    ------
    QueryError
        If its search cannot be run any more, or costs too much.
    """
    snapshot = current_snapshot()
    match definition:
        case Found():
            return _found_texts(definition, snapshot, generation)
        case Listed(digest, takes_comments):
            listed = kept_set(digest)
            return with_comments(listed, snapshot, generation) if takes_comments else listed
        case Joined(operation, members):
            sets = tuple(texts_in(member.definition, generation) for member in members)
            memory = _JOINED.of(snapshot)
            return memory.get_or((operation, sets), lambda: reduce(_JOIN[operation], sets))


def _found_texts(found: Found, snapshot: Snapshot, generation: int) -> DocumentSet:
    """Search; copies count each, for the search in which the set is used counts them once."""
    form = form_at(found.address, None)
    if form.problem:
        raise QueryError(f"The subcorpus cannot be used: {form.problem}")
    query = form.written.parse() if form.has_query else None
    texts = texts_of(form, generation)
    given = {name for name, _ in form.address.pairs}
    wanted = texts.filter if "copies" in given else replace(texts.filter, copies=Copies.ALL)
    if found.within is not None:
        within = texts_in(found.within.definition, generation)
        wanted = replace(wanted, texts=within if wanted.texts is None else within & wanted.texts)
    texts = replace(texts, filter=wanted)
    key = query, texts, _hits_of(form), found.takes_comments

    def searched() -> DocumentSet:
        kept = _searched(snapshot, query, texts, _hits_of(form))
        return with_comments(kept, snapshot, generation) if found.takes_comments else kept

    return _FOUND.of(snapshot).get_or(key, searched)


def _searched(
    snapshot: Snapshot, query: Query | None, texts: Texts, hit_filter: HitFilter
) -> DocumentSet:
    zone = timezone.get_default_timezone()
    selection = select(snapshot, texts.filter)
    if query is None:
        return texts_of_selection(narrow_selection(selection, texts.slices, zone))
    hits = narrow(run(snapshot, query, texts.filter), hit_filter)
    return texts_of_hits(narrow_hits(hits, selection, texts.slices, zone))


def _of_both(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted({*one} & {*other}))


def _hits_of(form: QueryForm) -> HitFilter:
    fields: dict[str, Any] = {}
    for name in OF_HITS:
        fields |= BY_NAME[name].fields_of(form.value(name))
    return HitFilter(
        also=_other_search(form, "also"),
        less=_other_search(form, "less"),
        **fields,
        seed=form.value("seed"),
    )


def _other_search(form: QueryForm, name: str) -> OtherSearch | None:
    """Read the other search that an address names, if any; its own generation does not count.

    Raises
    ------
    QueryError
        If it cannot be run.
    """
    if not form.value(name):
        return None
    there = form.like(Address.parse(form.value(name)).without("asof"))
    label = BY_NAME[name].label
    if there.value("also") or there.value("less"):
        raise QueryError(f"“{label}” takes a search that names no other.")
    if not there.has_query or there.problem:
        raise QueryError(f"“{label}”: {there.problem or 'there is no query.'}")
    texts = texts_of(there)
    return OtherSearch(there.written.parse(), texts.filter, texts.slices, _hits_of(there))


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
