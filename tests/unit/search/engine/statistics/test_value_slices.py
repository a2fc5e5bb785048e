"""A value's slice keeps exactly the hits that its row counts."""

import pytest
from counted_hits import batches
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import build, filters
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation.collocates import CollocateRequest, collocates
from search.engine.statistics.counting.hit_values import parse_key
from search.engine.statistics.counting.windows import Window
from search.engine.statistics.frequency import RowsWanted, frequencies
from search.engine.statistics.ngrams import NgramRequest, ngrams
from search.engine.statistics.value_slices import is_value_column, value_mask

QUERIES = ('[lemma="rain"]', '"the"%c', '[pos="N.*"]+', '[]{1,3} "snow"', "[]")
KEYS = ("word", "lower", "folded", "stem", "lemma", "pos", "lemma+pos", "first.lemma", "last.word",
        "2.pos", "l1.lemma", "r1.lower", "r3.word", "l2.pos")  # fmt: skip
MANY = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def kept(hits, column, value):
    lexicon = hits.snapshot.lexicon
    return sum(int(value_mask(part, lexicon, column, value).sum()) for part in hits.parts)


def hits_of(tmp_path_factory, batches, wanted, cql):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    return run(snapshot, parse(cql, Language.CQL), wanted), select(snapshot, wanted)


@given(batches, filters, st.sampled_from(QUERIES), st.sampled_from(KEYS))
@MANY
def test_rows_of_frequency_lists(tmp_path_factory, batches, wanted, cql, key):
    hits, selection = hits_of(tmp_path_factory, batches, wanted, cql)

    for row in frequencies(hits, [parse_key(key)], RowsWanted(limit=1000), selection).rows:
        assert kept(hits, key, row.values[0]) == row.n_hits


@given(batches, filters, st.sampled_from(QUERIES), st.sampled_from(["5,5", "0,2", "3,1"]),
       st.sampled_from(["lemma", "word", "pos", "lemma+pos"]))  # fmt: skip
@MANY
def test_rows_of_collocate_lists(tmp_path_factory, batches, wanted, cql, window, attribute):
    hits, selection = hits_of(tmp_path_factory, batches, wanted, cql)
    request = CollocateRequest(attribute, Window.parse(window), least=1, with_punctuation=True)

    for row in collocates(hits, selection, request).rows:
        assert kept(hits, f"{window}.{attribute}", row.value) == row.n_hits


@given(batches, filters, st.sampled_from(QUERIES), st.integers(1, 4), st.integers(0, 2),
       st.booleans())  # fmt: skip
@MANY
def test_rows_of_ngram_lists_around_hits(tmp_path_factory, batches, wanted, cql, n, skip, starting):
    hits, selection = hits_of(tmp_path_factory, batches, wanted, cql)
    around = "starting" if starting else "containing"
    request = NgramRequest(n, skip=skip if starting else 0, least=1, around=around)
    column = ("starts", "skip1", "skip2")[skip] if starting else "holds"

    for row in ngrams(selection, request, hits).rows:
        assert kept(hits, f"{column}.lower", " ".join(row.words)) == row.n_hits


def test_tokens_with_spaces_are_found_whole(tmp_path):
    item = document(1, "New_York/new_york/NNP York/york/NNP")
    tokens = [(word.replace("_", " "), lemma, tag) for word, lemma, tag in item.tokens]
    object.__setattr__(item, "tokens", [*tokens, ("New", "new", "NNP"), ("York", "york", "NNP")])
    hits = run(snapshot_of(tmp_path, [item]), parse('"New.*"', Language.CQL))

    assert kept(hits, "word", "New York") == 1


def test_values_that_never_occur_keep_nothing(tmp_path):
    hits = run(snapshot_of(tmp_path, [document(1, "rain falls")]), parse("[]", Language.CQL))

    for column in ("word", "pos", "lemma+pos", "r1.lemma", "2,2.lower", "holds.lower"):
        assert kept(hits, column, "hail hail") == 0
        assert kept(hits, column, "hail") == 0
    assert kept(hits, "holds.lower", "a b c d e f g") == 0
    assert select(hits.snapshot, DocumentFilter()).base.n_tokens == 2


@pytest.mark.parametrize(
    "column", ["", "r1", "r11.word", "0,0.word", "11,1.word", "skip4.word", "pub", "colour", "l1."]
)
def test_other_columns_are_not_values(column):
    assert not is_value_column(column)
