"""Languages: the eleven by name, the vocabulary test, and texts that say nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.language import NAMES, identify

OTHER_LANGUAGES = Path(__file__).parents[3] / "data" / "other_languages.tsv"
PASSAGES = [line.split("\t") for line in OTHER_LANGUAGES.read_text(encoding="utf-8").splitlines()]

ENGLISH_TEXT = (
    "The council said on Monday that the road past the clinic would be mended before winter, and "
    "that the people who live along it would be told in time."
)
TEXTS = {
    "en": ENGLISH_TEXT,
    "af": "Die raad het Maandag gesê die pad verby die kliniek sal voor die winter herstel word.",
    "zu": (
        "Umkhandlu uthe ngoMsombuluko umgwaqo odlula emtholampilo uzolungiswa ngaphambi kobusika."
    ),
    "xh": "Ibhunga lithe ngoMvulo indlela edlula ekliniki iya kulungiswa phambi kobusika.",
    "st": "Lekgotla le itse ka Mantaha tsela e fetang tliliniking e tla lokiswa pele ho mariha.",
    "tn": "Khansele ya re tsela e e fetang kwa tliliniking e tla baakanngwa pele ga mariga.",
    "ts": (
        "Khansele yi vurile hi Musumbhunuku leswaku patu leri hundzaka ekliniki ri ta lunghisiwa."
    ),
    "ve": (
        "Khoro yo amba nga Musumbuluwo uri bada i fhiraho kiliniki i ḓo lugiswa phanḓa ha mariha."
    ),
}


@pytest.mark.parametrize("code", TEXTS)
def test_identify_names_the_official_languages(code):
    decision = identify(TEXTS[code])

    assert decision.language == code
    assert NAMES[code] in decision.reason


def test_identify_gives_the_ratio_as_second_opinion():
    decision = identify(ENGLISH_TEXT)

    assert decision.unknown_share < 0.1
    assert decision.running_share <= decision.unknown_share
    assert decision.reason == (
        "Its letter sequences are English; 0\u202f% of its distinct words and 0\u202f% of its "
        "running words are outside the English vocabulary (English by that test)."
    )


def test_south_african_words_are_no_unknown_ones():
    words = "Umlungu amagwinya and the mampara with amandla ate amahewu and amasi by the door."

    assert identify(words).unknown_share == 0


@pytest.mark.parametrize(
    "text",
    [
        "Tous les êtres humains naissent libres et égaux en dignité et en droits, et ils doivent",
        "ὅλοι οἱ ἄνθρωποι γεννιούνται ἐλεύθεροι καὶ ἴσοι στὴν ἀξιοπρέπεια",
        "你好世界今天天气很好",
        "שלום עולם",
    ],
)
def test_a_foreign_text_is_none_of_the_official_languages(text):
    decision = identify(text)

    assert decision.language == "und"


@pytest.mark.parametrize(("language", "text"), PASSAGES)
def test_other_languages_are_not_taken_for_one_of_the_eleven(language, text):
    assert (language, identify(text).language) == (language, "und")


def test_expected_languages_decide_where_few_words_say_little():
    text = "abantu"  # people, in isiZulu and in isiXhosa alike

    assert identify(text, expected=("xh",)).language == "xh"
    assert identify(text, expected=("zu",)).language == "zu"
    assert identify(ENGLISH_TEXT, expected=("zu", "af")).language == "en"
    assert identify(ENGLISH_TEXT, expected=("fr",)) == identify(ENGLISH_TEXT)


def test_a_text_in_two_languages_is_of_the_one_with_more_letters():
    text = f"{TEXTS['af']} {TEXTS['zu']} {TEXTS['zu']}"

    assert identify(text).language == "zu"


@pytest.mark.parametrize("text", ["", " ", "42", "?!", "🎉🎉🎉", "a 1"])
def test_a_text_without_letters_is_unknown(text):
    assert identify(text).reason == "Too few letters to tell."


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_gets_a_decision(text):
    decision = identify(text)

    assert decision.language in NAMES
    assert 0 <= decision.unknown_share <= 1
    assert decision.reason.endswith(".")
    assert len(decision.reason) <= 300
