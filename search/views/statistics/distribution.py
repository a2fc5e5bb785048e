"""`/search/distribution/`: hits by a property of their texts, and how evenly they lie."""

import math
from calendar import day_name
from collections.abc import Iterator
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.text.language_names import language_name
from presentation.charts.barcode import Barcode
from presentation.charts.dots import Dot, DotChart
from presentation.charts.svg import Mark
from presentation.wording.figures import counted, grouped, rate
from search.answers.answering import hits_of, selection_of
from search.asking.base_words import KINDS
from search.asking.values import OneOf, WholeNumber
from search.engine.statistics.counting.hit_values import NO_VALUE
from search.engine.statistics.counting.intervals import MILLION, wilson_per_million
from search.engine.statistics.distribution import (
    ColumnGroup,
    Dispersion,
    Strokes,
    dispersions,
    distribution,
    strokes,
)
from search.engine.statistics.echo import Echo, echo
from search.engine.statistics.slices import STROKES
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_values import NOT_GIVEN, SEVERAL
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.wording.value_words import MARK_WORDS, NO_DATE

BY = (
    ("pub", "publication"),
    ("sec", "section"),
    ("author", "author"),
    ("agency", "agency"),
    ("lang", "language"),
    ("weekday", "weekday"),
    ("hour", "hour of the day"),
    ("quarter", "part of the text"),
    ("kind", "article and comments"),
)
_OF_TIME = frozenset({"weekday", "hour"})
_IN_ORDER = frozenset({"weekday", "hour", "quarter", "kind"})
_QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
_LABEL_CHARS = 26  # of 180 units beside the dots
MOST_DOTS = 40
MOST_HITS_IN_ORDER = 5_000_000  # placing more in order of time would take seconds
SPEC = StatisticSpec(
    "distribution",
    "Distribution",
    (OneOf("by", "By", BY), WholeNumber("n", "Rows", 50, 1, 1_000)),
    template="search/distribution.html",
)
_INTERVAL_HELP = (
    "95 % interval of the rate by Wilson (1927), as if each token were drawn by itself; words come "
    "in bursts, so the truth is less certain."
)


@require_safe
def distribution_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    by = page.values["by"]
    zone = timezone.get_default_timezone()
    groups = distribution(page.hits, page.selection, by, zone)
    rows = _most(groups, by, page.values["n"])
    found = strokes(page.hits, page.selection) if page.hits.total <= MOST_HITS_IN_ORDER else None
    tables = [
        _table(page, rows, len(groups)),
        dispersion_table(dispersions(page.hits, page.selection), page.hits.total),
    ]
    context = {
        "by": dict(BY)[by],
        "picture": _dots(page, rows[:MOST_DOTS]),
        "n_dots": min(len(rows), MOST_DOTS),
        "n_groups": len(groups),
        "barcode": _barcode(page, found) if found else None,
        "reduced_frequency": found.reduced_frequency if found else None,
    }
    if by == "kind":
        said = _echo(page)
        tables.append(_echo_table(said))
        context |= {"echo": said, "with_comments": page.at(in_="both")}
    return Shown(tuple(tables), context, _about(found))


def _about(found: Strokes | None) -> tuple[tuple[str, str], ...]:
    interval = (("interval", "95 %, Wilson (1927), as if tokens were drawn one by one"),)
    if found is None:
        return interval
    reduced = f"{found.reduced_frequency:.2f} (Savický and Hlaváčová 2002)"
    return (*interval, ("average reduced frequency", reduced))


def _most(groups: list[ColumnGroup], by: str, n: int) -> list[ColumnGroup]:
    """Keep the groups with most hits, then with most tokens; ordered ones are all shown."""
    if by in _IN_ORDER:
        return groups
    return sorted(groups, key=lambda group: (-group.hits, -group.tokens, group.value))[:n]


def _slice(by: str, value: str) -> str:
    return "undated:yes" if by in _OF_TIME and value == NO_VALUE else f"{by}:{value}"


def _label(page: StatisticPage, by: str, value: str) -> str:
    if by in _OF_TIME and value == NO_VALUE:
        return NO_DATE
    labels = {
        "pub": lambda: page.form.publications.get(value, value),
        "lang": lambda: language_name(value) if value else "",
        "weekday": lambda: day_name[int(value) - 1],
        "hour": lambda: f"{value}:00 to {value}:59",
        "quarter": lambda: _QUARTERS[int(value) - 1],
        "kind": lambda: MARK_WORDS["kind"][value],
    }
    return (labels[by]() if by in labels else value) or NOT_GIVEN


def _table(page: StatisticPage, rows: list[ColumnGroup], n_all: int) -> ResultTable:
    by = page.values["by"]
    name = dict(BY)[by]
    columns = (
        Column("value", name.capitalize()),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("share", "Share of hits", ColumnKind.SHARE),
        Column("rate", "Per million", ColumnKind.RATE, "Hits per million tokens of the row."),
        Column("low", "95 %: from", ColumnKind.RATE, _INTERVAL_HELP),
        Column("high", "to", ColumnKind.RATE),
        Column("texts", "Texts with hits", ColumnKind.COUNT),
        Column("documents", "Texts", ColumnKind.COUNT),
        Column("tokens", "Tokens", ColumnKind.COUNT, "All tokens of the row: its base."),
    )
    cells = tuple(tuple(_cells(page, group)) for group in rows)
    caption = f"Hits by {name}, each with the tokens its rate rests on."
    if by in SEVERAL:
        caption += f" {SEVERAL[by]}"
    return ResultTable("distribution", caption, columns, cells, n_all)


def _cells(page: StatisticPage, group: ColumnGroup) -> Iterator[Cell]:
    by = page.values["by"]
    address = page.hits_in(_slice(by, group.value)) if group.hits else ""
    low, high = wilson_per_million(group.hits, group.tokens)
    yield Cell(_label(page, by, group.value), address)
    yield Cell(group.hits, address)
    yield Cell(group.hits / page.hits.total if page.hits.total else None)
    yield Cell(MILLION * group.hits / group.tokens if group.tokens else None)
    yield Cell(float(low) if group.tokens else None)
    yield Cell(float(high) if group.tokens else None)
    yield Cell(group.texts)
    yield Cell(group.documents)
    yield Cell(group.tokens)


def _dots(page: StatisticPage, rows: list[ColumnGroup]) -> DotChart:
    by = page.values["by"]
    dots = []
    for group in rows:
        if not group.tokens:
            continue
        label = _label(page, by, group.value)
        value = MILLION * group.hits / group.tokens
        low, high = wilson_per_million(group.hits, group.tokens)
        words = (
            f"{label}: {counted(group.hits, 'hit')}, {rate(value)} per million of "
            f"{counted(group.tokens, 'token')}"
        )
        address = page.hits_in(_slice(by, group.value))
        mark = Mark(value, words, address, is_tab_stop=False)  # the table holds the same links
        dots.append(Dot(_short(label), mark, float(low), float(high)))
    highest = max(dots, key=lambda dot: dot.mark.value, default=None)
    sentence = f"Hits per million tokens by {dict(BY)[by]}, {counted(len(dots), 'row')}"
    if highest is not None:
        sentence += f", highest {highest.label} with {rate(highest.mark.value)}"
    return DotChart(sentence, tuple(dots), keeps_order=by in _IN_ORDER)


def _short(label: str) -> str:
    return label if len(label) <= _LABEL_CHARS else f"{label[: _LABEL_CHARS - 1]}…"


def _barcode(page: StatisticPage, found: Strokes) -> Barcode:
    """Draw the strokes of the barcode that have hits; each opens them."""
    numbers = [number for number, n in enumerate(found.hits.tolist()) if n]
    address_of = page.slice_addresses()
    marks = tuple(
        Mark(
            number / (STROKES - 1),
            f"{counted(int(found.hits[number]), 'hit')} here",
            address_of(f"stroke:{number + 1}"),
            is_tab_stop=False,  # there may be a thousand
        )
        for number in numbers
    )
    sentence = (
        f"Where the hits lie in {grouped(page.hits.base.n_tokens)} tokens in order of time: in "
        f"{grouped(len(numbers))} of {grouped(STROKES)} equal parts"
    )
    return Barcode(sentence, marks)


def _echo(page: StatisticPage) -> Echo:
    """Look in articles and comments, whatever texts the page is about."""
    of_both = replace(page.texts.filter, kinds=KINDS["articles"] | KINDS["comments"])
    texts = replace(page.texts, filter=of_both)
    return echo(hits_of(replace(page.wanted, texts=texts)), selection_of(texts))


def _echo_table(found: Echo) -> ResultTable:
    columns = (
        Column("where", "Who says it"),
        Column("articles", "Articles", ColumnKind.COUNT),
        Column("share", "Share", ColumnKind.SHARE),
    )
    lines = (
        ("the article, then its comments", found.both),
        ("the article only", found.article_only),
        ("the comments only", found.comments_only),
        ("neither", found.neither),
    )
    rows = tuple(
        (Cell(words), Cell(n), Cell(n / found.n_articles if found.n_articles else None))
        for words, n in lines
    )
    caption = "Articles that have comments, by where the hits are (articles and comments together)."
    return ResultTable("who says it first", caption, columns, rows)


_COLUMNS = (
    Column("parts", "Over"),
    Column("range", "With hits", ColumnKind.COUNT, "Range: how many parts have hits."),
    Column("n", "Of", ColumnKind.COUNT, "Parts that have tokens."),
    Column(
        "dp",
        "DP",
        ColumnKind.MEASURE,
        "Deviation of proportions (Gries 2008): 0 if the hits lie as the tokens do, near 1 if all "
        "are in one small part.",
    ),
    Column(
        "dpnorm",
        "DP norm",
        ColumnKind.MEASURE,
        "DP stretched to reach 1 (Lijffijt and Gries 2012).",
    ),
    Column(
        "d",
        "Juilland’s D",
        ColumnKind.MEASURE,
        "1 if all parts have the same rate, 0 if one of equal parts has all hits (Juilland and "
        "Chang-Rodríguez 1964); with very many parts near 1 for almost any word.",
    ),
    Column(
        "d2",
        "Carroll’s D2",
        ColumnKind.MEASURE,
        "Entropy of the rates: 1 if all parts have the same rate, 0 if one has all (Carroll 1970).",
    ),
    Column(
        "s",
        "Rosengren’s S",
        ColumnKind.MEASURE,
        "1 if the hits lie as the tokens do, least the share of the smallest part (Rosengren "
        "1971).",
    ),
)


def dispersion_table(found: list[Dispersion], n_hits: int) -> ResultTable:
    """One row for each way to cut the corpus."""
    rows = tuple(
        (
            Cell(each.parts),
            Cell(each.part_range),
            Cell(each.n_parts),
            *(
                Cell(None if math.isnan(value) else value)
                for value in (
                    each.deviation,
                    each.normalized_deviation,
                    each.juilland_d,
                    each.carroll_d2,
                    each.rosengren_s,
                )
            ),
        )
        for each in found
    )
    caption = f"How evenly {counted(n_hits, 'hit lies', 'hits lie')} over parts of the base."
    return ResultTable("dispersion", caption, _COLUMNS, rows)
