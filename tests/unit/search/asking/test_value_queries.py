"""The query of a value finds exactly the tokens counted under it."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.asking.value_queries import value_query
from search.asking.word_patterns import WordPattern, matching_values, regex_of
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.attribute_values import ATTRIBUTES, type_values
from search.engine.statistics.counting.type_counts import type_counts

WORDS = st.lists(
    st.tuples(
        st.text('aAéÉiIİßσΣ."\\*%|/-', min_size=1, max_size=4),
        st.text('ab."/\\', min_size=1, max_size=3),
        st.sampled_from(["NN", "PRP$", "-LRB-", "``", "."]),
    ),
    min_size=1,
    max_size=6,
)


@settings(deadline=None, max_examples=60)
@given(WORDS, st.sampled_from([name for name in ATTRIBUTES if name != "stem"]))
def test_each_value_finds_as_many_tokens_as_were_counted(tokens, attribute):
    text = document(1, "x")
    with tempfile.TemporaryDirectory() as folder:
        snapshot = snapshot_of(Path(folder), [text.__class__(key=1, kind=text.kind, tokens=tokens)])
        values = type_values(snapshot.lexicon, attribute)
        counts = values.fold(type_counts(select(snapshot, DocumentFilter())))

        for number in counts.nonzero()[0].tolist():
            cql = value_query(attribute, values.spell(number))
            assert run(snapshot, parse(cql, Language.CQL)).total == counts[number]


@pytest.mark.parametrize(
    ("pattern", "attribute", "match_case", "found"),
    [
        ("un*able", "lower", False, {"unable", "unbearable"}),
        ("r?in", "lower", False, {"rain", "ruin"}),
        ("/r.+n/", "lower", False, {"rain", "ruin"}),
        ("rain|snow", "lower", False, {"rain", "snow"}),
        (r"3\*4", "lower", False, {"3*4"}),
        ("Rain", "word", True, {"Rain"}),
        ("Rain", "word", False, {"Rain", "rain"}),
        ("NN*", "pos", True, {"NN"}),
        ("ra*", "lemma+pos", False, {"rain/NN"}),
    ],
)
def test_patterns_choose_values(tmp_path, pattern, attribute, match_case, found):
    items = [
        document(1, "Rain/rain/NN rain ruin snow unable unbearable"),
    ]
    items.append(items[0].__class__(key=2, kind=items[0].kind, tokens=[("3*4", "3*4", "CD")]))
    snapshot = snapshot_of(tmp_path, items)
    values = type_values(snapshot.lexicon, attribute)

    mask = matching_values(snapshot.lexicon, values, attribute, WordPattern(pattern, match_case))

    counted = values.fold(type_counts(select(snapshot, DocumentFilter())))
    assert {values.spell(n) for n in (mask & (counted > 0)).nonzero()[0].tolist()} == found


def test_an_open_slash_is_a_plain_character():
    assert regex_of("and/or") == "and/or"
