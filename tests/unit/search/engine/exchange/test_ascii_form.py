"""The nearest ASCII letters of strings and of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.exchange.ascii_form import NO_FORM, ascii_form, in_ascii
from search.engine.exchange.texts import CorpusText, TextColumns


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Malmö Ångström naïve", "Malmo Angstrom naive"),
        ("Ørsted, Łódź, Groß, Æsop, Đorđe, Þór", "Orsted, Lodz, Gross, AEsop, Dorde, Thor"),
        ("‘n môre – “nee” … „ja“ ‹so› «ja»", '\'n more - "nee" ... "ja" \'so\' "ja"'),
        ("R5\u00a0000 ½ ﬁre", "R5 000 1/2 fire"),
        ("co\u00adoperate", "cooperate"),
        ("q\u0307x", "qx"),
        ("Ελλάς", "?????"),
    ],
)
def test_letters_and_signs_have_their_nearest_form(text, form):
    assert ascii_form(text) == form


@given(st.text())
def test_every_string_becomes_ascii_and_stays_so(text):
    form = ascii_form(text)

    assert form.isascii()
    assert ascii_form(form) == form


def test_a_text_keeps_its_tokens_one_by_one():
    tokens = [("Môre", "môre", "NN"), ("\u0301", "", "XX"), (".", ".", ".")]
    columns = TextColumns("n1", title="Café", author="André", section="Môre", publication="die-ô")
    text = CorpusText(columns, tokens, [0], [False, True, False])

    (found,) = in_ascii([text])

    assert found.tokens == [("More", "more", "NN"), (NO_FORM, "", "XX"), (".", ".", ".")]
    assert (found.columns.title, found.columns.author, found.columns.section) == (
        "Cafe", "Andre", "More",
    )  # fmt: skip
    assert (found.columns.name, found.columns.publication) == ("n1", "die-ô")
    assert (found.sentence_starts, found.space_before) == ([0], [False, True, False])
