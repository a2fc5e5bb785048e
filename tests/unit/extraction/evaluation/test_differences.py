"""A text over its reference."""

from hypothesis import given
from hypothesis import strategies as st

from extraction.evaluation.differences import Presence, changed_words, differences

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "\n"]), max_size=12).map(" ".join)


def words(pieces, *changes):
    return " ".join(piece.text for piece in pieces if piece.change in changes).split()


@given(TEXTS, TEXTS)
def test_pieces_give_both_texts_back(reference, text):
    pieces = differences(reference, text)

    assert words(pieces, Presence.SAME, Presence.MISSING) == reference.split()
    assert words(pieces, Presence.SAME, Presence.EXTRA) == text.split()


def test_paragraphs_are_kept():
    pieces = differences("one\ntwo", "one\nthree")

    assert [(piece.change, piece.text, piece.ends_paragraph) for piece in pieces] == [
        (Presence.SAME, "one", True),
        (Presence.MISSING, "two", False),
        (Presence.EXTRA, "three", False),
    ]


def test_changed_words_keep_the_ends_of_what_is_common():
    common = " ".join(f"w{n}" for n in range(40))

    found = changed_words(f"{common} old", f"{common} new")

    assert [(part.sign, part.words) for part in found[1:]] == [("-", "old"), ("+", "new")]
    assert (found[0].sign, found[0].words.count("…"), len(found[0].words.split())) == ("=", 1, 17)
    assert changed_words(common, common) == ()
