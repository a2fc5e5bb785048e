import itertools
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.word_differences import (
    MAX_CELLS,
    Edit,
    _matches,
    count_words,
    word_edits,
    words_of,
)
from extraction.text.comparable import comparable

# Few words, so that they recur on both sides; signs, odd blanks and quotes among them.
TEXTS = st.lists(
    st.sampled_from(
        ["the ", "The ", "roof ", "fell", "\n", "  ", "R2.5m ", "‘no’ ", "'no' ", ", ", "İ", "\x00"]
    ),
    max_size=30,
).map("".join)


def marked(left: str, right: str) -> str:
    return "".join(
        edit.left if edit.is_same else f"[{edit.left}|{edit.right}]"
        for edit in word_edits(left, right)
    )


def heaviest(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """Weigh the heaviest common subsequence by trying everything."""

    @cache
    def weigh(i: int, j: int) -> int:
        if i == len(left) or j == len(right):
            return 0
        both = len(left[i]) + 1 + weigh(i + 1, j + 1) if left[i] == right[j] else 0
        return max(both, weigh(i + 1, j), weigh(i, j + 1))

    return weigh(0, 0)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Five men were held.", "Six men were held.", "[Five |Six ]men were held."),
        ("He was held.", "He was held on Monday.", "He was held[|on Monday]."),
        ("He left late.", "He left.", "He left [late|]."),
        ("a “quote” here", 'A "quote"  here', "a “quote” here"),  # case, blanks, quotes are none
        ("It cost R2.5m.", "It cost R2.6m.", "It cost [R2.5m|R2.6m]."),
        ("", "All new.", "[|All new.]"),
        ("All gone.", "", "[All gone.|]"),
        ("", "", ""),
        # "the" between two rewritten clauses is taken into the change
        (
            "Heavy rain closed the main road north.",
            "Floods shut down the whole route today.",
            "[Heavy rain closed the main road north|Floods shut down the whole route today].",
        ),
        # but a long run between short changes stays
        (
            "One man was held here.",
            "Two men was held there.",
            "[One man |Two men ]was held [here|there].",
        ),
    ],
)
def test_word_edits_mark_what_changed(left, right, expected):
    assert marked(left, right) == expected


@given(TEXTS, TEXTS)
def test_word_edits_lead_from_one_text_to_the_other(left, right):
    edits = word_edits(left, right)

    assert "".join(edit.left for edit in edits) == left
    assert "".join(edit.right for edit in edits) == right


@given(TEXTS, TEXTS)
def test_word_edits_keep_equal_words_and_take_turns(left, right):
    edits = word_edits(left, right)

    assert all(words_of(edit.left) == words_of(edit.right) for edit in edits if edit.is_same)
    assert all(one.is_same != two.is_same for one, two in itertools.pairwise(edits))
    assert all(edit.left or edit.right for edit in edits)


@given(TEXTS, TEXTS)
def test_word_edits_of_equal_words_change_nothing_else(left, right):
    if words_of(left) == words_of(right):
        assert all(comparable(e.left) == comparable(e.right) for e in word_edits(left, right))


@given(
    st.lists(st.sampled_from(["a", "bb", "ccc", "d"]), max_size=9),
    st.lists(st.sampled_from(["a", "bb", "ccc", "d"]), max_size=9),
)
def test_matches_weigh_as_much_as_the_best_of_all(left, right):
    matches = _matches(left, right)

    assert matches == sorted(matches)
    assert all(left[i] == right[j] for i, j in matches)
    assert sum(len(left[i]) + 1 for i, _ in matches) == heaviest(tuple(left), tuple(right))


def test_a_long_text_is_cut_at_words_that_stand_once():
    words = [f"w{n % 7}" if n % 5 else f"single{n}" for n in range(400)]
    changed = ["new" if n % 50 == 8 else word for n, word in enumerate(words)]
    n_changed = sum(word == "new" for word in changed)

    edits = word_edits(" ".join(words), " ".join(changed))

    assert len(words) ** 2 > MAX_CELLS
    assert sum(not edit.is_same for edit in edits) == n_changed
    assert edits[1] == Edit("w1 ", "new ", is_same=False)


def test_a_long_text_without_any_fixed_point_is_changed_as_a_whole():
    left, right = "a b " * 300, "c d " * 300

    assert word_edits(left, right) == [Edit(left, right, is_same=False)]


def test_signs_are_no_words():
    assert count_words("“No. 4” cost R2.5m – or 1 000 rand!") == 8
