"""A request: one JSON object with a query, which texts to look at, and what is wanted of the hits.

Input → output: a line of JSON → ``ToolRequest``. Keys that are not known and values of the wrong
type are refused, so that a misspelt key never changes what is counted.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.engine.concordance.kwic import PageRequest
from search.engine.concordance.sort_keys import SortKey, SortKeyError, parse_keys
from search.engine.concordance.sorting import Order
from search.engine.index.documents import DocumentKind, DocumentRights
from search.engine.query.ast import Strategy
from search.engine.query.filters import Copies, DocumentFilter, Stories
from search.engine.query.language.parser import Language
from search.engine.workbench.errors import RequestError
from search.engine.workbench.fields import Fields, fields_of_line

if TYPE_CHECKING:
    from search.engine.workbench.statistics_requests import StatisticsRequest

WANTS = ("kwic", "count", "freq", "colloc", "trend", "spans_sha1", "explain")
KINDS = {kind.label: kind for kind in DocumentKind}
# An answer is one line of JSON that is made in memory: tens of MB with the longest context.
MAX_LINES = 10_000
MAX_CONTEXT_WORDS = 500
DEFAULT_LINES = 50
DEFAULT_CONTEXT = 8


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """All that one line asks."""

    mark: str | int | float | None
    text: str
    language: Language
    match_case: bool
    strategy: Strategy | None
    filter: DocumentFilter
    wants: tuple[str, ...]
    page: PageRequest
    statistics: "StatisticsRequest | None"


def read_request(line: bytes) -> ToolRequest:
    """Read one line.

    Raises
    ------
    RequestError
    """
    fields = fields_of_line(line)
    strategy = fields.choice("strategy", ("", *(s.value for s in Strategy)), "")
    wants = fields.choices("want", WANTS, "kwic")
    request = ToolRequest(
        mark=fields.scalar("id"),
        text=_query_text(fields),
        language=Language.CQL if fields.has("cql") else Language.SIMPLE,
        match_case=fields.flag("match_case"),
        strategy=Strategy(strategy) if strategy else None,
        filter=_filter(fields),
        wants=wants,
        page=_page(fields),
        statistics=_statistics(fields, wants),
    )
    fields.finish()
    return request


def _statistics(fields: Fields, wants: tuple[str, ...]) -> "StatisticsRequest | None":
    """Read how to count; what is neither wanted nor described is not loaded either."""
    if not any(name in wants or fields.has(name) for name in ("freq", "colloc", "trend")):
        return None
    from search.engine.workbench.statistics_requests import read_statistics  # noqa: PLC0415

    return read_statistics(fields)


def _query_text(fields: Fields) -> str:
    if fields.has("cql") == fields.has("simple"):
        raise RequestError("Give the query as “cql” or as “simple”, one of the two.")
    return fields.text("cql" if fields.has("cql") else "simple")


def _filter(fields: Fields) -> DocumentFilter:
    generation = fields.whole("at", 0) if fields.has("at") else None
    if not fields.has("filter"):  # as most often; to read each of its keys takes 50 us
        return DocumentFilter(generation=generation)
    wanted = fields.inner("filter")
    result = DocumentFilter(
        kinds=frozenset(KINDS[name] for name in _kinds(wanted)),
        publications=_values(wanted, "publication"),
        without_publications=_values(wanted, "without_publication"),
        sections=_values(wanted, "section"),
        without_sections=_values(wanted, "without_section"),
        authors=_values(wanted, "author"),
        without_authors=_values(wanted, "without_author"),
        agencies=wanted.texts("agency") + wanted.texts("agencies"),
        without_agencies=wanted.texts("without_agency") + wanted.texts("without_agencies"),
        languages=_values(wanted, "language"),
        without_languages=_values(wanted, "without_language"),
        first_day=wanted.day("from"),
        last_day=wanted.day("to"),
        is_undated=wanted.flag("undated") if wanted.has("undated") else None,
        is_changed=wanted.flag("changed") if wanted.has("changed") else None,
        rights=_rights(wanted),
        copies=Copies(wanted.choice("copies", tuple(Copies), Copies.ALL)),
        stories=Stories(wanted.choice("stories", tuple(Stories), Stories.ALL)),
        generation=generation,
    )
    wanted.finish()
    return result


def _rights(wanted: Fields) -> DocumentRights | None:
    rights = {one.label: one for one in DocumentRights}
    return rights.get(wanted.choice("rights", ("", *rights), ""))


def _values(wanted: Fields, name: str) -> tuple[str, ...]:
    """Read the values of a column, under its name or the plural."""
    return wanted.texts(name) + wanted.texts(f"{name}s")


def _kinds(wanted: Fields) -> tuple[str, ...]:
    kinds = _values(wanted, "kind")
    if not set(kinds) <= set(KINDS):
        raise RequestError(f"“filter.kind” is not one or a list of {', '.join(KINDS)}.")
    return kinds


def _page(fields: Fields) -> PageRequest:
    """Read ``"page": 50`` or ``"page": {"page": 50, "from": 100}``, with sort and context."""
    offset, count = 0, DEFAULT_LINES
    if fields.is_object("page"):
        page = fields.inner("page")
        offset = page.whole("from", 0)
        count = page.whole("page", DEFAULT_LINES, most=MAX_LINES)
        page.finish()
    else:
        count = fields.whole("page", DEFAULT_LINES, most=MAX_LINES)
    return PageRequest(
        offset=offset,
        count=count,
        order=_order(fields),
        context=fields.whole("context", DEFAULT_CONTEXT, most=MAX_CONTEXT_WORDS),
        whole_sentence=fields.flag("whole_sentence"),
    )


def _order(fields: Fields) -> Order:
    try:
        keys = tuple(key for text in fields.texts("sort") for key in parse_keys(text))
    except SortKeyError as error:
        raise RequestError(f"“sort”: {error}") from None
    return Order(
        keys=keys or (SortKey.NEW,),
        sample=fields.whole("sample", 0) if fields.has("sample") else None,
        seed=fields.whole("seed", 1),
    )
