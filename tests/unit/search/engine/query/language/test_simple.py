"""The simple language: what it means in CQL, and what is said about mistakes."""

import re

import pytest

from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import parse
from search.engine.query.language.simple import PARTS_OF_SPEECH
from search.engine.query.language.to_cql import to_cql


def split(text):
    """A tokenizer for tests: the negation is a token of its own, as in the corpus."""
    return text.replace("n't", " n't").replace("'s", " 's").split()


MEANINGS = {
    "rain": '"rain"%c',
    "heavy rain": '"heavy"%c "rain"%c',
    '"heavy rain"': '"heavy"%c "rain"%c',
    "don't": '"do"%c "n[\'’‘]t"%c',
    '"don\'t go"': '"do"%c "n[\'’‘]t"%c "go"%c',
    "’n": '"[\'’‘]n"%c',
    "'n": '"[\'’‘]n"%c',
    r"\'n": '"\'n"%c',
    "foto'*": '"foto[\'’‘].*"%c',
    "lemma:’n": '[lemma="[\'’‘]n"%c]',
    "say “no": '"say"%c "[""“”]no"%c',
    "rain*": '"rain.*"%c',
    "r?n": '"r.n"%c',
    "*": "[]",
    "U.S.": r'"U\.S\."%c',
    "$5": r'"\$5"%c',
    r"\*": r'"\*"%c',
    '"*"': r'"\*"%c',
    "lemma:go": '[lemma="go"%c]',
    "lemma:g*": '[lemma="g.*"%c]',
    "word:lemma:x": '"lemma:x"%c',
    "tag:JJ*": '[pos="JJ.*"]',
    "NOUN": '[pos="NN.*|NOUN|PROPN"]',
    "tag:ADV": '[pos="RB.*|WRB|ADV"]',
    "tag:X": '[pos="FW|ADD|AFX|GW|LS|X"]',
    "X": '"X"%c',
    "Twitter/X": '"Twitter/X"%c',
    "die/DET": '[word="die"%c & pos="DT|PDT|WDT|DET"]',
    "NOUN of the state": '[pos="NN.*|NOUN|PROPN"] "of"%c "the"%c "state"%c',
    "noun": '"noun"%c',
    "light/VERB": '[word="light"%c & pos="VB.*|MD|VERB|AUX"]',
    "light/NN*": '[word="light"%c & pos="NN.*"]',
    "and/or": '"and/or"%c',
    "1/2": '"1/2"%c',
    "snow|rain": '[word="snow"%c | word="rain"%c]',
    "snow | rain": '"snow"%c | "rain"%c',
    "snow| rain": '"snow"%c | "rain"%c',
    "snow | heavy rain": '"snow"%c | "heavy"%c "rain"%c',
    "can|can't": '("can"%c | "ca"%c "n[\'’‘]t"%c)',
    "heavy (snow | hail storm)": '"heavy"%c ("snow"%c | "hail"%c "storm"%c)',
    "not ..3.. but": '"not"%c []{0,3} "but"%c within s',
    "not ..2-5.. but": '"not"%c []{2,5} "but"%c within s',
    "  rain  ": '"rain"%c',
    "10:30": '"10:30"%c',
    "http://x": '"http://x"%c',
}


@pytest.mark.parametrize("text", [text for text in MEANINGS if text != "can|can't"])
def test_simple_query_means(text):
    assert to_cql(parse(text, tokenize=split)) == MEANINGS[text]


def test_alternatives_of_unlike_length_become_a_group():
    written = to_cql(parse("can|don't", tokenize=split))

    assert written == '"can"%c | "do"%c "n[\'’‘]t"%c'


def test_match_case_leaves_the_flag_out():
    assert to_cql(parse("Rain lemma:Go", match_case=True)) == '"Rain" [lemma="Go"]'


def tags_of(name, tags):
    return {tag for tag in tags if re.fullmatch(PARTS_OF_SPEECH[name], tag)}


@pytest.mark.parametrize("name", sorted(set(PARTS_OF_SPEECH) & set(UNIVERSAL_TAGS)))
def test_word_class_has_its_universal_tag_and_no_other(name):
    wider = {"NOUN": {"PROPN"}, "VERB": {"AUX"}}

    assert tags_of(name, UNIVERSAL_TAGS) == {name} | wider.get(name, set())


def test_word_classes_name_every_tag_but_those_of_foreign_and_untagged_words():
    named = {tag for name in PARTS_OF_SPEECH for tag in tags_of(name, TAGS | UNIVERSAL_TAGS)}

    assert set(TAGS | UNIVERSAL_TAGS) - named == {"FW", "ADD", "AFX", "GW", "LS", "X", "XX"}
    assert not tags_of("PUNCT", TAGS) & tags_of("SYM", TAGS)


MISTAKES = {
    "": (0, "The query is empty."),
    '"heavy': (0, "The quote opened here is never closed."),
    "a (b | c": (2, "The bracket opened here is never closed."),
    "a ) b": (2, "This bracket was never opened."),
    "..3.. x": (0, "A word is missing before the gap."),
    "x ..3..": (7, "A word is missing after the gap."),
    "x ..999.. y": (2, "A gap has at most 100 tokens."),
    "x ..5-2.. y": (2, "A gap has at most 100 tokens."),
    "a | | b": (4, "A word is missing here."),
    "a |": (3, "A word is missing here."),
    "|": (0, "A word is missing here."),
    '""': (0, "There is nothing between the quotes."),
    "()": (1, "A word is missing here."),
    "a lemma:": (
        8,
        (
            "Behind “lemma:” a lemma is missing. "
            'For these characters themselves write "lemma:" in quotes.'
        ),
    ),
    "tag:": (
        4,
        'Behind “tag:” a tag is missing. For these characters themselves write "tag:" in quotes.',
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistake_is_explained_at_its_position(text):
    with pytest.raises(QueryError) as caught:
        parse(text)

    assert (caught.value.position, caught.value.message) == MISTAKES[text]
