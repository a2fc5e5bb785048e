"""Odd texts through the whole chain: language, sentences, tokens, tags, lemmas, fingerprints.

Nothing stops, nothing is lost, and what is stored can be written by any codec.
"""

import pytest

from dedup.similarity.near import compare, signature
from extraction.text.normalize import normalize_text
from extraction.text.paragraph_languages import text_languages
from extraction.text.sentences import split_sentences
from search.engine.annotation.annotate import TextToAnnotate, annotate_many
from search.engine.annotation.lexicon import LexiconOverrides, south_african_words
from search.engine.annotation.tagger import shared_tagger

pytestmark = pytest.mark.sql

ODD = {
    "empty": "",
    "blank": " \n\t\n ",
    "one word": "Eish",
    "one sign": "?",
    "digits": "42 000 000",
    "emoji": "🎉🔥👨‍👩‍👧 🇿🇦🏽 " * 200,
    "Hebrew": "ראש העיר אמר ביום שני שהכביש יתוקן לפני החורף. התושבים יקבלו הודעה בזמן.",
    "Arabic with English": (
        "قال رئيس البلدية إن الطريق سيتم إصلاحه. The mayor agreed. \u202eevil\u202c"
    ),
    "NUL": "The council\x00 met.\x00 It\x00\x00 voted.",
    "lone surrogates": "The mayor \ud83d said \udc00 so. \ud800",
    "combining marks": "a" + 500 * "\u0301" + " the end.",
    "isiZulu": "Umkhandlu uthe umgwaqo uzolungiswa. Abantu bazotshelwa ngesikhathi.",
    "German": "Die Straße wird vor dem Winter ausgebessert. Die Anwohner sind froh.",
    "Afrikaans": "Die pad word voor die winter herstel. Mnr. Botha is bly daaroor.",
    "abbreviations only": "Dr. Prof. Adv. No. St. " * 300,
    "stops only": ". . . ... ?!?! " * 500,
    "no spaces": "x" * 20_000,
    "brackets": "([{" * 5_000,
    "quotes": "\"'" * 5_000,
}


def chain(text):
    """What the stages make of a text: its stored form, language, annotation, signature."""
    stored = normalize_text(text)
    languages = text_languages(stored)
    overrides = LexiconOverrides.build((), south_african_words())
    job = TextToAnnotate(stored, languages.decision.language)
    return stored, languages, annotate_many([job], shared_tagger(), overrides)[0], signature(stored)


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_come_through_whole(name):
    stored, languages, annotated, signed = chain(ODD[name])

    stored.encode("utf-8")
    assert "\x00" not in stored
    letters = [sign for sign in stored if not sign.isspace()]
    spans = split_sentences(stored)
    assert [sign for a, b in spans for sign in stored[a:b] if not sign.isspace()] == letters
    assert languages.decision.reason.endswith(".")
    words = [token.word for token in annotated.tokens]
    assert [sign for sign in "".join(words) if not sign.isspace()] == letters
    assert signed.fingerprints.tolist() == signature(stored).fingerprints.tolist()
    assert compare(signed, {}) == []


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("empty", "und"),
        ("emoji", "und"),
        ("Hebrew", "he"),
        ("isiZulu", "zu"),
        ("German", "de"),
        ("Afrikaans", "af"),
        ("lone surrogates", "en"),
    ],
)
def test_odd_texts_have_the_language_they_have(name, language):
    assert chain(ODD[name])[1].decision.language == language


def test_a_hundred_thousand_identical_sentences_come_through():
    stored, languages, annotated, signed = chain("They met. " * 100_000)

    assert len(split_sentences(stored)) == 100_000
    assert languages.decision.language == "en"
    assert len(annotated.tokens) == 300_000
    assert len(signed.fingerprints) < 100


def test_five_megabytes_in_one_paragraph_come_through():
    words = "Umkhandlu uthe izindawo zokuhlala zizolungiswa", 100 * "ngokushesha", "ngaphambi"

    stored, languages, annotated, _ = chain(f"{' '.join(words)}. " * 4_400)

    assert len(stored) > 5_000_000
    assert languages.decision.language == "zu"
    assert len(annotated.tokens) == 8 * 4_400
