"""Tables of the statistic pages: the very answers the pages show, as JSON.

Parameters, checks, bases and numbers are those of `search/views`; nothing is counted here.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from corpus_site.api.access import endpoint
from corpus_site.api.refusals import faults_of, no_query, refuse_without_index, wrong_values
from corpus_site.api.searching import wait_for_hits
from search.engine.tables.result_table import ResultTable
from search.engine.tables.table_exports import record_of
from search.views.statistics import (
    collocates,
    distribution,
    frequency,
    keyness,
    ngrams,
    text_table,
    trend,
)
from search.views.statistics.counted_values import in_full
from search.views.statistics.statistic_page import Shown, StatisticPage, StatisticSpec
from search.views.words import new_words, sketch, word, word_table, zipf

# As a file does, a program waits for every hit instead of an estimate from a sample.
_EVERY_HIT = {"export": "json"}


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic page: what it takes, what it answers, and what it has no answer without."""

    spec: StatisticSpec
    answer: Callable[[StatisticPage], Shown]
    needs: tuple[str, ...] = ()


STATISTICS = {
    view.spec.name: view
    for view in (
        Statistic(frequency.SPEC, frequency.answer),
        Statistic(collocates.SPEC, collocates.answer),
        Statistic(ngrams.SPEC, ngrams.answer),
        Statistic(trend.SPEC, trend.answer),
        Statistic(distribution.SPEC, distribution.answer),
        Statistic(text_table.SPEC, text_table.answer),
        Statistic(keyness.SPEC, keyness.answer, ("ref",)),
        Statistic(word_table.SPEC, word_table.answer),
        Statistic(zipf.SPEC, zipf.answer),
        Statistic(new_words.SPEC, new_words.answer),
        Statistic(sketch.SPEC, sketch.answer, ("lemma",)),
    )
}


def statistic_view(name: str) -> Callable[..., HttpResponseBase]:
    """Make the endpoint of a statistic."""

    @endpoint()
    def view(request: HttpRequest) -> dict[str, Any]:
        if name == "frequency":
            request.GET = in_full(request.GET)  # type: ignore[assignment]
        return _tables(request, STATISTICS[name])

    return view


@endpoint()
def word_profile(request: HttpRequest, form: str) -> dict[str, Any]:
    """Answer what is known of one word."""
    spec = replace(word.SPEC, args=(form,), title=form.lower())
    return _tables(request, Statistic(spec, lambda page: word.answer(page, form)))


def _tables(request: HttpRequest, statistic: Statistic) -> dict[str, Any]:
    given = request.GET.copy()
    given.update(_EVERY_HIT)
    request.GET = given  # type: ignore[assignment]
    page = StatisticPage(request, statistic.spec)
    _refuse(page, statistic.needs)
    _take_rows(page)
    if statistic.spec.needs_query:
        wait_for_hits(page.wanted, page.snapshot)
    shown = statistic.answer(page)
    return _about(page) | {
        "notes": dict(shown.about),
        "tables": [_table(table) for table in shown.tables],
    }


def _take_rows(page: StatisticPage) -> None:
    """Keep to the rows that were asked for; without a wish all are given, as in a file."""
    rows = page.spec.rows
    if rows and page.request.GET.get(rows):
        page.values[rows] = next(g.value for g in page.given if g.parameter.name == rows)


def _refuse(page: StatisticPage, needs: tuple[str, ...]) -> None:
    of_page = ((given.parameter.name, given.error) for given in page.given if given.error)
    faults = list(faults_of(chain(page.kept_form.errors.items(), of_page)))
    missing = (name for name in needs if not page.values[name])
    faults += [{"parameter": name, "message": "This is missing."} for name in missing]
    if faults:
        raise wrong_values(faults)
    if page.spec.needs_query and not page.form.has_query:
        raise no_query()
    refuse_without_index()


def _about(page: StatisticPage) -> dict[str, Any]:
    """Say what numbers rest on, as the head of the page does."""
    needs_query = page.spec.needs_query
    counted = page.hits if needs_query else page.selection
    answer: dict[str, Any] = {
        "view": page.spec.name,
        "query": {"q": page.form.address.get("q"), "ql": page.form.value("ql")},
        "parameters": {given.parameter.name: given.text for given in page.given},
        "generation": counted.generation,
        "base": {
            "tokens": counted.base.n_tokens,
            "texts": counted.base.n_documents,
            "words": page.base_words,
        },
        "page": page.request.build_absolute_uri(page.at(asof=counted.generation)),
        "ignored": page.form.unknown,
        "damaged": [error.name for error in page.snapshot.damaged],
    }
    if needs_query:
        hits = page.hits
        answer |= {"hits": hits.total, "texts": hits.n_texts, "per_million": hits.per_million}
    return answer


def _table(table: ResultTable) -> dict[str, Any]:
    record = record_of(table)
    for column, written in zip(table.columns, record["columns"], strict=True):
        written["help"] = column.help
    record["rows"] = [{key: _finite(v) for key, v in row.items()} for row in record["rows"]]
    return record


def _finite(value: Any) -> Any:
    """JSON knows no infinity; a measure without bound is null there."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
