"""Summaries: which sentences are chosen, nesting of lengths, and odd texts."""

import event_texts as texts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.events.summaries import LENGTHS, summarize
from dedup.similarity.sentences import sentence_hash
from extraction.text.comparable import comparable


def chosen(text, n, recurring=()):
    return [text[found.start : found.end] for found in summarize([text], n, recurring)]


def test_first_sentence_of_a_report_is_its_summary():
    [sentence] = chosen(texts.FIRE, 1)

    assert sentence == (
        "More than sixty shacks burnt down in Masiphumelele near Fish Hoek in the early hours."
    )


def test_a_longer_summary_holds_the_shorter_ones_in_the_order_of_the_text():
    one, three, five = (chosen(texts.FIRE, length) for length in LENGTHS)

    assert set(one) < set(three) < set(five)
    assert [texts.FIRE.index(sentence) for sentence in five] == sorted(
        texts.FIRE.index(sentence) for sentence in five
    )


def test_what_was_said_once_is_not_said_again():
    said = "Sixty shacks burnt down in the wetlands of Masiphumelele."
    text = f"{said} {said} Gift of the Givers handed out blankets at the community hall."

    assert chosen(text, 2) == [
        said,
        "Gift of the Givers handed out blankets at the community hall.",
    ]


def test_standing_sentences_are_never_chosen():
    standing = "Subscribe to the Karoo newsletter for all the news of the Karoo."
    text = f"{standing} The Karoo town of Prince Albert has lost its only bank branch."
    key = sentence_hash(comparable(standing))

    assert chosen(text, 3, {key}) == [
        "The Karoo town of Prince Albert has lost its only bank branch."
    ]


def test_summary_of_two_reports_names_the_text_of_each_sentence():
    found = summarize([texts.FIRE, texts.FIRE_ELSEWHERE], 3)

    assert [(e.text, e.start) for e in found] == sorted((e.text, e.start) for e in found)
    assert {e.text for e in found} == {0, 1}


@pytest.mark.parametrize("text", ["", "Eish.", "😀" * 200, "\ud800 " * 50, "same word " * 3000])
def test_texts_without_sentences_have_no_summary(text):
    assert summarize([text], 3) == []


def test_a_hundred_thousand_equal_sentences_give_one_summary():
    text = "The same words stand in each of these many sentences. " * 100_000

    assert len(summarize([text], 5)) == 5


@given(st.lists(st.text(alphabet="abc .!\n\ud800é", max_size=200), max_size=4), st.integers(0, 5))
def test_summaries_are_spans_of_their_texts_and_nested(given_texts, n):
    shorter, longer = summarize(given_texts, n), summarize(given_texts, n + 1)

    assert set(shorter) <= set(longer)
    assert all(0 <= e.start < e.end <= len(given_texts[e.text]) for e in longer)
