"""`/search/keyness/`: the words by which one stretch of the corpus stands out against another."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from presentation.charts.scatter import ScatterChart, ScatterItem
from presentation.charts.svg import Mark
from presentation.wording.figures import counted, rate
from search.answers.answering import hits_of
from search.asking.reference_lists import MARK, reference_named, words_of
from search.asking.request import asked_in_cql
from search.asking.value_queries import value_query
from search.asking.values import FreeText, OneOf, Switch, WholeNumber, WrongValueError
from search.engine.concordance.kwic import PageRequest, lines_of
from search.engine.statistics.counted_words import LISTED_ATTRIBUTES
from search.engine.statistics.keyness import (
    KeyItem,
    Keyness,
    KeynessMeasure,
    KeynessRequest,
    Side,
    keyness,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.models import ReferenceList
from search.views.statistics.keyness_stretches import (
    OtherTexts,
    chips_of_stretch,
    presets,
    reference_of,
    reference_words,
    stretch_of,
    with_reference,
)
from search.views.statistics.statistic_page import Shown, StatisticPage, StatisticSpec, respond
from search.views.words.word_links import profile_address, query_hits
from search.views.words.word_table import ATTRIBUTE_HEADS, ATTRIBUTES

MEASURES = (
    (KeynessMeasure.SIMPLE_MATHS.value, "simple maths"),
    (KeynessMeasure.LOG_LIKELIHOOD.value, "log-likelihood"),
    (KeynessMeasure.LOG_RATIO.value, "log ratio"),
    (KeynessMeasure.PERCENT_DIFFERENCE.value, "%DIFF"),
    (KeynessMeasure.ODDS_RATIO.value, "odds ratio"),
    (KeynessMeasure.FULL_LOG_LIKELIHOOD.value, "log-likelihood of four cells"),
)
MEASURE_HELP = {
    KeynessMeasure.SIMPLE_MATHS: (
        "(rate + N) ÷ (rate there + N), rates per million: Kilgarriff 2009"
    ),
    KeynessMeasure.LOG_LIKELIHOOD: "evidence for a difference of any size: Rayson and Garside 2000",
    KeynessMeasure.LOG_RATIO: "each point is a doubling of the rate: Hardie 2014",
    KeynessMeasure.PERCENT_DIFFERENCE: (
        "percent more than the rate there: Gabrielatos and Marchi 2012"
    ),
    KeynessMeasure.ODDS_RATIO: "odds here ÷ odds there: Pojanapunya and Watson Todd 2018",
    KeynessMeasure.FULL_LOG_LIKELIHOOD: "log-likelihood of all four cells: Dunning 1993",
}
SIDES = (
    (Side.HERE, "More here"),
    (Side.THERE, "More there"),
    (Side.ONLY_HERE, "Only here"),
)
NO_TEST = "1"
MOST_EXAMPLES = 100
EXAMPLE_WORDS = 8  # on each side


def _always(page: StatisticPage) -> dict[str, Any]:
    """Give the form what it shows, whatever is wrong with the rest."""
    is_list = page.values["ref"].startswith(MARK)
    there = stretch_of(page, "" if is_list else page.values["ref"])
    return {
        "lists": list(ReferenceList.objects.defer("body")),
        "chosen_list": page.values["ref"].removeprefix(MARK) if is_list else "",
        "there": there,
        "there_chips": chips_of_stretch(page, there),
        "presets": [] if page.errors else presets(page),
        "has_reference": bool(page.values["ref"]),
    }


SPEC = StatisticSpec(
    "keyness",
    "Keyness",
    (
        FreeText("ref", "Compared with", most_chars=1_000,
                 help="Other texts as parameters of an address, such as from=2026-01-01&pub=name; "
                      "or list: and the name of a reference list"),
        OneOf("side", "Side", tuple((side.value, label) for side, label in SIDES)),
        OneOf("by", "Count", ATTRIBUTES),
        OneOf("measure", "Measure", MEASURES),
        WholeNumber("smooth", "N of simple maths", 1, 1, 100_000,
                    help="1 brings up rare words, 100 or 1 000 common ones"),
        WholeNumber("min", "Hits at least", 3, 1),
        WholeNumber("texts", "Texts at least", 2, 1),
        WholeNumber("pubs", "Publications at least", 1, 1),
        OneOf("error", "Error", (("0.05", "5 %"), ("0.01", "1 %"), ("0.001", "0.1 %"),
                                  ("0.0001", "0.01 %"), (NO_TEST, "no test")),
               help="of calling any of all compared words different that is not (Šidák)"),
        Switch("stop", "Hide function words",
               help="those tagged as of a closed class, be, have and do"),
        Switch("nonames", "Hide names", help="those tagged as names"),
        Switch("examples", "Example lines", help="the newest line of each word, for the first 100"),
        WholeNumber("rows", "Rows", 100, 6, 1000),
    ),
    template="search/keyness.html",
    needs_query=False,
    placed=("ref", "side"),
    says={"ref": reference_words},
    always=_always,
)  # fmt: skip


@require_safe
def keyness_page(request: HttpRequest) -> HttpResponse:
    reference = reference_of(request.GET)
    if reference is not None:
        return redirect(f"{reverse('keyness')}?{with_reference(request, reference)}")
    return respond(request, SPEC, answer)


def wanted_of(values: dict[str, Any]) -> KeynessRequest:
    """Make the request of checked parameters."""
    return KeynessRequest(
        attribute=values["by"],
        measure=KeynessMeasure(values["measure"]),
        side=Side(values["side"]),
        smoothing=float(values["smooth"]),
        min_hits=values["min"],
        min_texts=values["texts"],
        min_publications=values["pubs"],
        alpha=float(values["error"]),
        without_function_words=values["stop"],
        without_names=values["nonames"],
        limit=values["rows"],
    )


def answer(page: StatisticPage) -> Shown:
    ref = page.values["ref"]
    if not ref:
        return Shown()
    if ref.startswith(MARK):
        return _against_list(page, ref)
    there = stretch_of(page, ref)
    if there.errors:
        error = there.errors[0]
        raise WrongValueError("ref", f"{error.name}: {error.message}")
    found = keyness(page.selection, there.selection, wanted_of(page.values))
    context = _context(page, there, found) | {"there_base": there.selection.base}
    base = there.selection.base
    about = (
        ("reference", f"{base.n_tokens} tokens in {base.n_documents} texts, {there.words}"),
        ("texts in both", str(found.shared_documents)),
        ("copies in both", str(found.shared_copies)),
        ("compared", str(found.n_compared)),
        ("log-likelihood at least", f"{found.critical:.2f}"),
    )
    return Shown((_table(page, there, found),), context, about)


def _context(page: StatisticPage, there: OtherTexts | None, found: Keyness) -> dict[str, Any]:
    return {
        "found": found,
        "sides": [
            (label, page.at(side=side.value), side.value == page.values["side"])
            for side, label in SIDES
        ],
        "picture": _picture(page, there, found),
        "without_test": page.at(error=NO_TEST),
        "is_tested": page.values["error"] != NO_TEST,
    }


def _against_list(page: StatisticPage, ref: str) -> Shown:
    """Compare with the words of a corpus elsewhere, which has no texts here."""
    try:
        listed = reference_named(ref)
    except ValueError as error:
        raise WrongValueError("ref", str(error)) from error
    if listed is None:
        return Shown()
    if page.values["by"] not in LISTED_ATTRIBUTES:
        words = "A reference list has words alone: count lower case, word or lemma."
        raise WrongValueError("by", words)
    found = keyness(page.selection, words_of(listed), wanted_of(page.values))
    about = (
        ("reference", f"{listed.n_tokens} tokens, {listed.n_words} words, list {listed.name}"),
        ("source of the reference", listed.source),
        ("compared", str(found.n_compared)),
        ("log-likelihood at least", f"{found.critical:.2f}"),
    )
    context = _context(page, None, found) | {"listed": listed}
    return Shown((_table(page, None, found),), context, about)


def _table(page: StatisticPage, there: OtherTexts | None, found: Keyness) -> ResultTable:
    measure = KeynessMeasure(page.values["measure"])
    columns = [
        Column("form", ATTRIBUTE_HEADS[page.values["by"]]),
        Column("hits", "Hits here", ColumnKind.COUNT),
        Column("rate", "Per million here", ColumnKind.RATE),
        Column("texts", "Texts here", ColumnKind.COUNT),
        Column("hits_there", "Hits there", ColumnKind.COUNT),
        Column("rate_there", "Per million there", ColumnKind.RATE),
        *([] if there is None else [Column("texts_there", "Texts there", ColumnKind.COUNT)]),
        Column("score", dict(MEASURES)[measure.value].capitalize(), ColumnKind.MEASURE,
               MEASURE_HELP[measure], order="descending"),
        Column("evidence", "LL", ColumnKind.MEASURE, MEASURE_HELP[KeynessMeasure.LOG_LIKELIHOOD]),
        Column("ratio", "Log ratio", ColumnKind.MEASURE, MEASURE_HELP[KeynessMeasure.LOG_RATIO]),
        Column("margin", "±", ColumnKind.MEASURE,
               "half the 95 % confidence interval of log ratio: Katz and others 1978"),
    ]  # fmt: skip
    best = max((item.score for item in found.items), default=0.0)
    rows = [list(_cells(page, there, item, best)) for item in found.items]
    if page.values["examples"]:
        columns.append(Column("example", "Example"))
        for number, (row, item) in enumerate(zip(rows, found.items, strict=True)):
            is_shown = number < MOST_EXAMPLES
            row.append(Cell(_example(page, there, item) if is_shown else ""))
    return ResultTable(
        "keyness", _caption(page), tuple(columns), tuple(map(tuple, rows)), found.n_items
    )


def _example(page: StatisticPage, there: OtherTexts | None, item: KeyItem) -> str:
    """Quote the newest line of an item in the stretch that has more of it; a list has none."""
    is_there = there is not None and page.values["side"] == Side.THERE
    texts = there.texts if there is not None and is_there else page.texts
    hits = hits_of(asked_in_cql(value_query(page.values["by"], item.value), texts))
    lines = lines_of(hits, PageRequest(count=1, context=EXAMPLE_WORDS))
    return "".join(f"{line.left}{line.node}{line.right}" for line in lines)


def _caption(page: StatisticPage) -> str:
    side = Side(page.values["side"])
    where = {
        Side.HERE: "more frequent here than there",
        Side.THERE: "more frequent there than here; scores and log ratios are those of there",
        Side.ONLY_HERE: "here and never there",
    }[side]
    return f"{dict(ATTRIBUTES)[page.values['by']].capitalize()}: {where}."


def _cells(
    page: StatisticPage, there: OtherTexts | None, item: KeyItem, best: float
) -> Iterator[Cell]:
    focus = (item.focus_hits, item.focus_rate, item.focus_texts)
    reference = (item.reference_hits, item.reference_rate, item.reference_texts)
    if page.values["side"] == Side.THERE:
        focus, reference = reference, focus
    attribute = page.values["by"]
    query = value_query(attribute, item.value)
    yield Cell(item.value, profile_address(page, attribute, item.value))
    addresses = (page.kept, None if there is None else there.address)
    for (hits, per_million, texts), address in zip((focus, reference), addresses, strict=True):
        yield Cell(hits, query_hits(address, query) if hits and address else "")
        yield Cell(per_million)
        if address is not None:
            yield Cell(texts)
    bar = min(1.0, max(0.0, item.score / best)) if best > 0 else 0.0
    yield Cell(item.score, bar=bar)
    yield Cell(item.log_likelihood)
    yield Cell(item.log_ratio)
    yield Cell(item.margin)


def _picture(page: StatisticPage, there: OtherTexts | None, found: Keyness) -> ScatterChart:
    is_turned = page.values["side"] == Side.THERE
    items = []
    for item in found.items:
        here, other = item.focus_rate, item.reference_rate
        if is_turned:
            here, other = other, here
        address = there.address if is_turned and there is not None else page.kept
        title = f"{item.value}: {rate(here)} per million here, {rate(other)} there"
        query = value_query(page.values["by"], item.value)
        mark = Mark(here, title, query_hits(address, query))
        items.append(ScatterItem(other, here, item.value, mark))
    sentence = (
        f"Rates per million of {counted(len(items), 'word')}, there across and here up, "
        "both logarithmic"
    )
    return ScatterChart(sentence, tuple(items), "per million there", "per million here")
