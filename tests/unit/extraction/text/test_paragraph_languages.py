"""Paragraphs in other languages: where they are, what is too short, who has the majority."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.normalize import normalize_text
from extraction.text.paragraph_languages import LanguageSpan, text_languages

ENGLISH = (
    "The council said on Monday that the road past the clinic would be mended before winter.",
    "People who live along it will be told in time, according to the mayor of the town.",
    "The work was promised three years ago and has been put off twice since then.",
)
ZULU = (
    "Umkhandlu uthe ngoMsombuluko umgwaqo odlula emtholampilo uzolungiswa ngaphambi kobusika.",
    "Abantu abahlala eduze nawo bazotshelwa ngesikhathi, ngokusho kwemeya yedolobha.",
)
GERMAN = "Die Straße an der Klinik wird noch vor dem Winter ausgebessert, sagte der Bürgermeister."
GREEK = "Ο δρόμος δίπλα στην κλινική θα επισκευαστεί πριν από τον χειμώνα, είπε ο δήμαρχος."


def spans(*paragraphs):
    """Language and text of each span."""
    text = "\n".join(paragraphs)
    found = text_languages(text)
    return found.decision.language, [
        (span.language, text[span.start : span.end]) for span in found.spans
    ]


def test_a_text_in_one_language_has_no_spans():
    assert spans(*ENGLISH) == ("en", [])
    assert spans(*ZULU) == ("zu", [])


def test_a_paragraph_in_another_language_is_a_span():
    assert spans(ENGLISH[0], ZULU[0], *ENGLISH[1:]) == ("en", [("zu", ZULU[0])])


def test_paragraphs_in_a_row_are_one_span():
    both = "\n".join(ZULU)

    assert spans(*ENGLISH, *ZULU, ENGLISH[0]) == ("en", [("zu", both)])


@pytest.mark.parametrize(("foreign", "code"), [(GERMAN, "de"), (GREEK, "el")])
def test_a_foreign_paragraph_is_of_its_own_language(foreign, code):
    assert spans(*ENGLISH, foreign) == ("en", [(code, foreign)])


def test_short_paragraphs_inherit():
    assert spans(*ENGLISH, "Ngiyabonga kakhulu.") == ("en", [])
    assert spans(*ENGLISH, ZULU[0], "She smiled.", ZULU[1])[1] == [
        ("zu", f"{ZULU[0]}\nShe smiled.\n{ZULU[1]}")
    ]


def test_the_majority_of_the_letters_decides():
    text = "\n".join((*(3 * ENGLISH), *(10 * ZULU)))

    found = text_languages(text)

    assert found.decision.language == "zu"
    assert found.decision.reason.startswith(
        "69\u202f% of its letters are in isiZulu paragraphs, though it begins as English. Its"
    )
    assert found.spans == (LanguageSpan(0, len("\n".join(3 * ENGLISH)), "en"),)


def test_tables_of_an_english_text_are_no_other_language():
    table = "Named-A 8,559.8 8,684.8 nil nil Unnamed-B 945.7 nil nil Other 90.8 nil nil total nil"

    assert spans(*ENGLISH, table) == ("en", [])


@pytest.mark.parametrize("text", ["", "x", "42\n\n17", "🎉\n🎉🎉"])
def test_texts_without_paragraphs_have_no_spans(text):
    assert text_languages(text).spans == ()


@given(st.text(st.characters(codec="utf-8"), max_size=400).map(normalize_text))
def test_spans_are_ascending_and_lie_inside_the_text(text):
    places = [place for span in text_languages(text).spans for place in (span.start, span.end)]

    assert places == sorted(set(places))
    assert all(0 <= place <= len(text) for place in places)
