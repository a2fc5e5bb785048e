"""Two articles side by side: rows, numbers, paragraphs and shares, without a database."""

import pytest

from extraction.models import Article
from search.articles import comparison
from search.articles.comparison import WordRun, compare


def article(*paragraphs, title="Fires banned"):
    text = "\n".join(paragraphs)
    return Article(text=text, title=title, blocks=[])


BAN = "The municipality has banned open fires."
FINE = "Those who light one pay a fine of R500."
BRAAI = "Gas braais are allowed."


def test_numbers_count_from_one_and_know_their_likes():
    found = compare(article(f"{BAN} {FINE}", BRAAI), article(BRAAI, f"{BAN} {FINE}"))

    # either side of the crossing may be called the moved one; both halves name each other
    assert [
        (line.kind, line.is_moved, line.left and line.left.number, line.left_twin, line.right_twin)
        for line in found.lines
    ] == [
        ("same", True, None, 1, 3),
        ("same", False, 1, 2, 1),
        ("same", False, 2, 3, 2),
        ("same", True, 3, 1, 3),
    ]


def test_a_line_begins_a_paragraph_where_its_text_does():
    found = compare(article(f"{BAN} {FINE}", BRAAI), article(f"{BAN} {FINE} {BRAAI}"))

    assert [line.left.starts_paragraph for line in found.lines] == [True, False, True]
    assert [line.right.starts_paragraph for line in found.lines] == [True, False, False]


def test_words_that_were_put_in_on_the_other_side_leave_no_gap():
    found = compare(article("Open fires are banned."), article("Open fires are now banned."))

    assert found.lines[0].left.words == (WordRun("Open fires are banned.", is_shared=True),)
    assert found.lines[0].right.words == (
        WordRun("Open fires are ", is_shared=True),
        WordRun("now ", is_shared=False),
        WordRun("banned.", is_shared=True),
    )


def test_shares_count_words_and_sentences():
    shares = compare(
        article(BAN, FINE, BRAAI), article(BAN, FINE.replace("R500", "R800"), "It rained.")
    ).shares

    assert (shares.n_same, shares.n_changed, shares.n_left, shares.n_right) == (1, 1, 1, 1)
    assert (shares.left_words, shares.right_words, shares.shared_words) == (19, 17, 14)
    assert (shares.of_left, shares.of_right) == (14 / 19, 14 / 17)


def test_a_moved_sentence_is_counted_once():
    shares = compare(article(BAN, FINE, BRAAI), article(BRAAI, BAN, FINE)).shares

    assert (shares.n_same, shares.n_moved, shares.shared_words) == (3, 1, 19)


def test_equal_lines_stand_together_where_only_differences_are_shown():
    found = compare(
        article(BAN, FINE, "It rained."), article(BAN, FINE, BRAAI), only_differences=True
    )

    assert [(line.kind, line.n_hidden) for line in found.lines] == [
        ("same", 2),
        ("left", 0),
        ("right", 0),
    ]


@pytest.mark.parametrize(
    ("left", "right", "kinds"),
    [("", "", []), (BAN, "", ["left"]), (" \n ", BAN, ["right"])],
)
def test_a_text_may_be_empty(left, right, kinds):
    found = compare(article(left), article(right))

    assert [line.kind for line in found.lines] == kinds
    assert not found.is_cut


def test_headlines_are_compared_too():
    found = compare(article(BAN, title="Fires banned"), article(BAN, title="Open fires banned"))

    assert [(edit.left, edit.right) for edit in found.title if not edit.is_same] == [("", "Open ")]


def test_a_book_is_compared_as_far_as_anybody_reads(monkeypatch):
    monkeypatch.setattr(comparison, "MAX_SENTENCES", 2)

    found = compare(article(BAN, FINE, BRAAI), article(BAN))

    assert (len(found.lines), found.is_cut) == (2, True)


def test_a_hostile_text_is_cut_by_its_length():
    text = "ha! " * 100_000

    found = compare(article(text), article(text))

    assert found.is_cut
    assert len(found.lines) <= comparison.MAX_SENTENCES
