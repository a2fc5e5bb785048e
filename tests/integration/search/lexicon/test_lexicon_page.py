"""The lexicon page: who may add, what is seen before it is saved, and what is said to mistakes."""

from itertools import groupby

import pytest
from factories import NOW, index_all, make_article, make_user
from pages import links, markup

from search.articles.tagged import annotated_article
from search.lexicon.changes import EntryValues, remove_entry, save_entries
from search.lexicon.corrections import Wish, accept, ask
from search.lexicon.entries import overrides
from search.lexicon.rows import lexicon_rows
from search.lexicon.uses import count_uses
from search.models import LexiconChange, LexiconEntry, Retagging, Scope

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def look(client, **values):
    return client.post("/words/lexicon/add/", {"word": "braaibroodjie", "tag": "NN"} | values)


def add(client, **values):
    """Save, with the digest that the page before has shown."""
    return look(client, save="1", seen=overrides().digest, **values)


def enter(word="braaibroodjie", tag="NN", **values):
    save_entries([EntryValues(word, tag, **values)], None, NOW)
    return LexiconEntry.objects.get(word=word)


def remove(client, entry):
    return client.post(f"/words/lexicon/{entry.pk}/remove/", {"seen": overrides().digest})


def test_a_reader_sees_the_shipped_words_and_no_form(reader):
    page = markup(reader.get("/words/lexicon/?words=maas"))

    assert "sour milk" in page
    assert "shipped list" in page
    assert "Add a word" not in page


def test_an_editor_makes_a_word_a_noun(editor):
    response = add(editor, lemma="braaibroodjie", language_of_origin="Afrikaans", note="toast")

    assert response.url == "/words/lexicon/entry/braaibroodjie/"
    entry = LexiconEntry.objects.get()
    assert (entry.word, entry.tag, entry.created_by.role) == ("braaibroodjie", "NN", "editor")
    assert overrides().words["braaibroodjie"].tags == ("NN",)
    page = markup(editor.get(response.url))
    assert "“braaibroodjie” is NN from now on" in page
    assert Retagging.objects.get().words == ["braaibroodjie"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tag": "noun"}, "“noun” is not a Penn tag; nouns are NN, verbs VB."),
        ({"tag": "NN|VERB"}, "“VERB” is not a Penn tag; nouns are NN, verbs VB."),
        ({"tag": "nn"}, "“nn” is not a Penn tag; write NN."),
        ({"tag": "XX"}, "“XX” is not a Penn tag; nouns are NN, verbs VB."),
        ({"word": "two words", "tag": "NN NN NN"}, "“two words” has 2 tokens here: one tag for"),
        ({"word": ""}, "This field is required."),
        ({"word": "x" * 101}, "at most 100 characters"),
        ({"word": "wi-fi", "lemma": "wifi"}, "“wi - fi” has 3 tokens here: one lemma for each"),
        ({"word": "ma\0as"}, "Null characters are not allowed."),
        ({"lemma": "two words"}, "An entry is one word without spaces."),
    ],
)
def test_a_wrong_entry_is_explained_and_kept_in_the_form(editor, values, message):
    response = add(editor, **values)

    assert response.status_code == 400
    assert message in markup(response)
    word = values.get("word", "braaibroodjie")
    assert not word or f'value="{word}"' in response.content.decode()
    assert not LexiconEntry.objects.exists()


def test_nothing_is_saved_before_its_effect_is_seen(editor):
    make_article("They drank maas. Maas is cold.", title="")
    index_all()

    page = markup(look(editor, word="maas", tag="NNS"))

    assert "2 of the newest 2 occurrences change, in 1 text." in page
    assert page.count("<code>NN</code> maas") == 2
    assert page.count("<b><code>NNS</code>") == 2
    assert not LexiconEntry.objects.exists()


def test_an_expression_is_entered_as_a_word_is(editor):
    article = make_article("Come just now. He is just. Now is late. Just now it rained.", title="")
    index_all()
    values = {"word": "just  now", "tag": "UH|JJ  UH", "lemma": "just nou"}

    seen = markup(look(editor, **values))
    response = add(editor, **values)
    entry = markup(editor.get(response.url))
    [row] = lexicon_rows("just now")
    token = markup(editor.get(f"/articles/{article.pk}/tagged/?t=3"))

    assert "2 of the newest 2 occurrences change, in 1 text." in seen
    assert "“just now” is UH|JJ UH from now on" in entry
    assert "2 of the newest 2 occurrences in English texts are decided by this entry" in entry
    assert "Word profile" not in entry
    assert (row.tag_words, row.lemma) == ("interjection or adjective + interjection", "just nou")
    assert 'href="/words/lexicon/entry/just%20now/"' in token
    assert "lexicon entry “just now”" in token


def test_an_entry_does_not_claim_what_an_expression_decides(reader):
    enter("just now", "UH")
    enter("now", "NN")
    make_article("Come just now. Now is late. Just now it rained.", title="")
    index_all()

    page = markup(reader.get("/words/lexicon/entry/now/"))

    assert "1 of the newest 3 occurrences in English texts is decided by this entry" in page


def test_a_word_that_no_text_has_changes_nothing_in_old_texts(editor):
    assert "No English text here has the word yet" in markup(look(editor))


def test_saving_over_a_change_of_somebody_else_is_looked_at_again(editor):
    seen = overrides().digest
    enter("koesister")

    response = look(editor, save="1", seen=seen)

    assert "Somebody else has changed the lexicon meanwhile" in markup(response)
    assert not LexiconEntry.objects.filter(word="braaibroodjie").exists()


def test_a_word_that_is_there_is_changed_in_whatever_case(editor):
    enter(note="toast")

    add(editor, word="BraaiBroodjie", tag="NNP")

    entry = LexiconEntry.objects.get()
    assert (entry.word, entry.tag, entry.note) == ("BraaiBroodjie", "NNP", "")
    kinds = LexiconChange.objects.values_list("kind", flat=True)
    assert list(kinds) == ["changed", "added"]


def test_the_same_again_is_refused(editor):
    enter()

    assert "says so already: nothing would change" in markup(look(editor))


def test_the_form_begins_with_what_is_known(editor):
    enter(note="toast")

    assert 'value="toast"' in markup(editor.get("/words/lexicon/add/?word=braaibroodjie"))
    assert 'value="sour milk"' in markup(editor.get("/words/lexicon/add/?word=Maas"))
    assert 'value="nothing"' in markup(editor.get("/words/lexicon/add/?word=nothing"))


def test_a_former_state_is_taken_up_again(editor):
    enter(note="toast")
    former = LexiconChange.objects.get()
    add(editor, tag="VB")

    page = markup(editor.get(f"/words/lexicon/add/?again={former.pk}"))

    assert 'value="NN"' in page
    assert 'value="toast"' in page
    assert editor.get("/words/lexicon/add/?again=nonsense").status_code == 200


def test_only_editors_add_and_remove(linguist, reader):
    entry = enter()

    for client in (linguist, reader):
        assert add(client, word="koesister").status_code == 403
        assert remove(client, entry).status_code == 403
        assert client.get("/words/lexicon/add/").status_code == 403
        assert client.get("/words/lexicon/paste/").status_code == 403
        assert client.post("/words/lexicon/paste/", {"text": "koesister;NN"}).status_code == 403
    assert LexiconEntry.objects.get() == entry


def test_a_form_from_another_site_is_refused(csrf_editor):
    for path in ("/words/lexicon/add/", "/words/lexicon/paste/", "/words/lexicon/1/remove/"):
        assert csrf_editor.post(path, {"word": "koesister", "tag": "NN"}).status_code == 403


def test_an_editor_leaves_a_word_to_the_tagger_again(editor):
    entry = enter()
    page = markup(editor.get(f"/words/lexicon/{entry.pk}/remove/"))
    assert "Without the entry the tagger decides" in page
    assert LexiconEntry.objects.exists()

    assert remove(editor, entry).url == "/words/lexicon/"

    assert not LexiconEntry.objects.exists()
    assert editor.get(f"/words/lexicon/{entry.pk}/remove/").status_code == 404


def test_what_was_removed_keeps_its_page_with_its_history(editor, reader):
    remove_entry(enter(note="toast"), make_user("editor", username="Nomsa"), NOW)

    page = markup(reader.get("/words/lexicon/entry/braaibroodjie/"))

    assert "The entry was removed: the tagger decides." in page
    assert "toast" in page
    assert "Nomsa" in page


def test_an_entry_shows_where_it_overrules_the_tagger(reader):
    enter("fog", "VB", lemma="befog")
    make_article("The fog came. Thick fog stayed.", title="")
    index_all()

    page = markup(reader.get("/words/lexicon/entry/fog/"))

    assert "2 of the newest 2 occurrences in English texts are decided by this entry; in 2" in page
    assert page.count("<code>NN</code> fog") == 2


@pytest.fixture
def corrected_text():
    """Give a text of which the second "maas", token 6, is corrected to NNS."""
    article = make_article("They drank maas. Then maas was gone.", title="")
    token = annotated_article(article).tokens[5]
    accept(ask(article, token, Wish(Scope.TOKEN, "NNS"), None, NOW), make_user("editor"), NOW)
    index_all()
    return article


def test_an_entry_does_not_claim_what_a_correction_decides(reader, corrected_text):
    page = markup(reader.get("/words/lexicon/entry/maas/"))

    assert "1 of the newest 2 occurrences in English texts is decided by this entry" in page
    assert "Over 1 a correction in its text rules instead." in page
    row = next(row for row in page.split("<tr") if "?t=6#t6" in row)
    assert "<code>NNS</code> maas" in row
    assert "✎ a correction of this token" in row
    use = count_uses("maas", NOW)
    assert (use.n_checked, use.n_decided) == (2, 1)


def test_a_correction_stays_in_the_preview_of_an_entry(editor, corrected_text):
    page = markup(look(editor, word="maas", tag="JJ"))

    assert "1 of the newest 2 occurrences changes" in page
    assert "1 is corrected in its text, and stays so." in page
    row = next(row for row in page.split("<tr") if "?t=6#t6" in row)
    assert "<code>NNS</code> maas" in row
    assert "JJ" not in row.split("</tr>")[0]


def test_a_word_corrected_in_a_whole_text_rules_there_alone(reader):
    articles = [make_article(f"Day {n}: they drank maas.", title="") for n in range(2)]
    place = next(n for n, t in enumerate(annotated_article(articles[0]).tokens) if t.word == "maas")
    token = annotated_article(articles[0]).tokens[place]
    wish = Wish(Scope.TEXT, "NNS")
    accept(ask(articles[0], token, wish, None, NOW), make_user("editor"), NOW)
    index_all()

    page = markup(reader.get("/words/lexicon/entry/maas/"))

    assert page.count("✎ a correction of the word in this text") == 1
    assert "1 of the newest 2 occurrences in English texts is decided by this entry" in page


def test_the_columns_of_an_entrys_lines_keep_their_names_on_a_narrow_screen(reader):
    make_article("They drank maas.", title="")
    index_all()

    page = markup(reader.get("/words/lexicon/entry/maas/"))

    assert page.index('data-k="tagger alone"') < page.index('data-k="entry"')
    assert 'data-k="now"' not in page


def test_a_word_without_entry_says_so(reader):
    response = reader.get("/words/lexicon/entry/zzzz/")

    assert response.status_code == 404
    assert "The lexicon has no entry for “zzzz”" in markup(response)


def test_a_shipped_word_has_a_page(reader):
    assert "Nobody here has changed it: it came with the program." in markup(
        reader.get("/words/lexicon/entry/maas/")
    )


def test_an_editors_entry_stands_over_the_shipped_one(reader):
    LexiconEntry.objects.create(word="maas", tag="NNP", note="the river")

    page = markup(reader.get("/words/lexicon/?words=maas"))

    assert "the river" in page
    assert "sour milk" not in page


def test_entries_are_grouped_by_the_language_they_come_from(reader):
    enter("zzz", "NN", language_of_origin="isiZulu")
    enter("aaa", "NN")

    first = reader.get("/words/lexicon/?sort=origin")
    rows = reader.get("/words/lexicon/?all=1&sort=origin").context["rows"]

    assert "?all=1&sort=origin" in [at for _, at in links(first)]
    origins = [row.origin for row in rows]
    groups = [name for name, _ in groupby(origins)]
    assert groups == [*sorted(set(origins) - {""}, key=str.casefold), ""]
    assert [row.word for row in rows if row.origin == "isiZulu"][-2:] == ["yoh", "zzz"]


def test_no_word_found_says_so(reader):
    assert "No word of the lexicon contains “zzzz”" in markup(
        reader.get("/words/lexicon/?words=zzzz")
    )


def test_a_word_leads_to_its_page_and_its_concordance(reader):
    assert 'href="/words/lexicon/entry/maas/"' in markup(reader.get("/words/lexicon/?words=maas"))
    assert 'href="/search/?q=maas"' in markup(reader.get("/words/lexicon/entry/maas/"))


def test_hostile_entries_are_shown_as_text(editor):
    add(editor, word="fog", note="<script>alert(1)</script>", source='"><img src=x>')

    for path in ("/words/lexicon/?words=fog", "/words/lexicon/entry/fog/", "/words/lexicon/"):
        page = editor.get(path).content.decode()
        assert "<script>alert" not in page
        assert "<img" not in page


def test_jobs_are_shown_with_their_progress(reader):
    enter("fog")
    assert "waits for a worker" in markup(reader.get("/words/lexicon/"))

    Retagging.objects.update(n_texts=10, n_done=4)
    assert "4 of 10 texts" in markup(reader.get("/part/retagging/", headers={"HX-Request": "true"}))

    Retagging.objects.update(finished_at=NOW, n_failed=1)
    page = markup(reader.get("/words/lexicon/"))
    assert "10 texts, 1 of them could not be tagged" in page
    assert "data-live" not in page


def test_who_opens_the_jobs_alone_is_led_to_the_page(reader):
    response = reader.get("/part/retagging/")

    assert response.status_code == 404
    assert 'href="/words/lexicon/"' in markup(response)
