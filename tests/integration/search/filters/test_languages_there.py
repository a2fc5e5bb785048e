"""Filters list the languages that are there; "more than usual" shows no foreign function words."""

import pytest
from django.utils import timezone
from factories import index_all, make_article
from pages import markup

pytestmark = pytest.mark.django_db


def test_filters_name_the_languages_that_are_there(linguist):
    make_article("Der Stadtrat hat beschlossen.", language="de")
    make_article("The council met.")
    index_all(timezone.now())

    page = markup(linguist.get("/search/?q=rat"))

    assert '<option value="de"' in page
    assert "German" in page
    assert "Xitsonga" not in page
    assert linguist.get("/search/?q=rat&lang=de").status_code == 200
    assert linguist.get("/search/?q=rat&lang=qq").status_code == 400


def test_function_words_of_languages_without_a_tagger_can_be_left_out(linguist):
    make_article("Der Rat hat die Straße und die Brücke besucht.", language="de")
    make_article("They would rather die than pay.")
    index_all(timezone.now())

    page = markup(linguist.get("/words/?rows=50&stop=1"))
    every = markup(linguist.get("/words/?rows=50"))

    assert "straße" in page.lower()
    assert ">und<" in every
    assert ">und<" not in page


def test_a_query_for_lemmas_says_how_much_of_the_base_has_none(linguist):
    make_article("Der Stadtrat ist und war und wird.", language="de")
    make_article("The council is here.")
    index_all(timezone.now())

    for query in ("lemma:be", "NOUN", '[lemma="be"]&ql=cql'):
        page = markup(linguist.get(f"/search/?q={query}"))
        assert "62 % of these tokens are in other languages" in page.replace("\u202f", " ")
    assert "in other languages" not in markup(linguist.get("/search/?q=council"))
    assert "in other languages" not in markup(linguist.get("/search/?q=lemma:be&lang=en"))
