"""Zipf scores are those of the printed tables; the exponent is found again; templates are told."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.ranking import ValueRanking
from search.engine.statistics.vocabulary.zipf import (
    ENGLISH_C,
    TemplateSign,
    fit_exponent,
    log_spaced_ranks,
    template_signs,
    zipf_score,
)

# Published tables of three crawls: words in all, the most frequent.
YAHOO = (47_493, [("the", 2008), ("to", 1260), ("and", 1020), ("a", 948), ("in", 850)])
CNN = (46_525, [("the", 2227), ("of", 1256), ("to", 1170), ("and", 1111), ("a", 897)])
SCU = (27_607, [("the", 1326), ("and", 1062), ("to", 809), ("of", 776), ("a", 620)])


@pytest.mark.parametrize(
    ("table", "scores"),
    [
        (YAHOO, [0.04228, 0.05306, 0.06443, 0.07984, 0.08949]),
        (CNN, [0.04787, 0.05399, 0.07544, 0.09552, 0.09640]),
        (SCU, [0.04803, 0.07694, 0.08791, 0.11244, 0.11229]),
    ],
    ids=["Yahoo", "CNN", "SCU"],
)
def test_scores_of_the_printed_tables_come_out(table, scores):
    n_words, rows = table

    found = [zipf_score(rank, f, n_words) for rank, (_, f) in enumerate(rows, 1)]

    assert found == pytest.approx(scores, abs=5e-6)


def test_scores_rise_towards_the_expected_tenth():
    n_words, rows = YAHOO
    distances = [
        abs(zipf_score(rank, f, n_words) - ENGLISH_C) for rank, (_, f) in enumerate(rows, 1)
    ]

    assert distances == sorted(distances, reverse=True)


def test_equal_frequencies_get_successive_ranks():
    words = {"on": 467, "for": 467, "is": 500, "with": 300}
    forms = list(words)

    ranking = ValueRanking(
        np.arange(4), np.array(list(words.values())), lambda numbers: [forms[n] for n in numbers]
    )

    assert [(row.rank, row.value, row.hits) for row in ranking.at(range(1, 9))] == [
        (1, "is", 500), (2, "for", 467), (3, "on", 467), (4, "with", 300),
    ]  # fmt: skip
    assert ranking.rank_of("on", 467) == 3
    with pytest.raises(ValueError, match="not in the list"):
        ranking.rank_of("no", 467)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(1, 4), min_size=1))
def test_ranks_are_those_of_the_sorted_list(counts):
    forms = list(counts)
    ranking = ValueRanking(
        np.arange(len(forms)),
        np.array(list(counts.values())),
        lambda numbers: [forms[n] for n in numbers],
    )
    expected = sorted(counts, key=lambda form: (-counts[form], form))

    found = ranking.at(range(len(forms) + 1, 0, -1))

    assert [row.value for row in found] == expected[::-1]
    assert [ranking.rank_of(form, counts[form]) for form in expected] == [*range(1, len(forms) + 1)]


@pytest.mark.parametrize("exponent", [0.6, 1.0, 1.3])
def test_the_exponent_of_an_exact_law_is_found(exponent):
    frequencies = np.rint(1e7 / np.arange(1, 5001) ** exponent).astype(np.int64)

    assert fit_exponent(frequencies) == pytest.approx(exponent, abs=0.002)


def test_the_exponent_of_a_flat_list_is_as_low_as_looked_for():
    assert fit_exponent(np.array([5, 5, 5, 5])) == pytest.approx(0.01, abs=0.01)
    assert math.isnan(fit_exponent(np.array([5])))


@given(st.integers(1, 10**7), st.integers(2, 400))
def test_points_are_few_ascending_and_keep_both_ends(n_ranks, most):
    ranks = log_spaced_ranks(n_ranks, most)

    assert len(ranks) <= most
    assert (ranks[0], ranks[-1]) == (1, n_ranks)
    assert ranks == sorted(set(ranks))


def test_words_of_one_publications_template_are_told(tmp_path):
    karoo = [document(i, "read more caption the veld", publication="karoo") for i in range(1, 4)]
    others = [
        document(i, "the sea the wind and more rain", publication="cape") for i in range(4, 16)
    ]
    snapshot = snapshot_of(tmp_path, karoo + others)
    values = type_values(snapshot.lexicon, "lower")
    wanted = np.array([snapshot.lexicon.find_form(form) for form in ("caption", "the", "more")])
    selection = select(snapshot, DocumentFilter())

    caption, the, more = template_signs(selection, spread_of(selection, values.numbers, wanted))

    karoo_number = snapshot.lexicon.find_value("karoo")
    assert caption == TemplateSign(karoo_number, 1.0, pytest.approx(15 / 99))
    assert (the, more) == (None, None)
