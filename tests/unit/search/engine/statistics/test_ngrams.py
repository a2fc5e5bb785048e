"""N-grams equal counting sequence by sequence."""

import datetime as dt
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest
from counted_hits import batches, plain_hits, sentence_numbers, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.index.documents import UNIX_EPOCH
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics import ngram_keys
from search.engine.statistics.counting import in_parallel
from search.engine.statistics.ngrams import ATTRIBUTES, NgramRequest, frequent_runs, ngrams

QUERIES = ('[lemma="rain"]', '"the"%c []', '[pos="N.*"]+', '"," []', "[]", '"hail"')
PATTERNS = ((), ("*", "rain"), ("the", "*", "rain"), ("rain",), ("*", "i", "*"), ("hail", "*"))
MANY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


_NO_DAY = 10**6


def is_word(token):
    return any(c.isalnum() for c in token[0])


def plain_sequences(item, request):
    """Each sequence of a text: positions and words."""
    sentences = sentence_numbers(item)
    n = len(item.tokens)
    for start in range(n):
        for rest in combinations(range(1, request.n_words + request.skip), request.n_words - 1):
            places = [start, *(start + at for at in rest)]
            if places[-1] >= n or sentences[places[-1]] != sentences[start]:
                continue
            tokens = [item.tokens[place] for place in places]
            if not request.with_punctuation and not all(map(is_word, tokens)):
                continue
            words = tuple(value(token, request.attribute) for token in tokens)
            if all(p in ("*", w) for p, w in zip(request.pattern or words, words, strict=True)):
                yield places, words


def plain_ngrams(items, request, hits=None):
    """Hits, texts and first day of each sequence."""
    things, texts, days = defaultdict(set), defaultdict(set), defaultdict(list)
    n_sequences = 0
    for item in items:
        identity = (item.kind, item.key)
        for places, words in plain_sequences(item, request):
            found = [(identity, places[0])]
            if hits is not None:
                own = [hit for hit in hits if (hit.document.kind, hit.document.key) == identity]
                found = [
                    (identity, "hit", hit.start)
                    for hit in own
                    if (
                        hit.start == places[0]
                        if request.around == "starting"
                        else places[0] <= hit.start and hit.end - 1 <= places[-1]
                    )
                ]
            n_sequences += len(found)
            if found:
                things[words].update(found)
                texts[words].add(identity)
                days[words].append(_NO_DAY if item.is_undated else item.day_number)
    rows = {
        words: (len(things[words]), len(texts[words]), first_of(days[words]))
        for words in things
        if len(things[words]) >= request.least and len(texts[words]) >= request.least_texts
    }
    return rows, n_sequences


def first_of(days):
    return None if min(days) == _NO_DAY else UNIX_EPOCH + dt.timedelta(days=min(days))


def listed(found):
    return {row.words: (row.n_hits, row.n_texts, row.first_day) for row in found.rows}


requests = st.builds(
    NgramRequest,
    n=st.integers(1, 6),
    attribute=st.sampled_from(ATTRIBUTES),
    skip=st.integers(0, 2),
    least=st.integers(1, 3),
    least_texts=st.integers(1, 2),
    limit=st.just(100_000),
    with_punctuation=st.booleans(),
    around=st.sampled_from(["containing", "starting"]),
)


@given(batches, filters, requests, st.booleans(), st.sampled_from([4, 1 << 20]))
@MANY
def test_ngrams_equal_counting_sequence_by_sequence(
    tmp_path_factory, batches, wanted, request, is_mixed, block
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_keys, "BLOCK_TOKENS", block)
        if is_mixed:
            patch.setattr(ngram_keys, "KEY_BITS", 0)

        found = ngrams(select(snapshot, wanted), request)

    expected, n_sequences = plain_ngrams(plain_selection(batches, wanted), request)
    assert listed(found) == expected
    assert found.n_sequences == n_sequences


@given(batches, filters, requests, st.sampled_from(QUERIES))
@MANY
def test_ngrams_around_hits_equal_counting_hit_by_hit(
    tmp_path_factory, batches, wanted, request, cql
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    query = parse(cql, Language.CQL)

    found = ngrams(select(snapshot, wanted), request, run(snapshot, query, wanted))

    items = plain_selection(batches, wanted)
    expected, n_sequences = plain_ngrams(items, request, list(plain_hits(query, items)))
    assert listed(found) == expected
    assert found.n_sequences == n_sequences


@given(batches, filters, st.sampled_from(PATTERNS), st.sampled_from(ATTRIBUTES), st.booleans())
@MANY
def test_patterns_equal_counting_sequence_by_sequence(
    tmp_path_factory, batches, wanted, pattern, attribute, with_punctuation
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    request = NgramRequest(
        2, attribute, pattern, least=1, limit=10_000, with_punctuation=with_punctuation
    )

    found = ngrams(select(snapshot, wanted), request)

    assert listed(found) == plain_ngrams(plain_selection(batches, wanted), request)[0]


@given(batches, st.integers(1, 3), st.integers(1, 3), st.booleans())
@MANY
def test_hits_on_their_own_are_in_no_longer_frequent_sequence(
    tmp_path_factory, batches, n, least, with_punctuation
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    request = NgramRequest(n, least=least, limit=10_000, with_punctuation=with_punctuation)

    found = ngrams(select(snapshot, DocumentFilter()), request)

    items = plain_selection(batches, DocumentFilter())
    longer = NgramRequest(n + 1, least=least, with_punctuation=with_punctuation)
    counts = Counter(words for item in items for _, words in plain_sequences(item, longer))
    own = Counter()
    for item in items:
        held = {
            places[0] + at
            for places, words in plain_sequences(item, longer)
            if counts[words] >= least
            for at in (0, 1)
        }
        own.update(w for places, w in plain_sequences(item, request) if places[0] not in held)
    if n > 1:
        assert {row.words: row.n_own for row in found.rows} == {
            row.words: own[row.words] for row in found.rows
        }


@pytest.fixture
def selection(tmp_path):
    documents = [
        document(1, "in the end , in the end | the end of the day"),
        document(2, "at the end of the day in the end"),
        document(3, "The end"),
    ]
    return select(snapshot_of(tmp_path, documents), DocumentFilter())


def test_rows_are_sorted_and_cut(selection):
    found = ngrams(selection, NgramRequest(2, limit=3))

    assert [(" ".join(row.words), row.n_hits, row.n_texts) for row in found.rows] == [
        ("the end", 6, 3), ("in the", 3, 2), ("end of", 2, 2),
    ]  # fmt: skip
    assert found.rows[0].first_day == dt.date(1970, 1, 2)
    assert found.n_ngrams == 5


def test_sequences_that_only_occur_in_longer_ones_have_no_hits_of_their_own(selection):
    rows = {" ".join(row.words): row.n_own for row in ngrams(selection, NgramRequest(3)).rows}

    # "the end of the day" twice, "in the end" three times
    assert rows == {"in the end": 3, "end of the": 0, "of the day": 0, "the end of": 0}


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50), st.sampled_from([0, 1000]))
def test_keys_are_sorted_in_parts_as_at_once(keys, many):
    array = np.array(keys, dtype=np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_keys, "MANY_KEYS", many)
        patch.setattr(in_parallel.os, "cpu_count", lambda: 3)

        ngram_keys.sort_keys(array)

    assert array.tolist() == sorted(keys)


@pytest.mark.parametrize(
    ("keys", "least", "runs"),
    [
        ([], 1, []),
        ([7], 1, [(7, 1)]),
        ([7], 2, []),
        ([1, 1, 2, 3, 3, 3], 1, [(1, 2), (2, 1), (3, 3)]),
        ([1, 1, 2, 3, 3, 3], 2, [(1, 2), (3, 3)]),
        ([1, 1, 2, 3, 3, 3], 3, [(3, 3)]),
        ([5, 5, 5, 5], 4, [(5, 4)]),
    ],
)
def test_runs_of_equal_keys_are_counted(keys, least, runs):
    frequent, counts = frequent_runs(np.array(keys, dtype=np.uint64), least)

    assert list(zip(frequent.tolist(), counts.tolist(), strict=True)) == runs


@pytest.mark.parametrize(
    "wrong",
    [{"n": 0}, {"n": 7}, {"attribute": "colour"}, {"skip": 4}, {"pattern": ("*", "*")},
     {"pattern": ("a",), "skip": 1}],
)  # fmt: skip
def test_other_requests_are_refused(selection, wrong):
    with pytest.raises(ValueError, match=r"\.$"):
        ngrams(selection, NgramRequest(**wrong))
