"""Sets of texts equal sets of pairs, however they are joined, and hold what hits stand in."""

from operator import and_, or_, sub

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, DocumentSet, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.query.text_sets import texts_of_hits, texts_of_selection, with_comments

ARTICLE, COMMENT, HEADLINE = DocumentKind.ARTICLE, DocumentKind.COMMENT, DocumentKind.HEADLINE
TEXT = st.tuples(st.sampled_from((ARTICLE, COMMENT)), st.integers(1, 9) | st.just(2**59))
SET = st.frozensets(TEXT, max_size=8)
FORMULA = st.recursive(
    SET, lambda part: st.tuples(st.sampled_from("|&-"), part, part), max_leaves=6
)


JOIN = {"|": or_, "&": and_, "-": sub}


def joined(formula, leaf):
    if isinstance(formula, frozenset):
        return leaf(formula)
    sign, one, other = formula
    return JOIN[sign](joined(one, leaf), joined(other, leaf))


def pairs(texts):
    return {(kind, key) for kind in (ARTICLE, COMMENT) for key in texts.keys(kind).tolist()}


@given(FORMULA)
def test_sets_are_joined_as_plain_ones(formula):
    found, plain = joined(formula, DocumentSet.of), joined(formula, frozenset)

    assert found == DocumentSet.of(plain)
    assert pairs(found) == plain
    assert len(found) == len(plain)


ITEMS = st.dictionaries(
    st.tuples(st.sampled_from((ARTICLE, COMMENT, HEADLINE)), st.integers(1, 6)),
    st.tuples(st.sampled_from(("rain", "sun", "rain sun")), st.integers(1, 6)),
    max_size=10,
)


@settings(deadline=None, max_examples=40)
@given(ITEMS, st.sampled_from((1, 300_000)), st.frozensets(st.sampled_from(DocumentKind)))
def test_a_query_finds_the_texts_that_have_it(tmp_path_factory, items, tail, kinds):
    batch = [
        document(key, text, kind=kind, parent_key=parent if kind is COMMENT else 0)
        for (kind, key), (text, parent) in items.items()
    ]
    snapshot = snapshot_of(
        tmp_path_factory.mktemp("c"), *[[one] for one in batch], tail_tokens=tail
    )
    wanted = DocumentFilter(kinds=kinds)
    known = {(kind, key): item for (kind, key), item in items.items()
             if kind in (kinds or {ARTICLE, COMMENT})}  # fmt: skip

    hits = run(snapshot, parse("rain", Language.SIMPLE), wanted)
    every = texts_of_selection(select(snapshot, wanted))
    commented = with_comments(texts_of_hits(hits), snapshot, snapshot.generation)

    named = {(COMMENT if kind is COMMENT else ARTICLE, key) for kind, key in known}
    rainy = {
        (COMMENT if kind is COMMENT else ARTICLE, key)
        for (kind, key), (text, _) in known.items()
        if "rain" in text
    }
    below = {
        (kind, key) for (kind, key), (_, parent) in items.items()
        if kind is COMMENT and (ARTICLE, parent) in rainy
    }  # fmt: skip
    assert pairs(every) == named
    assert pairs(texts_of_hits(hits)) == rainy
    assert pairs(commented) == rainy | below


@pytest.mark.parametrize("generation", [1, 2])
def test_comments_are_those_of_the_generation(tmp_path, generation):
    snapshot = snapshot_of(
        tmp_path,
        [document(1, "rain"), document(5, "yes", kind=COMMENT, parent_key=1)],
        [document(6, "no", kind=COMMENT, parent_key=1)],
    )

    found = with_comments(DocumentSet.of([(ARTICLE, 1)]), snapshot, generation)

    assert found.keys(COMMENT).tolist() == [5, 6][:generation]
