"""Collocates by quarter equal counting hit by hit."""

from collections import Counter

import numpy as np
import pytest
from small_corpora import DAY_SECONDS, document, snapshot_of

from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation.collocate_times import collocate_times
from search.engine.statistics.counting.attribute_values import numbers_of, type_values
from search.engine.statistics.counting.windows import Window

QUARTER_DAYS = 92


@pytest.fixture
def snapshot(tmp_path):
    texts = ["heavy rain", "rain and rain", "", "heavy heavy rain | rain", "a rain"]
    documents = [
        document(i + 1, text, published_seconds=i * QUARTER_DAYS * DAY_SECONDS)
        for i, text in enumerate(texts)
        if text
    ]
    documents.append(document(9, "heavy rain", is_undated=True))  # in no quarter
    return snapshot_of(tmp_path, *[[item] for item in documents])


def times(snapshot, cql, words):
    values = type_values(snapshot.lexicon, "lemma")
    chosen = np.array([numbers_of(snapshot.lexicon, "lemma", word)[0] for word in words])
    return collocate_times(
        run(snapshot, parse(cql, Language.CQL)), values, chosen, Window.around(2, 2)
    )


def test_hits_with_a_value_are_counted_by_quarter(snapshot):
    found = times(snapshot, '"rain"', ["heavy", "rain"])

    assert found.names == ("1970 Q1", "1970 Q2", "1970 Q3", "1970 Q4", "1971 Q1")
    assert found.hits.tolist() == [1, 2, 0, 2, 1]
    assert found.with_value.tolist() == [[1, 0, 0, 1, 0], [0, 2, 0, 0, 0]]
    assert found.shares[0].tolist() == [1, 0, 0, 0.5, 0]


def test_more_than_64_values_are_counted_in_turns(tmp_path):
    words = [f"w{i}" for i in range(130)]
    text = " | ".join(f"{word} rain" for word in words)
    snapshot = snapshot_of(tmp_path, [document(1, text)])

    found = times(snapshot, '"rain"', words)

    assert Counter(found.with_value[:, 0].tolist()) == {1: 130}


def test_no_hits_have_no_quarters(snapshot):
    found = times(snapshot, '"hail"', ["rain"])

    assert (found.names, found.with_value.shape) == ((), (1, 0))
