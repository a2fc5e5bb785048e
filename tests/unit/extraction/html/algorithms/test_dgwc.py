"""DGWC by hand: values, memberships, classifiers, blocks and scores."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from read_pages import kept, read, scored

from extraction.html.algorithms.dgwc import (
    Classifier,
    DgwcParameters,
    blocks_of,
    dgwc,
    is_topical,
    line_scores,
)
from extraction.html.algorithms.dgwc_model import DgwcModel, shipped_model
from extraction.html.algorithms.line_classifiers import (
    train_naive_bayes,
    train_svm,
    train_tree,
)
from extraction.html.algorithms.line_values import line_values, scaled
from extraction.html.algorithms.memberships import CutPoints, levels, memberships, one_hot
from extraction.html.algorithms.source_lines import SourceLine

CUTS = CutPoints(np.array([0.2]), np.array([0.4]), np.array([0.7]))


def test_values_are_smoothed_and_scaled():
    lines = [
        SourceLine(text="abcd", html_bytes=8, n_links=0, n_images=0),
        SourceLine(text="", html_bytes=8, n_links=4, n_images=1),
        SourceLine(text="abcdefgh", html_bytes=8, n_links=0, n_images=0),
    ]

    # Text lengths 4, 0, 8 become 3, 3, 6; densities 1/2, 0, 1 become 3/8, 3/8, 3/4; links 0, 4, 0
    # become 1, 2, 1; images 1/4, 1/2, 1/4. HTML bytes are equal everywhere.
    assert line_values(lines).tolist() == [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 1.0],
        [1.0, 0.0, 1.0, 0.0, 0.0],
    ]


@given(arrays.arrays(np.float64, (5, 3), elements=st.floats(0, 1e6)))
def test_scaled_values_lie_between_0_and_1(values):
    found = scaled(values)

    assert ((found >= 0) & (found <= 1)).all()


def test_cut_points_weigh_both_classes_alike():
    values = np.array([[0.0], [0.2], [0.1], [0.9]])

    cuts = CutPoints.of(values, np.array([False, False, False, True]))

    mean = 0.5 * 0.9 + 0.5 * 0.1
    assert (cuts.low[0], cuts.mean[0], cuts.high[0]) == pytest.approx(
        ((0.0 + mean) / 2, mean, (mean + 0.9) / 2)
    )


def test_cut_points_need_both_classes():
    with pytest.raises(ValueError, match="both topical and other lines"):
        CutPoints.of(np.array([[1.0]]), np.array([True]))


@pytest.mark.parametrize(
    ("value", "expected", "level"),
    [
        (0.1, (1, 0, 0), 0),
        (0.25, (0.75, 0.25, 0), 0),
        (0.35, (0.25, 0.75, 0), 1),
        (0.4, (0, 1, 0), 1),
        (0.5, (0, 2 / 3, 1 / 3), 1),
        (0.9, (0, 0, 1), 2),
    ],
)
def test_memberships_are_straight_lines_between_the_cuts(value, expected, level):
    found = memberships(np.array([[value]]), CUTS)

    assert tuple(found[0, 0]) == pytest.approx(expected)
    assert levels(np.array([[value]]), CUTS).tolist() == [[level]]


@given(st.floats(0, 1))
def test_memberships_add_up_and_at_most_two_are_above_zero(value):
    found = memberships(np.array([[value]]), CUTS)[0, 0]

    assert found.sum() == pytest.approx(1.0)
    assert (found > 0).sum() <= 2


def test_one_hot_has_one_flag_a_value():
    assert one_hot(np.array([[0, 2]])).tolist() == [[1, 0, 0, 0, 0, 1]]


LEVELS = np.array([[0, 0], [0, 1], [1, 0], [2, 2], [2, 1], [1, 2]])
TOPICAL = np.array([False, False, False, True, True, True])


def test_svm_separates_what_can_be_separated():
    model = train_svm(one_hot(LEVELS), TOPICAL, n_steps=2000)

    assert (model.margins(one_hot(LEVELS)) > 0).tolist() == TOPICAL.tolist()


def test_svm_is_the_same_every_time():
    first, again = (train_svm(one_hot(LEVELS), TOPICAL, n_steps=500) for _ in range(2))

    assert first.weights.tolist() == again.weights.tolist()


def test_naive_bayes_is_the_log_odds_of_counts():
    model = train_naive_bayes(one_hot(LEVELS), TOPICAL)

    # First value low and second value low: Laplace's (0+1)/(3+3) against (2+1)/(3+3), twice.
    [margin] = model.margins(one_hot(np.array([[0, 0]])))
    assert margin == pytest.approx(2 * np.log((1 / 6) / (3 / 6)))


def test_tree_asks_what_separates():
    values = np.array([[0, 0], [0, 1], [2, 0], [2, 1]] * 5)
    topical = values[:, 0] == 2

    model = train_tree(values, topical)

    assert model.margins(values).tolist() == [0.5 if is_topical else -0.5 for is_topical in topical]
    assert model.shares[2].ravel().tolist() == [1.0] * 3  # decided by the first value alone


@pytest.mark.parametrize(
    ("topical", "expected"),
    [
        ([], []),
        ([4], [(4, 4)]),
        ([1, 6], [(1, 6)]),  # phi apart: four lines between them
        ([1, 7], [(1, 1), (7, 7)]),
        ([0, 3, 8, 20, 22], [(0, 8), (20, 22)]),
    ],
)
def test_blocks_reach_over_gaps_of_at_most_phi(topical, expected):
    assert blocks_of(topical, 5) == expected


@given(st.sets(st.integers(0, 60)), st.integers(1, 8))
def test_blocks_meet_the_three_conditions(positions, phi):
    topical = sorted(positions)

    blocks = blocks_of(topical, phi)

    covered = [p for start, end in blocks for p in topical if start <= p <= end]
    assert covered == topical
    for start, end in blocks:
        assert {start, end} <= positions
        around = {*range(start - phi, start), *range(end + 1, end + phi + 1)}
        assert not around & positions
        inside = [p for p in topical if start <= p <= end]
        assert all(after - before <= phi for before, after in pairwise(inside))


def test_score_adds_text_and_takes_links_and_images_away():
    assert line_scores(np.array([[0.9, 0.8, 1.0, 0.25, 0.5]])).tolist() == pytest.approx([1.95])


def always_topical():
    """Calls every line topical: what is kept is then decided by the blocks alone."""
    model = shipped_model()
    linear = type(model.svm)(np.zeros(15), 1.0)
    return DgwcModel(model.cuts, linear, model.svm_raw, model.naive_bayes, model.tree)


def test_best_block_is_the_answer_when_none_scores_high_enough():
    page = read("<body><p>Text of a page</p></body>")

    found = dgwc(page, DgwcParameters(), always_topical())

    # One line: all values are equal, so all are 0 and so is the score.
    [block] = found.blocks
    assert (block.score, block.is_kept) == (0.0, True)
    assert found.remark == "No block scores high enough; the best one is kept."


SENTENCES = "The milk was gone by noon, and shops waited for more of it all day long in vain. " * 2
ARTICLE = (
    "<body>" + "<li><a href='/somewhere/else'>Home</a></li>" * 12
    + f"<p>{SENTENCES}</p>" * 6 + "<li><a href='/legal/notice'>Legal</a></li>" * 12 + "</body>"
)  # fmt: skip


@pytest.mark.parametrize("classifier", list(Classifier))
def test_shipped_model_finds_the_running_text(classifier):
    lines = kept(ARTICLE, dgwc, DgwcParameters(classifier=classifier))

    assert lines.count(SENTENCES.strip()) == 6
    assert len(lines) <= 8


def test_page_without_topical_lines_keeps_nothing():
    found = scored("<body><a href='/'>Home</a></body>", dgwc, DgwcParameters())

    assert (found.blocks, found.remark) == ((), "No line of the page is topical.")
    assert is_topical(np.zeros((0, 5)), Classifier.SVM, shipped_model()).tolist() == []


def test_model_survives_its_file(tmp_path):
    path = tmp_path / "dgwc.json"
    shipped_model().save(path)

    again = DgwcModel.load(path)

    assert again.svm.weights.tolist() == shipped_model().svm.weights.tolist()
    assert again.tree.shares.tolist() == shipped_model().tree.shares.tolist()
