"""Values of types: the same token counted as word, lower case, lemma, tag or pair."""

import numpy as np
import pytest
from small_corpora import document, snapshot_of

from search.engine.statistics.counting.attribute_values import ATTRIBUTES, type_values

TEXT = "Rain/rain/NN rain/rain/NN rains/rain/VBZ Café/café/NN cafe/cafe/NN RAIN/rain/NNP"


@pytest.fixture
def lexicon(tmp_path):
    return snapshot_of(tmp_path, [document(1, TEXT)]).lexicon


@pytest.mark.parametrize(
    ("attribute", "spelled"),
    [
        ("word", ["Rain", "rain", "rains", "Café", "cafe", "RAIN"]),
        ("lower", ["rain", "rain", "rains", "café", "cafe", "rain"]),
        ("folded", ["rain", "rain", "rains", "cafe", "cafe", "rain"]),
        ("stem", ["rain", "rain", "rain", "café", "cafe", "rain"]),
        ("lemma", ["rain", "rain", "rain", "café", "cafe", "rain"]),
        ("pos", ["NN", "NN", "VBZ", "NN", "NN", "NNP"]),
        ("lemma+pos", ["rain/NN", "rain/NN", "rain/VBZ", "café/NN", "cafe/NN", "rain/NNP"]),
    ],
)
def test_each_type_has_the_value_of_its_attribute(lexicon, attribute, spelled):
    values = type_values(lexicon, attribute)

    assert [values.spell(number) for number in values.numbers.tolist()] == spelled
    assert int(values.numbers.max()) < values.n_values


def test_counts_by_type_fold_into_counts_by_value(lexicon):
    values = type_values(lexicon, "lemma")

    folded = values.fold(np.array([1, 2, 3, 4, 0, 6]))

    found = {values.spell(n): int(folded[n]) for n in np.flatnonzero(folded).tolist()}
    assert found == {"rain": 12, "café": 4}


def test_an_unknown_attribute_is_refused(lexicon):
    with pytest.raises(ValueError, match=r"“colour” is no attribute"):
        type_values(lexicon, "colour")


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_values_follow_a_growing_lexicon(tmp_path, attribute):
    first = snapshot_of(tmp_path, [document(1, "rain/rain/NN")])
    assert len(type_values(first.lexicon, attribute).numbers) == 1

    second = snapshot_of(tmp_path, [document(2, "snow/snow/NN")])

    assert len(type_values(second.lexicon, attribute).numbers) == 2
    assert len(type_values(first.lexicon, attribute).numbers) == 1
