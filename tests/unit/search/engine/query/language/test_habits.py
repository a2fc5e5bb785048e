"""Habits of other tools: what is said, and that the query offered finds what was meant."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.errors import QueryError
from search.engine.query.language.habits import habit_in
from search.engine.query.language.parser import Language, parse
from search.engine.query.language.simple import SimpleOptions
from search.engine.query.run import run

MEANT = {
    "rain AND water": 'MU(meet "rain"%c "water"%c s)',
    "a AND b AND c": 'MU(meet (meet "a"%c "b"%c s) "c"%c s)',
    '"heavy rain" AND hail': (
        '(("heavy"%c "rain"%c) []* ("hail"%c) | ("hail"%c) []* ("heavy"%c "rain"%c)) within s'
    ),
    "rain OR heavy hail": "rain | heavy hail",
    "rain NOT water": '("rain"%c) !within (<s> []* ("water"%c) []* </s>)',
    "rain AND NOT water": '("rain"%c) !within (<s> []* ("water"%c) []* </s>)',
    "said_VBD": "said/VBD",
    "he said_VERB": "he said/VERB",
    "_NNP": "tag:NNP",
    "_NOUN": "NOUN",
    "{go}": "lemma:go",
    "{go/V}": "lemma:go/VERB",
    "walk[s,ed]": "walks|walked",
    "walk[,s]": "walk|walks",
    "VB.*": "tag:VB*",
    "walk.* home": "walk* home",
    "Lemma:say": "lemma:say",
    "walk(s|ed)": "walks|walked",
    "lemma:(say|tell)": "lemma:say|lemma:tell",
    "Lemma:(say|tell) _NN": "lemma:say|lemma:tell tag:NN",
}


@pytest.mark.parametrize("text", MEANT)
def test_habit_is_written_as_here(text):
    habit = habit_in(text, SimpleOptions())

    assert habit is not None
    assert habit.query == MEANT[text]
    assert parse(habit.query, Language(habit.language))


@pytest.mark.parametrize(
    "text",
    ["rain", "rain and water", "ANDREW", "AND", "lemma:say", "said/VBD", "(rain|hail) storm",
     "snow|rain", "U.S.", "..3..", "re (heavy | light)", '"a_NN"', "snake_case"],
)  # fmt: skip
def test_what_is_no_habit_is_left_alone(text):
    assert habit_in(text, SimpleOptions()) is None


def test_what_cannot_be_written_here_is_said_all_the_same():
    habit = habit_in("rain AND hail OR snow", SimpleOptions())

    assert habit is not None
    assert (habit.words[:17], habit.query) == ("AND, OR are words", "")


def test_both_and_without_look_at_one_sentence(tmp_path):
    text = "rain and water|rain only|water here|water before rain"
    snapshot = snapshot_of(tmp_path, [document(1, text)])

    def total(text):
        habit = habit_in(text, SimpleOptions())
        return run(snapshot, parse(habit.query, Language(habit.language))).total

    assert total("rain AND water") == 2
    assert total('"water before" AND rain') == 1
    assert total("rain NOT water") == 1
    assert total("water NOT rain") == 1


@pytest.mark.parametrize("text", ["lemma:(say|tell)", "walk(|s)"])
def test_mistake_of_habit_is_explained_with_a_way_out(text):
    with pytest.raises(QueryError) as caught:
        parse(text)

    habit = habit_in(text, SimpleOptions())
    assert (caught.value.message, caught.value.suggestion) == (habit.words, habit.query)
