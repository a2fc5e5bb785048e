"""A text over its reference."""

from hypothesis import given
from hypothesis import strategies as st

from extraction.evaluation.differences import Change, differences

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "\n"]), max_size=12).map(" ".join)


def words(pieces, *changes):
    return " ".join(piece.text for piece in pieces if piece.change in changes).split()


@given(TEXTS, TEXTS)
def test_pieces_give_both_texts_back(reference, text):
    pieces = differences(reference, text)

    assert words(pieces, Change.SAME, Change.MISSING) == reference.split()
    assert words(pieces, Change.SAME, Change.EXTRA) == text.split()


def test_paragraphs_are_kept():
    pieces = differences("one\ntwo", "one\nthree")

    assert [(piece.change, piece.text, piece.ends_paragraph) for piece in pieces] == [
        (Change.SAME, "one", True),
        (Change.MISSING, "two", False),
        (Change.EXTRA, "three", False),
    ]
