import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import agreement as module
from dedup.similarity.agreement import Agreement, agreement

SAME, OTHER = "same", "different"
ANSWERS = st.lists(st.tuples(*[st.sampled_from(["same", "different", "event"])] * 2), max_size=12)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], Agreement(0, 0, None)),
        ([(SAME, SAME)] * 3, Agreement(3, 3, None)),  # one answer only: chance agrees as well
        ([(SAME, SAME), (OTHER, OTHER)], Agreement(2, 2, 1.0)),
        ([(SAME, OTHER), (OTHER, SAME)], Agreement(2, 0, -1.0)),
        # 8 of 10 agree; "same" is said in 12 of 20 answers: (.8 - .52) / .48
        (
            [(SAME, SAME)] * 5 + [(OTHER, OTHER)] * 3 + [(SAME, OTHER)] * 2,
            Agreement(10, 8, pytest.approx(0.28 / 0.48)),
        ),
    ],
)
def test_agreement_is_held_against_chance(answers, expected):
    assert agreement(answers) == expected


@given(ANSWERS)
def test_agreement_does_not_depend_on_who_is_first(answers):
    assert agreement(answers) == agreement([(second, first) for first, second in answers])


def test_share_of_nothing_is_none():
    assert agreement([]).share is None
    assert agreement([(SAME, OTHER), (SAME, SAME)]).share == 0.5


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(module).failed == 0
