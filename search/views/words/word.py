"""`/words/<form>/`: a word's forms, tags, first text, publications, trend and neighbours."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote_plus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.charts.lines import Curve, LineChart, LinePoint
from presentation.charts.svg import Mark
from presentation.wording.figures import counted
from search.answers.word_profile import PartCount, WordProfile, n_hits_of_form, word_profile
from search.asking.address import UNQUOTED
from search.asking.value_queries import pair_query, value_query
from search.asking.values import as_stored
from search.engine.annotation.tagset import describe
from search.engine.statistics.collocation.collocates import CollocateList
from search.engine.statistics.slices import day_slice
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.concordance.query_tabs import TabLink, sketch_address, tab_links
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.views.statistics.trend_pictures import ROOM_ABOVE
from search.views.words.first_places import FirstPlace, first_places
from search.views.words.word_links import profile_address, query_hits, value_hits, with_query
from search.wording.near_words import near_words

SPEC = StatisticSpec(
    "word", "Word", template="search/word.html", needs_query=False, is_about_words=True
)
MOST_SKETCHES = 2  # of the lemmas of a form, the most frequent
MOST_PUBLICATIONS = 20  # the distribution lists them all
_DAYS = "only-these-days"  # stands for them in an address that is filled in later
_HITS = Column("hits", "Hits", ColumnKind.COUNT)
_SHARE = Column("share", "Share", ColumnKind.SHARE)


@require_safe
def word(request: HttpRequest, form: str) -> HttpResponse:
    form = as_stored(form)
    spec = replace(SPEC, args=(form,), title=form.lower())
    return respond(request, spec, lambda page: answer(page, form))


def answer(page: StatisticPage, form: str) -> Shown:
    profile = word_profile(form, page.texts)
    if not profile.hits.total:
        near = [
            (w.word, w.n, profile_address(page, "lower", w.word))
            for w in near_words(form, lambda word: n_hits_of_form(word, page.texts))
        ]
        return Shown(context={"profile": profile, "near": near})
    return Shown(
        tuple(_tables(page, profile)),
        {
            "profile": profile,
            "hits_address": value_hits(page, "lower", profile.form),
            "first": _first(page, profile),
            "picture": _picture(page, profile),
            "views": [
                *tab_links(with_query(page.kept, value_query("lower", profile.form)), ""),
                *_sketches(page, profile),
            ],
        },
    )


def _sketches(page: StatisticPage, profile: WordProfile) -> Iterator[TabLink]:
    for part in profile.lemmas[:MOST_SKETCHES]:
        address = sketch_address(page.kept, part.value)
        yield TabLink(f"Sketch of {part.value}", address, is_current=False)


def _first(page: StatisticPage, profile: WordProfile) -> FirstPlace | None:
    if profile.first is None:
        return None
    address = with_query(page.kept, value_query("lower", profile.form))
    snapshot = profile.selection.snapshot
    return first_places(snapshot, [(profile.first, address)], page.form.publications)[0]


def _tables(page: StatisticPage, profile: WordProfile) -> Iterator[ResultTable]:
    lemma = profile.lemmas[0].value
    tags = _Parts("tags", "Parts of speech.", "Tag", profile.tags)
    forms = _Parts("forms", f"Forms of the lemma {lemma}.", "Form", profile.forms)
    lemmas = _Parts("lemmas", "Lemmas of this form.", "Lemma", profile.lemmas)
    yield tags.table(_tag_cells(page, profile))
    yield forms.table(_form_cells(page, profile))
    if len(profile.lemmas) > 1:
        yield lemmas.table(_lemma_cells(page, profile))
    yield _publications(page, profile)
    if profile.collocates and profile.collocates.rows:
        yield _collocates(page, profile, profile.collocates)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A table of tags, forms or lemmas with their hits and shares."""

    key: str
    caption: str
    head: str
    parts: tuple[PartCount, ...]

    def table(self, cells: Iterable[tuple[Cell, str]]) -> ResultTable:
        """Make the table; the cells are the first one of each row and the address of its hits."""
        rows = tuple(
            (first, Cell(part.hits, address), Cell(part.share, bar=part.share))
            for part, (first, address) in zip(self.parts, cells, strict=True)
        )
        columns = (Column(self.key, self.head), _HITS, _SHARE)
        return ResultTable(self.key, self.caption, columns, rows)


def _tag_cells(page: StatisticPage, profile: WordProfile) -> Iterator[tuple[Cell, str]]:
    for part in profile.tags:
        words = f"{part.value}: {describe(part.value).words}"
        query = pair_query(("lower", profile.form), ("pos", part.value))
        yield Cell(words), query_hits(page.kept, query)


def _form_cells(page: StatisticPage, profile: WordProfile) -> Iterator[tuple[Cell, str]]:
    lemma = profile.lemmas[0].value
    for part in profile.forms:
        query = pair_query(("lower", part.value), ("lemma", lemma))
        link = "" if part.value == profile.form else profile_address(page, "lower", part.value)
        yield Cell(part.value, link), query_hits(page.kept, query)


def _lemma_cells(page: StatisticPage, profile: WordProfile) -> Iterator[tuple[Cell, str]]:
    for part in profile.lemmas:
        query = pair_query(("lower", profile.form), ("lemma", part.value))
        yield Cell(part.value), query_hits(page.kept, query)


def _publications(page: StatisticPage, profile: WordProfile) -> ResultTable:
    names = page.form.publications
    found = [row for row in profile.publications if row.hits]
    shown = found[:MOST_PUBLICATIONS]
    rates = [1e6 * row.hits / max(1, row.tokens) for row in shown]
    rows = tuple(
        (
            Cell(names.get(row.slug, row.slug) or "unknown"),
            Cell(row.hits, _in_publication(page, profile, row.slug)),
            Cell(rate, bar=rate / max(rates)),
            Cell(row.texts),
            Cell(row.tokens),
        )
        for row, rate in zip(shown, rates, strict=True)
    )
    columns = (
        Column("publication", "Publication"),
        _HITS,
        Column(
            "rate", "Per million", ColumnKind.RATE, "hits per million tokens of the publication"
        ),
        Column("texts", "Texts", ColumnKind.COUNT),
        Column("tokens", "Tokens", ColumnKind.COUNT, "tokens of the publication in the base"),
    )
    n_all = len(profile.publications)
    caption = f"Publications with the word: {len(found)} of {n_all}, the highest rates first."
    return ResultTable("publications", caption, columns, rows, len(found))


def _in_publication(page: StatisticPage, profile: WordProfile, slug: str) -> str:
    only = [*page.kept.values("only"), f"pub:{slug}"]
    return value_hits(page, "lower", profile.form, only=only)


def _collocates(page: StatisticPage, profile: WordProfile, found: CollocateList) -> ResultTable:
    best = max(row.scores["logdice"] for row in found.rows)
    rows = tuple(
        (
            Cell(row.value),
            Cell(row.n_hits, _near(page, profile, row.value)),
            Cell(
                row.scores["logdice"], bar=max(0.0, row.scores["logdice"] / best) if best > 0 else 0
            ),
        )
        for row in found.rows
    )
    columns = (
        Column("lemma", "Lemma nearby"),
        Column(
            "hits", "Hits", ColumnKind.COUNT, "hits that have it within five words, in the sentence"
        ),
        Column("logdice", "logDice", ColumnKind.MEASURE, "Rychlý 2008: at most 14"),
    )
    return ResultTable("collocates", "Top collocates.", columns, rows)


def _near(page: StatisticPage, profile: WordProfile, lemma: str) -> str:
    token = pair_query(("lemma", lemma))
    return value_hits(page, "lower", profile.form, near=[token], reach=["5,5"])


def _picture(page: StatisticPage, profile: WordProfile) -> LineChart | None:
    trend = profile.trend
    if len(trend) < 2:
        return None
    low, high = trend.interval
    labels = trend.periods.names
    top = ROOM_ABOVE * float(trend.rates[trend.tokens > 0].max(initial=0))
    in_days = _addresses_in_days(page, profile)
    points = tuple(
        LinePoint(
            _mark(profile, i, in_days),
            float(low[i]),
            min(float(high[i]), top),
            is_thin=bool(trend.is_thin[i]),
        )
        if trend.tokens[i]
        else None
        for i in range(len(trend))
    )
    sentence = (
        f"“{profile.form}” per million tokens by {trend.periods.unit}, {labels[0]} to {labels[-1]}"
    )
    return LineChart(sentence, labels, (Curve(profile.form, points),))


def _mark(profile: WordProfile, i: int, in_days: Callable[[tuple[int, int]], str]) -> Mark:
    trend = profile.trend
    hits, tokens = counted(int(trend.hits[i]), "hit"), counted(int(trend.tokens[i]), "token")
    words = f"{trend.periods.names[i]}: {hits} in {tokens}"
    address = in_days(trend.periods.days(i)) if trend.hits[i] else ""
    return Mark(float(trend.rates[i]), words, address, is_tab_stop=False)


def _addresses_in_days(
    page: StatisticPage, profile: WordProfile
) -> Callable[[tuple[int, int]], str]:
    """Make addresses of the hits in some days; the query is written once for all of them."""
    only = [*page.kept.values("only"), _DAYS]
    address = value_hits(page, "lower", profile.form, only=only)
    before, _, after = address.rpartition(_DAYS)
    return lambda days: f"{before}{quote_plus(str(day_slice(*days)), safe=UNQUOTED)}{after}"
