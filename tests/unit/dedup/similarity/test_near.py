import itertools
import random

import numpy as np
import pytest
from benchmarks.bulletin_cases import TEMPLATES, bulletins
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.near import (
    MAX_CANDIDATES,
    MAX_HOLDERS,
    compare,
    contradicted,
    entries,
    is_fuller,
    relation,
    shortlist,
    signature,
)
from dedup.similarity.relations import Relation

COUNCIL = (
    "The council of Makhanda voted on Tuesday to spend R40 million on new pipes. Residents have"
    " queued at the springs since January because the pumps failed twice. Mayor Nomsa Ndlovu told"
    " the meeting that the work would begin in March and take eleven months. The opposition asked"
    " where the money of last year had gone, and got no answer. A group of students offered help"
    " with the repairs, which the mayor welcomed. Engineers from Gqeberha will look at the"
    " reservoir before the contract is signed. Shopkeepers along the high street said they had lost"
    " a third of their trade since the taps ran dry."
)
RUGBY = (
    "The Sharks beat the Lions in Durban on Saturday after a late try in front of a full stadium."
    " Coach Craig Williams praised the young forwards who had carried the side in the second half."
    " The visitors led until the seventieth minute, when a kick was charged down near the posts."
)
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"]), max_size=60)


def fingerprints(*values):
    return np.array(values, np.int64)


def match_of(new, other):
    [match] = compare(signature(new), {1: signature(other)})
    return match


def test_shortlist_puts_those_with_most_common_fingerprints_first():
    holders = {1: [7, 8], 2: [8, 9], 3: [8, 7], 4: [9]}

    assert shortlist(fingerprints(1, 2, 3, 5), holders) == [8, 7]


def test_shortlist_of_a_single_fingerprint_needs_but_that():
    assert shortlist(fingerprints(4), {4: [9]}) == [9]


def test_shortlist_ignores_what_many_hold_and_is_bounded():
    many, few = list(range(MAX_HOLDERS)), list(range(MAX_HOLDERS - 1))

    assert shortlist(fingerprints(1, 2), {1: many, 2: many}) == []
    assert shortlist(fingerprints(1, 2), {1: few, 2: few}) == few[:MAX_CANDIDATES]


def test_entries_are_the_fingerprints_with_room():
    new = signature(RUGBY)
    first, *rest = new.fingerprints.tolist()

    assert entries(new, {first: list(range(MAX_HOLDERS)), rest[0]: [1]}) == rest


@pytest.mark.parametrize(
    ("other", "is_duplicate"),
    [
        (COUNCIL, True),
        (COUNCIL.upper(), True),
        (COUNCIL[: len(COUNCIL) // 2], True),
        (RUGBY + " " + COUNCIL, True),
        (COUNCIL.replace("told the meeting", "said").replace("welcomed", "applauded"), True),
        (RUGBY, False),
        (RUGBY + " " + COUNCIL[:170], False),
        ("Photos", False),
    ],
)
def test_compare_knows_copies_parts_and_edits_from_other_texts(other, is_duplicate):
    assert match_of(COUNCIL, other).is_duplicate == is_duplicate
    assert match_of(other, COUNCIL).is_duplicate == is_duplicate


@given(WORDS, WORDS)
def test_compare_is_the_same_in_both_directions(one, other):
    first, second = signature(" ".join(one)), signature(" ".join(other))

    there, back = compare(first, {1: second}), compare(second, {1: first})

    assert len(there) == len(back) == (1 if one and other else 0)
    for match, mirrored in zip(there, back, strict=True):
        assert match.closeness == pytest.approx(mirrored.closeness)
        assert match.jaccard == pytest.approx(mirrored.jaccard)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_a_copy_is_a_duplicate_whatever_else_is_compared(some, others):
    texts = [" ".join(words) for words in (some, *others)]
    candidates = {number: signature(text) for number, text in enumerate(texts)}

    found = {match.article_id: match for match in compare(signature(texts[0]), candidates)}

    assert found.get(0) is None or found[0].is_duplicate
    assert (0 in found) == bool(some)


@given(st.lists(WORDS, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(texts, dice: random.Random):
    new, *others = [signature(" ".join(words)) for words in texts]
    candidates = list(enumerate(others))
    shuffled = dice.sample(candidates, len(candidates))

    assert compare(new, dict(candidates)) == compare(new, dict(shuffled))


def test_empty_texts_are_not_compared():
    assert compare(signature(""), {1: signature(COUNCIL)}) == []
    assert compare(signature(COUNCIL), {1: signature(""), 2: signature("…")}) == []


def test_what_several_clusters_hold_counts_less_but_copies_of_one_cluster_do_not():
    column = "Write to us by noon on Friday with your views of this and of every other week. " * 2
    new = signature(column + RUGBY)
    issues = {n: signature(column + text) for n, text in enumerate((COUNCIL, COUNCIL[300:]))}

    alone = compare(new, {0: issues[0]})[0].containment
    apart = {match.article_id: match.containment for match in compare(new, issues)}
    together = {m.article_id: m.containment for m in compare(new, issues, {0: 0, 1: 0})}

    assert apart[0] < together[0] == pytest.approx(alone)


def test_the_fullest_text_of_a_cluster_has_a_veto():
    short = RUGBY
    candidates = {1: signature(short), 2: signature(short + " " + COUNCIL)}
    new = signature(short + " " + " ".join(f"other{n}" for n in range(60)))
    clusters = {1: 1, 2: 1}

    matches = compare(new, candidates, clusters)

    assert {match.article_id: match.is_duplicate for match in matches} == {1: True, 2: False}
    assert contradicted(matches, candidates, clusters) == {1, 2}
    assert contradicted(matches, candidates) == {2}


def test_only_a_clearly_longer_text_is_fuller():
    assert is_fuller(signature(COUNCIL), [signature(COUNCIL[:300]), signature(RUGBY)])
    assert not is_fuller(signature(COUNCIL + " More to follow."), [signature(COUNCIL)])
    assert not is_fuller(signature(RUGBY), [signature(COUNCIL)])
    assert is_fuller(signature(RUGBY), [])


@pytest.mark.parametrize(
    ("later", "earlier", "kind", "is_later_master"),
    [
        (COUNCIL, COUNCIL, Relation.REPOST, False),
        (COUNCIL.replace("R40", "R42"), COUNCIL, Relation.REPOST, False),
        (COUNCIL[:400], COUNCIL, Relation.TRIMMED, False),
        (COUNCIL, COUNCIL[:400], Relation.UPDATE, True),
        (RUGBY + " " + COUNCIL[:400], COUNCIL, Relation.NEAR, False),
        ("", COUNCIL, Relation.REPOST, False),
    ],
)
def test_relation_says_how_the_later_text_follows(later, earlier, kind, is_later_master):
    found = relation(signature(later), signature(earlier))

    assert (found.relation, found.is_later_master) == (kind, is_later_master)


def test_issues_of_a_bulletin_are_hardly_ever_taken_for_one_text():
    n_wrong = 0
    for name in TEMPLATES:
        issues = [signature(text) for text in bulletins(name, 21)]
        found = [compare(new, {1: old})[0] for old, new in itertools.pairwise(issues)]
        n_wrong += sum(match.is_duplicate for match in found)

    # Of 240 pairs. By chance two issues may have nearly all values in common.
    assert n_wrong <= 3
