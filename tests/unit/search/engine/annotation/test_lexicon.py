"""Entries that rule over the tagger."""

import pytest

from search.engine.annotation.features import CaseFlag
from search.engine.annotation.lexicon import (
    LexiconError,
    LexiconOverrides,
    LexiconWord,
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
