"""Permanent links carry the hash of their hits, and say what became of them."""

import hashlib

import pytest
from factories import NOW, index_all, make_article, make_publication
from pages import links, markup, words

from corpus_site import pipeline
from extraction.withdrawal import withdrawing
from extraction.withdrawal.register import Order
from search.models import SavedQuery

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
QUERY = "q=braai"


@pytest.fixture
def articles():
    make_publication(min_characters=0)
    articles = [make_article("We braai and braai."), make_article("A cold braai.")]
    index_all()
    return articles


def withdraw(article):
    changed = withdrawing.withdraw_articles([article.pk], Order("The author asks.", None, NOW))
    pipeline.follow("articles", changed.articles, NOW)
    index_all()


def test_link_keeps_the_hash_of_its_hits(linguist, articles):
    kept = linguist.get(linguist.post("/saved/link/", {"query": QUERY}).url)

    plain = "".join(
        f"article-{article.pk}\t{position}\tbraai\n"
        for article, position in ((articles[0], 1), (articles[0], 3), (articles[1], 2))
    )
    digest = hashlib.sha256(plain.encode()).hexdigest()
    assert SavedQuery.objects.get().digest == digest
    assert f"Hash of the list: {digest[:12]}…" in words(kept)
    assert f"list of hits SHA-256 {digest}. http://testserver/search/" in words(kept)
    page = linguist.get("/search/today/?q=braai&asof=1")
    assert "The same 3 hits today." in words(page)
    assert "its hash is that of the link" in words(page)
    assert digest in words(page)


def test_page_says_what_has_come_and_gone(linguist, articles):
    linguist.post("/saved/link/", {"query": QUERY})
    make_article("One more braai.", title="The new one")
    withdraw(articles[0])

    page = linguist.get("/search/today/?q=braai&asof=1")
    said = words(page)
    assert "3 hits then, 2 hits today: 1 came, 2 gone, 1 are the same." in said
    assert "2 hits in texts that were withdrawn (1 text)" in said
    assert "as it was, by the hash of the link, but nobody can have it whole" in said
    assert articles[0].title not in said
    assert ("1 hit", "/search/?q=braai&since=1") in links(page)
    assert linguist.get("/search/?q=braai&since=1").context["page"].total == 1
    kept = linguist.get("/search/?q=braai&asof=1")
    assert "Same today?" in markup(kept)
    assert SavedQuery.objects.get().digest not in markup(kept)


def test_reader_without_a_link_gets_the_comparison_too(reader, articles):
    withdraw(articles[1])

    said = words(reader.get("/search/today/?q=braai&asof=1"))
    assert "3 hits then, 2 hits today: 0 came, 1 gone" in said
    assert "Nobody kept a hash of this list before." in said


def test_page_wants_a_generation_and_a_query_that_runs(reader, articles):
    for query in ("q=braai", "asof=1", "q=[&ql=cql&asof=1"):
        assert reader.get(f"/search/today/?{query}").status_code == 302
