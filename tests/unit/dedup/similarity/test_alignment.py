import dataclasses
import doctest
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import alignment
from dedup.similarity.alignment import BRIDGED, Rarity, bridged, held, overlap, shared_shingles
from dedup.similarity.signatures import signature

WORDS = st.lists(
    st.sampled_from(["a", "b", "c", "d", "e", "F", "G", "7", "8"]), min_size=1, max_size=40
)
WHOLE = "one two three four five six seven eight nine ten eleven twelve"


def filled_by_hand(marks):
    """Slow and obvious: look at each pair of neighbouring marks."""
    places = [place for place, marked in enumerate(marks) if marked]
    filled = list(marks)
    for left, right in itertools.pairwise(places):
        if right - left <= BRIDGED:
            filled[left:right] = [True] * (right - left)
    return filled


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(alignment).failed == 0


@given(st.lists(st.booleans(), min_size=1))
def test_bridged_fills_what_lies_between_near_marks(marks):
    assert bridged(np.array(marks)).tolist() == filled_by_hand(marks)


@given(st.sets(st.integers(0, 50)), st.lists(st.integers(0, 50)))
def test_held_tells_membership(values, wanted):
    ascending = np.array(sorted(values), np.uint64)

    assert held(ascending, np.array(wanted, np.uint64)).tolist() == [w in values for w in wanted]


@given(WORDS, WORDS)
def test_overlap_is_the_same_in_both_directions(one, other):
    first, second = signature(" ".join(one)), signature(" ".join(other))

    there, back = overlap(first, second), overlap(second, first)

    assert dataclasses.astuple(there) == pytest.approx(dataclasses.astuple(back))


@given(WORDS, WORDS)
def test_shares_lie_between_0_and_1(one, other):
    found = dataclasses.asdict(overlap(signature(" ".join(one)), signature(" ".join(other))))

    del found["length"]
    assert all(0 <= share <= 1 + 1e-9 for share in found.values())


@given(WORDS)
def test_a_text_wholly_overlaps_with_itself(some):
    text = signature(" ".join(some))

    found = overlap(text, text)

    shares = found.containment, found.jaccard, found.aligned, found.aligned_jaccard
    assert shares == pytest.approx((1.0, 1.0, 1.0, 1.0))
    assert (found.conflict, found.common_facts) == (0.0, 1.0)


@given(WORDS, WORDS)
def test_shared_shingles_are_those_of_both_sets(one, other):
    first, second = signature(" ".join(one)), signature(" ".join(other))

    common = set(first.shingles.tolist()) & set(second.shingles.tolist())

    assert shared_shingles(first, second) == len(common)


def test_a_changed_word_breaks_containment_but_not_the_alignment():
    found = overlap(signature(WHOLE), signature(WHOLE.replace("six", "seventy")))

    assert found.containment == pytest.approx(7 / 10)
    assert found.aligned == found.aligned_jaccard == 1.0
    assert found.breaks == pytest.approx(4 / (14 + 10))


def test_a_part_is_contained_and_the_jaccard_says_how_much_it_is():
    found = overlap(signature(WHOLE), signature("one two three four five six seven"))

    assert (found.containment, found.aligned) == (1.0, 1.0)
    assert found.jaccard == found.aligned_jaccard == pytest.approx(5 / 10)


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        # "at noon and 2 at dusk 9" is aligned; of its two numbers one is missing.
        ("it was 1 at noon and 2 at dusk 9", "it was 3 at noon and 4 at dusk 9", 1 / (2 + 1)),
        ("it was 1 at noon and 2 at dusk 9", "it was 2 at noon and 1 at dusk 9", 0.0),
        # Only "he said in" is aligned.
        ("he said in Paarl on Monday at noon", "he said in Ceres on Sunday at noon", 0.0),
        ("so he said on Monday at noon to us", "so he said on Sunday at noon to us", 1 / (1 + 1)),
        ("no facts in this text at all", "no facts in that text at all", 0.0),
    ],
)
def test_conflict_is_the_share_of_aligned_facts_that_the_other_has_not(one, other, conflict):
    assert overlap(signature(one), signature(other)).conflict == conflict


def test_common_facts_are_a_share_of_the_smaller_set():
    found = overlap(signature("in 1990 and 1991 and 1992 we"), signature("in 1990 and 2001 we"))

    assert found.common_facts == pytest.approx((1 + 1) / (2 + 1))


def test_what_others_hold_weighs_less():
    one, other = (
        signature("standing words here today new"),
        signature("standing words here other end"),
    )
    common = signature("standing words here").shingles

    plain = overlap(one, other)
    weighed = overlap(one, other, Rarity(common, np.array([1 / 4])))

    assert plain.containment == pytest.approx(1 / 3)
    assert weighed.containment == pytest.approx((1 / 4) / (2 + 1 / 4))
