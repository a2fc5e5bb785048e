"""Statistics of hits as values for JSON, each number with its base.

Input → output: hits, the documents they were looked for in, and what was asked → nested lists and
dictionaries. Numbers that do not exist (a rate without tokens) are null.
"""

import datetime as dt

from search.engine.index.documents import UNIX_EPOCH
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection
from search.engine.query.limits import Budget
from search.engine.statistics.collocation.collocates import Collocate, CollocateRequest, collocates
from search.engine.statistics.counting.grouping import needs_positions
from search.engine.statistics.counting.hit_values import key_text
from search.engine.statistics.counting.periods import Unit
from search.engine.statistics.frequency import FrequencyRow, frequencies
from search.engine.statistics.trend import trend
from search.engine.workbench.statistics_requests import FrequencyRequest, StatisticsRequest
from search.engine.workbench.written_values import Answer, rounded

# What is spent of a query's budget, in token visits of about 10 ns: measured at 10 million hits.
CELL_VISITS = 4  # a token of a window that is counted
VALUE_VISITS = 20  # a hit that is counted by what stands there


def table_of(
    want: str, hits: Hits, selection: Selection, request: StatisticsRequest, budget: Budget
) -> Answer:
    """Count what is wanted: ``freq``, ``colloc`` or ``trend``.

    Raises
    ------
    QueryTooExpensiveError
    """
    if want == "freq":
        keys = request.frequency.keys
        if needs_positions(hits, keys):
            budget.spend(hits.total * len(keys) * VALUE_VISITS)
        return frequency_table(hits, selection, request.frequency)
    if want == "colloc":
        budget.spend(hits.total * len(request.collocates.window.places) * CELL_VISITS)
        return collocate_table(hits, selection, request.collocates)
    return trend_table(hits, selection, request.unit)


def frequency_table(hits: Hits, selection: Selection, request: FrequencyRequest) -> Answer:
    """Count hits by up to three keys."""
    listed = frequencies(hits, request.keys, request.wanted, selection)
    return {
        "by": [key_text(key) for key in request.keys],
        "values": listed.n_values,
        "hits": listed.n_hits,
        "rows": [_frequency_row(row) for row in listed.rows],
    }


def _frequency_row(row: FrequencyRow) -> Answer:
    written: Answer = {
        "value": row.values[0] if len(row.values) == 1 else list(row.values),
        "hits": row.n_hits,
        "per_million": rounded(row.per_million),
        "base_tokens": row.base_tokens,
    }
    if row.spread is not None:
        written |= {"texts": row.spread.n_texts, "publications": row.spread.n_publications}
        written |= {"dp": rounded(row.spread.deviation)}
    return written


def collocate_table(hits: Hits, selection: Selection, request: CollocateRequest) -> Answer:
    """Find the collocates in a window."""
    listed = collocates(hits, selection, request)
    return {
        "by": request.attribute,
        "window": str(request.window),
        "measure": request.measure,
        "collocates": listed.n_collocates,
        "hits": listed.n_hits,
        "window_tokens": listed.window_tokens,
        "base_tokens": listed.base_tokens,
        "rows": [_collocate_row(row, request.measure) for row in listed.rows],
    }


def _collocate_row(row: Collocate, measure: str) -> Answer:
    return {
        "value": row.value,
        "score": rounded(row.scores[measure]),
        "joint": row.n_joint,
        "expected": rounded(row.expected),
        "frequency": row.n_total,
        "hits": row.n_hits,
        "texts": row.n_texts,
        "mean_position": rounded(row.mean_position),
        "scores": {name: rounded(score) for name, score in row.scores.items()},
    }


def trend_table(hits: Hits, selection: Selection, unit: Unit) -> Answer:
    """Count hits by period; periods are named by their first day within the corpus."""
    found = trend(hits, selection, unit)
    days = [found.periods.days(i)[0] for i in range(len(found))]
    columns = zip(
        found.periods.names,
        days,
        found.hits.tolist(),
        found.texts.tolist(),
        found.rates.tolist(),
        found.tokens.tolist(),
        found.documents.tolist(),
        strict=True,
    )
    return {
        "by": unit.value,
        "slope": rounded(found.slope),
        "p": rounded(found.test.p) if found.test else None,
        "undated_tokens": found.undated.n_tokens,
        "rows": [
            {
                "period": name,
                "from": (UNIX_EPOCH + dt.timedelta(days=day)).isoformat(),
                "hits": hits_here,
                "texts": texts,
                "per_million": rounded(rate),
                "base_tokens": tokens,
                "base_texts": documents,
            }
            for name, day, hits_here, texts, rate, tokens, documents in columns
        ],
    }
