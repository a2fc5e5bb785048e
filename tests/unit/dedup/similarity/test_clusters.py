import doctest
import random

from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import clusters
from dedup.similarity.clusters import UnionFind, joined_but_apart

PAIRS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)))


def groups_of(pairs):
    sets = UnionFind()
    for first, second in pairs:
        sets.union(first, second)
    return sets.groups()


def groups_by_flooding(pairs):
    """Slow and obvious: walk from each member until nothing new is reached."""
    reached = {}
    for start in sorted({member for pair in pairs for member in pair}):
        seen = {start}
        while more := {
            member for pair in pairs if seen & set(pair) for member in pair if member not in seen
        }:
            seen |= more
        reached[min(seen)] = sorted(seen)
    return reached


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(clusters).failed == 0


def test_union_of_a_chain_is_one_group_named_by_its_smallest_member():
    assert groups_of([(5, 4), (4, 3), (9, 5), (8, 8)]) == {3: [3, 4, 5, 9], 8: [8]}


def test_find_of_an_unknown_member_is_itself():
    sets = UnionFind()

    assert sets.find(4) == 4
    assert sets.groups() == {4: [4]}


def test_union_names_a_group_by_the_earliest_publication():
    sets = UnionFind()

    sets.union(("2026-11-20T08:00", 1), ("2026-11-19T21:00", 7))

    assert sets.find(("2026-11-20T08:00", 1)) == ("2026-11-19T21:00", 7)


@given(PAIRS)
def test_groups_equal_those_found_by_flooding(pairs):
    assert groups_of(pairs) == groups_by_flooding(pairs)


@given(PAIRS, st.randoms(use_true_random=False))
def test_groups_do_not_depend_on_the_order_of_the_pairs(pairs, dice: random.Random):
    shuffled = [tuple(dice.sample(pair, 2)) for pair in pairs]
    dice.shuffle(shuffled)

    assert groups_of(shuffled) == groups_of(pairs)


@given(PAIRS, PAIRS.map(lambda pairs: [pair for pair in pairs if pair[0] != pair[1]]))
def test_links_join_in_turn_but_never_two_that_stay_apart(links, apart):
    sets = {member: {member} for member in range(21)}
    for first, second in links:
        joined = sets[first] | sets[second]
        if not any({one, other} <= joined for one, other in apart):
            sets |= dict.fromkeys(joined, joined)
    wanted = {min(some): sorted(some) for some in sets.values()}

    assert joined_but_apart(range(21), links, apart).groups() == wanted
