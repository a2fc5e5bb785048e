"""Trend: points against a slow evaluator on random corpora, units, slope, peak."""

import datetime as dt
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import PAPERS, WORDS, build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.index.documents import UNIX_EPOCH, DocumentKind
from search.engine.index.joined_names import joined_names
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.periods import (
    Periods,
    Unit,
    first_days,
    period_name,
    period_numbers,
)
from search.engine.statistics.trend import (
    THIN_TOKENS,
    DailyBase,
    Trend,
    choose_unit,
    daily_base,
    moving_average,
    trend,
    trends_by_column,
)

# Periods


def period_of(day, unit):
    date = UNIX_EPOCH + dt.timedelta(days=day)
    week = date.isocalendar()
    return {
        Unit.DAY: date.isoformat(),
        Unit.WEEK: f"{week.year}-W{week.week:02}",
        Unit.MONTH: f"{date:%b} {date.year}",
        Unit.YEAR: str(date.year),
    }[unit]


@given(st.integers(-30_000, 60_000), st.sampled_from(Unit))
def test_days_lie_in_the_periods_of_the_calendar(day, unit):
    number = int(period_numbers(day, unit))

    name = period_name(number, unit)
    first, after = first_days([number, number + 1], unit).tolist()
    assert name == period_of(day, unit) or unit is Unit.DAY
    assert first <= day < after
    assert int(period_numbers(first, unit)) == number
    assert int(period_numbers(after, unit)) == number + 1


@pytest.mark.parametrize(
    ("unit", "name"),
    [
        (Unit.DAY, "1 Jan 2027"),
        (Unit.WEEK, "2026-W53"),
        (Unit.MONTH, "Jan 2027"),
        (Unit.YEAR, "2027"),
    ],
)
def test_names_of_periods(unit, name):
    day = (dt.date(2027, 1, 1) - UNIX_EPOCH).days

    assert Periods(unit, day, day).names == (name,)
    assert Periods(unit, day, day).days(0) == (day, day)


def test_outer_periods_are_cut_to_the_span():
    periods = Periods(Unit.MONTH, 10, 70)

    assert [periods.days(i) for i in range(3)] == [(10, 30), (31, 58), (59, 70)]


# Units


@pytest.mark.parametrize(
    ("n_days", "tokens_a_day", "unit"),
    [
        (30, 250_000, Unit.DAY),
        (300, 50_000, Unit.WEEK),
        (500, 250_000, Unit.WEEK),  # more than 400 days
        (900, 10_000, Unit.MONTH),
        (2600, 900, Unit.YEAR),
        (540, 900, Unit.MONTH),  # two years would not be thin, but two points are no trend
        (1, 100, Unit.DAY),
        (40, 100, Unit.DAY),
        (200, 10, Unit.WEEK),
        (1500, 1, Unit.MONTH),
        (9000, 1, Unit.YEAR),
        (0, 0, Unit.DAY),
    ],
)
def test_the_unit_is_the_finest_with_enough_text(n_days, tokens_a_day, unit):
    tokens = np.full(n_days, tokens_a_day)

    assert choose_unit(DailyBase(20_000, tokens, tokens)) is unit


# Points

documents = st.builds(
    lambda key, text, paper, author, kind, day, is_undated: document(
        key, text, publication=paper, author=author, kind=kind, is_undated=is_undated,
        day=UNIX_EPOCH + dt.timedelta(days=day), published_seconds=day * 86_400,
    ),
    st.integers(1, 6),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join),
    st.sampled_from(PAPERS),
    st.sampled_from(["", "AFP", "B. Nel", "B. Nel; AFP", "AFP; Nampa"]),
    st.sampled_from(DocumentKind),
    st.integers(0, 800),
    st.sampled_from([False, False, True]),
)  # fmt: skip
batches = st.lists(
    st.tuples(
        st.lists(documents, min_size=1, max_size=5, unique_by=lambda item: (item.kind, item.key)),
        st.lists(st.tuples(st.sampled_from(DocumentKind), st.integers(1, 6)), max_size=1),
    ),
    min_size=1,
    max_size=3,
)


def slow_points(items, unit):
    """Hits of the lemma rain, texts with hits, tokens and texts by name of period."""
    hits, texts, tokens, n = Counter(), Counter(), Counter(), Counter()
    for item in items:
        name = period_of(item.day_number, unit)
        n_hits = sum(lemma == "rain" for _, lemma, _ in item.tokens)
        hits[name] += n_hits
        texts[name] += n_hits > 0
        tokens[name] += len(item.tokens)
        n[name] += 1
    return {name: (hits[name], texts[name], tokens[name], n[name]) for name in n}


def points_of(found, unit):
    names = [period_of(found.periods.days(i)[0], unit) for i in range(len(found))]
    columns = (found.hits, found.texts, found.tokens, found.documents)
    return dict(zip(names, zip(*(c.tolist() for c in columns), strict=True), strict=True))


@settings(max_examples=80, deadline=None)
@given(batches, filters, st.sampled_from(Unit), st.sampled_from([1, 300_000]))
def test_points_are_those_of_a_slow_count(tmp_path_factory, batches, wanted, unit, tail_tokens):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=tail_tokens)
    items = plain_selection(batches, wanted)
    expected = slow_points([item for item in items if not item.is_undated], unit)
    n_left_out = sum(len(item.tokens) for item in items if item.is_undated)

    for query in ('[lemma="rain"]', '[lemma="rain"] []{0}'):
        hits = run(snapshot, parse(query, Language.CQL), wanted)
        counted = trend(hits, select(snapshot, wanted), unit)
        found = points_of(counted, unit)

        assert counted.undated.n_tokens == n_left_out
        assert {name: point for name, point in found.items() if point[3]} == expected
        assert all(point == (0, 0, 0, 0) for name, point in found.items() if name not in expected)


@settings(max_examples=40, deadline=None)
@given(batches, filters, st.sampled_from(Unit))
def test_points_by_publication_add_up(tmp_path_factory, batches, wanted, unit):
    snapshot = build(tmp_path_factory.mktemp("index"), batches)
    selection = select(snapshot, wanted)
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL), wanted)

    found = trends_by_column(hits, selection, unit, "publication")

    items = [item for item in plain_selection(batches, wanted) if not item.is_undated]
    assert {snapshot.lexicon.value(v) for v in found} == {item.publication for item in items}
    for value, part in found.items():
        mine = [i for i in items if i.publication == snapshot.lexicon.value(value)]
        points = points_of(part, unit)
        assert {n: p for n, p in points.items() if p[3]} == slow_points(mine, unit)


@settings(max_examples=40, deadline=None)
@given(batches, filters, st.sampled_from(Unit), st.sampled_from(["agency", "author"]))
def test_a_text_is_in_the_trend_of_each_of_its_names(
    tmp_path_factory, batches, wanted, unit, column
):
    def names_of(item):
        if column == "author":
            return set(item.author.split("; "))
        signed = item.kind is not DocumentKind.COMMENT
        return ({"AFP", "Nampa"} & {*item.author.split("; ")} if signed else set()) or {""}

    snapshot = build(tmp_path_factory.mktemp("index"), batches)
    selection = select(snapshot, wanted)
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL), wanted)

    found = trends_by_column(hits, selection, unit, column)

    items = [item for item in plain_selection(batches, wanted) if not item.is_undated]
    spell = joined_names(snapshot, column).spell
    assert {*map(spell, found)} == {name for item in items for name in names_of(item)}
    for value, part in found.items():
        mine = [item for item in items if spell(value) in names_of(item)]
        assert {n: p for n, p in points_of(part, unit).items() if p[3]} == slow_points(mine, unit)
        days = [i.day_number for i in mine if any(lemma == "rain" for _, lemma, _ in i.tokens)]
        assert part.outer_days == ((min(days), max(days)) if days else None)


def small_trend(tmp_path, texts, unit=Unit.DAY):
    items = [document(key, text) for key, text in texts.items()]
    snapshot = snapshot_of(tmp_path, items)
    wanted = DocumentFilter()
    return trend(
        run(snapshot, parse('"rain"', Language.CQL), wanted), select(snapshot, wanted), unit
    )


def test_empty_days_are_points_with_their_base(tmp_path):
    found = small_trend(tmp_path, {1: "rain sun", 3: "sun sun sun", 4: "rain"})

    assert found.hits.tolist() == [1, 0, 0, 1]
    assert found.tokens.tolist() == [2, 0, 3, 1]
    assert found.rates.tolist() == pytest.approx([500_000, np.nan, 0, 1_000_000], nan_ok=True)
    assert found.outer_days == (1, 4)
    assert found.peak == 3
    assert found.slope == pytest.approx(500_000 / 3)
    assert found.is_thin.all()


def test_the_peak_is_a_solid_point_where_there_is_one(tmp_path):
    found = small_trend(tmp_path, {1: "rain", 2: "rain " + "sun " * THIN_TOKENS})

    assert found.is_thin.tolist() == [True, False]
    assert found.peak == 1


def test_one_day_has_neither_slope_nor_test(tmp_path):
    found = small_trend(tmp_path, {1: "rain sun"})

    assert len(found) == 1
    assert np.isnan(found.slope)
    assert found.test is None


def test_an_empty_corpus_has_no_points(tmp_path):
    snapshot = snapshot_of(tmp_path)
    selection = select(snapshot, DocumentFilter())
    found = trend(run(snapshot, parse('"rain"', Language.CQL)), selection, Unit.MONTH)

    assert len(found) == 0
    assert found.peak is None
    assert found.outer_days is None
    assert (
        trends_by_column(
            run(snapshot, parse('"rain"', Language.CQL)), selection, Unit.DAY, "publication"
        )
        == {}
    )
    assert daily_base(selection).last_day < daily_base(selection).first_day


# Averages

COUNTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 900)), min_size=1, max_size=30)


def trend_of(counts):
    """A trend by year with these hits and tokens; no hits where there are no tokens."""
    tokens = np.array([n for _, n in counts])
    hits = np.array([n for n, _ in counts]) * (tokens > 0)
    periods = Periods(Unit.YEAR, 0, int(365.25 * (len(counts) - 1)) + 180)
    assert len(periods) == len(counts)
    return Trend(periods, hits, tokens, tokens, lambda: hits)


@given(COUNTS, st.sampled_from([1, 3, 5, 13]))
def test_an_average_is_of_the_periods_around_by_their_tokens(counts, n_periods):
    whole = trend_of(counts)

    found = moving_average(whole, n_periods)

    hits, tokens = whole.hits.tolist(), whole.tokens.tolist()
    for at in range(len(counts)):
        near = [i for i in range(len(counts)) if abs(i - at) <= n_periods // 2 and tokens[i]]
        if not tokens[at]:
            assert np.isnan([found.rates[at], found.hits[at]]).all()
            continue
        n_hits = sum(hits[i] for i in near)
        assert found.rates[at] == pytest.approx(1e6 * n_hits / sum(tokens[i] for i in near))
        assert found.hits[at] == pytest.approx(n_hits / len(near))


@given(COUNTS)
def test_an_average_of_one_period_is_the_trend_itself(counts):
    whole = trend_of(counts)

    assert moving_average(whole, 1).rates == pytest.approx(whole.rates, nan_ok=True)
