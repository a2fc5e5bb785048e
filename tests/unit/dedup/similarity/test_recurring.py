"""Sentences that many texts of a site hold."""

from dedup.similarity.recurring import RecurringSentence, recurring_sentences

APPEAL = "Subscribe to the Karoo newsletter for all the news."
TEXTS = [f"Report {number} tells of another thing altogether. {APPEAL}" for number in range(10)]


def test_a_sentence_in_ten_texts_recurs_and_one_in_nine_does_not():
    assert recurring_sentences(TEXTS) == [RecurringSentence(APPEAL, 10)]
    assert recurring_sentences(TEXTS[:9]) == []


def test_case_quotes_and_spaces_make_no_difference_and_the_first_wording_is_given():
    texts = [f"{APPEAL.upper()}", *TEXTS[:9]]

    assert recurring_sentences(texts) == [RecurringSentence(APPEAL.upper(), 10)]


def test_a_sentence_counts_once_a_text():
    assert recurring_sentences([f"{APPEAL} {APPEAL} {APPEAL}"] * 9) == []


def test_short_and_endless_sentences_are_left_out():
    texts = ["She laughed. " + "word " * 100 + "end."] * 12

    assert recurring_sentences(texts) == []


def test_most_frequent_first():
    other = "Call our newsroom at any time of the day or night."
    texts = [f"{APPEAL} {other}"] * 10 + [other] * 2

    assert [found.n_texts for found in recurring_sentences(texts)] == [12, 10]
