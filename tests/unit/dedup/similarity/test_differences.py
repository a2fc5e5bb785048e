import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import differences, increasing, word_differences
from dedup.similarity.differences import AlignedRow, RowKind, align
from extraction.text.comparable import comparable

RAIN = "Heavy rain fell in Durban on Sunday."
ROADS = "Two roads in Umlazi were closed by mud."
SCHOOLS = "Schools stay shut until Thursday, the department said."
MAYOR = "The mayor thanked volunteers for their work."
MORE = "More to follow."

WORDS = ["rain", "fell", "in", "Durban", "Umlazi", "mud", "closed"]
SENTENCES = st.lists(
    st.one_of(
        st.sampled_from([RAIN, RAIN.upper(), ROADS, SCHOOLS, MAYOR, MORE, "", "?"]),
        st.lists(
            st.sampled_from(["rain", "fell", "in", "Durban", "Umlazi", "mud", "closed"]), max_size=9
        ).map(" ".join),
    ),
    max_size=12,
)


def shape(left, right):
    """Write rows as kind, sentence numbers, and the row of the other half."""
    return [
        (
            row.kind.value,
            [*row.left],
            [*row.right],
            *([row.partner] if row.partner is not None else []),
        )
        for row in align(left, right)
    ]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([], [], []),
        ([RAIN], [], [("left", [0], [])]),
        ([], [RAIN], [("right", [], [0])]),
        ([RAIN], [RAIN.lower()], [("same", [0], [0])]),
        (
            [RAIN, ROADS, MORE],
            [RAIN, "Three roads in Umlazi were closed by mud.", MAYOR],
            [("same", [0], [0]), ("changed", [1], [1]), ("left", [2], []), ("right", [], [2])],
        ),
        # a standing line that comes more than once goes with its neighbours
        (
            [MORE, RAIN, MORE, ROADS],
            [RAIN, MORE, ROADS],
            [("left", [0], []), ("same", [1], [0]), ("same", [2], [1]), ("same", [3], [2])],
        ),
        # moved: two rows that know each other
        (
            [RAIN, ROADS, SCHOOLS],
            [SCHOOLS, RAIN, ROADS],
            [
                ("same", [], [0], 3),
                ("same", [0], [1]),
                ("same", [1], [2]),
                ("same", [2], [], 0),
            ],
        ),
        # one sentence made of two
        (
            [RAIN, "Two roads in Umlazi were closed. By mud from the hills, it said."],
            [RAIN, "Two roads in Umlazi were closed.", "By mud from the hills, it said."],
            [("same", [0], [0]), ("changed", [1], [1, 2])],
        ),
    ],
)
def test_align_puts_sentences_side_by_side(left, right, expected):
    assert shape(left, right) == expected


def test_align_says_what_changed_inside_a_moved_sentence():
    rows = align([RAIN, ROADS, SCHOOLS], [SCHOOLS.replace("Thursday", "Friday"), RAIN, ROADS])

    moved = [row for row in rows if row.partner is not None]
    assert [(row.kind, row.left, row.right) for row in moved] == [
        (RowKind.CHANGED, (), (0,)),
        (RowKind.CHANGED, (2,), ()),
    ]
    assert [(edit.left, edit.right) for edit in moved[0].edits if not edit.is_same] == [
        ("Thursday", "Friday")
    ]


@given(SENTENCES, SENTENCES)
def test_align_puts_each_sentence_into_one_row_in_order(left, right):
    rows = align(left, right)

    assert [i for row in rows for i in row.left] == list(range(len(left)))
    assert [j for row in rows for j in row.right] == list(range(len(right)))


@given(SENTENCES, SENTENCES)
def test_rows_tell_the_truth(left, right):
    rows = align(left, right)

    for number, row in enumerate(rows):
        other = row if row.partner is None else rows[row.partner]
        own = " ".join(left[i] for i in row.left or other.left)
        others = " ".join(right[j] for j in row.right or other.right)
        assert row.partner is None or other.partner == number
        if row.kind is RowKind.SAME:
            assert comparable(own) == comparable(others)
        if row.kind is RowKind.CHANGED:
            assert "".join(edit.left for edit in row.edits) == own
            assert "".join(edit.right for edit in row.edits) == others
        if row.kind in {RowKind.LEFT, RowKind.RIGHT}:
            assert row.partner is None
            assert not (row.left and row.right)


@given(SENTENCES)
def test_a_text_differs_nowhere_from_itself(sentences):
    assert align(sentences, sentences) == [
        AlignedRow(RowKind.SAME, (number,), (number,)) for number in range(len(sentences))
    ]


@given(SENTENCES, st.data())
def test_a_sentence_put_in_is_the_only_difference(sentences, data):
    at = data.draw(st.integers(0, len(sentences)))
    longer = [*sentences[:at], "Something else altogether happened.", *sentences[at:]]

    differing = [row for row in align(sentences, longer) if row.kind is not RowKind.SAME]

    assert differing == [AlignedRow(RowKind.RIGHT, (), (at,))]


def test_many_equal_sentences_are_paired_in_order():
    rows = align([MORE] * 3000, [MORE] * 2999)

    assert sum(row.kind is RowKind.SAME for row in rows) == 2999
    assert all(row.partner is None for row in rows)


@pytest.mark.parametrize("module", [differences, increasing, word_differences])
def test_examples_of_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0
