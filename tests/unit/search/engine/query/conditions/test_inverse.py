"""Columns read backwards: equal to looking through them, while the lexicon grows."""

import numpy as np
import pytest
from small_corpora import document, write

from search.engine.index.reader import IndexReader
from search.engine.query.conditions.inverse import indices_of


@pytest.mark.parametrize("column", ["words", "lemmas", "lower", "plain", "folded"])
def test_rows_with_some_values_are_found_before_and_after_the_lexicon_grew(tmp_path, column):
    words = [f"W{i % 97}/l{i % 31}/T{i % 5}" for i in range(400)]
    write(tmp_path, [document(1, " ".join(words))])
    reader = IndexReader(tmp_path)
    first = reader.snapshot
    indices_of(first.lexicon, column, np.array([1]))
    write(tmp_path, [document(2, "w1/l1/NEW w2/l1/T9 Éa w3")])
    reader.refresh()

    for lexicon in (first.lexicon, reader.snapshot.lexicon):
        rows = getattr(lexicon, column)
        for values in ([], [0], [3, 7], [5, 1000], list(range(0, lexicon.size.n_forms, 3))):
            found = indices_of(lexicon, column, np.array(values, dtype=np.int64))
            assert found.tolist() == np.flatnonzero(np.isin(rows, values)).tolist()
