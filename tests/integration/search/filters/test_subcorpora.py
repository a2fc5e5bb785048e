"""Subcorpora as sets of texts: by query, list or others, living or pinned, as a filter."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from factories import NOW, index_all, make_article, make_comment, make_publication, make_user
from pages import markup, words

from corpus_site import pipeline
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import withdraw_articles
from search.asking.address import Address
from search.asking.definitions import Operation
from search.asking.subcorpora import (
    Named,
    pin,
    remove_subcorpus,
    save_found,
    save_joined,
    save_listed,
    size_of,
)
from search.models import Subcorpus, TextSet

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    """Three articles: rain in the first and second, a braai in the second and third."""
    texts = ("Rain fell. Rain again.", "Rain on the braai.", "A braai in the sun.")
    articles = [make_article(text, title=f"Story {i}") for i, text in enumerate(texts)]
    make_comment(articles[0], "What a braai that was.")
    index_all()
    return articles


@pytest.fixture
def owner():
    return make_user("linguist")


def found(owner, name, query, **options):
    pinned = options.pop("is_pinned", False)
    return save_found(Named(name, owner, is_pinned=pinned), Address.parse(query), **options)


def total(client, query):
    return client.get(f"/search/?{query}").context["page"].total


@pytest.fixture
def signed_in(client, owner):
    client.force_login(owner, backend="corpus_site.accounts.backends.RoleBackend")
    return client


def test_the_texts_with_a_hit_are_saved_from_a_search(signed_in, corpus):
    made = signed_in.post(
        "/subcorpora/add/", {"query": "q=rain&sort=old", "name": "Wet", "what": "texts"}
    )

    row = Subcorpus.objects.get()
    page = signed_in.get("/search/?q=braai&sub=wet")
    one = words(signed_in.get(made.url))
    assert page.context["page"].total == 1
    assert page.context["page"].base_texts == 2
    assert "subcorpus “Wet”" in markup(page)
    assert "texts with “rain”" in one
    assert (size_of(row).n_documents, size_of(row).n_tokens) == (2, 11)
    assert "2, every copy counted" in one
    assert "11" in one


def test_a_living_one_grows_and_a_pinned_one_stays(signed_in, owner, corpus):
    found(owner, "Living", "q=rain")
    found(owner, "Pinned", "q=rain", is_pinned=True)
    make_article("More rain.")
    index_all()

    assert total(signed_in, "q=rain&sub=living") == 4
    assert total(signed_in, "q=rain&sub=pinned") == 3
    assert total(signed_in, "q=rain&sub=living&asof=1") == 3
    assert "pinned at generation 1" in words(signed_in.get("/subcorpora/"))


def test_a_living_one_is_pinned_under_another_name(signed_in, owner, corpus):
    row = found(owner, "Living", "q=rain")
    made = signed_in.post(f"/subcorpora/{row.pk}/pin/", {"name": "Of today"})
    make_article("More rain.")
    index_all()

    assert total(signed_in, "q=rain&sub=of-today") == 3
    assert "texts with “rain”" in words(signed_in.get(made.url))


def test_headlines_belong_to_their_articles(signed_in, owner, corpus):
    found(owner, "Wet", "q=rain")
    found(owner, "Second", "q=1&part=headline")

    assert total(signed_in, "q=story&part=headline&sub=wet") == 2
    assert total(signed_in, "q=braai&sub=second") == 1


def test_comments_belong_to_an_article_by_choice(signed_in, owner, corpus):
    found(owner, "Alone", "q=rain")
    found(owner, "Commented", "q=rain", takes_comments=True)
    found(owner, "Comments", "q=braai&in=comments")
    found(owner, "Pinned comments", "q=braai&in=comments", is_pinned=True)

    assert total(signed_in, "q=braai&in=both&sub=alone") == 1
    assert total(signed_in, "q=braai&in=both&sub=commented") == 2
    assert total(signed_in, "q=was&sub=comments") == 1
    assert total(signed_in, "q=was&sub=pinned-comments") == 1


def test_a_search_in_a_subcorpus_stays_in_it(signed_in, owner, corpus):
    found(owner, "Wet", "q=rain")
    both = found(owner, "Both", "q=braai&sub=wet")
    remove_subcorpus(Subcorpus.objects.get(slug="wet"))

    assert size_of(both).n_documents == 1
    assert total(signed_in, "q=rain&sub=both") == 1


def test_a_list_of_addresses_names_what_is_unknown(signed_in, corpus):
    first, second, _ = corpus
    left_out = make_article("Gone.", in_corpus=False, reason="short")
    lines = [first.url, f"http://testserver/articles/{second.pk}/", "https://x.example/no", "words"]
    response = signed_in.post(
        "/subcorpora/list/",
        {"name": "Listed", "addresses": "\n".join([*lines, left_out.url, first.url])},
        follow=True,
    )

    text = words(response)
    assert "not known here: 2 addresses. https://x.example/no, words" in text
    assert f"not in the corpus: 1 address. {left_out.url}" in text
    assert "articles of a list of addresses" in text
    assert total(signed_in, "q=rain&sub=listed") == 3
    assert total(signed_in, "q=sun&sub=listed") == 0


def test_a_list_without_a_known_address_is_refused(signed_in, corpus):
    response = signed_in.post("/subcorpora/list/", {"name": "x", "addresses": "https://x.example/"})

    assert response.status_code == 400
    assert "None of these addresses is known" in words(response)
    assert not TextSet.objects.exists()


def test_many_unknown_addresses_are_refused_before_each_is_looked_for(signed_in, corpus):
    lines = "\n".join(f"https://x.example/{i}" for i in range(501))
    response = signed_in.post("/subcorpora/list/", {"name": "x", "addresses": lines})

    assert "501 of these addresses are not known, such as https://x.example/0" in words(response)


@pytest.mark.parametrize(
    ("operation", "n_rain", "n_braai", "said"),
    [
        ("union", 3, 2, "“Wet” or “Dry”"),
        ("intersection", 1, 1, "“Wet” and “Dry”"),
        ("difference", 2, 0, "“Wet” without “Dry”"),
    ],
)
def test_others_are_joined(signed_in, owner, corpus, operation, n_rain, n_braai, said):
    wet, dry = found(owner, "Wet", "q=rain"), found(owner, "Dry", "q=braai")
    made = signed_in.post(
        "/subcorpora/join/",
        {"name": "Set", "first": wet.pk, "operation": operation, "others": [wet.pk, dry.pk]},
    )

    assert total(signed_in, "q=rain&sub=set") == n_rain
    assert total(signed_in, "q=braai&sub=set") == n_braai
    assert said in words(signed_in.get(made.url))


def test_what_is_joined_lives_on_without_its_members(signed_in, owner, corpus):
    wet = found(owner, "Wet", "q=rain")
    listed = save_listed(Named("Listed", owner), [corpus[1].pk])
    both = save_joined(Named("Rest", owner), Operation.DIFFERENCE, [wet, listed])
    for row in (wet, listed):
        remove_subcorpus(row)
    make_article("More rain.")
    index_all()
    n_kept = TextSet.objects.count()

    assert total(signed_in, "q=rain&sub=rest") == 3
    assert n_kept == 1
    remove_subcorpus(both)
    assert not TextSet.objects.exists()


def test_filters_are_joined_with_every_copy(signed_in, owner, corpus):
    make_article("Rain at the Cape.", make_publication("cape-meridian"))
    index_all()
    signed_in.post("/subcorpora/add/", {"query": "pub=cape-meridian", "name": "Cape"})
    wet = found(owner, "Wet", "q=rain")
    cape = Subcorpus.objects.get(slug="cape")
    save_joined(Named("Inland", owner), Operation.DIFFERENCE, [wet, cape])

    assert total(signed_in, "q=rain&sub=inland") == 3
    assert total(signed_in, "q=rain&sub=cape") == 1


STATISTICS = [
    "/search/distribution/?q=braai&by=pub&sub=wet",
    "/search/collocates/?q=braai&sub=wet&min=1",
    "/search/collocates/?q=braai&sub2=wet&min=1",
    "/search/trend/?q=braai&sub=wet",
    "/search/frequency/?q=braai&sub=wet",
    "/search/ngrams/?sub=wet",
    "/search/keyness/?sub=wet&ref=sub%3Ddry",
    "/words/?sub=wet",
    "/words/braai/?sub=wet",
    "/words/zipf/?sub=wet",
]


def test_statistics_take_one(signed_in, owner, corpus):
    found(owner, "Wet", "q=rain")
    found(owner, "Dry", "q=braai")

    for address in STATISTICS:
        page = signed_in.get(address)
        assert page.status_code == 200, address
        assert "subcorpus “Wet”" in words(page) or "subcorpus wet" in words(page), address


def test_keyness_compares_two(signed_in, owner, corpus):
    found(owner, "Wet", "q=rain")
    found(owner, "Sunny", "q=sun")

    page = signed_in.get("/search/keyness/?sub=wet&ref=sub%3Dsunny&min=1&error=1&texts=1")

    assert "11" in words(page)
    assert "subcorpus “Wet”" in words(page)
    assert "subcorpus “Sunny”" in words(page)


def test_the_api_and_the_command_take_one(signed_in, owner, corpus):
    found(owner, "Wet", "q=rain")
    out = StringIO()
    call_command("search", "braai", "--subcorpus", "wet", "--json", stdout=out)

    answer = signed_in.get("/api/search/?q=braai&sub=wet").json()
    assert json.loads(out.getvalue())["total"] == 1
    assert answer["hits"] == 1


def test_one_that_cannot_be_worked_out_stops_a_search(signed_in, owner, corpus, monkeypatch):
    monkeypatch.setattr("search.views.saved.subcorpora.PATIENCE_SECONDS", 60)  # of a busy machine
    row = found(owner, "Wet", "q=rain&pub=karoo-courier")
    row.definition = {"address": "q=rain&pub=gone", "comments": False}
    row.save()
    kept = Subcorpus.objects.create(owner=owner, name="F", slug="f", filters="pub=gone")

    for slug in (row.slug, kept.slug):
        for page in (f"/search/?q=rain&sub={slug}", f"/search/keyness/?sub={slug}"):
            response = signed_in.get(page)
            assert response.status_code == 400
            assert "“gone” is no publication" in words(response)
    assert "“gone” is no publication" in words(signed_in.get("/subcorpora/"))


@pytest.mark.parametrize("query", ["q=[&ql=cql", "sort=old", "q=rain&pub=gone"])
def test_what_cannot_be_searched_is_not_saved(signed_in, corpus, query):
    response = signed_in.post(
        "/subcorpora/add/", {"query": query, "name": "Wrong", "what": "texts"}
    )

    assert response.status_code == 400
    assert not Subcorpus.objects.exists()


def test_others_see_it_once_it_is_shared(signed_in, client, owner, corpus, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    row = found(make_user("linguist"), "Theirs", "q=rain")
    own = found(owner, "Own", "q=rain")

    assert signed_in.get(f"/subcorpora/{row.pk}/").status_code == 404
    assert signed_in.post(f"/subcorpora/{row.pk}/share/", {"is_shared": "1"}).status_code == 404
    assert signed_in.post(f"/subcorpora/{row.pk}/remove/").status_code == 404
    signed_in.post(f"/subcorpora/{own.pk}/share/", {"is_shared": "1"})
    client.logout()
    assert client.get(f"/subcorpora/{own.pk}/").status_code == 200
    assert total(client, "q=rain&sub=own") == 3


def test_withdrawn_texts_leave_a_pinned_one(signed_in, owner, corpus):
    row = found(owner, "Pinned", "q=rain", is_pinned=True)
    changed = withdraw_articles([corpus[0].pk], Order("Asked for by its author.", owner, NOW))
    pipeline.follow("articles", changed.articles, NOW)
    index_all()

    assert size_of(row).n_documents == 1
    assert total(signed_in, "q=rain&sub=pinned&asof=1") == 1
    assert pin(row, Named("Again", owner)).pinned_id == row.pinned_id
