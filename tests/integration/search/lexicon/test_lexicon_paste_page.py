"""A list from elsewhere: what becomes of each line is seen first; the export reads back."""

import csv

import pytest
from factories import NOW, index_all, make_article
from pages import markup

from search.lexicon.changes import EntryValues, save_entries
from search.lexicon.entries import overrides
from search.lexicon.paste import MOST_LINES, LineFate, read_paste
from search.lexicon.rows import lexicon_rows
from search.models import LexiconEntry, LexiconUse, Retagging

pytestmark = pytest.mark.django_db


def paste(client, text, **values):
    return client.post("/words/lexicon/paste/", {"text": text} | values)


def fates(text):
    return [(line.fate, line.reason) for line in read_paste(text).lines]


def test_lines_are_new_changed_the_same_or_refused():
    values = EntryValues("koesister", "NN", "koesister", "Afrikaans", "doughnut", "mother")
    save_entries([values, EntryValues("fog", "NN")], None, NOW)
    text = "koesister\tNN\nfog;VB\n\nmist;NOUN\nbraaibroodjie;NN;;Afrikaans;toast\nFog;NN"

    found = read_paste(text)

    assert [(line.number, line.fate) for line in found.lines] == [
        (1, LineFate.SAME), (2, LineFate.CHANGED), (4, LineFate.REFUSED), (5, LineFate.NEW),
        (6, LineFate.REFUSED),
    ]  # fmt: skip
    assert found.lines[2].reason == "“NOUN” is not a Penn tag; nouns are NN, verbs VB."
    assert found.lines[4].reason == "As line 2 has it."
    assert found.to_save == [
        EntryValues("fog", "VB"),
        EntryValues("braaibroodjie", "NN", "", "Afrikaans", "toast"),
    ]


def test_expressions_are_read_as_the_export_writes_them(reader):
    save_entries([EntryValues("just now", "RB UH")], None, NOW)

    found = read_paste("ja-nee;UH;ja - nee;Afrikaans\njust now;RB UH\njust now ;UH")
    save_entries(found.to_save, None, NOW)
    again = read_paste(reader.get("/words/lexicon/export/").content.decode())

    assert [(line.fate, line.reason) for line in found.lines] == [
        (LineFate.NEW, ""), (LineFate.SAME, ""), (LineFate.REFUSED, "As line 2 has it."),
    ]  # fmt: skip
    assert found.to_save == [EntryValues("ja - nee", "UH UH UH", "ja - nee", "Afrikaans")]
    assert [line.fate for line in again.lines] == [LineFate.SAME] * 2


def test_a_line_says_what_it_replaces_of_the_shipped_list(editor):
    page = markup(paste(editor, "braai;NN;braai\nbaas;NN;boss\nfog;NN"))

    assert "1 new, 2 changed, 0 same, 0 refused" in page
    assert "replaces the shipped NN|VB|VBP</span>" in page
    assert "replaces the shipped NN, lemma baas</span>" in page
    assert "Save 3 words" in page


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("fog", "A tag is missing: write word, tab, tag."),
        ("fog;NN;a;b;c;d;e", "7 columns; there are 6."),
        ("two words;NN NN NN", "“two words” has 2 tokens here: one tag for each"),
        ("fog;NN;;" + "x" * 41, "The language of origin has more than 40 characters."),
        ("f\0og;NN", "There is a character in it that cannot be seen."),
        ("fog;NN;;;ou\0ps", "There is a character in it that cannot be seen."),
        ("wi-fi;NN;wifi", "“wi - fi” has 3 tokens here: one lemma for each"),
    ],
)
def test_a_wrong_line_says_why(line, reason):
    [(fate, said)] = fates(line)

    assert fate == LineFate.REFUSED
    assert reason in said


def test_what_is_too_much_is_refused_whole():
    assert read_paste("x;NN\n" * (MOST_LINES + 1)).reason == (
        "These are 2\u202f001 lines; at most 2\u202f000 go at a time."
    )
    assert "characters" in read_paste("x" * 1_000_000).reason
    assert read_paste(" \n ").reason == "There is no word in it."


def test_nothing_is_saved_before_it_is_seen(editor):
    make_article("The fog came.", title="")
    index_all()

    page = markup(paste(editor, "fog;VB\nmist;NOUN"))

    assert "1 new, 0 changed, 0 same, 1 refused" in page
    assert "1 of the newest 1 occurrence changes, in 1 text." in page
    assert not LexiconEntry.objects.exists()

    response = paste(editor, "fog;VB\nmist;NOUN", save="1", seen=overrides().digest)
    assert response.url == "/words/lexicon/"
    assert LexiconEntry.objects.get().word == "fog"
    assert Retagging.objects.get().words == ["fog"]


def test_one_goes_back_to_the_list_to_mend_it(editor):
    page = markup(paste(editor, "fog;VB\nmist;NOUN", edit="1"))

    assert "fog;VB" in page
    assert "Look at what it does" in page


def test_a_million_characters_are_refused_in_a_sentence(editor):
    response = paste(editor, "koesister\tNN\n" * 80_000)

    assert response.status_code == 400
    assert "This is a text of 1 040 000 characters; a list may have 400 000." in markup(response)


def test_nothing_pasted_is_explained(editor):
    assert "This field is required." in markup(paste(editor, ""))
    assert "There is no word in it." in markup(paste(editor, "  \n\n"))


def test_the_lexicon_may_change_between_looking_and_saving(editor):
    seen = overrides().digest
    save_entries([EntryValues("mist", "NN")], None, NOW)

    page = markup(paste(editor, "fog;VB", save="1", seen=seen))

    assert "Somebody else has changed the lexicon meanwhile" in page
    assert not LexiconEntry.objects.filter(word="fog").exists()


def test_what_is_exported_changes_nothing_when_it_is_pasted(reader):
    save_entries([EntryValues("fog", "NN|VB", "fog", "English", "=1+1", "@me")], None, NOW)

    text = reader.get("/words/lexicon/export/").content.decode()

    assert text == (
        "word\ttags\tlemma\tlanguage_of_origin\tmeaning\tsource\n"
        "fog\tNN|VB\tfog\tEnglish\t'=1+1\t'@me\n"
    )
    assert fates(text) == [(LineFate.SAME, "")]


def test_the_shipped_words_pasted_again_change_nothing(reader):
    text = reader.get("/words/lexicon/export/?all=1").content.decode()

    assert {fate for fate, _ in fates(text)} == {LineFate.SAME}


def test_what_a_line_leaves_out_stays_as_the_shipped_list_has_it():
    [line] = read_paste("maas;NNS").lines

    assert (line.fate, line.before) == (LineFate.CHANGED, "replaces the shipped NN")
    assert (line.values.lemma, line.values.note) == ("maas", "sour milk")


def test_the_lines_of_a_preview_are_of_all_words(editor):
    for number in range(12):
        make_article(f"The fog came on day {number}. Rain fell.", title="")
    index_all()

    page = markup(paste(editor, "fog;VB\nrain;JJ"))

    assert page.count("<b>fog</b></a>") == page.count("<b>Rain</b></a>") == 10


def test_all_words_can_be_exported_with_their_uses(reader):
    LexiconUse.objects.create(
        word="maas", n_hits=7, n_checked=7, n_decided=6, n_overrode=2, counted_at=NOW
    )

    text = reader.get("/words/lexicon/export/?all=1&format=csv").content.decode()

    lines = text.splitlines()
    assert lines[0].endswith("source,hits,checked,decided,overrode")
    assert {len(cells) for cells in csv.reader(lines)} == {10}
    assert len(lines) == 1 + len(lexicon_rows())
    assert "maas,NN,maas,isiXhosa,sour milk,shipped list,7,7,6,2" in [
        line.replace(lexicon_rows("maas")[0].origin, "isiXhosa") for line in lines
    ]


def test_an_unknown_format_is_refused(reader):
    response = reader.get("/words/lexicon/export/?format=doc")

    assert (response.status_code, response.content) == (400, b"format is one of tsv, csv\n")
