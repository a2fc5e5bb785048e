"""Saved queries, permanent links, subcorpora."""

from datetime import timedelta

import feedparser
import pytest
from factories import NOW, index_all, make_article, make_publication, make_user
from pages import fields, links, markup, words

from extraction.models import Article
from search.asking.address import Address
from search.asking.saving import short_of
from search.models import SavedQuery, Subcorpus

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def corpus():
    make_article("We braai.")
    make_article("A cold braai.", make_publication("cape-meridian"))
    index_all()


def make_query(owner, **changes):
    values = {"short": "abcd2345", "parameters": "q=braai&asof=1", "generation": 1, "n_hits": 2}
    return SavedQuery.objects.create(owner=owner, **values | changes)


def test_a_permanent_link_keeps_its_numbers_while_the_corpus_grows(linguist, corpus):
    made = linguist.post("/saved/link/", {"query": "q=braai&ctx=6"})
    make_article("One more braai.")
    index_all()

    row = SavedQuery.objects.get()
    kept = linguist.get(linguist.get(f"/c/{row.short}/").url)
    today = linguist.get("/search/?q=braai")
    assert made.url == "/search/?q=braai&ctx=6&asof=1"
    assert (row.generation, row.n_hits) == (1, 2)
    assert kept.context["page"].total == 2
    assert today.context["page"].total == 3
    assert "Numbers of generation 1; the corpus is at generation 2 now" in markup(kept)
    assert f'href="/c/{row.short}/"' in markup(kept)
    assert f'data-copy="http://testserver/c/{row.short}/"' in markup(kept)


def test_the_same_numbers_have_the_same_link(linguist, corpus):
    for _ in range(2):
        linguist.post("/saved/link/", {"query": "q=braai"})

    assert SavedQuery.objects.get().short == short_of(Address.parse("q=braai&asof=1"))


def test_a_permanent_link_is_not_listed_among_saved_queries(linguist, corpus):
    linguist.post("/saved/link/", {"query": "q=braai"})

    assert "Queries you save stand here" in markup(linguist.get("/saved/"))


def test_readers_get_the_long_address_and_cannot_write(reader, corpus):
    page = markup(reader.get("/search/?q=braai"))

    assert '<a href="/search/?q=braai&amp;asof=1">Permanent link' in page
    for path in ("/saved/link/", "/saved/add/", "/subcorpora/add/"):
        answer = reader.post(path, {"query": "q=braai", "name": "x"})
        assert answer.url.startswith("/sign-in/")
    assert reader.get("/saved/").status_code == 302


def test_a_query_is_saved_with_name_note_and_numbers(linguist, corpus):
    form = linguist.get("/saved/?query=q%3Dbraai%26pub%3Dcape-meridian")
    response = linguist.post(
        "/saved/add/",
        {"query": "q=braai&pub=cape-meridian", "name": "Cold ones", "note": "for the talk"},
    )

    page = linguist.get("/saved/")
    assert ("query", "q=braai&pub=cape-meridian") in fields(form)
    assert response.url == "/saved/"
    assert "“Cold ones” is saved with 1 hit." in words(page)
    assert ("Cold ones", "/search/?q=braai&pub=cape-meridian") in links(page)
    assert "for the talk" in words(page)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"query": "q=braai", "name": ""}, "This field is required"),
        ({"query": "q=braai", "name": "x" * 101}, "at most 100 characters"),
        ({"query": "q=[&ql=cql", "name": "x"}, "cannot be run"),
        ({"query": "", "name": "x"}, "This field is required"),
        ({"query": "q=braai&in=letters", "name": "x"}, "cannot be run"),
    ],
)
def test_what_cannot_be_saved_is_explained(linguist, corpus, values, message):
    response = linguist.post("/saved/add/", values)

    assert response.status_code == 400
    if values["query"]:
        assert message in markup(response)
    assert not SavedQuery.objects.exists()


def test_a_permanent_link_of_a_broken_query_leads_to_its_mistake(linguist, corpus):
    response = linguist.post("/saved/link/", {"query": "q=[&ql=cql"})

    assert response.url == "/search/?q=[&ql=cql"
    assert not SavedQuery.objects.exists()


def test_users_see_and_remove_their_own_queries_only(linguist, corpus):
    query = make_query(make_user("linguist"), name="Somebody's")

    assert "Somebody" not in markup(linguist.get("/saved/"))
    assert linguist.post(f"/saved/{query.pk}/remove/").status_code == 404
    assert linguist.get("/c/abcd2345/").url == "/search/?q=braai&asof=1"
    assert linguist.get("/c/nothing/").status_code == 404


def test_a_removed_query_is_gone(linguist):
    linguist.post("/saved/add/", {"query": "q=braai", "name": "Mine"})
    query = SavedQuery.objects.get()

    linguist.post(f"/saved/{query.pk}/remove/")

    assert not SavedQuery.objects.exists()
    assert "Queries you save stand here" in markup(linguist.get("/saved/"))


def test_filters_are_saved_as_a_subcorpus_and_search_in_it(linguist, corpus):
    linguist.post(
        "/subcorpora/add/",
        {"query": "q=braai&pub=cape-meridian&sort=old", "name": "Cape papers", "is_shared": "on"},
    )

    row = Subcorpus.objects.get()
    response = linguist.get("/search/?q=braai&sub=cape-papers")
    assert (row.slug, row.filters, row.is_shared) == ("cape-papers", "pub=cape-meridian", True)
    assert response.context["page"].total == 1
    assert "subcorpus “Cape papers”" in markup(response)
    assert [(chip.name, chip.value) for chip in response.context["chips"]] == [
        ("Subcorpus", "cape-papers")
    ]
    assert "Cape papers" in markup(linguist.get("/subcorpora/"))


def test_a_subcorpus_of_somebody_else_is_not_to_be_used(linguist, corpus):
    Subcorpus.objects.create(
        owner=make_user("linguist"), name="Secret", slug="secret", filters="pub=cape-meridian"
    )

    assert linguist.get("/search/?q=braai&sub=secret").status_code == 400
    assert "Secret" not in markup(linguist.get("/subcorpora/"))


@pytest.mark.parametrize(
    ("query", "message"),
    [("q=braai", "has no filters"), ("q=braai&in=both", None)],
)
def test_a_subcorpus_needs_filters(linguist, corpus, query, message):
    response = linguist.post("/subcorpora/add/", {"query": query, "name": "All"})

    assert response.status_code == (400 if message else 302)
    if message:
        assert message in markup(response)


def test_a_subcorpus_name_is_used_once_by_an_owner(linguist, corpus):
    for _ in range(2):
        response = linguist.post("/subcorpora/add/", {"query": "in=both", "name": "Both"})

    assert response.status_code == 400
    assert "You have a subcorpus “Both” already" in markup(response)
    other = Subcorpus.objects.get()
    assert other.slug == "both"


def test_a_subcorpus_in_use_stays(linguist, corpus):
    linguist.post("/subcorpora/add/", {"query": "in=both", "name": "Both"})
    linguist.post("/saved/add/", {"query": "q=braai&sub=both", "name": "Uses it"})
    row = Subcorpus.objects.get()

    linguist.post(f"/subcorpora/{row.pk}/remove/")
    page = markup(linguist.get("/subcorpora/"))
    SavedQuery.objects.all().delete()
    linguist.post(f"/subcorpora/{row.pk}/remove/")

    assert "“Both” stays: these saved queries use it: “Uses it”." in page
    assert not Subcorpus.objects.exists()


def saved_as_feed(linguist, query="q=braai"):
    linguist.post("/saved/add/", {"query": query, "name": "Fires & smoke"})
    page = linguist.get("/saved/")
    return page.context["queries"][0]


def entries_of(client, address):
    feed = feedparser.parse(client.get(address).content)
    assert not feed.bozo
    return [entry.summary for entry in feed.entries]


def test_a_saved_query_is_a_feed_of_what_came_in_since(client, linguist, corpus):
    row = saved_as_feed(linguist)
    before = entries_of(client, row.feed)
    make_article("One more braai.")
    index_all()

    row = linguist.get("/saved/").context["queries"][0]
    assert before == []
    assert entries_of(client, row.feed) == ["One more [braai] ."]
    assert row.n_new == 1
    assert linguist.get(row.new).context["page"].total == 1


def test_a_text_that_changed_is_nothing_new(client, linguist, corpus):
    row = saved_as_feed(linguist)
    first = Article.objects.order_by("pk").first()
    Article.objects.filter(pk=first.pk).update(text="We braai and braai.", text_digest="other")
    index_all(NOW + timedelta(hours=2))

    assert linguist.get("/search/?q=braai").context["page"].total == 3
    assert linguist.get(row.new).context["page"].total == 0
    assert entries_of(client, row.feed) == []


def test_a_feed_without_entries_is_as_old_as_its_query(client, linguist, corpus):
    row = saved_as_feed(linguist)
    saved_at = NOW - timedelta(days=3)
    SavedQuery.objects.update(created_at=saved_at)

    feed = feedparser.parse(client.get(row.feed).content).feed
    assert feed.updated == saved_at.isoformat()


def test_a_feed_ends_with_its_query_and_cannot_be_guessed(client, linguist, corpus):
    row = saved_as_feed(linguist)
    answered = client.get(row.feed)

    unchanged = client.get(row.feed, headers={"If-None-Match": answered["ETag"]})
    assert answered["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert unchanged.status_code == 304
    assert client.get(f"/saved/feed/{row.query.short}:x/").status_code == 404
    row.query.delete()
    assert client.get(row.feed).status_code == 404


def test_a_second_query_of_one_name_is_refused(linguist, corpus):
    other = make_query(make_user("linguist"), name="Cold ones")
    for query in ("q=cold", "q=braai"):
        answer = linguist.post("/saved/add/", {"query": query, "name": "Cold ones"})

    assert "You have a query named “Cold ones” already" in words(answer)
    own = SavedQuery.objects.exclude(pk=other.pk)
    assert [row.parameters for row in own] == ["q=cold&asof=1"]
