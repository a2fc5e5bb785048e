"""`/search/frequency/`: hits counted by up to three things, as a list or a cross table."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.wording.figures import grouped
from search.asking.values import OneOf, WholeNumber
from search.engine.allowance import go_on
from search.engine.index.recent import Remembered
from search.engine.statistics.counting.grouping import needs_positions
from search.engine.statistics.counting.hit_values import HitColumn, Key
from search.engine.statistics.cross_table import cross_table
from search.engine.statistics.frequency import (
    FrequencyList,
    FrequencyOrder,
    FrequencyRow,
    RowsWanted,
    frequencies,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_values import (
    BY,
    MOST_SHOWN_ROWS,
    SEVERAL,
    hits_address,
    in_full,
    keys_of,
    listed_rows,
    refuse_long_nodes,
    refuse_too_many,
    text_of,
    without_date,
)
from search.views.statistics.cross_view import cross_answer
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.wording.value_words import key_words, value_words

MOST_COLUMNS = 12
_NOTHING = (("", "–"),)
_DP_HELP = (
    "Deviation of proportions over texts (Gries 2008): 0 if the hits are spread as evenly as the "
    "words of the texts, near 1 if a few texts hold them all."
)
_NEXT = {"lower": "word", "lemma": "lower", "pos": "lemma"}
SPEC = StatisticSpec(
    "frequency",
    "Frequency",
    (
        OneOf("by", "Count by", BY),
        OneOf("by2", "and by", _NOTHING + BY),
        OneOf("by3", "and by", _NOTHING + BY),
        OneOf("cells", "Cells", (("hits", "hits"), ("rate", "per million"))),
        OneOf("form", "Two as", (("cross", "cross table"), ("list", "list"))),
        OneOf("order", "Sorted by", (("hits", "hits"), ("texts", "texts"), ("value", "value"))),
        WholeNumber("min", "At least", 1, 1, help="Fewest hits of a row."),
        WholeNumber("n", "Rows", 50, 1, MOST_SHOWN_ROWS),
    ),
    template="search/frequency.html",
    rows="n",
)


@require_safe
def frequency(request: HttpRequest) -> HttpResponse:
    request.GET = in_full(request.GET)  # type: ignore[assignment]
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    keys = keys_of(page)
    if needs_positions(page.hits, keys):
        refuse_too_many(page.hits.total)
        refuse_long_nodes(page.hits, keys)
    if len(keys) == 2 and page.values["form"] == "cross":
        pair = (keys[0], keys[1])
        limits = (min(page.values["n"], MOST_SHOWN_ROWS), MOST_COLUMNS)
        table = cross_table(page.hits, pair, limits, page.selection)
        return cross_answer(page, pair, table, _rates(keys))
    values = page.values
    most = listed_rows(page.hits, keys)
    wanted = RowsWanted(min(values["n"], most), FrequencyOrder(values["order"]), values["min"])
    listed = _remembered(page, keys, wanted)
    context = _context(page, keys, listed) | {"file_rows": most}
    about = (("rates", _rates(keys)), ("DP", _DP_HELP), *_cut(most, values["n"], listed))
    return Shown((_table(page, keys, listed),), context, about)


# Counting millions of hits by what stands beside them takes half a second.
_LISTED: Remembered[tuple[tuple[Key, ...], RowsWanted], FrequencyList] = Remembered(4)


def _remembered(page: StatisticPage, keys: tuple[Key, ...], wanted: RowsWanted) -> FrequencyList:
    """Count, or take what was counted before; the long lists of files are not kept."""

    def counted() -> FrequencyList:
        return frequencies(page.hits, keys, wanted, page.selection)

    if wanted.limit > MOST_SHOWN_ROWS:
        return counted()
    return _LISTED.of(page.hits).get_or((keys, wanted), counted)


def _cut(most: int, n_wanted: int, listed: FrequencyList) -> tuple[tuple[str, str], ...]:
    """Say why a list holds fewer rows than were asked for."""
    if min(n_wanted, listed.n_values) <= most:
        return ()
    sentence = (
        f"The first {grouped(most)} of {grouped(listed.n_values)} rows: a list of hits as long as "
        "these ends there. Count by their first or last token, or narrow the query, for all."
    )
    return (("cut", sentence),)


def _rates(keys: tuple[Key, ...]) -> str:
    """Say what the rates refer to."""
    columns = [key for key in keys if isinstance(key, HitColumn)]
    if not columns:
        return "Per million tokens of the base."
    words = f"Per million tokens of the texts of the same {' and '.join(map(key_words, columns))}."
    return " ".join([words, *(SEVERAL[key.name] for key in columns if key.name in SEVERAL)])


def _context(page: StatisticPage, keys: tuple[Key, ...], listed: FrequencyList) -> dict[str, Any]:
    context: dict[str, Any] = {"rates": _rates(keys)}
    if listed.n_values == 1 and len(keys) == 1:
        other = _NEXT.get(text_of(keys[0]), "lemma" if text_of(keys[0]) != "lemma" else "lower")
        context["instead"] = (dict(BY)[other], page.at(by=other))
    return context


def _table(page: StatisticPage, keys: tuple[Key, ...], listed: FrequencyList) -> ResultTable:
    columns = (
        Column("rank", "#", ColumnKind.COUNT),
        *(_value_column(page, number, key) for number, key in enumerate(keys)),
        _sorted(page, "hits", Column("hits", "Hits", ColumnKind.COUNT)),
        Column("rate", "Per million", ColumnKind.RATE, _rates(keys)),
        Column("share", "Share", ColumnKind.SHARE, "Share of all hits."),
        _sorted(page, "texts", Column("texts", "Texts", ColumnKind.COUNT)),
        Column("publications", "Publications", ColumnKind.COUNT),
        Column("dp", "DP", ColumnKind.MEASURE, _DP_HELP),
    )
    top = max((row.n_hits for row in listed.rows), default=1)
    rows = tuple(
        _row(page, keys, (number, row), (listed.n_hits, top))
        for number, row in enumerate(listed.rows, 1)
    )
    caption = f"Hits by {' and '.join(key_words(key) for key in keys)}.{_undated(page, keys)}"
    return ResultTable("frequency", caption, columns, rows, listed.n_values)


def _undated(page: StatisticPage, keys: tuple[Key, ...]) -> str:
    """Say how much of the base is in no month or year."""
    of_time = [key_words(key) for key in keys if key in (HitColumn("month"), HitColumn("year"))]
    words = without_date(page) if of_time else ""
    return f" {words} are in no {of_time[0]}: their hits have a row of their own." if words else ""


def _sorted(page: StatisticPage, order: str, column: Column) -> Column:
    """Let a column's head sort the table."""
    direction = "ascending" if order == "value" else "descending"
    is_current = page.values["order"] == order
    return replace(column, address=page.at(order=order), order=direction if is_current else "")


def _value_column(page: StatisticPage, number: int, key: Key) -> Column:
    label = key_words(key)
    column = Column(f"value{number}", label[0].upper() + label[1:])
    return column if number else _sorted(page, "value", column)


def _row(
    page: StatisticPage,
    keys: tuple[Key, ...],
    numbered: tuple[int, FrequencyRow],
    totals: tuple[int, int],
) -> tuple[Cell, ...]:
    go_on()
    (number, row), (n_hits, top) = numbered, totals
    address = hits_address(page, keys, row.values)
    words = [
        value_words(key, value, page.form.publications)
        for key, value in zip(keys, row.values, strict=True)
    ]
    spread = row.spread
    return (
        Cell(number),
        *(Cell(word, address) for word in words),
        Cell(row.n_hits, address),
        Cell(row.per_million),
        Cell(row.n_hits / n_hits, bar=row.n_hits / top),
        Cell(spread.n_texts if spread else None),
        Cell(spread.n_publications if spread else None),
        Cell(spread.deviation if spread else None),
    )
