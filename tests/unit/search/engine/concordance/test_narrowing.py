"""Narrowed hits equal those of a slow evaluator; positive and negative context make up all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.concordance.narrowing import (
    Reach,
    first_of_each_text,
    found_too,
    join_overlapping,
    n_readings,
    near,
    random_of_each_text,
)
from search.engine.index.hits import Hits, SpanHits, Spans
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

WORDS = st.lists(st.sampled_from(("a", "b", "c", "|")), min_size=1, max_size=12).map(
    lambda words: " ".join(["x", *words, "x"]).replace("| |", "|").replace("| |", "|")
)
CORPORA = st.lists(WORDS, min_size=1, max_size=5)
QUERIES = st.sampled_from(('"a"', '"x"', '"a|b" "c"', '[] "b"?', '"b" []* "c" within 2 s'))


def hits_of(folder, corpus, query, tail_tokens=1):
    batches = [[document(key, text)] for key, text in enumerate(corpus, 1)]
    return run(snapshot_of(folder, *batches, tail_tokens=tail_tokens), parse(query, Language.CQL))


def condition_of(hits, cql):
    return TokenCondition(hits.snapshot, parse(cql, Language.CQL).pattern.condition)


def found(hits):
    """Hits as (key, first token, token after the last)."""
    rows = []
    for part in hits.parts:
        segment = part.view.segment
        for start, end in zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True):
            row = int(segment.document_of(np.array([start]))[0])
            at = int(segment.bounds[row])
            rows.append((int(segment.documents.key[row]), start - at, end - at))
    return sorted(rows)


def plain_near(corpus, hit, word, reach):
    key, start, end = hit
    sentences = [sentence.split() for sentence in corpus[key - 1].split("|")]
    words = [word for sentence in sentences for word in sentence]
    numbers = [number for number, sentence in enumerate(sentences) for _ in sentence]
    left = [at for at in range(start - reach.left, start) if at >= 0]
    right = [at for at in range(end, end + reach.right) if at < len(words)]
    around = [at for at in left if numbers[at] == numbers[start]]
    around += [at for at in right if numbers[at] == numbers[end - 1]]
    return any(words[at] == word for at in around)


@settings(deadline=None, max_examples=80)
@given(CORPORA, QUERIES, st.sampled_from("abcq"), st.builds(Reach, *[st.integers(0, 4)] * 2))
def test_near_and_not_near_equal_the_plain_ones(tmp_path_factory, corpus, query, word, reach):
    hits = hits_of(tmp_path_factory.mktemp("near"), corpus, query)
    test = condition_of(hits, f'"{word}"')

    with_word, without = (near(hits, test, reach, wanted=wanted) for wanted in (True, False))

    everything = found(hits)
    assert found(with_word) == [h for h in everything if plain_near(corpus, h, word, reach)]
    assert sorted(found(with_word) + found(without)) == everything
    assert with_word.base == without.base == hits.base


def test_a_frequent_and_a_rare_token_are_found_alike(tmp_path):
    corpus = ["a b a c a a b | b a"] * 3
    hits = hits_of(tmp_path, corpus, '"c"')
    many = hits_of(tmp_path / "many", corpus, '[word="a|b|c"]')

    assert len(found(near(hits, condition_of(hits, '"a"'), Reach(1, 0)))) == 3
    assert found(near(many, condition_of(many, '"c"'), Reach(1, 1))) == [
        (key, at, at + 1) for key in (1, 2, 3) for at in (2, 4)
    ]


@settings(deadline=None, max_examples=50)
@given(CORPORA, QUERIES, st.integers(0, 5))
def test_one_hit_of_each_text_is_kept(tmp_path_factory, corpus, query, seed):
    folder = tmp_path_factory.mktemp("one")
    hits = hits_of(folder / "many", corpus, query)
    merged = hits_of(folder / "merged", corpus, query, tail_tokens=300_000)

    first, random = found(first_of_each_text(hits)), found(random_of_each_text(hits, seed))

    everything = found(hits)
    keys = sorted({key for key, _, _ in everything})
    assert first == [min(hit for hit in everything if hit[0] == key) for key in keys]
    assert [key for key, _, _ in random] == keys
    assert set(random) <= set(everything)
    assert found(random_of_each_text(merged, seed)) == random


def test_the_seed_chooses_the_hit_of_a_text(tmp_path):
    hits = hits_of(tmp_path, [" ".join("a" * 50)], '"a"')

    assert len({tuple(found(random_of_each_text(hits, seed))) for seed in range(10)}) > 5


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=15))
def test_overlapping_hits_are_readings_of_one(tmp_path_factory, pairs):
    whole = hits_of(tmp_path_factory.mktemp("overlaps"), ["a " * 30], '"a"')
    spans = sorted((start, start + length) for start, length in pairs)
    view = whole.parts[0].view
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    ends = np.array([end for _, end in spans], dtype=np.int64)
    part = SpanHits(view, Spans(starts, ends), None)
    hits = Hits(whole.snapshot, whole.generation, (part,), whole.base)

    joined = join_overlapping(hits)

    plain, readings, end = [], [], 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= end:
            plain.append((start, stop))
            readings.append(0)
            end = stop
        readings[-1] += 1
    lines = [(start, stop) for _, start, stop in found(joined)]
    assert lines == plain
    assert [n_readings(part, 0, start, stop) for start, stop in lines] == readings
    assert sum(readings) == len(spans)


@pytest.mark.parametrize("narrow", [first_of_each_text, join_overlapping])
def test_nothing_stays_nothing(tmp_path, narrow):
    hits = hits_of(tmp_path, ["a"], '"q"')

    assert narrow(hits).total == 0
    assert random_of_each_text(hits, 1).total == 0


@settings(max_examples=60, deadline=None)
@given(CORPORA, QUERIES, QUERIES)
def test_hits_that_another_query_has_too_overlap_one_of_its_hits(
    tmp_path_factory, corpus, query, other
):
    hits = hits_of(tmp_path_factory.mktemp("index"), corpus, query)
    others = run(hits.snapshot, parse(other, Language.CQL))

    too, alone = (found_too(hits, others, wanted=wanted) for wanted in (True, False))

    plain = [
        (key, start, end)
        for key, start, end in found(hits)
        if any(key == k and start < e and s < end for k, s, e in found(others))
    ]
    assert found(too) == plain
    assert sorted(found(too) + found(alone)) == found(hits)
    assert too.base == hits.base
