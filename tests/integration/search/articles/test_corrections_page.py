"""Correcting a tag on the tagged view, and the queue that editors decide."""

import pytest
from factories import NOW, index_all, make_article, make_user
from pages import has, links, markup, texts

from search.articles.tagged import annotated_article
from search.lexicon.changes import remove_entry
from search.lexicon.corrections import Wish, ask
from search.models import LexiconEntry, Scope, TagCorrection

pytestmark = pytest.mark.django_db
TEXT = "They drank maas. Then maas was gone."


@pytest.fixture
def article():
    made = make_article(TEXT, title="")
    index_all()
    return made


def correct(client, article, number=6, **values):
    token = annotated_article(article).tokens[number - 1]
    wish = {"tag": "NNS", "scope": "token", "start": token.start, "word": token.word}
    # As somebody sends it who has seen the lemma that comes of it.
    seen = {"lemma_of": values.get("tag", "NNS")}
    return client.post(f"/articles/{article.pk}/tagged/correct/?t={number}", wish | seen | values)


def tags(article, word="maas"):
    return [token.tag for token in annotated_article(article).tokens if token.word == word]


def test_the_panel_says_what_is_known_of_a_word(reader, article):
    page = markup(reader.get(f"/articles/{article.pk}/tagged/?t=6"))

    assert "2 hits</a>" in page
    assert "lexicon entry “maas”" in page
    assert "Tagger alone says" in page
    assert "First seen" in page
    assert "token 6, sentence 2" in page
    assert "Sign in to correct the tag." in page
    assert "Correct the tag</a>" not in page


def test_the_taggers_runner_up_is_shown(reader, article):
    page = markup(reader.get(f"/articles/{article.pk}/tagged/?t=2"))

    said = page.split("Tagger says</dt><dd>")[1].split("</dd>")[0]
    assert said.strip().startswith("VBD ")


def test_a_linguist_marks_and_an_editor_accepts(linguist, article, client):
    tagged = linguist.get(f"/articles/{article.pk}/tagged/?t=6")
    assert "Correct the tag" in texts(tagged, "a")
    form = markup(linguist.get(f"/articles/{article.pk}/tagged/?t=6&correct=1"))
    assert "Mark for an editor" in form

    response = correct(linguist, article, note="one of several")

    assert response.url == f"/articles/{article.pk}/tagged/?t=6#t6"
    assert tags(article) == ["NN", "NN"]
    row = TagCorrection.objects.get()
    client.force_login(make_user("editor"), backend="corpus_site.accounts.backends.RoleBackend")
    assert "one of several" in markup(client.get("/words/lexicon/corrections/"))
    client.post(f"/words/lexicon/corrections/{row.pk}/decide/", {"act": "accept"})
    assert tags(article) == ["NN", "NNS"]
    page = markup(client.get(f"/articles/{article.pk}/tagged/?t=6"))
    assert "a correction of this token" in page


def test_an_editors_own_correction_is_in_force_at_once(editor, article):
    correct(editor, article, scope="text")

    assert tags(article) == ["NNS", "NNS"]
    assert TagCorrection.objects.get().state == "accepted"


def test_what_is_meant_for_all_texts_is_shown_with_its_effect_first(editor, article):
    response = correct(editor, article, scope="always")
    row = TagCorrection.objects.get()
    assert response.url == f"/words/lexicon/corrections/{row.pk}/"
    assert not LexiconEntry.objects.exists()

    page = markup(editor.get(response.url))
    assert "2 of the newest 2 occurrences change, in 1 text." in page

    editor.post(f"/words/lexicon/corrections/{row.pk}/decide/", {"act": "accept"})
    assert LexiconEntry.objects.get().tag == "NNS"
    assert "The entry</a>" in markup(editor.get(response.url))

    remove_entry(LexiconEntry.objects.get(), None, NOW)
    assert TagCorrection.objects.get().state == "ended"
    assert "The entry</a>" not in markup(editor.get(response.url))


@pytest.mark.parametrize(
    ("number", "tag", "spelling"),
    [(1, "NN", "maas"), (1, "NNP", "Maas"), (6, "NN|VB", "Maas"), (8, "NNS", "maas")],
)
def test_the_spelling_to_enter_is_that_of_a_name_or_the_small_one(linguist, number, tag, spelling):
    article = make_article("Maas came. They drank Maas and maas.", title="")

    correct(linguist, article, number=number, word="", tag=tag, scope="always")

    assert TagCorrection.objects.get().word == spelling


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tag": ""}, "This field is required."),
        ({"tag": "noun"}, "“noun” is not a Penn tag; nouns are NN, verbs VB."),
        ({"tag": "NN"}, "“maas” is NN already: nothing would change."),
        ({"tag": "NN\0"}, "Null characters are not allowed."),
        ({"tag": "N" * 300}, "at most 40 characters"),
        ({"scope": "never"}, "Select a valid choice."),
        ({"scope": "always", "word": "milk"}, "“milk” is not the word that stands there"),
        ({"lemma": "sour milk"}, "An entry is one word without spaces."),
        ({"start": "999"}, "The text has changed meanwhile: choose the word again."),
    ],
)
def test_a_mistake_is_explained_beside_the_word(linguist, article, values, message):
    response = correct(linguist, article, **values)

    assert response.status_code == 400
    assert message in markup(response)
    assert not TagCorrection.objects.exists()


def test_a_correction_leads_back_to_the_hit_and_the_way_words_were_shown(linguist, article):
    token = annotated_article(article).tokens[5]
    start = f"/articles/{article.pk}/tagged/correct/?t=6&q=maas&hit={article.pk}-5&show=lemma"

    response = linguist.post(start, {"tag": "NNS", "scope": "token", "start": token.start})

    assert response.url == (
        f"/articles/{article.pk}/tagged/?t=6&q=maas&hit={article.pk}-5&show=lemma#t6"
    )
    assert "for <code>maas</code>" in markup(linguist.get(response.url))


def test_the_links_of_a_refused_correction_lead_back_to_the_tab(linguist, article):
    page = correct(linguist, article, tag="noun")

    assert ("Leave it", f"/articles/{article.pk}/tagged/?t=6#t6") in links(page)
    assert not has(page, 'a[href^="?t="]')


def test_a_word_of_the_lexicon_keeps_its_lemma(editor, article):
    response = correct(editor, article, lemma_of="")

    assert response.status_code == 302
    assert TagCorrection.objects.get().lemma == "maas"
    assert annotated_article(article).tokens[5][2:] == ("maas", "maas", "NNS")


def test_a_name_does_not_take_the_lemma_of_a_small_entry(editor):
    article = make_article("Maas came.", title="")

    correct(editor, article, number=1, tag="NNP")

    assert annotated_article(article).tokens[0][2:] == ("Maas", "Maas", "NNP")


def test_another_lemma_is_seen_before_it_is_saved(editor):
    article = make_article("The fogs came.", title="")
    assert annotated_article(article).tokens[1].lemma == "fog"

    page = markup(correct(editor, article, number=2, tag="JJ|NNS", lemma_of=""))

    assert "“fog” now, becomes JJ: “fogs”, NNS: “fog”." in page
    assert 'name="lemma_of" value="JJ|NNS"' in page
    assert not TagCorrection.objects.exists()
    # Another tag than the one that was looked at is looked at as well.
    again = correct(editor, article, number=2, tag="JJ", lemma_of="JJ|NNS")
    assert "becomes JJ: “fogs”." in markup(again)

    assert correct(editor, article, number=2, tag="JJ", lemma_of="JJ").status_code == 302
    assert annotated_article(article).tokens[1][2:] == ("fogs", "fogs", "JJ")


def test_readers_and_other_sites_may_not_correct(reader, csrf_editor, article):
    assert correct(reader, article).url.startswith("/sign-in/")
    assert correct(csrf_editor, article).status_code == 403
    assert not TagCorrection.objects.exists()


def test_only_editors_decide(linguist, article):
    token = annotated_article(article).tokens[5]
    row = ask(article, token, Wish(Scope.TOKEN, "NNS"), make_user(), NOW)

    for act in ("accept", "refuse"):
        path = f"/words/lexicon/corrections/{row.pk}/decide/"
        assert linguist.post(path, {"act": act}).status_code == 403
    assert linguist.post(f"/words/lexicon/corrections/{row.pk}/end/").status_code == 403
    row.refresh_from_db()
    assert row.state == "open"
    assert "waits for an editor" in markup(linguist.get("/words/lexicon/corrections/"))


def test_whoever_asked_takes_an_open_one_back(linguist, article):
    correct(linguist, article)
    row = TagCorrection.objects.get()

    linguist.post(f"/words/lexicon/corrections/{row.pk}/end/")

    row.refresh_from_db()
    assert row.state == "ended"


@pytest.mark.parametrize("fields", [{}, {"act": "aceept"}, {"reason": "No act."}])
def test_what_is_neither_acceptance_nor_refusal_decides_nothing(editor, article, fields):
    row = ask(article, annotated_article(article).tokens[5], Wish(Scope.TOKEN, "JJ"), None, NOW)

    answer = editor.post(f"/words/lexicon/corrections/{row.pk}/decide/", fields)

    row.refresh_from_db()
    assert (answer.status_code, row.state) == (400, "open")


def test_a_refusal_has_its_reason(editor, article):
    row = ask(article, annotated_article(article).tokens[5], Wish(Scope.TOKEN, "JJ"), None, NOW)

    editor.post(
        f"/words/lexicon/corrections/{row.pk}/decide/", {"act": "refuse", "reason": "It is a noun."}
    )

    page = markup(editor.get("/words/lexicon/corrections/?state=refused"))
    assert "It is a noun." in page
    assert tags(article) == ["NN", "NN"]


def test_the_second_editor_is_told(editor, article):
    row = ask(article, annotated_article(article).tokens[5], Wish(Scope.TOKEN, "JJ"), None, NOW)
    path = f"/words/lexicon/corrections/{row.pk}/decide/"
    editor.post(path, {"act": "accept"})

    page = markup(editor.post(path, {"act": "refuse"}, follow=True))

    assert "Somebody else has decided this meanwhile." in page
    assert tags(article) == ["NN", "JJ"]


def test_a_place_that_is_gone_is_said(editor, article):
    ask(article, annotated_article(article).tokens[5], Wish(Scope.TOKEN, "JJ"), None, NOW)
    type(article).objects.update(text="Other words.")

    assert "place gone" in markup(editor.get("/words/lexicon/corrections/"))


def test_other_languages_are_not_corrected(linguist):
    article = make_article("Uphuza amasi.", language="zu", title="")

    page = markup(linguist.get(f"/articles/{article.pk}/tagged/?t=2&correct=1"))

    assert "Correct the tag" not in page
    assert "isiZulu texts are not tagged" in page


def test_unsure_and_new_words_are_marked(reader, article):
    newer = make_article(
        "Koesisters and maas.", title="", dated_at=article.dated_at.replace(day=21)
    )
    index_all()

    page = reader.get(f"/articles/{newer.pk}/tagged/?mark=first").content.decode()
    marked = page.count(" first")
    assert has(page, "#t1.first")
    assert not has(page, "#t3.first")
    assert marked >= 1
    assert reader.get(f"/articles/{newer.pk}/tagged/?mark=unsure").status_code == 200


def test_an_article_without_text_has_a_page(linguist):
    article = make_article("", title="")

    assert linguist.get(f"/articles/{article.pk}/tagged/?t=1&correct=1").status_code == 200
    assert linguist.get(f"/articles/{article.pk}/tagged/correct/?t=x").status_code == 302


@pytest.mark.parametrize("n", [1, 3])
def test_the_queue_costs_the_same_for_one_and_for_many(
    editor, article, n, django_assert_max_num_queries
):
    for number in range(n):
        wish = Wish(Scope.TOKEN, ("NNS", "JJ", "VB")[number])
        ask(article, annotated_article(article).tokens[5], wish, make_user(), NOW)

    with django_assert_max_num_queries(14):
        assert editor.get("/words/lexicon/corrections/").status_code == 200


def test_the_form_of_an_afrikaans_text_has_its_tags_and_reaches_no_lexicon(linguist):
    article = make_article("Die huis is mooi.", title="", language="af")
    index_all()

    form = markup(linguist.get(f"/articles/{article.pk}/tagged/?t=4&correct=1"))
    correct(linguist, article, number=4, tag="ADV")

    assert '<option value="ADJ">adjective</option>' in form
    assert 'value="always"' not in form
    assert "Universal tag, such as NOUN for a noun." in form
    assert TagCorrection.objects.get().tag == "ADV"
    unsure = linguist.get(f"/articles/{article.pk}/tagged/?mark=unsure")
    assert "? the tagger gives its tag less than 60 %." in markup(unsure)
    decided = markup(linguist.get(f"/articles/{article.pk}/tagged/"))
    assert "The lexicon rules in English texts only. ✎ corrected in this text." in decided
