"""Languages that are none of the eleven: named by the page where it says so, else by the text."""

import pytest

from extraction.text.language import identify
from extraction.text.language_model import NAMES
from extraction.text.language_names import LANGUAGES, language_code, language_name
from extraction.text.other_languages import LEAST_CHARS, named
from extraction.text.paragraph_languages import text_languages
from search.engine.annotation.function_words import FUNCTION_WORDS

GERMAN = (
    "Der Stadtrat hat am Montag beschlossen, dass die Straße an der Klinik vor dem Winter "
    "repariert wird, doch das Geld dafür fehlt noch immer."
)
SPANISH = (
    "El ayuntamiento decidió el lunes que la carretera junto a la clínica se reparará antes del "
    "invierno, pero todavía falta el dinero para las obras."
)
ENGLISH = "The council said on Monday that the road past the clinic would be mended before winter."
CHICHEWA = "Apolisi akufunafuna amuna awiri amene anaba m'sitolo usiku watha ku mzinda."


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (GERMAN, "", "de"),
        (GERMAN, "de-DE", "de"),
        (GERMAN, "en", "de"),  # the template's language is not the text's
        (GERMAN, "fr", "de"),
        (SPANISH, "es_ES", "es"),
        (ENGLISH, "de", "en"),
        (CHICHEWA, "ny", "ny"),
        (CHICHEWA, "", "und"),
        ("Городской совет решил в понедельник отремонтировать дорогу у больницы.", "", "ru"),
        ("Ja, ja.", "de", "und"),
    ],
)
def test_language_of_a_text(text, declared, language):
    decision = text_languages(text, declared=declared).decision

    assert decision.language == language


def test_official_languages_are_left_to_their_own_model():
    decision = identify(ENGLISH)

    assert named(decision, ENGLISH, "de") is decision


def test_reason_names_who_said_so():
    assert identify(GERMAN).language == "und"
    assert named(identify(GERMAN), GERMAN, "de").reason.startswith("The page declares German.")
    assert named(identify(GERMAN), GERMAN).reason.startswith("German, 100")


def test_short_text_is_not_named():
    assert named(identify("Nein, wirklich"), "Nein, wirklich").language != "de"
    assert len("Nein, wirklich") < LEAST_CHARS


def test_every_language_has_a_name_and_a_code():
    assert NAMES.items() <= LANGUAGES.items()
    assert all(name == name.strip() and name for name in LANGUAGES.values())
    assert language_name("tr") == "Turkish"
    assert [language_code(text) for text in ("TR", "pt-BR", "nbl", "", "xx", "und")] == [
        "tr", "pt", "nr", "", "", "",
    ]  # fmt: skip


def test_lists_of_function_words_are_of_languages_with_names():
    assert set(FUNCTION_WORDS) <= set(LANGUAGES)
    assert {"de", "le", "la"} <= FUNCTION_WORDS["fr"]
    assert all(word == word.lower() for words in FUNCTION_WORDS.values() for word in words)
