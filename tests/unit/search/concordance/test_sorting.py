"""Orders of lines equal a plain sort, however the corpus is cut into segments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.concordance.kwic import PageRequest, concordance
from search.concordance.sorting import (
    LineReference,
    Order,
    SortKey,
    lines_in_order,
    n_lines,
    number_of_line,
)
from search.index.documents import DocumentKind
from search.query.parser import Language, parse
from search.query.run import run

texts = st.lists(st.sampled_from(("a", "A", "b", "c", "é", "Z")), min_size=1, max_size=8)
corpora = st.lists(
    st.tuples(texts.map(" ".join), st.sampled_from(DocumentKind), st.integers(0, 3),
              st.sampled_from(("karoo", "cape"))),
    min_size=1, max_size=5,
)  # fmt: skip
QUERIES = st.sampled_from(('"a"%c', "[]", '[word="a|b"] []', '"b"+'))
KEYS = st.lists(
    st.sampled_from([key for key in SortKey if key is not SortKey.RANDOM]), min_size=1, max_size=3
)
NOTHING = ""


def plain_key(line, key):
    def word(words, at):
        return words[at].lower() if -len(words) <= at < len(words) else NOTHING

    match key:
        case SortKey.NEW:
            return (-line.info.published_seconds, -line.kind, -line.key)
        case SortKey.OLD:
            return (line.info.published_seconds, line.kind, line.key)
        case SortKey.PUBLICATION:
            return line.info.publication
        case SortKey.NODE:
            return [w.lower() for w in line.node_words[:5]]
    number = int(key.value[1])
    if key.value[0] == "l":
        return word(line.left_words, -number)
    return word(line.right_words, number - 1)


def hits_of(folder, corpus, query, tail_tokens):
    documents = [
        document(key, text, kind=kind, published_seconds=day * 86_400, publication=publication)
        for key, (text, kind, day, publication) in enumerate(corpus, 1)
    ]
    snapshot = snapshot_of(folder, *[[item] for item in documents], tail_tokens=tail_tokens)
    return run(snapshot, parse(query, Language.CQL))


@settings(deadline=None, max_examples=80)
@given(corpora, QUERIES, KEYS, st.sampled_from((1, 300_000)), st.tuples(*[st.integers(0, 6)] * 2))
def test_order_equals_a_plain_sort(tmp_path_factory, corpus, query, keys, tail, stretch):
    offset, count = stretch
    hits = hits_of(tmp_path_factory.mktemp("sorting"), corpus, query, tail)
    order = Order(tuple(keys))
    everything = concordance(hits, PageRequest(count=1000))

    page = concordance(hits, PageRequest(offset, count, order))

    plain = sorted(
        everything,
        key=lambda line: (
            *(plain_key(line, key) for key in keys), plain_key(line, SortKey.NEW), line.position,
        ),
    )  # fmt: skip
    assert len(everything) == hits.total
    assert page == plain[offset : offset + count]


@settings(deadline=None, max_examples=30)
@given(corpora, st.sampled_from(["new", "old", "l1", "r1", "random"]), st.sampled_from((None, 3)))
def test_number_of_a_line_is_where_it_stands(tmp_path_factory, corpus, key, sample):
    hits = hits_of(tmp_path_factory.mktemp("numbers"), corpus, "[]", 1)
    order = Order((SortKey(key),), sample, seed=7)

    lines = lines_in_order(hits, order, 0, 1000)

    assert [number_of_line(hits, order, line) for line in lines] == list(range(len(lines)))
    assert len(lines) == n_lines(hits, order)


def test_number_of_a_line_that_is_no_hit_is_none(tmp_path):
    hits = hits_of(tmp_path, [("a b", DocumentKind.ARTICLE, 1, "karoo")], '"a"', 1)

    assert number_of_line(hits, Order(), LineReference(0, 0, 1, 2)) is None


@pytest.mark.parametrize("sort", [SortKey.NEW, SortKey.LEFT_1, SortKey.RANDOM])
def test_sample_is_the_same_after_merging(tmp_path_factory, sort):
    corpus = [("a b a c", DocumentKind.ARTICLE, day % 4, "karoo") for day in range(12)]
    one = hits_of(tmp_path_factory.mktemp("one"), corpus, '"a"', 300_000)
    many = hits_of(tmp_path_factory.mktemp("many"), corpus, '"a"', 1)
    page = PageRequest(order=Order((sort,), sample=5, seed=3))

    assert len(one.parts) == 1 < len(many.parts)
    assert concordance(one, page) == concordance(many, page)
    assert len(concordance(one, page)) == 5


def test_sample_depends_on_the_seed_and_holds_hits_only(tmp_path):
    corpus = [(" ".join(["a"] * 30), DocumentKind.ARTICLE, 1, "karoo")]
    hits = hits_of(tmp_path, corpus, '"a"', 1)

    samples = [
        [
            line.position
            for line in concordance(hits, PageRequest(order=Order(sample=10, seed=seed)))
        ]
        for seed in (1, 2, 1)
    ]

    assert samples[0] == samples[2] != samples[1]
    assert all(len(set(positions)) == 10 for positions in samples)
    assert all(positions == sorted(positions) for positions in samples)


def test_smaller_sample_is_part_of_the_larger(tmp_path):
    corpus = [(" ".join(["a"] * 40), DocumentKind.ARTICLE, 1, "karoo")]
    hits = hits_of(tmp_path, corpus, '"a"', 1)

    small, large = (
        {line.position for line in concordance(hits, PageRequest(order=Order(sample=size)))}
        for size in (5, 20)
    )

    assert small < large
