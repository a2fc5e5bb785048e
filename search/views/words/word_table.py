"""`/words/`: the word list, by pattern, attribute and floors, with rank, spread and Zipf's c."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from search.asking.values import FreeText, OneOf, Switch, WholeNumber, WrongValueError
from search.asking.word_patterns import WordPattern, matching_values
from search.engine.query.errors import QueryError
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.vocabulary.word_list import (
    Mask,
    Switches,
    WordListPage,
    WordListRequest,
    WordOrder,
    WordRow,
    word_list,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.views.words.word_links import day_of, profile_address, value_hits

ATTRIBUTES = (
    ("lower", "word, case folded"),
    ("word", "word as printed"),
    ("folded", "word without accents"),
    ("lemma", "lemma"),
    ("pos", "tag"),
    ("lemma+pos", "lemma and tag"),
)
ATTRIBUTE_HEADS = {
    "lower": "Word",
    "word": "Word",
    "folded": "Word",
    "lemma": "Lemma",
    "pos": "Tag",
    "lemma+pos": "Lemma and tag",
}
SPEC = StatisticSpec(
    "words",
    "Word list",
    (
        FreeText("pattern", "Pattern", most_chars=200, placeholder="un*able    ·    /.+ness(es)?/"),
        OneOf("by", "Count", ATTRIBUTES),
        WholeNumber("min", "Hits at least", 1, 1),
        WholeNumber("texts", "Texts at least", 1, 1),
        OneOf(
            "order",
            "Sort",
            (
                ("hits", "most frequent first"),
                ("rarest", "rarest first"),
                ("texts", "most texts first"),
                ("alphabet", "by alphabet"),
            ),
        ),
        WholeNumber("rows", "Rows", 100, 10, 1000),
        Switch("letters", "Letters only", help="forms of letters, apostrophes and hyphens"),
        Switch("nodigits", "No digits", help="leave out forms with a digit in them"),
        Switch(
            "stop", "Hide function words", help="those tagged as of a closed class, be, have and do"
        ),
        Switch("nonames", "Hide names", help="those tagged as names"),
        WholeNumber("p", "Page", 1, 1, 1_000_000),
    ),
    template="search/words.html",
    needs_query=False,
    is_about_words=True,
    placed=("pattern", "p"),
)
MAX_LIST_ADDRESS = 2_000  # characters; servers and browsers take four times as many


@require_safe
def words(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    wanted = _wanted(page)
    found = word_list(page.selection, wanted, _allowed(page))
    return Shown(
        (_table(page, found),),
        {
            "found": found,
            "pager": _pager(page, wanted, found.n_rows),
            "first": wanted.first + 1,
            "last": wanted.first + len(found.rows),
            "as_list": _as_list(found),
        },
        (
            ("rows", f"{wanted.first + 1} to {wanted.first + len(found.rows)} of {found.n_rows}"),
            ("words (N of c)", str(found.n_words)),
        ),
    )


def _as_list(found: WordListPage) -> str:
    """Address of the form that keeps the words shown as a list, empty where they are too many."""
    words = "\n".join(row.value for row in found.rows)
    if len(words) > MAX_LIST_ADDRESS:
        return ""
    return f"{reverse('word-lists')}?{urlencode({'words': words})}#h-add"


def _wanted(page: StatisticPage) -> WordListRequest:
    values = page.values
    return WordListRequest(
        switches=Switches(values["by"], values["letters"], not values["nodigits"]),
        without_function_words=values["stop"],
        without_names=values["nonames"],
        min_hits=values["min"],
        min_texts=values["texts"],
        order=WordOrder(values["order"]),
        first=(values["p"] - 1) * values["rows"],
        limit=values["rows"],
    )


def _allowed(page: StatisticPage) -> Mask | None:
    pattern = WordPattern(page.values["pattern"], bool(page.form.value("case")))
    attribute = page.values["by"]
    if not pattern.text:
        return None
    lexicon = page.selection.snapshot.lexicon
    values = type_values(lexicon, attribute)
    try:
        return matching_values(lexicon, values, attribute, pattern)
    except QueryError as error:
        raise WrongValueError("pattern", error.message) from None


def _table(page: StatisticPage, found: WordListPage) -> ResultTable:
    attribute = page.values["by"]

    def order(name: str) -> str:
        return page.at(order=name, p=1)

    columns = (
        Column("rank", "Rank", ColumnKind.COUNT, "among all words, equal ones by alphabet"),
        Column("form", ATTRIBUTE_HEADS[attribute], address=order("alphabet"),
               order="ascending" if page.values["order"] == "alphabet" else ""),
        Column("hits", "Hits", ColumnKind.COUNT, address=order("hits"), order=_direction(page)),
        Column("rate", "Per million", ColumnKind.RATE, "hits per million tokens of the base"),
        Column("texts", "Texts", ColumnKind.COUNT, address=order("texts"),
               order="descending" if page.values["order"] == "texts" else ""),
        Column("dp", "DP", ColumnKind.MEASURE,
               "unevenness over texts (Gries 2008): 0 spread like the tokens, 1 all in one text"),
        Column("first", "First seen", ColumnKind.DATE, "earliest day of publication"),
        Column("c", "c", ColumnKind.MEASURE, "rank × hits ÷ words (Zipf), 0.1 expected of English",
               decimals=4),
    )  # fmt: skip
    rows = tuple(tuple(_cells(page, attribute, row)) for row in found.rows)
    return ResultTable("words", _caption(page), columns, rows, found.n_rows)


def _direction(page: StatisticPage) -> str:
    return {"hits": "descending", "rarest": "ascending"}.get(page.values["order"], "")


def _caption(page: StatisticPage) -> str:
    pattern = page.values["pattern"]
    that = f" that match {pattern}" if pattern else ""
    return f"{dict(ATTRIBUTES)[page.values['by']].capitalize()}{that}."


def _cells(page: StatisticPage, attribute: str, row: WordRow) -> Iterator[Cell]:
    hits = value_hits(page, attribute, row.value)
    yield Cell(row.rank)
    yield Cell(row.value, profile_address(page, attribute, row.value) or hits)
    yield Cell(row.hits, hits)
    yield Cell(row.per_million)
    yield Cell(row.texts)
    yield Cell(row.dispersion)
    yield Cell(None if row.first_day is None else day_of(row.first_day))
    yield Cell(row.c)


def _pager(page: StatisticPage, wanted: WordListRequest, n_rows: int) -> dict[str, str]:
    pager = {}
    number = page.values["p"]
    if number > 1:
        pager["previous"] = page.at(p=number - 1)
    if wanted.first + wanted.limit < n_rows:
        pager["next"] = page.at(p=number + 1)
    return pager
