"""Orders of lines equal a plain sort, however the corpus is cut into segments."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.concordance import by_time, sorting
from search.engine.concordance.kwic import PageRequest, lines_of
from search.engine.concordance.places import LineReference
from search.engine.concordance.sort_keys import (
    NUMBERED,
    SortAttribute,
    SortKey,
    SortPlace,
    parse_keys,
)
from search.engine.concordance.sorting import (
    Order,
    TooManyHitsError,
    all_in_order,
    lines_in_order,
    n_lines,
    number_of_line,
)
from search.engine.concordance.word_ranks import dictionary_key
from search.engine.index.documents import DocumentKind
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

texts = st.lists(
    st.sampled_from(("a", "A", "b/b/VB", "c", "é/E/JJ", "Z", "ab/ba/NN", ".")),
    min_size=1,
    max_size=8,
)
corpora = st.lists(
    st.tuples(texts.map(" ".join), st.sampled_from(DocumentKind), st.integers(0, 3),
              st.sampled_from(("karoo", "cape"))),
    min_size=1, max_size=5,
)  # fmt: skip
QUERIES = st.sampled_from(('"a"%c', "[]", '[word="a|b"] []', '"b"+', "[] []? []?"))
OF_THEIR_OWN = {SortPlace.RANDOM, SortPlace.CORPUS, SortPlace.GOOD}  # tested by themselves
PLACES = [place.value for place in SortPlace if place not in NUMBERED | OF_THEIR_OWN]
NUMBERED_PLACES = [f"{place.value}{number}" for place in NUMBERED for number in (1, 2, 3, 5)]
OF_TEXTS = st.tuples(
    st.sampled_from([place for place in PLACES if place != "node"]), st.sampled_from(("", ".desc"))
)
OF_WORDS = st.tuples(
    st.sampled_from(["node", *NUMBERED_PLACES]),
    st.sampled_from(("", ".word", ".lemma", ".pos")),
    st.sampled_from(("", ".rev")),
    st.sampled_from(("", ".desc")),
    st.sampled_from(("", ".dict")),
)
KEY = st.one_of(OF_TEXTS, OF_WORDS).map("".join).map(SortKey.parse)
KEYS = st.lists(KEY, min_size=1, max_size=3)


@dataclass(frozen=True)
class Turned:
    """Smaller where the value is greater."""

    value: object

    def __lt__(self, other):
        return other.value < self.value


def plain_key(line, tokens, key):
    """What a key compares of a line; `tokens` are those of its text."""
    compared = plain_value(line, tokens, key)
    return Turned(compared) if key.is_descending else compared


def plain_value(line, tokens, key):
    info = line.info
    of_text = {
        SortPlace.NEW: (-info.published_seconds, -line.kind, -line.key),
        SortPlace.OLD: (info.published_seconds, line.kind, line.key),
        SortPlace.PUBLICATION: info.publication,
        SortPlace.SECTION: info.section,
        SortPlace.AUTHOR: info.author,
        SortPlace.LANGUAGE: info.language,
        SortPlace.KIND: line.kind,
    }
    if key.place in of_text:
        return of_text[key.place]
    start, end = line.position, line.position + line.length
    if key.place is SortPlace.NODE:
        places = list(range(start, end))
        places = places[::-1] if key.is_retrograde else places
        return [plain_word(tokens, at, (0, len(tokens)), key) for at in places[:5]]
    at = {
        SortPlace.LEFT: start - key.number,
        SortPlace.RIGHT: end - 1 + key.number,
        SortPlace.FROM_FIRST: start + key.number - 1,
        SortPlace.FROM_LAST: end - key.number,
    }[key.place]
    inside = (0, len(tokens)) if key.place in (SortPlace.LEFT, SortPlace.RIGHT) else (start, end)
    return plain_word(tokens, at, inside, key)


def plain_word(tokens, at, inside, key):
    if not inside[0] <= at < inside[1]:
        return (False,)
    token = tokens[at]
    text = {
        SortAttribute.WORD: token.word,
        SortAttribute.LOWER: token.word.lower(),
        SortAttribute.LEMMA: token.lemma,
        SortAttribute.POS: token.tag,
    }[key.attribute]
    text = text[::-1] if key.is_retrograde else text
    return (True, dictionary_key(text) if key.is_dictionary else text)


def hits_of(folder, corpus, query, tail_tokens):
    documents = [
        document(
            key, text, kind=kind, published_seconds=day * 86_400, publication=publication,
            section=f"s{key % 2}", author=f"A{day}", language="en",
        )
        for key, (text, kind, day, publication) in enumerate(corpus, 1)
    ]  # fmt: skip
    snapshot = snapshot_of(folder, *[[item] for item in documents], tail_tokens=tail_tokens)
    return run(snapshot, parse(query, Language.CQL))


@settings(deadline=None, max_examples=100)
@given(corpora, QUERIES, KEYS, st.sampled_from((1, 300_000)), st.tuples(*[st.integers(0, 6)] * 2))
def test_order_equals_a_plain_sort(tmp_path_factory, corpus, query, keys, tail, stretch):
    offset, count = stretch
    hits = hits_of(tmp_path_factory.mktemp("sorting"), corpus, query, tail)
    order = Order(tuple(keys))
    everything = lines_of(hits, PageRequest(count=1000))

    page = lines_of(hits, PageRequest(offset, count, order))

    def plain(line):
        tokens = hits.snapshot.document(line.kind, line.key).tokens
        last = plain_value(line, tokens, SortKey.NEW)
        return *(plain_key(line, tokens, key) for key in keys), last, line.position, line.length

    expected = sorted(everything, key=plain)
    assert len(everything) == hits.total
    assert addresses(page) == addresses(expected[offset : offset + count])


def addresses(lines):
    return [(line.kind, line.key, line.position, line.length) for line in lines]


@settings(deadline=None, max_examples=25)
@given(
    corpora,
    st.sampled_from(["new", "old", "l1", "r1.lemma.rev", "random", "pub,node"]),
    st.sampled_from(({}, {"sample": 3}, {"percent": 40.0})),
)
def test_number_of_a_line_is_where_it_stands(tmp_path_factory, corpus, keys, thinning):
    hits = hits_of(tmp_path_factory.mktemp("numbers"), corpus, "[]", 1)
    order = Order(parse_keys(keys), seed=7, **thinning)

    lines = list(lines_in_order(hits, order, 0, 1000))

    assert [number_of_line(hits, order, line) for line in lines] == list(range(len(lines)))
    assert len(lines) == n_lines(hits, order)


@settings(deadline=None, max_examples=25)
@given(corpora, st.sampled_from(["new", "old"]), st.integers(0, 12), st.integers(1, 12))
def test_deep_pages_go_on_where_the_others_end(tmp_path_factory, corpus, key, offset, count):
    hits = hits_of(tmp_path_factory.mktemp("deep"), corpus, "[]", 1)
    newest = key == "new"

    deep = by_time.deep_lines(hits, offset, count, newest=newest)

    lines = list(by_time.lines_by_time(hits, 0, 1000, newest=newest))
    assert list(deep) == lines[offset : offset + count]


@settings(deadline=None, max_examples=20)
@given(corpora, st.sampled_from(["new", "old", "r1,l1"]), st.integers(0, 30), st.integers(1, 4))
def test_going_through_all_lines_gives_the_lines(tmp_path_factory, corpus, keys, most, batch):
    hits = hits_of(tmp_path_factory.mktemp("all"), corpus, "[]", 1)
    order = Order(parse_keys(keys))

    batches = list(all_in_order(hits, order, most, batch))

    every = list(lines_in_order(hits, order, 0, most))
    assert [line for lines in batches for line in lines] == every
    assert all(len(lines) <= batch for lines in batches)


def test_number_of_a_line_that_is_no_hit_is_none(tmp_path):
    hits = hits_of(tmp_path, [("a b", DocumentKind.ARTICLE, 1, "karoo")], '"a"', 1)

    assert number_of_line(hits, Order(), LineReference(0, 0, 1, 2)) is None


@pytest.mark.parametrize("keys", ["new", "l1", "random"])
@pytest.mark.parametrize("thinning", [{"sample": 5}, {"percent": 50.0}])
def test_sample_is_the_same_after_merging(tmp_path_factory, keys, thinning):
    corpus = [("a b a c", DocumentKind.ARTICLE, day % 4, "karoo") for day in range(12)]
    one = hits_of(tmp_path_factory.mktemp("one"), corpus, '"a"', 300_000)
    many = hits_of(tmp_path_factory.mktemp("many"), corpus, '"a"', 1)
    page = PageRequest(order=Order(parse_keys(keys), seed=3, **thinning))

    assert len(one.parts) == 1 < len(many.parts)
    assert addresses(lines_of(one, page)) == addresses(lines_of(many, page))


def test_sample_depends_on_the_seed_and_holds_hits_only(tmp_path):
    corpus = [(" ".join(["a"] * 30), DocumentKind.ARTICLE, 1, "karoo")]
    hits = hits_of(tmp_path, corpus, '"a"', 1)

    samples = [
        [line.position for line in lines_of(hits, PageRequest(order=Order(sample=10, seed=seed)))]
        for seed in (1, 2, 1)
    ]

    assert samples[0] == samples[2] != samples[1]
    assert all(len(set(positions)) == 10 for positions in samples)
    assert all(positions == sorted(positions) for positions in samples)


@settings(deadline=None, max_examples=20)
@given(corpora, st.integers(0, 30), st.integers(0, 30), st.integers(0, 2**31))
def test_a_sample_begins_every_larger_sample(tmp_path_factory, corpus, size, more, seed):
    hits = hits_of(tmp_path_factory.mktemp("samples"), corpus, "[]", 1)
    random = parse_keys("random")

    small, large = (
        list(lines_in_order(hits, Order(random, sample=n, seed=seed), 0, 1000))
        for n in (size, size + more)
    )

    assert small == large[:size]
    assert len(small) == min(size, hits.total)


@settings(deadline=None, max_examples=20)
@given(corpora, st.floats(0, 100), st.floats(0, 100), st.integers(0, 2**31))
def test_a_share_holds_every_smaller_share(tmp_path_factory, corpus, one, other, seed):
    hits = hits_of(tmp_path_factory.mktemp("shares"), corpus, "[]", 1)

    small, large, all_ = (
        set(lines_in_order(hits, Order(percent=percent, seed=seed), 0, 1000))
        for percent in (min(one, other), max(one, other), 100.0)
    )

    assert small <= large <= all_
    assert len(all_) == hits.total


def test_a_share_is_about_as_large_as_it_says(tmp_path):
    corpus = [(" ".join(["a"] * 2000), DocumentKind.ARTICLE, 1, "karoo")]
    hits = hits_of(tmp_path, corpus, '"a"', 1)

    sizes = [n_lines(hits, Order(percent=10.0, seed=seed)) for seed in range(20)]

    assert all(150 <= size <= 250 for size in sizes)  # 200 with a standard deviation of 13
    assert len(set(sizes)) > 5


def test_too_many_hits_are_not_sorted(tmp_path, monkeypatch):
    hits = hits_of(tmp_path, [("a a a", DocumentKind.ARTICLE, 1, "karoo")], '"a"', 1)
    monkeypatch.setattr(sorting, "MOST_SORTED", 2)

    with pytest.raises(TooManyHitsError):
        lines_in_order(hits, Order(parse_keys("r1")), 0, 1)
    assert len(lines_in_order(hits, Order(), 0, 5)) == 3
