"""``cut`` of frequent matches: found in the first texts of a segment, where they are its oldest."""

from dataclasses import replace

import pytest
from small_corpora import DAY_SECONDS, document, snapshot_of

from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.reader import IndexReader
from search.engine.index.segments.text_blocks import TextBlock
from search.engine.query.language.parser import Language, parse
from search.engine.query.limits import Budget
from search.engine.query.run import WholePlan, run
from search.engine.query.running import cut_run


@pytest.fixture(autouse=True)
def few_tokens(monkeypatch):
    monkeypatch.setattr(cut_run, "STRETCHES", (4,))


@pytest.fixture
def corpus(tmp_path):
    """Write texts as they come, some to a segment, each with its day."""

    def written(*segments):
        n_tokens = sum(len(text.split()) for _, text in segments[0])
        with BulkBuilder(tmp_path, tokens_per_segment=n_tokens) as builder:
            key = 0
            for texts in segments:
                for day, text in texts:
                    key += 1
                    builder.add(document(key, text, published_seconds=day * DAY_SECONDS))
            builder.publish()
        return IndexReader(tmp_path).snapshot

    return written


def first_hits(snapshot, text, *, across_texts=False):
    query = parse(text, Language.CQL)
    plan = WholePlan(snapshot, query, across_texts=across_texts)
    return plan.cut_run.first_hits(0, None, Budget())


def spans(part):
    return list(zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True))


def test_enough_hits_of_the_first_texts_are_all_that_is_looked_for(corpus):
    snapshot = corpus([(1, "a b"), (2, "a a"), (3, "a a b a"), (4, "a a")])

    assert spans(first_hits(snapshot, '"a" cut 3')) == [(0, 1), (2, 3), (3, 4)]
    assert first_hits(snapshot, '"a" cut 4') is None
    assert first_hits(snapshot, '"b" cut 2') is None


def test_a_match_that_may_run_on_behind_the_first_texts_is_not_taken_from_them(corpus):
    snapshot = corpus([(1, "b"), (1, "b"), (1, "a"), (1, "a"), (1, "a"), (1, "c c c c")])
    text = '(?longest) "a"+ within 3 cut 1'

    (part,) = run(snapshot, parse(text, Language.CQL), across_texts=True).parts

    assert spans(part) == [(2, 5)]
    assert first_hits(snapshot, text, across_texts=True) is None


def test_texts_that_do_not_stand_in_order_of_time_are_all_looked_through(corpus):
    first = [(9, "a a"), (8, "a a"), (1, "a a b b"), (2, "b b")]
    snapshot = corpus(first, [(5, "a a b b b b b b b b")])

    assert first_hits(snapshot, '"a" cut 1') is None
    assert [part.total for part in run(snapshot, parse('"a" cut 3', Language.CQL)).parts] == [2, 1]


def test_first_texts_end_where_a_later_time_begins(corpus):
    first = [(1, "a a"), (2, "a a"), (2, "a a"), (3, "b b b b"), (4, "b b")]
    snapshot = corpus(first, [(5, "a a b b b b b b b b b b")])

    assert spans(first_hits(snapshot, '"a" cut 1')) == [(n, n + 1) for n in range(6)]


def test_many_texts_of_one_time_are_not_worth_it(corpus):
    snapshot = corpus([(1, "a a")] * 8, [(5, "a a")])

    assert first_hits(snapshot, '"a" cut 1') is None


def test_marks_stand_where_they_stand_in_the_whole_segment(corpus):
    snapshot = corpus([(1, "a b"), (2, "a b"), (3, "a a b a"), (4, "a b")])

    part = first_hits(snapshot, '"a" @"b" cut 2')

    assert spans(part) == [(0, 2), (2, 4)]
    assert {mark: places.tolist() for mark, places in part.marks.items()} == {0: [1, 3]}
    assert part.view is snapshot.segments[0]


@pytest.mark.parametrize("what", ["!within quote", '!containing "x"', 'within ("b"+)'])
def test_a_cut_keeps_the_first_of_the_hits_that_are_left_in_the_end(tmp_path, what):
    texts = [document(1, "a b x b | b b b b"), document(2, "b b")]
    blocks = [int(TextBlock.QUOTE)] * 4 + [int(TextBlock.PARAGRAPH)] * 4
    snapshot = snapshot_of(tmp_path, [replace(texts[0], blocks=blocks), texts[1]])
    text = f"[] []{{0,2}} [] {what}"

    (every,) = run(snapshot, parse(text, Language.CQL)).parts
    (first,) = run(snapshot, parse(f"{text} cut 3", Language.CQL)).parts

    assert len(every.spans) > 3
    assert spans(first) == spans(every)[:3]
