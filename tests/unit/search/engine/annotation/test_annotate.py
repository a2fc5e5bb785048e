"""From text to tokens with tags and lemmas."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.normalize import normalize_text
from search.engine.annotation.annotate import (
    TextToAnnotate,
    annotate,
    annotate_many,
)
from search.engine.annotation.languages import is_tagged, tagged_languages
from search.engine.annotation.lexicon import LexiconOverrides, LexiconWord, south_african_words
from search.engine.annotation.tagger import shared_tagger

SHIPPED = LexiconOverrides.build((), south_african_words())
ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=120).map(normalize_text)


def tagged(text, overrides=SHIPPED, language="en"):
    found = annotate(text, shared_tagger(), overrides, language)
    return [(token.word, token.tag, token.lemma) for token in found.tokens]


def test_south_african_words_come_out_right():
    text = "Maas is sour milk. The sangomas drank maas at the braai. Eish! It was in the bakkie."

    found = {word: (tag, lemma) for word, tag, lemma in tagged(text)}

    assert found["Maas"] == ("NN", "maas")
    assert found["maas"] == ("NN", "maas")
    assert found["sangomas"] == ("NNS", "sangoma")
    assert found["braai"] == ("NN", "braai")
    assert found["Eish"] == ("UH", "eish")
    assert found["bakkie"] == ("NN", "bakkie")


def test_a_name_is_left_alone_by_a_small_entry():
    assert ("Maas", "NNP", "Maas") in tagged("They met Mr Maas of Eskom there.")


def test_an_editors_entry_wins():
    overrides = LexiconOverrides.build(
        [LexiconWord("maas", ("NNS",), "masi")], south_african_words()
    )

    assert ("maas", "NNS", "masi") in tagged("They drank maas.", overrides)


def test_money_is_tagged_as_money():
    assert tagged("R2.5m")[:2] == [("R", "$", "R"), ("2.5", "CD", "2.5")]


def test_paragraphs_are_sentences_of_their_own():
    found = annotate("First text.\nAnother text", shared_tagger(), SHIPPED)

    assert found.sentences == ((0, 3), (3, 5))
    assert found.sentence_starts == [0, 3]


def test_other_languages_have_words_and_small_lemmas_only():
    assert tagged("Le Sangoma iyeza.", language="zu") == [
        ("Le", "XX", "le"),
        ("Sangoma", "XX", "sangoma"),
        ("iyeza", "XX", "iyeza"),
        (".", "XX", "."),
    ]


def test_afrikaans_has_universal_tags_and_lemmas():
    assert tagged("Die skole in Suid-Afrika is gesluit.", language="af-ZA") == [
        ("Die", "DET", "die"),
        ("skole", "NOUN", "skool"),
        ("in", "ADP", "in"),
        ("Suid-Afrika", "PROPN", "Suid-Afrika"),
        ("is", "AUX", "wees"),
        ("gesluit", "VERB", "sluit"),
        (".", "PUNCT", "."),
    ]


@pytest.mark.parametrize(("code", "expected"), [("en-ZA", True), ("af", True), ("afz", False)])
def test_english_and_afrikaans_are_tagged(code, expected):
    assert is_tagged(code) is expected


def test_texts_of_several_languages_keep_their_order():
    texts = [
        TextToAnnotate("Rain fell."),
        TextToAnnotate("Dit reën.", "af"),
        TextToAnnotate(""),
        TextToAnnotate("Liyana.", "zu"),
        TextToAnnotate("", "af"),
        TextToAnnotate("Die wind waai. Dit is koud.", "af"),
        TextToAnnotate("Wind blew. It rained.", "en-ZA"),
    ]

    together = annotate_many(texts, shared_tagger(), SHIPPED)

    alone = [annotate(item.text, shared_tagger(), SHIPPED, item.language) for item in texts]
    assert together == alone
    assert [len(found.tokens) for found in together] == [3, 3, 0, 2, 0, 8, 6]


@given(ANY_TEXT, st.sampled_from(["en", "af", "zu", ""]))
def test_offsets_reproduce_the_text(text, language):
    found = annotate(text, shared_tagger(), SHIPPED, language)

    assert all(text[token.start : token.end] == token.word for token in found.tokens)
    assert all(a.end <= b.start for a, b in pairwise(found.tokens))
    assert "".join(token.word for token in found.tokens).replace(" ", "") == "".join(text.split())
    assert [bound for span in found.sentences for bound in span] == sorted(
        bound for span in found.sentences for bound in span
    )
    spaces = found.space_before()
    assert spaces == [
        place > 0 and text[token.start - 1].isspace() for place, token in enumerate(found.tokens)
    ]


@pytest.mark.parametrize("language", ["en", "af"])
@pytest.mark.parametrize(
    "text", ["", "🎉" * 1000, "שלום עולם", "." * 5000, "a" * 100_000, "a " * 9000, "a-" * 9000]
)
def test_odd_texts_are_annotated(text, language):
    found = annotate(text, shared_tagger(), SHIPPED, language)

    assert sum(len(token.word) for token in found.tokens) == len("".join(text.split()))


def test_the_version_is_that_of_the_files():
    versions = [entry.version() for entry in tagged_languages()]
    assert versions == [entry.version() for entry in tagged_languages()]
    assert list(map(len, versions)) == [16, 16]
