"""Kappa against published values."""

import random

import numpy as np
import pytest

from search.engine.statistics.agreement import Agreement, cohen, fleiss

# Cohen, Weighted kappa (Psychological Bulletin 70, 1968), table 1, in hundredths of 200 people:
# personality disorder, neurosis, psychosis by two judges; kappa .492.
COHEN_1968 = [[44, 7, 9], [5, 20, 5], [1, 3, 6]]
# Fleiss (1971), table 1: six psychiatrists on 30 patients: depression, personality disorder,
# schizophrenia, neurosis, other; kappa .430. Patients had different psychiatrists.
FLEISS_1971 = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def pairs_of(table):
    return [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]


def test_two_judges_agree_as_cohen_printed_it():
    found = cohen(pairs_of(COHEN_1968))

    assert found.observed == pytest.approx(0.70)
    assert found.expected == pytest.approx(0.41)
    assert found.kappa == pytest.approx(0.492, abs=0.0005)


def test_six_psychiatrists_agree_as_fleiss_printed_it():
    counts = np.array([[int(n) for n in row] for row in FLEISS_1971.split()])

    found = fleiss(counts)

    assert found.n == 30
    totals = [26, 26, 30, 55, 43]  # of 180 diagnoses
    assert found.expected == pytest.approx(sum(n * n for n in totals) / 180**2)
    assert found.kappa == pytest.approx(0.430, abs=0.0005)


def test_order_of_people_and_names_of_categories_change_nothing():
    chance = random.Random(7)
    pairs = [(chance.choice("abc"), chance.choice("abcd")) for _ in range(200)]
    turned = [(other.upper(), one.upper()) for one, other in pairs]

    assert cohen(turned) == cohen(pairs)


@pytest.mark.parametrize("pairs", [[], [("a", "a")] * 3])
def test_nothing_to_compare_has_no_kappa(pairs):
    assert cohen(pairs).kappa is None


def test_nothing_that_all_have_sorted_has_no_kappa():
    assert fleiss(np.zeros((0, 3), dtype=np.int64)) == Agreement(0, 0.0, 0.0)


@pytest.mark.parametrize("counts", [[[1, 0], [0, 1]], [[2, 0], [2, 1]]])
def test_each_thing_needs_the_same_number_of_people(counts):
    with pytest.raises(ValueError, match="same number of people"):
        fleiss(np.array(counts))
