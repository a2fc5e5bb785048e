"""Marking a wrong tag: the queue, who decides, and what survives another tagging."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from factories import NOW, index_all, make_article, make_user

from extraction.models import Article
from search import indexing
from search.articles.tagged import TaggedRequest, tagged_text
from search.engine.annotation.lexicon import LexiconError
from search.engine.index.documents import DocumentKind
from search.lexicon import retagging
from search.lexicon.corrections import CorrectionError, Wish, accept, ask, end, refuse
from search.models import (
    CorrectionState,
    IndexedArticle,
    LexiconEntry,
    Scope,
    TagCorrection,
)
from search.opened_index import current_snapshot
from search.stage.rebuilding import rebuild
from search.stage.texts_to_index import TaggerVersions, read_articles

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
TEXT = "They drank maas. Then maas was gone."
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def article():
    made = make_article(TEXT, title="")
    index_all()
    return made


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def editor_user():
    return make_user("editor")


def token(article, number):
    return tagged_text(TaggedRequest(article)).annotated.tokens[number - 1]


def shown_tags(article, word="maas"):
    text = tagged_text(TaggedRequest(Article.objects.get(pk=article.pk)))
    return [token.tag for token in text.annotated.tokens if token.word == word]


def index_tags(article, word="maas"):
    indexing.pending(100, LATER)
    indexing.run(100, retagging.Claim("tester", LATER, timedelta(seconds=60)))
    document = current_snapshot().document(DocumentKind.ARTICLE, article.pk)
    return [token.tag for token in document.tokens if token.word == word]


def asked(article, number, user, scope=Scope.TOKEN, tag="NNS", **wish):
    return ask(article, token(article, number), Wish(scope, tag, **wish), user, NOW)


def test_an_open_correction_changes_nothing_yet(article, user):
    asked(article, 6, user)

    assert shown_tags(article) == ["NN", "NN"]
    assert index_tags(article) == ["NN", "NN"]


def test_an_accepted_one_changes_this_token_in_page_and_index(article, user, editor_user):
    assert accept(asked(article, 6, user), editor_user, LATER)

    assert shown_tags(article) == ["NN", "NNS"]
    assert index_tags(article) == ["NN", "NNS"]


def test_it_survives_another_tagging_of_the_same_text(article, user, editor_user):
    accept(asked(article, 6, user), editor_user, LATER)
    index_tags(article)

    indexing.make_all_due(LATER)

    assert index_tags(article) == ["NN", "NNS"]


def test_it_survives_a_rebuilt_index(article, user, editor_user):
    accept(asked(article, 6, user), editor_user, LATER)
    index_tags(article)

    rebuild(LATER, lambda *_: None)

    assert index_tags(article) == ["NN", "NNS"]


def test_it_is_found_again_in_a_text_that_was_extracted_anew(article, user, editor_user):
    accept(asked(article, 6, user), editor_user, LATER)

    Article.objects.update(text=f"By A. Botha.\n{TEXT}", text_digest="new")

    assert shown_tags(article) == ["NN", "NNS"]
    assert index_tags(article) == ["NN", "NNS"]


def test_it_waits_where_its_place_is_gone(article, user, editor_user):
    accept(asked(article, 6, user), editor_user, LATER)

    Article.objects.update(text="They drank maas.", text_digest="new")
    assert shown_tags(article) == ["NN"]

    Article.objects.update(text=TEXT, text_digest="old")
    assert shown_tags(article) == ["NN", "NNS"]


def test_a_word_is_corrected_in_its_whole_text_and_in_no_other(article, user, editor_user):
    other = make_article(TEXT, title="")
    index_all(LATER)

    accept(asked(article, 3, user, Scope.TEXT), editor_user, LATER)

    assert index_tags(article) == ["NNS", "NNS"]
    assert index_tags(other) == ["NN", "NN"]


def test_a_token_stands_over_its_word_in_the_text(article, user, editor_user):
    accept(asked(article, 3, user, Scope.TEXT), editor_user, LATER)
    accept(asked(article, 6, user, tag="JJ"), editor_user, LATER)

    assert shown_tags(article) == ["NNS", "JJ"]


def test_always_becomes_an_entry_and_tags_old_texts_again(article, user, editor_user):
    other = make_article("The maas is cold.", title="")
    index_all(LATER)
    correction = asked(article, 6, user, Scope.ALWAYS, "NNS", lemma="amasi", note="plural")

    assert accept(correction, editor_user, LATER)

    entry = LexiconEntry.objects.get()
    assert (entry.word, entry.tag, entry.lemma, entry.note) == ("maas", "NNS", "amasi", "plural")
    assert (entry.created_by, entry.source) == (editor_user, f"correction {correction.pk}")
    for _ in range(6):
        retagging.run(retagging.Claim("tester", LATER, timedelta(seconds=60)))
        indexing.run(100, retagging.Claim("tester", LATER, timedelta(seconds=60)))
    assert index_tags(other) == ["NNS"]


def test_the_later_correction_of_a_place_takes_its_turn(article, user, editor_user):
    first, second = asked(article, 6, user), asked(article, 6, user, tag="JJ")
    accept(first, editor_user, LATER)

    accept(second, editor_user, LATER)

    assert shown_tags(article) == ["NN", "JJ"]
    first.refresh_from_db()
    assert first.state == CorrectionState.ENDED


def test_two_editors_decide_once(article, user, editor_user):
    correction = asked(article, 6, user)
    assert refuse(correction, editor_user, "It is one.", LATER)

    assert not accept(correction, editor_user, LATER)

    correction.refresh_from_db()
    assert (correction.state, correction.reason) == ("refused", "It is one.")
    assert shown_tags(article) == ["NN", "NN"]


def test_a_lost_race_leaves_what_was_in_force(article, user, editor_user):
    first, second = asked(article, 6, user), asked(article, 6, user, tag="JJ")
    accept(first, editor_user, LATER)
    refuse(second, editor_user, "", LATER)

    assert not accept(second, editor_user, LATER)

    assert shown_tags(article) == ["NN", "NNS"]


def test_a_correction_taken_back_leaves_the_token_to_the_tagger(article, user, editor_user):
    correction = asked(article, 6, user)
    accept(correction, editor_user, LATER)
    assert index_tags(article) == ["NN", "NNS"]

    assert end(correction, editor_user, LATER)

    assert index_tags(article) == ["NN", "NN"]


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (Wish(Scope.TOKEN, "NN"), "“maas” is NN already: nothing would change."),
        (Wish(Scope.ALWAYS, "NN", word="milk"), "“milk” is not the word that stands there"),
        (Wish(Scope.TOKEN, "NOUN"), "“NOUN” is not a Penn tag"),
        (Wish(Scope.TOKEN, "NN", lemma="two words"), "An entry is one word without spaces."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(article, user, wish, sentence):
    with pytest.raises((CorrectionError, LexiconError), match=sentence):
        ask(article, token(article, 6), wish, user, NOW)

    assert not TagCorrection.objects.exists()


def test_nobody_marks_the_same_twice(article, user):
    asked(article, 6, user)

    with pytest.raises(CorrectionError, match="marked this already"):
        asked(article, 6, user)


def test_reading_corrections_costs_one_query_a_batch(article, user, editor_user):
    accept(asked(article, 6, user), editor_user, LATER)
    rows = IndexedArticle.objects.values_list("pk", flat=True)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        read_articles(list(rows), TaggerVersions({}))
    asked_for = [query for query in queries if "search_tagcorrection" in query["sql"]]
    assert len(asked_for) == 1


@pytest.fixture
def afrikaans_article():
    made = make_article("Die Wes-Kaap is mooi. Die huis is mooi.", title="", language="af")
    index_all()
    return made


@pytest.mark.parametrize(("scope", "n_changed"), [(Scope.TOKEN, 1), (Scope.TEXT, 2)])
def test_afrikaans_words_are_corrected_too(afrikaans_article, user, editor_user, scope, n_changed):
    before = shown_tags(afrikaans_article, "mooi")
    correction = asked(afrikaans_article, 9, user, scope, tag="INTJ", lemma="mooi")

    assert accept(correction, editor_user, LATER)

    tags = [*before[:-n_changed], *["INTJ"] * n_changed]
    assert shown_tags(afrikaans_article, "mooi") == tags
    assert index_tags(afrikaans_article, "mooi") == tags


def test_an_afrikaans_compound_is_one_word(afrikaans_article, user, editor_user):
    correction = asked(afrikaans_article, 2, user, tag="NOUN", lemma="kaap")

    assert accept(correction, editor_user, LATER)

    chosen = token(afrikaans_article, 2)
    assert (chosen.word, chosen.tag, chosen.lemma) == ("Wes-Kaap", "NOUN", "kaap")


def test_afrikaans_has_universal_tags_and_no_lexicon(afrikaans_article, user):
    with pytest.raises(LexiconError, match="“NN” is not a universal tag; nouns are NOUN"):
        asked(afrikaans_article, 9, user, tag="NN")
    with pytest.raises(CorrectionError, match="The lexicon rules over English texts only"):
        asked(afrikaans_article, 9, user, Scope.ALWAYS, tag="ADV")


def test_a_text_that_is_english_now_has_lost_its_universal_tags(
    afrikaans_article, user, editor_user
):
    accept(asked(afrikaans_article, 9, user, tag="INTJ"), editor_user, LATER)

    Article.objects.update(language="en")

    assert set(shown_tags(afrikaans_article, "mooi")).isdisjoint({"INTJ"})
