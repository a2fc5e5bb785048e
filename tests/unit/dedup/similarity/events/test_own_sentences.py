"""What only one of several reports says: hand-made reports, and properties."""

import event_texts as texts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.events.own_sentences import own_sentences
from dedup.similarity.sentences import sentence_hash
from extraction.text.comparable import comparable

TOLD = "Fire destroyed sixty shacks in Masiphumelele on Monday night."
STOVE = "Jermaine Carelse blamed a paraffin stove that toppled over."
MAYOR = "Mayor Geordin Hill-Lewis promised blankets, soup and building material."


def own(given_texts, n=2, recurring=()):
    return [
        [given_texts[found.text][found.start : found.end] for found in of_text]
        for of_text in own_sentences(given_texts, n, recurring)
    ]


def test_each_report_has_what_the_others_do_not_say_in_order_of_its_text():
    first, second = f"{MAYOR} {TOLD} {STOVE}", f"{TOLD} Nobody was hurt in Masiphumelele."

    assert own([first, second]) == [[MAYOR, STOVE], []]


def test_most_own_words_come_first_and_a_word_counts_once():
    echo = "So Mayor Geordin Hill-Lewis promised soup and building material."

    assert own([f"{STOVE} {MAYOR} {echo}", TOLD], 1) == [[MAYOR], [TOLD]]
    assert own([f"{echo} {MAYOR}", TOLD]) == [[MAYOR], [TOLD]]


def test_word_that_a_third_report_has_is_nobody_s_own():
    assert own([f"{TOLD} {STOVE}", TOLD, STOVE.lower()]) == [[], [], []]


def test_recurring_sentences_are_not_chosen():
    assert own([f"{TOLD} {STOVE}", TOLD], recurring=[sentence_hash(comparable(STOVE))]) == [[], []]


@pytest.mark.parametrize("given_texts", [[], [texts.FIRE], ["", ""], [texts.FIRE, texts.FIRE]])
def test_without_others_or_without_difference_nothing_is_own(given_texts):
    assert own(given_texts) == [[] for _ in given_texts]


@given(
    st.lists(st.sampled_from([TOLD, STOVE, MAYOR, "Eish! ", "\n", "é ́ 😀 "]), max_size=6), st.text()
)
def test_chosen_sentences_are_trimmed_spans_of_their_texts(parts, odd):
    given_texts = [" ".join(parts), odd]

    for number, found in enumerate(own_sentences(given_texts)):
        assert len(found) <= 2
        for excerpt in found:
            chosen = given_texts[number][excerpt.start : excerpt.end]
            assert excerpt.text == number
            assert chosen == chosen.strip() != ""
