"""Habits of other tools: what is said, and that the query offered finds what was meant."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.engine.query.language.habits import brackets_in, habit_in
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
    "/walk.*/": "walk*",
    "/walked/ home": "walked home",
    "Lemma:say": "lemma:say",
    "walk(s|ed)": "walks|walked",
    "lemma:(say|tell)": "lemma:say|lemma:tell",
    "Lemma:(say|tell) _NN": "lemma:say|lemma:tell tag:NN",
    "[say]": "lemma:say",
    "[say] that": "lemma:say that",
    "[say].[v*]": "lemma:say/VERB",
    "light.[n*]": "light/NOUN",
    "[j*] water": "ADJ water",
    "=strong": "lemma:strong",
    "[=strong] tea": "lemma:strong tea",
    "NEAR(rain, water)": 'MU(meet "rain"%c "water"%c -5 5)',
    "NEAR(rain,water,3)": 'MU(meet "rain"%c "water"%c -3 3)',
    "rain near/5 water": 'MU(meet "rain"%c "water"%c -5 5)',
    "rain W/5 water": 'MU(meet "rain"%c "water"%c -5 5)',
    "lemma:rain NEAR water": 'MU(meet [lemma="rain"%c] "water"%c -5 5)',
    "rain pre/4 water": 'MU(meet "rain"%c "water"%c 1 4)',
    "rain <<s>> water": 'MU(meet "rain"%c "water"%c s)',
    "rain w/s water": 'MU(meet "rain"%c "water"%c s)',
    "rain <<3>> water": 'MU(meet "rain"%c "water"%c -3 3)',
    "rain >>3>> water": 'MU(meet "rain"%c "water"%c 1 3)',
    "rain <<3<< water": 'MU(meet "rain"%c "water"%c -3 -1)',
    "rain..water": "rain ..3.. water",
    "rain … water": "rain ..3.. water",
    "“said that”": '"said that"',
    "say_V*": "say/VERB",
    "title:water": "water",
    "Headline:(rain | hail)": "(rain | hail)",
    "say+": "say?*",
    "NOUNS": "NOUN",
    "old ADJECTIVES NOUNS": "old ADJ NOUN",
    "ADJ+ NOUN": '[pos="JJ.*|ADJ"]+ [pos="NN.*|NOUN|PROPN"]',
    "(AP)": '"(AP)"',
    "dams (AP) said": 'dams "(AP)" said',
    "rain -hail": '("rain"%c) !within (<s> []* ("hail"%c) []* </s>)',
    "-hail heavy rain": '("heavy"%c "rain"%c) !within (<s> []* ("hail"%c) []* </s>)',
    "+rain +hail": 'MU(meet "rain"%c "hail"%c s)',
    "rain~": "rain",
    "rain~2 hail^3.5": "rain hail",
    "rain%c": "rain",
    "<s> rain": '<s> "rain"%c',
    "heavy rain </s>": '"heavy"%c "rain"%c </s>',
    "{rain": "rain",
    "heavy rain]": "heavy rain",
    "the ADJ{1,2} dam": '"the"%c [pos="JJ.*|ADJ"]{1,2} "dam"%c',
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
     "near the dam", "live near water", "near", "w/5", "NEAR", "NEWS",
     "1+1=2", "C++ or", "well … ", "a=b", "10:30",
     "snow|rain", "U.S.", "..3..", "re (heavy | light)", '"a_NN"', "snake_case",
     "-5 degrees", "e-mail", "rain - hail", "+27 21", "a ~ b", "50%", "<b>"],
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[say]", ["said", "says", "say"]),
        ("[say].[v*]", ["said", "says"]),
        ("say_V*", []),
        ("said_V*", ["said"]),
        ("=water", ["water", "waters"]),
        ("NEAR(said, water)", ["said"]),
        ("waters near/3 strong", ["waters"]),
        ("waters pre/3 water", []),
        ("water pre/3 waters", ["water"]),
        ("water <<s>> said", ["water"]),
        ("strong..water", ["strong dirty water", "strong water"]),
        ("“dirty water”", ["dirty water"]),
        ("title:water", ["water"]),
        ("say+", ["says"]),
        ("NOUNS", ["water", "waters", "say"]),
        ("ADJ+ NOUN", ["strong dirty water"]),
    ],
)
def test_the_query_offered_finds_what_was_meant(tmp_path, text, found):
    words = (
        "he/he/PRP said/say/VBD strong/strong/JJ dirty/dirty/JJ water/water/NN"
        "|waters/water/NNS he/he/PRP says/say/VBZ strong/strong/RB water/water/VB"
        "|a/a/DT say/say/NN"
    )
    snapshot = snapshot_of(tmp_path, [document(1, words)])

    habit = habit_in(text, SimpleOptions())
    hits = run(snapshot, parse(habit.query, Language(habit.language)))

    tokens = snapshot.document(DocumentKind.ARTICLE, 1, None).tokens
    (part,) = hits.parts
    pairs = zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True)
    spelled = [" ".join(token.word for token in tokens[start:end]) for start, end in pairs]
    assert [*dict.fromkeys(spelled)] == found


@pytest.mark.parametrize("text", ["lemma:(say|tell)", "walk(|s)"])
def test_mistake_of_habit_is_explained_with_a_way_out(text):
    with pytest.raises(QueryError) as caught:
        parse(text)

    habit = habit_in(text, SimpleOptions())
    assert (caught.value.message, caught.value.suggestion) == (habit.words, habit.query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("(AP)", '"(AP)"'),
        ("(rain) (AP)", '"(rain)" "(AP)"'),
        ("(rain|hail) storm", None),
        ("(heavy rain)", None),
        ('said "(AP)"', None),
        ("f(x)", None),
        ("“said” rain", None),
    ],
)
def test_brackets_around_one_word_are_found_and_no_others(text, query):
    found = brackets_in(text, SimpleOptions())

    assert (found and found.query) == query
