"""Words of short texts: the table of bytes for ASCII says what the pattern says."""

import re

import pytest

from extraction.text.plain_words import plain, words_of


@pytest.mark.parametrize("sign", [chr(code) for code in range(128)])
def test_words_of_ascii_are_those_of_the_pattern(sign):
    text = f"Fire{sign}At {sign} the{sign}{sign}Harbour 24{sign}"

    assert words_of(text) == re.findall(r"\w+", text.casefold())


def test_words_of_other_scripts_keep_their_marks():
    assert words_of("Straße – DIE Môre, reën") == ["strasse", "die", "môre", "reën"]


def test_words_of_a_plain_form_are_the_words_of_the_text():
    assert words_of(plain("Durban's HARBOUR, 2024")) == words_of("Durban's HARBOUR, 2024")
