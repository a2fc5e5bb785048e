"""Sentence boundaries: South African news style, paragraphs, span laws."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.text.normalize import normalize_text
from extraction.text.sentences import split_sentences

ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=200)
NEWS = st.lists(
    st.sampled_from(
        [
            "Dr.",
            "No.",
            "5",
            "The",
            "end.",
            "“Yes!”",
            "she",
            "said.",
            "\n",
            "p.m.",
            "B.",
            "...",
            "a)",
        ]
    ),
    max_size=30,
).map(" ".join)


def split(text):
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        # A bar marks the boundaries.
        "Adv. Menzi Simelane was appointed.|Cllr. Mokoena said R2.5m had been budgeted.",
        "Her house, No. 4 Biko St., has no roof.|No.|It has not.",
        "They arrived at 7 a.m.|They left at 10 p.m. on Monday.",
        "Stage 4 ends at 10 p.m.|Stage 2 follows.",
        "uMnu. Zuma said so.|UDkt. Dlamini agreed.",
        "It rained in Durban.|eThekwini Municipality closed roads.",
        "“Why are we still here?” asked Mrs. Khumalo.|“Nobody listens!|We wait.”",
        "“Stop!” Thandi Dube said.|He did.",
        "“They played like champions...|It was a pleasure.”",
        "My people... they are gone.",
        "See S v. Makwanyane 1995 (3) SA 391 (CC) at paras. 95-146.|It was dismissed.",
        "It was signed on 3 Sept. 2013 by Smith & Co. in Cape Town.",
        "N. C. Dlamini met K.E.S. coach J. Botha.|Then he left.",
        "The rand fell to R18.45.|Nobody knew why.",
        "It grew by 5%.[6]|The next year it fell. [17]|So it went.",
        "i was there.|you were not.",
        "First the text.|Another text with the space forgotten.",
        "Ald. Dan Plato met Ref. Jaco Peyper.|Brig.-Gen. Dube was there.",
        "Lt.-Col. Khan and W.O. Fourie saluted.|Kapt. F. C. van Wyk nie.",
        "On 3 Oct. Parliament met.|It met again on 9 Nov.|Residents were told.",
        "Nelson Mandela (b. 18 July 1918, d. 5 Dec. 2013) grew up in Qunu.|He left.",
        "He was shot in Florida Rd.|Tebello died too.",
        "The M4 at Umlazi Stn. Road is shut.|Use Sect. D, Blk. R.R. or Ext. 4.",
        "Supt. (ret.) Piet Byleveld spoke.|Tickets are R890 p.p.|Hugh sings.",
        "The robbers fled in a Polo, reg. no. FTR 345 EC.|Nobody was hurt.",
        "P.-S. du Toit and J.-P. Pietersen were dropped.|No.|Nobody expected that.",
        "Limpopo (pop. 5.8m) has 5 wkts. Left.|It won.",
        "Die voorval het om 3 nm. gebeur.|Prof. dr. Jonathan Jansen sê so.",
        "Hy is dood.|'n Vrou is beseer.|’n Kind nie, ens. 'n man ook.",
        "“Ons is geskok,” sê me. Elna Boesak.|He told me.|Elna left.",
        "Ds. Dirkie v.d. Spuy lees Joh. 3:16.|Mr. B. v.d. Merwe nie.",
        "a) The first is free.|b) The second costs R50.|(iii) There is no third.",
        "He scored in the 89th min.|Broos was relieved; 40 kg.|Nobody ran 5 hrs. 13 min. 2 sec.",
        "They fled in a car with reg. DN 45 KL GP.|Was she?|(Yes.)|Nobody knew.",
    ],
)
def test_sentences_of_south_african_news(text):
    expected = text.split("|")
    joined = text.replace("|", "" if "forgotten" in text else " ")

    assert split(joined) == expected


def test_paragraphs_are_always_boundaries():
    assert split("text.\nAnother") == ["text.", "Another"]
    assert split("No stop here\nno capital there\n\n\nDr.\nZuma") == [
        "No stop here",
        "no capital there",
        "Dr.",
        "Zuma",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "?", "🎉🎉", "שלום. עולם."])
def test_odd_texts_split_without_fuss(text):
    assert "".join(split(text)).replace(" ", "") == text.strip().replace(" ", "")


@given(ANY_TEXT.map(normalize_text) | NEWS)
def test_sentences_hold_every_character_once(text):
    spans = split_sentences(text)

    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    inside = "".join(text[start:end] for start, end in spans)
    assert [c for c in inside if not c.isspace()] == [c for c in text if not c.isspace()]
    assert all(text[a:b] == text[a:b].strip() and "\n" not in text[a:b] for a, b in spans)


def test_a_hundred_thousand_sentences_are_split():
    text = "The council met. " * 100_000

    assert len(split_sentences(text)) == 100_000


def test_a_hundred_thousand_paragraphs_of_one_word_are_split():
    text = "Voetsek. Haibo\n" * 100_000

    assert len(split_sentences(text)) == 200_000
