"""What a request is answered: hits, their base, and each thing that was wanted.

Input → output: an open corpus and a ``ToolRequest`` → a value that is written as one JSON object.
Every number stands beside the base it refers to.
"""

import datetime as dt
import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.concordance.kwic import KwicLine, lines_of
from search.engine.index.documents import UNIX_EPOCH, DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection
from search.engine.query.ast import Query
from search.engine.query.filters import select
from search.engine.query.language.parser import parse
from search.engine.query.limits import Budget
from search.engine.query.run import explain, run, targets
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.errors import RequestError
from search.engine.workbench.requests import ToolRequest
from search.engine.workbench.written_values import Answer, rounded

if TYPE_CHECKING:
    from search.engine.workbench.statistics_requests import StatisticsRequest

SPANS_PER_BLOCK = 100_000  # lines of the digest written at a time: few MB
# What is spent of a query's budget, in token visits of about 10 ns: measured at 10 million hits.
SPAN_VISITS = 40  # a line of the digest
DAYS_REMEMBERED = 1_000  # lines of a page are of few days
MARK_NAMES = {0: "target", 9: "keyword"}  # as CQP calls @ and @9

I64 = npt.NDArray[np.int64]


def answer(corpus: Corpus, request: ToolRequest) -> Answer:
    """Answer a request.

    Raises
    ------
    RequestError, QueryError, QueryTooExpensiveError
    """
    newest = corpus.snapshot.generation
    if request.filter.generation is not None and request.filter.generation > newest:
        raise RequestError(f"“at” is beyond the newest generation, {newest}.")
    found = _Found(corpus, request)
    hits = found.hits
    given: Answer = {
        "hits": hits.total,
        "per_million": rounded(hits.per_million),
        "base": {"tokens": hits.base.n_tokens, "texts": hits.base.n_documents},
        "generation": hits.generation,
    }
    if corpus.snapshot.damaged:
        given["damaged"] = [str(damage) for damage in corpus.snapshot.damaged]
    if "count" in request.wants:  # texts are counted from positions, which a page does not need
        given["texts"] = hits.n_texts
    return given | {want: WANTED[want](found) for want in request.wants}


class _Found:
    """The hits of a request, found when first needed."""

    def __init__(self, corpus: Corpus, request: ToolRequest) -> None:
        self.corpus = corpus
        self.request = request
        self.budget = Budget()

    @cached_property
    def hits(self) -> Hits:
        return run(
            self.corpus.snapshot,
            _query(self.request),
            self.request.filter,
            self.budget,
            across_texts=self.corpus.keeps_order,
        )

    @cached_property
    def selection(self) -> Selection:
        return select(self.corpus.snapshot, self.request.filter)


def _query(request: ToolRequest) -> Query:
    """Parse the query; a strategy inside it wins over one named beside it, as in CQP."""
    query = parse(request.text, request.language, match_case=request.match_case, tokenize=_words)
    if request.strategy is None or query.names_strategy:
        return query
    return replace(query, strategy=request.strategy)


def _words(text: str) -> list[str]:
    from extraction.text.tokens import tokenize  # noqa: PLC0415 (of simple queries alone)

    return [text[start:end] for start, end in tokenize(text)]


def _kwic(found: _Found) -> list[Answer]:
    lines = lines_of(found.hits, found.request.page)
    marks = targets(found.hits)
    written = [_line(found, line) for line in lines]
    if not any(marks):
        return written
    return [
        each | _marks(found, line, marks[line.place.part])
        for each, line in zip(written, lines, strict=True)
    ]


def _marks(found: _Found, line: KwicLine, marks: dict[int, I64]) -> Answer:
    """Write the corpus positions of the tokens that a query marks with ``@``, if it does."""
    if not marks:
        return {}
    part = found.hits.parts[line.place.part]
    number = int(np.searchsorted(part.spans.starts, line.place.start))
    places = {
        MARK_NAMES.get(mark, f"@{mark}"): int(found.corpus.positions(part.view, at[[number]])[0])
        for mark, at in marks.items()
        if at[number] >= 0
    }
    return {"marks": places}


def _line(found: _Found, line: KwicLine) -> Answer:
    """Write a line; ``start`` and ``end`` are corpus positions, the end inclusive.

    Columns are read one by one: all of them would take longer than finding the lines.
    """
    view, row = found.hits.parts[line.place.part].view, line.place.row
    value = found.hits.snapshot.lexicon.value
    columns = view.segment.documents
    kind = DocumentKind(columns.kind.item(row))
    start = found.corpus.position(view, line.place.start)
    return {
        "start": start,
        "end": start + line.length - 1,
        "text": found.corpus.name(kind, columns.key.item(row)),
        "kind": kind.label,
        "publication": value(columns.publication.item(row)),
        "section": value(columns.section.item(row)),
        "date": _date(columns.day.item(row)) if columns.dated.item(row) else None,
        "left": line.left,
        "node": line.node,
        "right": line.right,
    }


@lru_cache(maxsize=DAYS_REMEMBERED)
def _date(day: int) -> str:
    """Write a day since 1970."""
    return (UNIX_EPOCH + dt.timedelta(days=day)).isoformat()


def _count(found: _Found) -> int:
    return found.hits.total


def _spans_sha1(found: _Found) -> str:
    """Digest the lines ``start end`` of all hits in corpus order."""
    found.budget.spend(found.hits.total * SPAN_VISITS)
    starts, ends = found.corpus.spans(found.hits)
    digest = hashlib.sha1(usedforsecurity=False)
    for begin in range(0, len(starts), SPANS_PER_BLOCK):
        block = slice(begin, begin + SPANS_PER_BLOCK)
        pairs = zip(starts[block].tolist(), ends[block].tolist(), strict=True)
        digest.update("".join([f"{start} {end}\n" for start, end in pairs]).encode())
    return digest.hexdigest()


def _explain(found: _Found) -> list[Answer]:
    snapshot, across_texts = found.corpus.snapshot, found.corpus.keeps_order
    ways = explain(snapshot, _query(found.request), across_texts=across_texts)
    return [
        {"way": way.way.value, "token": way.token, "places": way.n_places, "why": way.why}
        for way in ways
    ]


def _counted(want: str, found: _Found) -> Answer:
    """Count; the statistics are loaded when they are first asked for."""
    from search.engine.workbench.tables import table_of  # noqa: PLC0415

    # Read with the request, where any of them is wanted.
    statistics = cast("StatisticsRequest", found.request.statistics)
    return table_of(want, found.hits, found.selection, statistics, found.budget)


WANTED: dict[str, Callable[[_Found], Any]] = {
    "kwic": _kwic,
    "count": _count,
    "freq": partial(_counted, "freq"),
    "colloc": partial(_counted, "colloc"),
    "trend": partial(_counted, "trend"),
    "spans_sha1": _spans_sha1,
    "explain": _explain,
}
