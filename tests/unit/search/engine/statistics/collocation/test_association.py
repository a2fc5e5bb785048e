"""Association measures give the values of their papers, and stay within their ranges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.statistics.collocation.association import (
    MEASURES,
    contingency,
    delta_p_backward,
    delta_p_forward,
    dice,
    log_dice,
    log_likelihood,
    log_ratio,
    mi3,
    minimum_sensitivity,
    mutual_information,
    t_score,
    z_score,
)

tables = st.tuples(*[st.integers(0, 10**6)] * 4).filter(sum)


def table_of(o11, o12, o21, o22):
    return contingency(o11, o11 + o12, o11 + o21, o11 + o12 + o21 + o22)


@pytest.mark.parametrize(
    ("observed", "value"),
    [  # Dunning 1993, table 1
        ((110, 2442, 111, 29114), 270.72),  # the swiss
        ((29, 13, 123, 31612), 263.90),  # can be
        ((31, 23, 139, 31584), 256.84),  # previous year
        ((10, 0, 3, 31764), 167.23),  # mineral water
        ((76, 104, 2476, 29121), 157.21),  # at the
        ((9, 0, 5, 31763), 146.80),  # natural gas
        ((16, 0, 865, 30896), 115.02),  # owing to
        ((8, 2, 27, 31740), 100.96),  # stiff competition
    ],
)
def test_log_likelihood_gives_dunnings_values(observed, value):
    assert log_likelihood(table_of(*observed))[0] == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize(
    ("joint", "first", "second", "value"),
    [  # Church & Hanks 1990, table 3: AP corpus of 1987, 15 million words
        (12, 111, 621, 11.3),  # honorary doctor
        (8, 1105, 44, 11.3),  # doctors dentists
        (30, 1105, 241, 10.7),  # doctors nurses
        (8, 1105, 154, 9.4),  # doctors treating
        (25, 621, 1407, 8.7),  # doctor bills
        (41, 284690, 1105, 0.95),  # a doctors
        (12, 84716, 1105, 0.93),  # is doctors
    ],
)
def test_mutual_information_gives_the_values_of_church_and_hanks(joint, first, second, value):
    found = mutual_information(contingency(joint, first, second, 15_000_000))

    assert found[0] == pytest.approx(value, abs=0.07)  # they cut digits; N is round


@pytest.mark.parametrize(
    ("joint", "first", "second", "value"),
    [  # Manning & Schütze 1999, table 5.6 and section 5.3.1
        (20, 42, 20, 4.4721),  # Ayatollah Ruhollah
        (20, 30, 117, 4.4720),  # Agatha Christie
        (20, 14907, 9017, 2.3714),  # first made
        (20, 13484, 10570, 2.2446),  # over many
        (20, 14093, 14776, 1.2176),  # like people
        (20, 15019, 15629, 0.8036),  # time last
        (8, 15828, 4675, 0.999932),  # new companies
    ],
)
def test_t_score_gives_the_values_of_manning_and_schuetze(joint, first, second, value):
    found = t_score(contingency(joint, first, second, 14_307_668))

    assert found[0] == pytest.approx(value, abs=1e-4)  # they cut digits


def test_delta_p_gives_the_values_of_gries_for_of_course():
    table = table_of(5610, 168_938, 2257, 10_233_063)

    assert delta_p_forward(table)[0] == pytest.approx(0.032, abs=0.0005)
    assert delta_p_backward(table)[0] == pytest.approx(0.697, abs=0.0005)


def test_expected_frequencies_are_those_of_evert_for_black_box():
    table = table_of(123, 13_168, 1810, 4_951_883)

    assert [e[0] for e in table.expected] == pytest.approx(
        [5.17, 13_285.83, 1927.83, 4_951_765.17], abs=0.005
    )
    assert z_score(table)[0] == pytest.approx((123 - 5.17245536) / 5.17245536**0.5)


def test_log_dice_has_the_properties_its_author_names():
    always = contingency(8, 8, 8, 1000)
    twice = contingency([40, 20], 1000, 3000, 10**6)

    assert log_dice(always)[0] == 14
    assert np.diff(log_dice(twice))[0] == pytest.approx(-1)
    once_in_16000 = contingency(1, 16_384, 16_384, 10**9)
    assert log_dice(once_in_16000)[0] == 0
    assert log_dice(contingency(40, 1000, 3000, 10**6)) == log_dice(
        contingency(40, 1000, 3000, 10**9)
    )


def test_other_measures_are_what_their_formulas_say():
    table = contingency(30, 100, 60, 10_100)

    assert dice(table)[0] == 60 / 160
    assert minimum_sensitivity(table)[0] == 0.3
    assert mi3(table)[0] == pytest.approx(np.log2(30**3 * 10_100 / 6000))
    assert log_ratio(table)[0] == pytest.approx(np.log2((30 / 100) / (30 / 10_000)))
    never_elsewhere = contingency(30, 100, 30, 10_100)
    assert log_ratio(never_elsewhere)[0] == pytest.approx(np.log2((30 / 100) / (0.5 / 10_000)))


@given(tables)
def test_measures_stay_within_their_ranges(observed):
    table = table_of(*observed)
    found = {name: measure(table)[0] for name, measure in MEASURES.items()}

    assert found["ll"] >= 0
    for name, least, most in (
        ("logdice", -np.inf, 14), ("dice", 0, 1), ("minsens", 0, 1), ("dp", -1, 1),
        ("dpback", -1, 1),
    ):  # fmt: skip
        assert np.isnan(found[name]) or least <= found[name] <= most


@given(tables.filter(lambda o: min(o) > 0))
def test_measures_agree_on_attraction(observed):
    table = table_of(*observed)
    difference = observed[0] * observed[3] - observed[1] * observed[2]
    if difference == 0:
        assert log_likelihood(table)[0] == pytest.approx(0, abs=1e-3)
        return
    for name in ("dp", "dpback", "logratio", "mi", "t", "z"):
        value = MEASURES[name](table)[0]
        assert abs(value) < 1e-6 or (value > 0) == (difference > 0)


@given(tables.filter(lambda o: min(o) > 0))
def test_log_likelihood_does_not_care_which_is_first(observed):
    a, b, c, d = observed

    assert log_likelihood(table_of(a, b, c, d))[0] == pytest.approx(
        log_likelihood(table_of(a, c, b, d))[0], rel=1e-6, abs=1e-3
    )


def test_pairs_that_never_occur_have_the_lowest_scores():
    never = contingency(0, 100, 60, 10_000)

    assert [MEASURES[name](never)[0] for name in ("mi", "mi3", "t", "logdice")] == [-np.inf] * 4
    assert (dice(never)[0], minimum_sensitivity(never)[0]) == (0, 0)
    assert log_likelihood(never)[0] > 0
    assert np.isfinite(log_ratio(never)[0])


def test_nothing_expected_has_no_score():
    nothing = contingency(0, 0, 60, 10_000)

    for name in ("mi", "mi3", "t", "z", "dp", "logratio", "minsens"):
        assert np.isnan(MEASURES[name](nothing)[0])
    assert log_likelihood(nothing)[0] == 0


def test_measures_take_whole_arrays():
    table = contingency([3, 0, 5], [100], [60, 10, 5], [10_000])

    assert all(measure(table).shape == (3,) for measure in MEASURES.values())
