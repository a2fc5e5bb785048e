"""Two rows with a gap: the same hits by binary search, or by bits, as token by token."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_queries import plain_spans
from small_corpora import document, snapshot_of

from search.engine.query.ast import Strategy, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.query.running.gaps import GapRow, gap_row
from search.engine.query.walks import flat_items

tokens = st.sampled_from(("a/a/A", "b/b/B", "c/c/C"))
sentences = st.lists(tokens, min_size=1, max_size=9).map(" ".join)
texts = st.lists(sentences, min_size=1, max_size=3).map(" | ".join)
QUERIES = (
    '"a" []* "b"', '"a" []* "b" within s', '"a" "b" []{2,} "c"', '"a" []{1,3} "b" "c" within s',
    '"a" []+ "a" within text', '"a" []{0,12} "c" within 5', '[] []* "b" within 2 s',
    '"a" []* [pos="B"]', '"a" []{1,3} [pos="B|C"] within s', '"a" "b" []{0,2} [pos!="B"]',
    '[pos="A"] []+ [pos="A"] within text', '"a" []{2,12} [pos="C"] within 5',
    '[] []{0,70} [pos="B"] within 2 s',
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _always_by_search():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GapRow, "is_worth_it", lambda *_: True)
        yield


@settings(deadline=None, max_examples=120)
@given(
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(QUERIES),
    st.sampled_from(Strategy),
)
def test_gaps_equal_the_plain_evaluator(tmp_path_factory, corpus, text, strategy):
    documents = [document(key, words) for key, words in enumerate(corpus, 1)]
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), documents)
    query = replace(parse(text, Language.CQL), strategy=strategy)

    (part,) = run(snapshot, query).parts

    keys, bounds = part.view.segment.documents.key, part.view.segment.bounds
    for row, key in enumerate(keys.tolist()):
        spans = part.spans_in(row)
        starts, ends = spans.starts - bounds[row], spans.ends - bounds[row]
        pairs = list(zip(starts.tolist(), ends.tolist(), strict=True))
        assert pairs == plain_spans(query, documents[key - 1])


@pytest.mark.parametrize(
    ("text", "is_gap"),
    [
        ('"a" []* "b"', True),
        ('"a" ([])* "b" "c"', True),
        ('"a" "b"? "c"', False),
        ('[]* "b"', False),
        ('"a" []* "b" []* "c"', False),
        ('"a" []* ("b" | "c")', False),
        ('x:"a" []* y:"b" :: x.word != y.word', False),
        ('"a" []* <s> "b"', False),
    ],
)
def test_gap_is_told_from_other_patterns(tmp_path, text, is_gap):
    snapshot = snapshot_of(tmp_path, [document(1, "a b c")])
    query = parse(text, Language.CQL)
    tokens = [item for item in flat_items(query.pattern) if isinstance(item, Token)]
    conditions = {token: TokenCondition(snapshot, token.condition) for token in tokens}

    assert (gap_row(query, conditions) is not None) == is_gap
