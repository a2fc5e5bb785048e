"""Token numbers of the index against the stored text."""

import pytest

from search.annotation.annotate import annotate
from search.annotation.lexicon import LexiconOverrides
from search.annotation.tagger import shared_tagger
from search.articles.places import WideContext, marks_of, token_places, wide_context
from search.articles.reading import TextMark, TextPiece, cut

TEXT = "The braai is cold. Don't wait, said Ms. Malgas.\n\nThe end"


def test_places_are_those_of_the_annotated_text():
    annotated = annotate(TEXT, shared_tagger(), LexiconOverrides.none())

    places = token_places(TEXT)

    assert places.tokens == tuple((token.start, token.end) for token in annotated.tokens)
    assert places.sentences == annotated.sentences


def test_wide_context_is_three_sentences():
    assert wide_context(TEXT, (5, 7)) == WideContext(
        before="The braai is cold.",
        left="",
        node="Don't",
        right=" wait, said Ms. Malgas.",
        after="The end",
    )


def test_wide_context_over_a_sentence_end_holds_both():
    found = wide_context(TEXT, (4, 6))

    assert found is not None
    assert (found.left, found.node, found.right) == (
        "The braai is cold",
        ". Do",
        "n't wait, said Ms. Malgas.",
    )


@pytest.mark.parametrize("hit", [(99, 100), (0, 99), (3, 3), (-1, 1)])
def test_a_hit_outside_the_text_has_no_context_and_no_mark(hit):
    assert wide_context(TEXT, hit) is None
    assert marks_of(TEXT, [hit]) == []


def test_marks_lie_on_the_words():
    marks = marks_of(TEXT, [(1, 2), (5, 7)])

    assert marks == [TextMark(4, 9, "h1"), TextMark(19, 24, "h5")]


def test_a_mark_over_two_stretches_has_its_anchor_once():
    marks = [TextMark(2, 6, "h1")]

    assert list(cut("abcdefgh", 0, 4, marks)) == [
        TextPiece("ab"),
        TextPiece("cd", is_marked=True, anchor="h1"),
    ]
    assert list(cut("abcdefgh", 4, 8, marks)) == [TextPiece("ef", is_marked=True), TextPiece("gh")]


def test_overlapping_marks_do_not_repeat_text():
    marks = [TextMark(0, 4, "a"), TextMark(2, 6, "b"), TextMark(3, 4, "c")]

    pieces = list(cut("abcdefgh", 0, 8, marks))

    assert "".join(piece.text for piece in pieces) == "abcdefgh"
    assert [piece.is_marked for piece in pieces] == [True, True, False]
