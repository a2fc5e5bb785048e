"""`/search/collocates/`: the words near the hits, with all measures."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.wording.figures import counted, grouped
from search.asking.values import (
    MAX_NAME,
    FreeText,
    OneOf,
    OnePublication,
    Switch,
    WholeNumber,
)
from search.engine.annotation.tagset import WordClass
from search.engine.index.recent import Remembered
from search.engine.statistics.collocation.collocate_times import CollocateTimes, collocate_times
from search.engine.statistics.collocation.collocates import (
    CONTENT_WORDS,
    FREQUENCY_MEASURES,
    Collocate,
    CollocateList,
    CollocateRequest,
    collocates,
)
from search.engine.statistics.counting.attribute_values import numbers_of, type_values
from search.engine.statistics.counting.windows import Window
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.collocate_comparison import PLACES, comparison, is_compared
from search.views.statistics.collocate_network import MOST_WORDS, Network
from search.views.statistics.counted_links import total_address, window_slice
from search.views.statistics.counted_values import MOST_HITS, refuse_too_many
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.wording.value_words import ATTRIBUTE_WORDS

MOST_ROWS = 1_000
# Looking around so many hits takes half a second; of more a sample comes first.
MOST_AT_ONCE = 500_000
SAMPLE_HITS = 250_000
MEASURE_WORDS = {
    "logdice": "logDice",
    "ll": "log-likelihood",
    "mi": "MI",
    "mi3": "MI³",
    "t": "t-score",
    "z": "z-score",
    "dice": "Dice",
    "minsens": "minimum sensitivity",
    "dp": "ΔP of the collocate",
    "dpback": "ΔP of the node",
    "logratio": "log ratio",
}
_MEASURE_HELP = {
    "logdice": "14 + log2 of Dice (Rychlý 2008): at most 14, one more is twice as often.",
    "ll": "Log-likelihood (Dunning 1993): over 10.83 is hardly chance (p < 0.001).",
    "mi": "Mutual information in bits (Church & Hanks 1990); favours rare words.",
    "mi3": "Cubic mutual information (Daille 1994).",
    "t": "t-score (Church et al. 1991); favours frequent words.",
    "z": "z-score (Dennis 1965); favours rare words.",
    "dice": "2 × joint ÷ (hits + total), from 0 to 1.",
    "minsens": "The smaller of joint ÷ hits and joint ÷ total (Pedersen 1998).",
    "dp": "How much likelier the collocate is near the node than elsewhere (Gries 2013).",
    "dpback": "How much likelier the node is near the collocate than elsewhere (Gries 2013).",
    "logratio": "How many times it doubles near the node (Hardie 2014).",
}
_JOINT_HELP = "Its tokens in the windows; in the windows of two hits it counts for both."
_HITS_HELP = "Hits that have it in their window, each once."
_EXPECTED_HELP = "What chance would give: tokens in the windows × its total ÷ tokens of the base."
_TIME_HELP = "Share of all hits that have it; the line is that share quarter by quarter."
_PLACE_HELP = "Mean distance from the node, negative before it."
_BY = ("lemma", "lower", "word", "pos", "lemma+pos")
WORDS = {
    "": "all",
    CONTENT_WORDS: "without function words",
    WordClass.NOUN.value: "nouns",
    WordClass.NAME.value: "names",
    WordClass.VERB.value: "verbs",
    WordClass.ADJECTIVE.value: "adjectives",
    WordClass.ADVERB.value: "adverbs",
    WordClass.FUNCTION.value: "function words",
}
FEW_QUARTERS = 2  # fewer are no line to look at
# Looking at the windows once more takes a quarter of a second for so many hits.
MOST_HITS_OF_TIMES = 1_000_000
MOST_ROWS_OF_TIMES = 200


def compared(page: StatisticPage) -> dict[str, object]:
    """Give the boxes of the other side, folded away while none is filled."""
    boxes = [given for given in page.given if given.parameter.name in PLACES]
    return {"compared_boxes": boxes, "is_comparing": any(given.text for given in boxes)}


SPEC = StatisticSpec(
    "collocates",
    "Collocates",
    (
        OneOf("by", "By", tuple((name, ATTRIBUTE_WORDS[name]) for name in _BY)),
        FreeText(
            "win",
            "Window",
            "5,5",
            check=Window.parse,
            help="Tokens left, right: 5,5. One place alone: l1 or r2.",
        ),
        WholeNumber("min", "At least", 5, 1, help="Fewest tokens in the windows."),
        OneOf("measure", "Measure", tuple(MEASURE_WORDS.items())),
        OneOf("words", "Words", tuple(WORDS.items())),
        Switch("punct", "Punctuation"),
        Switch("more", "All measures"),
        Switch("net", "Network", help="draw the best ones, and which of them go together"),
        WholeNumber("n", "Rows", 50, 1, MOST_ROWS),
        Switch("all", "Every hit", help="look around each hit, however long it takes"),
        FreeText("q2", "Compare with", most_chars=1_500, placeholder="another query"),
        OnePublication("pub2", "of", most_chars=MAX_NAME, help="A publication by its name"),
        FreeText("sub2", "in", placeholder="subcorpus"),
        OneOf(
            "in2",
            "in",
            (
                ("", "the same texts"),
                ("articles", "articles"),
                ("comments", "comments"),
                ("posts", "posts"),
            ),
        ),
        FreeText("from2", "from", most_chars=20, placeholder="2026-09"),
        FreeText("to2", "to", most_chars=20, placeholder="2026-09"),
    ),
    template="search/collocates.html",
    placed=("all", *PLACES),
    always=compared,
)


@require_safe
def collocates_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    wanted = request_of(page)
    every = _step(page, wanted)
    if every > 1:
        return _estimate(page, replace(wanted, every=every))
    refuse_too_many(page.hits.total)
    found = _remembered(page, wanted)
    about = (("how it is counted", sentence(page, found)),)
    compared = comparison(page, wanted, MEASURE_WORDS[wanted.measure])
    if compared is not None:
        context = {"sentence": sentence(page, found), "compared": compared.words}
        return Shown((compared.table,), context, (*about, ("compared with", compared.words)))
    tables, context = (_table(page, wanted, found),), {"sentence": sentence(page, found)}
    if not page.values["net"] or not found.rows:
        return Shown(tables, context, about)
    network = Network(page, found, wanted.measure)
    picture = {"network": network.picture, "most_words": MOST_WORDS}
    return Shown((*tables, network.table), context | picture, about)


# By attribute, window and numbers of the values.
_TIMES: Remembered[tuple[str, Window, tuple[int, ...]], CollocateTimes] = Remembered(4)
_COUNTED: Remembered[CollocateRequest, CollocateList] = Remembered()


def _remembered(page: StatisticPage, wanted: CollocateRequest) -> CollocateList:
    """Count around the hits that are looked at, or take what was counted before."""
    return _COUNTED.of(page.hits).get_or(
        wanted, lambda: collocates(page.hits, page.selection, wanted)
    )


def _step(page: StatisticPage, wanted: CollocateRequest) -> int:
    """Say of how many hits one is looked at; files, comparisons and `all` look at each."""
    is_whole = page.values["all"] or "export" in page.request.GET or is_compared(page)
    is_whole = is_whole or wanted in _COUNTED.of(page.hits)
    if is_whole or page.hits.total <= MOST_AT_ONCE:
        return 1
    return -(-page.hits.total // SAMPLE_HITS)


def _estimate(page: StatisticPage, wanted: CollocateRequest) -> Shown:
    """Answer from a sample; the page asks on for all hits where that can be done."""
    found = _remembered(page, wanted)
    n_hits = page.hits.total
    context = {
        "sentence": sentence(page, found),
        "every": wanted.every,
        "n_seen": n_hits // wanted.every,
        "n_hits": n_hits,
        "whole": page.at(all="1") if n_hits <= MOST_HITS else "",
    }
    return Shown((_table(page, wanted, found),), context)


def request_of(page: StatisticPage) -> CollocateRequest:
    """Read what is counted from the page's own parameters."""
    values = page.values
    return CollocateRequest(
        values["by"],
        values["win"],
        values["measure"],
        values["min"],
        values["n"],
        values["punct"],
        values["words"],
    )


def sentence(page: StatisticPage, found: CollocateList) -> str:
    """Say what was counted, in words."""
    window, by = page.values["win"], ATTRIBUTE_WORDS[page.values["by"]]
    if len(window.distances) == 1:
        at = window.distances[0]
        where = f"{_n_words(abs(at))} {'before' if at < 0 else 'after'}"
    elif window.left == window.right:
        where = f"Within {_n_words(window.left)} either side"
    else:
        where = f"Within {_n_words(window.left)} before and {window.right} after"
    least, n = page.values["min"], found.n_collocates
    is_of_hits = page.values["measure"] in FREQUENCY_MEASURES
    against = "all hits of the query" if is_of_hits else "all tokens in the windows"
    return (
        f"{where}, inside the sentence, by {by}{_listed_words(page)}, at least {grouped(least)} "
        f"joint: {counted(n, 'collocate')}. {MEASURE_WORDS[page.values['measure']]} sets "
        f"the joint tokens against {against}."
    )


def _listed_words(page: StatisticPage) -> str:
    chosen = page.values["words"]
    if chosen in ("", CONTENT_WORDS):
        return f", {WORDS[chosen]}" if chosen else ""
    return f", only what is mostly tagged among {WORDS[chosen]}"


def _n_words(n: int) -> str:
    return counted(n, "word")


def _table(page: StatisticPage, wanted: CollocateRequest, found: CollocateList) -> ResultTable:
    others = [name for name in MEASURE_WORDS if name != wanted.measure]
    times = time_cells(page, found)
    columns = (
        Column("rank", "#", ColumnKind.COUNT),
        Column("collocate", "Collocate"),
        Column("hits", "Hits with it", ColumnKind.COUNT, _HITS_HELP),
        Column("joint", "Joint", ColumnKind.COUNT, _JOINT_HELP),
        Column("texts", "Texts", ColumnKind.COUNT),
        Column("total", "Total", ColumnKind.COUNT, "Its tokens in the base."),
        Column("expected", "Expected", ColumnKind.MEASURE, _EXPECTED_HELP),
        replace(_measure_column(page, wanted.measure), order="descending"),
        Column("place", "Mean place", ColumnKind.MEASURE, _PLACE_HELP, decimals=2),
        *(_measure_column(page, name) for name in others if page.values["more"]),
        *(
            (Column("time", "Share, by quarter", ColumnKind.SHARE, _TIME_HELP),)
            if any(times)
            else ()
        ),
    )
    top = max((row.scores[wanted.measure] for row in found.rows), default=0)
    rows = tuple(
        (*_row(page, (number, row), top, is_exact=wanted.every == 1), *time)
        for (number, row), time in zip(enumerate(found.rows, 1), times, strict=True)
    )
    caption = f"Collocates, best first by {MEASURE_WORDS[wanted.measure]}."
    if wanted.every > 1:
        caption = f"Estimates from one hit in {wanted.every}. {caption}"
    return ResultTable("collocates", caption, columns, rows, found.n_collocates)


def _measure_column(page: StatisticPage, name: str) -> Column:
    return Column(
        name,
        MEASURE_WORDS[name],
        ColumnKind.MEASURE,
        _MEASURE_HELP[name],
        address=page.at(measure=name),
    )


def _row(
    page: StatisticPage, numbered: tuple[int, Collocate], top: float, *, is_exact: bool
) -> tuple[Cell, ...]:
    """Make the cells; an estimate is no link, and says nothing of texts."""
    number, row = numbered
    measure, by = page.values["measure"], page.values["by"]
    address = page.hits_in(window_slice(page.values["win"], by, row.value))
    score = row.scores[measure]
    others = [name for name in MEASURE_WORDS if name != measure]
    return (
        Cell(number),
        Cell(row.value, address),
        Cell(row.n_hits, address if is_exact else ""),
        Cell(row.n_joint),
        Cell(row.n_texts if is_exact else None),
        Cell(row.n_total, total_address(page, by, row.value)),
        Cell(row.expected),
        Cell(finite(score), bar=min(1.0, max(0.0, score / top)) if top > 0 else 0.0),
        Cell(row.mean_position),
        *(Cell(finite(row.scores[name])) for name in others if page.values["more"]),
    )


def finite(score: float) -> float | None:
    """Leave a cell empty where a measure has no value."""
    return score if abs(score) < float("inf") else None


def time_cells(page: StatisticPage, found: CollocateList) -> Sequence[tuple[Cell, ...]]:
    """Return the cell of each row, or none where there is too little or too much to look at."""
    none = [()] * len(found.rows)
    if found.n_hits > MOST_HITS_OF_TIMES or not 0 < len(found.rows) <= MOST_ROWS_OF_TIMES:
        return none
    lexicon, by = page.hits.snapshot.lexicon, page.values["by"]
    chosen = np.array([numbers_of(lexicon, by, row.value)[0] for row in found.rows])
    window = page.values["win"]
    times = _TIMES.of(page.hits).get_or(
        (by, window, tuple(chosen.tolist())),
        lambda: collocate_times(page.hits, type_values(lexicon, by), chosen, window),
    )
    if len(times.names) < FEW_QUARTERS:
        return none
    span = f"{times.names[0]} to {times.names[-1]}"
    return [
        (Cell(row.n_hits / found.n_hits, title=f"share by quarter, {span}", spark=tuple(shares)),)
        for row, shares in zip(found.rows, times.shares.tolist(), strict=True)
    ]
