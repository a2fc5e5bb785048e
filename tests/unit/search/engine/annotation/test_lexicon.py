"""Entries that rule over the tagger."""

import pytest

from search.engine.annotation.features import CaseFlag, case_flags
from search.engine.annotation.lexicon import (
    LexiconError,
    LexiconOverrides,
    LexiconWord,
    parse_entry,
    south_african_words,
)

MAAS = LexiconWord("maas", ("NN",), "maas")


def test_the_shipped_list_can_be_used():
    words = {entry.word: entry for entry in south_african_words()}

    assert words["maas"].tags == ("NN",)
    assert words["sangomas"] == LexiconWord("sangomas", ("NNS",), "sangoma")
    assert words["eish"].tags == ("UH",)
    assert len(words) == len(south_african_words()) > 500


@pytest.mark.parametrize(
    ("word", "flag", "is_ruled"),
    [
        ("maas", CaseFlag.NORMAL, True),
        ("Maas", CaseFlag.FIRST, True),
        ("MAAS", CaseFlag.CAPITALS, True),
        ("Maas", CaseFlag.HEADLINE, True),
        ("Maas", CaseFlag.NORMAL, False),
        ("maasai", CaseFlag.NORMAL, False),
    ],
)
def test_a_small_entry_rules_where_a_capital_says_nothing(word, flag, is_ruled):
    overrides = LexiconOverrides.build([MAAS])

    assert (overrides.find(word, flag) is not None) is is_ruled


def test_a_capitalised_entry_rules_over_its_own_spelling_only():
    overrides = LexiconOverrides.build([LexiconWord("Sharpeville", ("NNP",))])

    assert overrides.find("Sharpeville", CaseFlag.NORMAL) is not None
    assert overrides.find("sharpeville", CaseFlag.NORMAL) is None


def test_an_entry_replaces_the_default_in_any_spelling():
    overrides = LexiconOverrides.build([LexiconWord("Maas", ("NNP",))], [MAAS])

    assert set(overrides.words) == {"Maas"}


def test_the_digest_tells_states_apart_and_not_orders():
    braai = LexiconWord("braai", ("NN", "VB"))

    assert (
        LexiconOverrides.build([MAAS, braai]).digest == LexiconOverrides.build([braai, MAAS]).digest
    )
    assert LexiconOverrides.build([MAAS]).digest != LexiconOverrides.none().digest


@pytest.mark.parametrize(
    ("word", "tags", "sentence"),
    [
        ("", "NN", "An entry is one word without spaces."),
        ("two words", "NN", "An entry is one word without spaces."),
        ("maas", " ", "An entry needs a tag, such as NN."),
        ("maas", "NOUN", "“NOUN” is not a Penn tag; nouns are NN, verbs VB."),
        ("ma\0as", "NN", "An entry is one word; this has a sign that cannot be seen."),
        ("m" * 101, "NN", "One word of at most 100 characters, please."),
        ("wi-fi", "NN", "taken apart into “wi” and “-” and “fi”. Enter one of these."),
        ("maas", "NN|VB|JJ|RB|UH|FW|CD", "At most 6 tags to choose from."),
    ],
)
def test_a_wrong_entry_is_refused_with_a_sentence(word, tags, sentence):
    with pytest.raises(LexiconError, match=sentence.replace(".", r"\.")):
        LexiconWord.parse(word, tags)


def test_several_tags_are_parsed():
    assert LexiconWord.parse(" braai ", "NN|VB|NN") == LexiconWord("braai", ("NN", "VB"))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (("just now", "RB"), ("just now", "RB RB", "")),
        (("just  now ", "RB  RB | UH", " just nou "), ("just now", "RB RB|UH", "just nou")),
        (("ja-nee", "UH"), ("ja - nee", "UH UH UH", "")),
        (("don’t", "VBP RB", "do not"), ("do n’t", "VBP RB", "do not")),
        (("braai", "NN | VB"), ("braai", "NN|VB", "")),
    ],
)
def test_an_expression_is_an_entry_for_each_of_its_tokens(typed, kept):
    entry = parse_entry(*typed)

    assert (entry.word, entry.tag, entry.lemma) == kept
    assert parse_entry(*kept) == entry


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("just now", "RB RB RB"), "“just now” has 2 tokens here: one tag for each"),
        (("just now", "RB", "just"), "“just now” has 2 tokens here: one lemma for each"),
        (("just now", "RB XYZ"), "“XYZ” is not a Penn tag"),
        (("just now", ""), "one tag for each"),
        (("a b c d e f g", "NN"), "at most 6 tokens"),
        (("b" * 60 + " " + "c" * 60, "NN"), "100 characters"),
        (("a b c d e f", "NNS|NNPS|VBZ"), "At most 40 characters of tags"),
        (("just\u200bnow then", "RB"), "cannot be seen"),
    ],
)
def test_an_expression_that_cannot_rule_is_refused(typed, words):
    with pytest.raises(LexiconError, match=words):
        parse_entry(*typed)


def test_expressions_of_a_sentence_are_found_from_the_left_the_longest_first():
    now_now, just_now, now_then = (
        parse_entry(w, "RB") for w in ("now now", "just now", "Now then")
    )
    lexicon = LexiconOverrides.build(
        [now_now, just_now, now_then, parse_entry("just now now", "RB")]
    )
    sentence = ["Just", "now", "now", "just", "now", "then", "Now", "then", "now", "now", "now"]

    found = [
        (place, one.word) for place, one in lexicon.expressions_in(sentence, case_flags(sentence))
    ]

    assert found == [(0, "just now now"), (3, "just now"), (6, "Now then"), (8, "now now")]
    assert {entry.word for entry in lexicon.entries} == {
        "now now", "just now", "Now then", "just now now",
    }  # fmt: skip
