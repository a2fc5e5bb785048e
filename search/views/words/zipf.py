"""`/words/zipf/`: rank against frequency, and the most frequent words with their scores."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.charts.loglog import LogLogChart, RankPoint
from presentation.charts.svg import Mark
from presentation.wording.figures import counted, percent
from search.answers.answering import selection_of
from search.asking.base_words import KINDS
from search.asking.values import OneOf, Switch, WholeNumber
from search.engine.index.recent import Remembered
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.ranking import Ranked, ValueRanking
from search.engine.statistics.vocabulary.growth import Growth, heaps_exponent, vocabulary_growth
from search.engine.statistics.vocabulary.word_list import Switches, Vocabulary, vocabulary
from search.engine.statistics.vocabulary.zipf import (
    ENGLISH_C,
    TemplateSign,
    fit_exponent,
    log_spaced_ranks,
    template_signs,
    zipf_score,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.views.words.word_links import profile_address, value_hits

SPEC = StatisticSpec(
    "zipf",
    "Zipf",
    (
        OneOf("by", "Count", (("lower", "word, case folded"), ("word", "word as printed"),
                               ("lemma", "lemma"))),
        WholeNumber("rows", "Rows", 100, 10, 1000),
        OneOf("with", "Beside it", (("", "nothing"), ("comments", "comments"),
                                     ("articles", "articles"), ("posts", "posts"))),
        Switch("letters", "Letters only", help="forms of letters, apostrophes and hyphens"),
        Switch("nodigits", "No digits", help="leave out forms with a digit in them"),
        Switch("growth", "Vocabulary growth", help="different words after so many tokens, by time"),
    ),
    template="search/zipf.html",
    needs_query=False,
    is_about_words=True,
)  # fmt: skip

_GROWTHS: Remembered[Switches, Growth] = Remembered()


@require_safe
def zipf(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    values = page.values
    words = vocabulary(page.selection, _switches(page))
    ranking = words.ranking
    if not len(ranking):
        return Shown(context={"words": words, "n_types": 0})
    rows = ranking.at(range(1, values["rows"] + 1))
    signs = _signs(page, words, rows)
    return Shown(
        (_table(page, words, rows, signs),),
        {
            "words": words,
            "n_types": len(ranking),
            "exponent": _exponent(ranking),
            "picture": _picture(page, words, ranking),
            "n_signs": sum(sign is not None for sign in signs),
            "second": values["with"],
            **_growth(page, words),
        },
        (("words (N of c)", str(words.n_words)), ("exponent", f"{fit_exponent(ranking.counts)}")),
    )


def _switches(page: StatisticPage) -> Switches:
    return Switches(page.values["by"], page.values["letters"], not page.values["nodigits"])


def _growth(page: StatisticPage, words: Vocabulary) -> dict[str, Any]:
    """Draw the growth of the vocabulary where it is asked for; it reads all texts."""
    if not page.values["growth"]:
        return {}
    growth = _GROWTHS.of(page.selection).get_or(
        _switches(page), lambda: vocabulary_growth(page.selection, words.values, words.is_word)
    )
    pairs = zip(growth.n_tokens.tolist(), growth.n_types.tolist(), strict=True)
    points = tuple(
        RankPoint(
            n_tokens, Mark(float(n_types), _growth_words(n_types, n_tokens), is_tab_stop=False)
        )
        for n_tokens, n_types in pairs
    )
    exponent = heaps_exponent(growth)
    sentence = "Different words by tokens on logarithmic axes, text by text from the oldest on"
    return {
        "growth": LogLogChart(sentence, points),
        "heaps": None if math.isnan(exponent) else exponent,
    }


def _growth_words(n_types: int, n_tokens: int) -> str:
    return f"{counted(n_types, 'different word')} in {counted(n_tokens, 'token')}"


def _exponent(ranking: ValueRanking) -> float | None:
    exponent = fit_exponent(ranking.counts)
    return None if math.isnan(exponent) else exponent


def _signs(page: StatisticPage, words: Vocabulary, rows: list[Ranked]) -> list[TemplateSign | None]:
    numbers = np.array([row.number for row in rows], dtype=np.int64)
    spread = spread_of(page.selection, words.values.numbers, numbers)
    return template_signs(page.selection, spread)


def _table(
    page: StatisticPage, words: Vocabulary, rows: list[Ranked], signs: list[TemplateSign | None]
) -> ResultTable:
    columns = (
        Column("rank", "Rank", ColumnKind.COUNT, "equal hits get successive ranks, by alphabet"),
        Column("form", "Lemma" if page.values["by"] == "lemma" else "Word"),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("c", "c", ColumnKind.MEASURE, "rank × hits ÷ words", decimals=4),
        Column("distance", "|c − 0.1|", ColumnKind.MEASURE,
               "distance from what the law expects of English", decimals=4),
        Column("template", "Boilerplate?", ColumnKind.TEXT,
               "four fifths of the hits in one publication, three times its share of the tokens"),
    )  # fmt: skip
    cells = (tuple(_cells(page, words, *pair)) for pair in zip(rows, signs, strict=True))
    n_all = int(np.count_nonzero(words.is_word))
    return ResultTable("zipf", "The most frequent words.", columns, tuple(cells), n_all)


def _cells(
    page: StatisticPage, words: Vocabulary, row: Ranked, sign: TemplateSign | None
) -> Iterator[Cell]:
    attribute = page.values["by"]
    hits = value_hits(page, attribute, row.value)
    c = zipf_score(row.rank, row.hits, words.n_words)
    yield Cell(row.rank)
    yield Cell(row.value, profile_address(page, attribute, row.value) or hits)
    yield Cell(row.hits, hits)
    yield Cell(c)
    yield Cell(abs(c - ENGLISH_C))
    yield _sign_cell(page, row, sign)


def _sign_cell(page: StatisticPage, row: Ranked, sign: TemplateSign | None) -> Cell:
    """Say why a word looks like part of a template, with its hits in that publication."""
    if sign is None:
        return Cell("")
    slug = page.selection.snapshot.lexicon.value(sign.publication)
    name = page.form.publications.get(slug, slug)
    of_hits, of_tokens = percent(sign.share_of_hits), percent(sign.share_of_tokens)
    words = f"▲ {of_hits} in {name}, which has {of_tokens} of the tokens"
    only = [*page.kept.values("only"), f"pub:{slug}"]
    return Cell(words, value_hits(page, page.values["by"], row.value, only=only))


def _picture(page: StatisticPage, words: Vocabulary, ranking: ValueRanking) -> LogLogChart:
    sentence = (
        f"Frequency by rank of {counted(len(ranking), 'word')} on logarithmic axes, "
        f"with the line of Zipf’s law for c = {ENGLISH_C}"
    )
    points = _points(page, ranking, 1) + _beside(page)
    return LogLogChart(sentence, tuple(points), words.n_words)


def _beside(page: StatisticPage) -> list[RankPoint]:
    """Return the points of the second corpus."""
    scope = page.values["with"]
    if not scope:
        return []
    selection = selection_of(
        replace(page.texts, filter=replace(page.texts.filter, kinds=KINDS[scope]))
    )
    switches = _switches(page)
    return _points(page, vocabulary(selection, switches).ranking, 2, scope)


def _points(
    page: StatisticPage, ranking: ValueRanking, series: int, scope: str = ""
) -> list[RankPoint]:
    changes = {"in_": [scope]} if scope else {}
    return [
        RankPoint(
            row.rank,
            Mark(
                float(row.hits),
                f"{row.rank}. {row.value}: {counted(row.hits, 'hit')}",
                value_hits(page, page.values["by"], row.value, **changes),
                series,
                is_tab_stop=False,
            ),
        )
        for row in ranking.at(log_spaced_ranks(len(ranking)))
    ]
