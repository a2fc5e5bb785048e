"""The table of fingerprints on whichever database the tests run: look-up, entry, removal."""

import pytest

from dedup.models import EnteredText, Fingerprint
from dedup.similarity.near import MAX_HOLDERS
from dedup.stage import fingerprints

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
EDGES = [-(2**63), -1, 0, 1, 2**63 - 1]


def test_who_holds_a_fingerprint():
    fingerprints.add([(EDGES, 7), ([0, 5], 3), ([], 4)])

    found = fingerprints.holders([*EDGES, 5, 6])

    assert found == {key: [7] for key in EDGES} | {0: [3, 7], 5: [3]}


def test_nothing_is_held_in_an_empty_table():
    assert fingerprints.holders([1, 2]) == {}
    assert fingerprints.holders([]) == {}
    fingerprints.add([])
    fingerprints.remove([])
    assert Fingerprint.objects.count() == 0


def test_look_up_is_bounded():
    fingerprints.add(([1], article) for article in range(1, MAX_HOLDERS + 1))

    assert len(fingerprints.holders([1])[1]) == MAX_HOLDERS


def test_more_hashes_than_a_statement_takes_variables():
    keys = list(range(-40_000, 40_000))
    fingerprints.add([(keys, 1)])

    assert fingerprints.holders(keys) == {key: [1] for key in keys}


def test_article_is_taken_out_whatever_it_held():
    fingerprints.add([([1, 2, 3], 7), ([3], 8), ([1], 9)])

    fingerprints.remove([7, 9, 100])

    assert list(Fingerprint.objects.values_list("hash", "article")) == [(3, 8)]


def test_what_an_article_is_entered_under_replaces_what_it_held():
    fingerprints.add([([1, 2, 3], 7), ([3], 8)])

    fingerprints.add([([3, 4], 7)])

    assert fingerprints.holders([1, 2, 3, 4]) == {3: [7, 8], 4: [7]}


def test_numbers_of_articles_may_need_all_bits():
    last = 2**63 - 1
    fingerprints.add([(EDGES, last), ([0], 2**31)])

    assert fingerprints.holders([0, 1]) == {0: [2**31, last], 1: [last]}
    fingerprints.remove([last])
    assert list(Fingerprint.objects.values_list("hash", "article")) == [(0, 2**31)]


def test_all_are_taken_out():
    fingerprints.add([([1, 2, 3], 7)])

    fingerprints.clear()

    assert fingerprints.holders([1, 2, 3]) == {}
    assert not EnteredText.objects.exists()
