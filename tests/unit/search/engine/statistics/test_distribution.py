"""Distribution, dispersion, barcode and echo, against slow counts on random corpora."""

import statistics
from collections import defaultdict
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import PAPERS, WORDS, build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.dispersion import average_reduced_frequency, deviation_of_proportions
from search.engine.statistics.distribution import (
    COLUMNS,
    ColumnGroup,
    dispersions,
    distribution,
    strokes,
)
from search.engine.statistics.echo import echo
from search.engine.statistics.slices import OF_TIME, STROKES, parse_slice
from search.engine.statistics.slicing import narrow_hits, narrow_selection

JOHANNESBURG = ZoneInfo("Africa/Johannesburg")
RAIN = parse('[lemma="rain"]', Language.CQL)

documents = st.builds(
    lambda key, text, seconds, **columns: document(key, text, published_seconds=seconds, **columns),
    st.integers(1, 6),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    st.integers(0, 70 * 86_400),
    publication=st.sampled_from(PAPERS),
    section=st.sampled_from(["", "Sport", "News"]),
    author=st.sampled_from(["", "A. Malgas", "B. Nel; A. Malgas", "C. Mda; B. Nel"]),
    kind=st.sampled_from(DocumentKind),
    parent_key=st.integers(0, 6),
    is_undated=st.sampled_from([False, False, True]),
)
batches = st.lists(
    st.tuples(
        st.lists(documents, min_size=1, max_size=6, unique_by=lambda item: (item.kind, item.key)),
        st.lists(st.tuples(st.sampled_from(DocumentKind), st.integers(1, 6)), max_size=1),
    ),
    min_size=1,
    max_size=3,
)


def n_hits(item):
    return sum(lemma == "rain" for _, lemma, _ in item.tokens)


@settings(max_examples=60, deadline=None)
@given(batches, filters, st.sampled_from(COLUMNS), st.sampled_from([1, 300_000]))
def test_each_group_is_its_slice(tmp_path_factory, batches, wanted, column, tail_tokens):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=tail_tokens)
    selection = select(snapshot, wanted)
    hits = run(snapshot, RAIN, wanted)

    groups = distribution(hits, selection, column, JOHANNESBURG)

    if column == "author":
        assert not any("; " in group.value for group in groups)
    else:
        assert sum(group.hits for group in groups) == hits.total
        assert sum(group.tokens for group in groups) == selection.base.n_tokens
    for group in groups:
        no_date = column in OF_TIME and group.value == ""
        cut = [parse_slice("undated:yes" if no_date else f"{column}:{group.value}")]
        base = narrow_selection(selection, cut, JOHANNESBURG).base
        found = narrow_hits(hits, selection, cut, JOHANNESBURG)
        assert (group.hits, group.texts) == (found.total, found.n_texts)
        assert group.tokens == base.n_tokens
        assert group.documents == base.n_documents or column == "quarter"


@settings(max_examples=40, deadline=None)
@given(batches, filters)
def test_publications_are_those_of_a_slow_count(tmp_path_factory, batches, wanted):
    snapshot = build(tmp_path_factory.mktemp("index"), batches)
    items = plain_selection(batches, wanted)

    groups = distribution(
        run(snapshot, RAIN, wanted), select(snapshot, wanted), "pub", JOHANNESBURG
    )

    expected = []
    for paper in {item.publication for item in items}:
        mine = [item for item in items if item.publication == paper]
        hits = [n_hits(item) for item in mine]
        tokens = sum(len(item.tokens) for item in mine)
        expected.append(ColumnGroup(paper, sum(hits), sum(n > 0 for n in hits), tokens, len(mine)))
    assert groups == sorted(expected, key=lambda group: (-group.hits, group.value))


@settings(max_examples=40, deadline=None)
@given(batches, filters)
def test_dispersion_and_strokes_are_those_of_the_texts_in_a_row(tmp_path_factory, batches, wanted):
    snapshot = build(tmp_path_factory.mktemp("index"), batches)
    selection = select(snapshot, wanted)
    hits = run(snapshot, RAIN, wanted)
    items = sorted(
        plain_selection(batches, wanted),
        key=lambda item: (item.published_seconds, item.kind, item.key),
    )
    tokens = [lemma for item in items for _, lemma, _ in item.tokens]
    places = [i for i, lemma in enumerate(tokens) if lemma == "rain"]

    found = strokes(hits, selection)
    by_text = dispersions(hits, selection)[0]

    numbers = [STROKES * place // len(tokens) for place in places]
    assert found.hits.tolist() == [numbers.count(i) for i in range(STROKES)]
    assert found.reduced_frequency == average_reduced_frequency(places, len(tokens))
    counts = [n_hits(item) for item in items]
    sizes = [len(item.tokens) for item in items]
    assert (by_text.n_parts, by_text.part_range) == (len(items), sum(n > 0 for n in counts))
    assert by_text.deviation == pytest.approx(
        float(deviation_of_proportions(counts, sizes)), nan_ok=True
    )


def test_a_stroke_opens_its_hits(tmp_path):
    texts = [document(key, "rain sun sun rain") for key in range(1, 9)]
    snapshot = snapshot_of(tmp_path, texts)
    selection = select(snapshot, DocumentFilter())
    hits = run(snapshot, RAIN)

    for number, n in enumerate(strokes(hits, selection).hits.tolist(), 1):
        if n:
            cut = [parse_slice(f"stroke:{number}")]
            assert narrow_hits(hits, selection, cut, JOHANNESBURG).total == n


def test_an_empty_corpus_has_neither_groups_nor_strokes(tmp_path):
    snapshot = snapshot_of(tmp_path)
    selection = select(snapshot, DocumentFilter())
    hits = run(snapshot, RAIN)

    assert distribution(hits, selection, "pub", JOHANNESBURG) == []
    assert [group.hits for group in distribution(hits, selection, "weekday", JOHANNESBURG)] == [
        0
    ] * 7
    assert strokes(hits, selection).hits.sum() == 0
    assert [d.n_parts for d in dispersions(hits, selection)] == [0, 0, 0]


# Articles and their comments


def slow_echo(items):
    articles = {item.key: item for item in items if item.kind is DocumentKind.ARTICLE}
    comments = defaultdict(list)
    for item in items:
        if item.kind is DocumentKind.COMMENT and item.parent_key in articles:
            comments[item.parent_key].append(item)
    counts = {"both": 0, "article": 0, "comments": 0, "neither": 0}
    lags = []
    for key, below in comments.items():
        article = articles[key]
        times = [item.published_seconds for item in below if n_hits(item)]
        if n_hits(article) and times:
            lags.append(min(times) - article.published_seconds)
        names = {(True, True): "both", (True, False): "article", (False, True): "comments"}
        counts[names.get((bool(n_hits(article)), bool(times)), "neither")] += 1
    return (*counts.values(), statistics.median(lags) if lags else None)


@settings(max_examples=80, deadline=None)
@given(batches, filters)
def test_echo_is_that_of_a_slow_count(tmp_path_factory, batches, wanted):
    snapshot = build(tmp_path_factory.mktemp("index"), batches)
    found = echo(run(snapshot, RAIN, wanted), select(snapshot, wanted))

    expected = slow_echo(plain_selection(batches, wanted))

    assert (
        found.both, found.article_only, found.comments_only, found.neither,
        found.median_lag_seconds,
    ) == expected  # fmt: skip
    assert found.n_articles == sum(expected[:4])
