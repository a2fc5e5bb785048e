"""`/search/ngrams/`: the most frequent sequences of words, of all texts or around the hits."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.wording.figures import counted, grouped
from search.asking.values import FreeText, OneOf, Switch, WholeNumber, WrongValueError
from search.engine.index.recent import Remembered
from search.engine.statistics.ngrams import LONGEST, MOST_SKIPPED, NgramList, NgramRequest, ngrams
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_links import around_address, sequence_address, skipping_address
from search.views.statistics.counted_values import refuse_too_many
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.wording.value_words import ATTRIBUTE_WORDS

MOST_ROWS = 1_000
# Sequences counted while somebody waits, and at all: 8 bytes each.
MOST_AT_ONCE = 25_000_000
MOST_SEQUENCES = 150_000_000
SEQUENCES_A_SECOND = 10_000_000
# Remembered with the texts or hits they were made of.
_LISTS: Remembered[NgramRequest, NgramList] = Remembered(8)
_BY = ("lower", "word", "lemma", "pos")
_OWN_HELP = (
    "Hits that are not part of a sequence one word longer which is in the list by its hits "
    "(adjusted frequency, O'Donnell 2011)."
)
SPEC = StatisticSpec(
    "ngrams",
    "N-grams",
    (
        WholeNumber("size", "Words", 3, 1, LONGEST),
        OneOf("by", "By", tuple((name, ATTRIBUTE_WORDS[name]) for name in _BY)),
        OneOf(
            "around",
            "Sequences",
            (
                ("containing", "that contain the hit"),
                ("starting", "that begin with the hit"),
                ("all", "of all texts, without the query"),
            ),
        ),
        FreeText(
            "pattern",
            "Pattern",
            most_chars=200,
            placeholder="* of the *",
            help="Words in order, * for any word; instead of the number of words.",
        ),
        WholeNumber("skip", "Leaving out up to", 0, 0, MOST_SKIPPED, help="Words between words."),
        WholeNumber("min", "At least", 2, 1, help="Fewest hits."),
        WholeNumber("texts", "in texts", 1, 1, help="Fewest texts."),
        Switch("punct", "Punctuation"),
        WholeNumber("n", "Rows", 50, 1, MOST_ROWS),
        Switch("anyway", "However long it takes"),
    ),
    template="search/ngrams.html",
    needs_query=False,
    rows="n",
)


@require_safe
def ngrams_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is counted, and whether around the hits of the query."""

    request: NgramRequest
    of_hits: bool


def answer(page: StatisticPage) -> Shown:
    asked = _asked(page)
    if asked.of_hits and not page.hits.total:
        return Shown(context={"hits": page.hits, "no_hits": True})
    if asked.of_hits:
        refuse_too_many(page.hits.total)
    context: dict[str, Any] = {"hits": page.hits} if asked.of_hits else {}
    too_many = _too_many(page, asked)
    if too_many is not None:
        return Shown(context=context | {"too_many": too_many})
    found = _counted(page, asked)
    context["sentence"] = _sentence(asked, found)
    context["is_whole"] = not asked.of_hits
    return Shown((_table(page, asked, found),), context, (("counted", context["sentence"]),))


def _asked(page: StatisticPage) -> _Asked:
    values = page.values
    request = NgramRequest(
        n=values["size"],
        attribute=values["by"],
        pattern=_pattern(values["pattern"], values["by"]),
        skip=values["skip"],
        least=values["min"],
        least_texts=values["texts"],
        limit=values["n"],
        with_punctuation=values["punct"],
        around="starting" if values["around"] == "starting" else "containing",
    )
    try:
        request.check()
    except ValueError as error:
        raise WrongValueError("pattern" if values["pattern"] else "size", str(error)) from None
    of_hits = page.form.has_query and values["around"] != "all"
    if of_hits and request.skip and request.around == "containing":
        raise WrongValueError(
            "skip", "Words are left out only from sequences that begin with the hit."
        )
    return _Asked(request, of_hits)


def _pattern(text: str, by: str) -> tuple[str, ...]:
    """Read a pattern; words without case are counted in lower case."""
    return tuple((text.lower() if by == "lower" else text).split())


@dataclass(frozen=True, slots=True)
class TooMany:
    """More sequences than are counted while somebody waits; `anyway` is empty beyond all limits."""

    n_sequences: int
    seconds: int
    anyway: str


def _too_many(page: StatisticPage, asked: _Asked) -> TooMany | None:
    if asked.of_hits or asked.request.pattern or asked.request.n == 1:
        return None
    n = page.selection.base.n_tokens * len(asked.request.offsets)
    if n <= (MOST_SEQUENCES if page.values["anyway"] else MOST_AT_ONCE):
        return None
    seconds = max(1, n // SEQUENCES_A_SECOND)
    return TooMany(n, seconds, page.at(anyway=1) if n <= MOST_SEQUENCES else "")


def _counted(page: StatisticPage, asked: _Asked) -> NgramList:
    """Count, or take the list that was made of the same documents before."""
    recent = _LISTS.of(page.hits if asked.of_hits else page.selection)
    known = recent.get(asked.request)
    if known is not None:
        return known
    found = ngrams(page.selection, asked.request, page.hits if asked.of_hits else None)
    if asked.request.limit <= MOST_ROWS:  # not a whole file's
        recent.put(asked.request, found)
    return found


def _sentence(asked: _Asked, found: NgramList) -> str:
    request = asked.request
    what = f"Sequences of {request.n_words} words" if request.n_words > 1 else "Words"
    if request.pattern:
        what += f" like “{' '.join(request.pattern)}”"
    if request.skip:
        what += f" with up to {request.skip} left out between them"
    where = ""
    if asked.of_hits:
        where = " that begin with the hit" if request.around == "starting" else " around the hit"
    signs = "with punctuation" if request.with_punctuation else "without punctuation"
    return (
        f"{what}{where}, inside the sentence, by {ATTRIBUTE_WORDS[request.attribute]}, {signs}: "
        f"{grouped(found.n_sequences)} in all, {grouped(found.n_ngrams)} different with at least "
        f"{counted(request.least, 'hit')}."
    )


def _table(page: StatisticPage, asked: _Asked, found: NgramList) -> ResultTable:
    n_base = page.selection.base.n_tokens
    counts_own = any(row.n_own is not None for row in found.rows)
    columns = (
        Column("rank", "#", ColumnKind.COUNT),
        Column("ngram", "Words" if asked.request.n_words > 1 else "Word"),
        Column("hits", "Hits", ColumnKind.COUNT, order="descending"),
        Column("rate", "Per million", ColumnKind.RATE, "Hits per million tokens of the base."),
        Column("bar", "Share", ColumnKind.SHARE, "Share of all sequences counted."),
        Column("texts", "Texts", ColumnKind.COUNT),
        *((Column("own", "On their own", ColumnKind.COUNT, _OWN_HELP),) if counts_own else ()),
        Column("first", "First seen", ColumnKind.DATE, "Day of the first text with it."),
    )
    top = max((row.n_hits for row in found.rows), default=1)
    rows = []
    for number, row in enumerate(found.rows, 1):
        address = _address(page, asked, row.words)
        share = row.n_hits / max(1, found.n_sequences)
        rows.append(
            (
                Cell(number),
                Cell(" ".join(row.words), address),
                Cell(row.n_hits, address),
                Cell(1e6 * row.n_hits / max(1, n_base)),
                Cell(share, bar=row.n_hits / top),
                Cell(row.n_texts),
                *((Cell(row.n_own),) if counts_own else ()),
                Cell(row.first_day),
            )
        )
    n_all = found.n_ngrams if asked.request.least_texts == 1 else None
    return ResultTable("ngrams", "Most frequent sequences first.", columns, tuple(rows), n_all)


def _address(page: StatisticPage, asked: _Asked, words: tuple[str, ...]) -> str:
    request = asked.request
    if asked.of_hits:
        starting = request.skip if request.around == "starting" else None
        return around_address(page, request.attribute, words, starting=starting)
    if request.skip:
        return skipping_address(page, request.attribute, words, request.skip)
    return sequence_address(page, request.attribute, words)
