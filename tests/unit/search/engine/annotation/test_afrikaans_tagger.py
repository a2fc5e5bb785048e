"""The Afrikaans tagger: words keep to the tags they are known to have."""

import pytest

from search.engine.annotation.afrikaans_tagger import EVERYDAY_PATH, afrikaans_tagger, seen_tags
from search.engine.annotation.tagset import UNIVERSAL_TAGS, describe


def tagged(text):
    words = text.split()
    return dict(zip(words, afrikaans_tagger().tag_sentences([words])[0], strict=True))


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [
        ("Haar man het die bakkie se dak bereik en daar bly sit .", "man", "NOUN"),
        ("Haar man het die bakkie se dak bereik en daar bly sit .", "sit", "VERB"),
        ("Niemand , maar niemand , sit pap in die mikrogolf nie .", "sit", "VERB"),
        ("Die rivier was die oggend nog droog .", "droog", "ADJ"),
        ("Sewentig kilometer ver het die water gekom .", "ver", "ADV"),
        ("’n Bakkie met ’n koek agterop is weg .", "agterop", "ADV"),
        ("Toe sy die brug halfpad oor was , het die enjin gevrek .", "brug", "NOUN"),
        ("Die koek se bakster is uit die water gehaal .", "bakster", "NOUN"),
        ("Bietjie klam , sê sy .", "klam", "ADJ"),
        ("Maar toe vat jy ’n vurk .", "vat", "VERB"),
        # Of one sense in the treebank, or of none.
        ("Die val was hoog .", "val", "NOUN"),
        ("Die val was hoog .", "hoog", "ADJ"),
        ("Sy val van haar perd af .", "val", "VERB"),
        ("Die huis is mooi .", "mooi", "ADJ"),
        ("Petrol word duurder .", "Petrol", "NOUN"),
        ("Die hospitaal is vol pasiënte .", "vol", "ADJ"),
        ("Haar boek is baie gewild .", "boek", "NOUN"),
    ],
)
def test_tags_of_common_words(text, word, tag):
    assert tagged(text)[word] == tag


def test_prepositions_of_place_are_no_verbs():
    assert tagged("By ’n padblokkade naby Calvinia is skape gevind .")["naby"] in {"ADP", "ADV"}


def test_a_capital_inside_a_sentence_may_be_of_a_name():
    ranked = afrikaans_tagger().alternatives(["Groot", "Groot", "groot"])
    assert [{found.tag for found in word} for word in ranked] == [
        {"ADJ"},
        {"ADJ", "PROPN"},
        {"ADJ"},
    ]


def test_the_first_alternative_is_the_tag():
    words = ["Haar", "man", "het", "daar", "bly", "sit", "en", "niemand", "vat", "pap", "."]
    ranked = afrikaans_tagger().alternatives(words)
    assert [found[0].tag for found in ranked] == afrikaans_tagger().tag_sentences([words])[0]


def test_a_fixed_tag_rules_over_what_a_word_may_be():
    assert afrikaans_tagger().tag_sentences([["die", "man"]], {(0, 1): ("ADJ",)}) == [
        ["DET", "ADJ"]
    ]


def test_unknown_words_may_be_anything():
    assert seen_tags("zwibbeling") == ()
    assert seen_tags("man") == ("NOUN",)


def test_no_words_have_no_tags():
    assert afrikaans_tagger().tag_sentences([[], []]) == [[], []]
    assert afrikaans_tagger().alternatives([]) == []


def test_every_tag_is_described():
    assert set(afrikaans_tagger().tags) <= set(UNIVERSAL_TAGS)
    assert describe("PROPN").words == "name"


def test_everyday_words_have_tags_there_are():
    lines = EVERYDAY_PATH.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]

    assert all(set(tags.split("|")) <= set(UNIVERSAL_TAGS) for _, tags in rows)
    assert [word for word, _ in rows] == sorted({word.lower() for word, _ in rows})
