"""`/search/trend/`: hits over time, of one query or up to five, with the base of each point."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.answering import hits_of, selection_of
from search.asking.base import KINDS
from search.asking.request import SearchRequest
from search.asking.values import FreeText, OneOf, WrongValueError
from search.crawl_marks import crawl_marks
from search.index.documents import DocumentKind
from search.query.errors import QueryError
from search.statistics.periods import Periods, Unit, day_of
from search.statistics.trend import Trend, choose_unit, daily_base, trend, trends_by_column
from search.views.statistic_page import Shown, StatisticPage, StatisticSpec, respond
from search.views.trend_lines import Behind, TrendLine
from search.views.trend_pictures import Marks, line_picture, marks_on, multiples
from search.views.trend_tables import publication_table, summary_table, trend_table

MOST_POINTS = 1_500  # one pixel each on a wide screen, and a page of a quarter of a megabyte
MOST_MULTIPLES = 24  # more small pictures than that nobody compares
MORE_QUERIES = ("q2", "q3", "q4", "q5")
AUTOMATIC = "auto"
UNITS = (
    (AUTOMATIC, "automatic"),
    ("day", "day"),
    ("week", "week"),
    ("month", "month"),
    ("year", "year"),
)
SPEC = StatisticSpec(
    "trend",
    "Trend",
    (
        OneOf("by", "By", UNITS),
        OneOf("norm", "Show", (("pm", "per million tokens"), ("hits", "hits"))),
        OneOf(
            "split",
            "Lines",
            (
                ("text", "by kind of text"),
                ("one", "one line"),
                ("pub", "by publication"),
            ),
        ),
        *(FreeText(name, "Compare with", most_chars=1_500) for name in MORE_QUERIES),
    ),
    template="search/trend.html",
    shows_zero=True,
    placed=MORE_QUERIES,
)


@require_safe
def trend_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    base = daily_base(page.selection)
    if not len(base.tokens):
        return Shown()
    unit = _unit(page)
    lines = _lines(page, unit)
    if not any(line.trend.hits.any() for line in lines):
        return Shown(context={"no_hits": True})
    if page.values["split"] == "pub" and len(lines) == 1:
        return _by_publication(page, lines[0], unit)
    marks = _marks(page, lines[0].trend.periods)
    picture = line_picture(lines, marks, is_absolute=page.values["norm"] == "hits")
    context = {"picture": picture, "unit": unit, "marks": marks.listed, "lines": lines}
    return Shown((summary_table(lines), trend_table(lines)), context, _about(unit))


def _about(unit: Unit) -> tuple[tuple[str, str], ...]:
    return (
        ("unit of time", unit.value),
        ("interval", "95 %, Wilson (1927), as if tokens were drawn one by one"),
        ("slope", f"Theil–Sen (Sen 1968), hits per million tokens per {unit}"),
        ("p", "Mann–Kendall test, two-sided, corrected for ties (Kendall 1975)"),
    )


def _unit(page: StatisticPage) -> Unit:
    base = daily_base(page.selection)
    wanted = page.values["by"]
    if wanted == AUTOMATIC:
        return choose_unit(base)
    n_points = len(Periods(Unit(wanted), base.first_day, base.last_day))
    if n_points > MOST_POINTS:
        raise WrongValueError(
            "by",
            f"The texts span {n_points:,} {wanted}s, more than the {MOST_POINTS:,} points that a "
            "picture can hold. Choose a longer unit, or narrow the dates.",
        )
    return Unit(wanted)


def _lines(page: StatisticPage, unit: Unit) -> list[TrendLine]:
    queries = _queries(page)
    if len(queries) > 1:
        return [
            TrendLine(text, _trend(request, unit), number, Behind(page, text))
            for number, (text, request) in enumerate(queries.items(), 1)
        ]
    if page.texts.filter.kinds == KINDS["both"] and page.values["split"] == "text":
        kinds = trends_by_column(page.hits, page.selection, unit, "kind")
        return [
            TrendLine(f"{DocumentKind(kind).label}s", found, number, Behind(page, kind=kind))
            for number, (kind, found) in enumerate(sorted(kinds.items()), 1)
        ]
    found = trend(page.hits, page.selection, unit)
    return [TrendLine(page.form.address.get("q"), found, 1, Behind(page))]


def _trend(request: SearchRequest, unit: Unit) -> Trend:
    return trend(hits_of(request), selection_of(request.texts), unit)


def _by_publication(page: StatisticPage, whole: TrendLine, unit: Unit) -> Shown:
    """Draw one small picture for each publication, those with most hits first."""
    names, spell = page.form.publications, page.hits.snapshot.lexicon.value
    found = trends_by_column(page.hits, page.selection, unit, "publication").items()
    ranked = sorted(found, key=lambda item: (-int(item[1].hits.sum()), spell(item[0])))
    lines = [
        TrendLine(names.get(slug, slug), each, 1, Behind(page, slices=(f"pub:{slug}",)))
        for value, each in ranked[:MOST_MULTIPLES]
        for slug in [spell(value)]
    ]
    context = {
        "multiples": multiples(lines, is_absolute=page.values["norm"] == "hits"),
        "n_left_out": len(ranked) - len(lines),
        "unit": unit,
    }
    tables = (summary_table([whole, *lines]), publication_table(lines))
    return Shown(tables, context, _about(unit))


def _marks(page: StatisticPage, periods: Periods) -> Marks:
    """Look up what happened to the crawl in the days of the picture."""
    first, last = (day_of(number) for number in (periods.first_day, periods.last_day))
    kept = page.texts.filter.publications
    return marks_on(periods, crawl_marks(first, last, kept))


def _queries(page: StatisticPage) -> dict[str, SearchRequest]:
    """Give the queries to compare, the page's own first, each once.

    Raises
    ------
    WrongValueError
        If another one cannot be run.
    """
    queries = {page.form.address.get("q"): page.wanted}
    _ = page.hits  # what is wrong with the page's own query is said first
    for name in MORE_QUERIES:
        text = page.values[name]
        if text and text not in queries:
            try:
                queries[text] = page.wanted.with_query(text)
                hits_of(queries[text])
            except QueryError as error:
                place = f"character {error.position + 1}: {error.message}"
                raise WrongValueError(name, f"“{text[:80]}”, {place}") from None
    return queries
