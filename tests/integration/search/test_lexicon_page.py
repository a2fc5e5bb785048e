"""The lexicon page: who may add, and what is said to a wrong entry."""

import pytest

from search.lexicon import overrides
from search.models import LexiconEntry

pytestmark = pytest.mark.django_db


def text_of(response):
    return " ".join(response.content.decode().split())


def add(client, **values):
    return client.post("/words/lexicon/add/", {"word": "braaibroodjie", "tag": "NN"} | values)


def test_a_reader_sees_the_shipped_words_and_no_form(reader):
    page = text_of(reader.get("/words/lexicon/?words=maas"))

    assert "sour milk" in page
    assert "shipped list" in page
    assert "Add a word" not in page


def test_an_editor_makes_a_word_a_noun(editor):
    response = add(editor, lemma="braaibroodjie", language_of_origin="Afrikaans", note="toast")

    assert response.url == "/words/lexicon/"
    entry = LexiconEntry.objects.get()
    assert (entry.word, entry.tag, entry.created_by.role) == ("braaibroodjie", "NN", "editor")
    assert overrides().words["braaibroodjie"].tags == ("NN",)
    page = text_of(editor.get("/words/lexicon/"))
    assert "“braaibroodjie” is NN from now on" in page


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tag": "noun"}, "“noun” is not a Penn tag; nouns are NN, verbs VB."),
        ({"tag": "NN|VERB"}, "“VERB” is not a Penn tag; nouns are NN, verbs VB."),
        ({"tag": "XX"}, "“XX” is not a Penn tag; nouns are NN, verbs VB."),
        ({"word": "two words"}, "An entry is one word without spaces."),
        ({"word": ""}, "This field is required."),
        ({"word": "x" * 101}, "at most 100 characters"),
    ],
)
def test_a_wrong_entry_is_explained_and_kept_in_the_form(editor, values, message):
    response = add(editor, **values)

    assert response.status_code == 400
    assert message in text_of(response)
    assert f'value="{values.get("word", "braaibroodjie")}"' in response.content.decode()
    assert not LexiconEntry.objects.exists()


def test_a_word_is_entered_once_in_whatever_case(editor):
    add(editor)

    response = add(editor, word="BraaiBroodjie")

    assert response.status_code == 400
    assert "in the lexicon already, as NN" in text_of(response)


def test_only_editors_add_and_remove(linguist, reader):
    entry = LexiconEntry.objects.create(word="braaibroodjie", tag="NN")

    for client in (linguist, reader):
        assert add(client, word="koesister").status_code == 403
        assert client.post(f"/words/lexicon/{entry.pk}/remove/").status_code == 403
    assert LexiconEntry.objects.get() == entry


def test_an_editor_leaves_a_word_to_the_tagger_again(editor):
    entry = LexiconEntry.objects.create(word="braaibroodjie", tag="NN")

    editor.post(f"/words/lexicon/{entry.pk}/remove/")

    assert not LexiconEntry.objects.exists()
    assert editor.get(f"/words/lexicon/{entry.pk}/remove/").status_code == 405


def test_an_editors_entry_stands_over_the_shipped_one(reader):
    LexiconEntry.objects.create(word="maas", tag="NNP", note="the river")

    page = text_of(reader.get("/words/lexicon/?words=maas"))

    assert "the river" in page
    assert "sour milk" not in page


def test_no_word_found_says_so(reader):
    assert "No word of the lexicon contains “zzzz”" in text_of(
        reader.get("/words/lexicon/?words=zzzz")
    )


def test_a_word_leads_to_its_concordance(reader):
    page = text_of(reader.get("/words/lexicon/?words=maas"))

    assert 'href="/search/?q=maas"' in page


def test_the_address_of_a_refused_entry_can_be_opened_again(editor):
    assert editor.get("/words/lexicon/add/").url == "/words/lexicon/"
