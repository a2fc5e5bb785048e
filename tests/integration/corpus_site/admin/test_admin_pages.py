"""Django's admin: every table opens, changes keep to their rules, no inline code."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import CompositePrimaryKey
from django.utils import timezone
from factories import make_article, make_comment, make_feed, make_fetch, make_page, make_publication
from inline_code import inline_code

import corpus_site.urls  # noqa: F401 (finds the admin of every app)
from dedup.models import Duplicate
from extraction.models import Extraction
from feeds.models import Host, Page, Publication
from search.models import LexiconEntry

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

OUR_APPS = ("accounts", "feeds", "extraction", "dedup", "search")
# Django's admin shows no table whose key is of several columns: dedup.Fingerprint.
MODELS = [
    model
    for label in OUR_APPS
    for model in apps.get_app_config(label).get_models()
    if not isinstance(model._meta.pk, CompositePrimaryKey)
]


@pytest.fixture
def rows():
    publication = make_publication(state="active")
    feed = make_feed(publication)
    article = make_article(publication=publication)
    other = make_article(publication=publication, text="Another text.")
    make_comment(article)
    make_fetch(article.page)
    Extraction.objects.create(page=article.page, done_digest="old")
    Duplicate.objects.create(
        article=other,
        other=article,
        relation="near",
        similarity=0.4,
        n_shared=3,
        detected_at=timezone.now(),
    )
    LexiconEntry.objects.create(word="maas", tag="NN")
    return {"publication": publication, "feed": feed, "article": article}


def address(model, page="changelist", *args):
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/" + (
        f"{args[0]}/change/" if page == "change" else ""
    )


def act(client, model, action, *rows):
    chosen = [str(row.pk) for row in rows]
    return client.post(address(model), {"action": action, "_selected_action": chosen}, follow=True)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_every_table_is_in_the_admin_with_its_rows(model, admin_reader, rows):
    assert admin.site.is_registered(model)

    listed = admin_reader.get(address(model))
    first = model.objects.first()
    opened = admin_reader.get(address(model, "change", first.pk)) if first else listed

    assert (listed.status_code, opened.status_code) == (200, 200)
    assert inline_code(listed.content.decode()) == inline_code(opened.content.decode()) == []


@pytest.mark.parametrize(
    "query", ["?q=maas", "?work=quarantined", "?work=due", "?outcome__exact=ok", "?p=2"]
)
def test_the_frontier_can_be_searched_and_filtered(query, admin_reader, rows):
    assert admin_reader.get(address(Page) + query, follow=True).status_code == 200


def test_a_list_asks_the_same_number_of_queries_for_1_and_3_rows(
    admin_reader, rows, django_assert_max_num_queries
):
    admin_reader.get(address(Page))
    with django_assert_max_num_queries(30) as first:
        admin_reader.get(address(Page))
    for _ in range(2):
        make_page(rows["publication"])
    with django_assert_max_num_queries(30) as third:
        admin_reader.get(address(Page))

    assert len(third) == len(first)


def test_publications_are_paused_and_resumed(admin_reader, rows):
    act(admin_reader, Publication, "pause", rows["publication"])
    paused = Publication.objects.get().state
    act(admin_reader, Publication, "resume", rows["publication"])

    assert (paused, Publication.objects.get().state) == ("paused", "active")


def test_feeds_are_visited_now(admin_reader, rows):
    act(admin_reader, type(rows["feed"]), "visit", rows["feed"])

    assert Page.objects.get(feed=rows["feed"]).due_at <= timezone.now()


def test_quarantined_pages_are_released(admin_reader, rows):
    page = rows["article"].page
    Page.objects.filter(pk=page.pk).update(quarantined_at=timezone.now(), attempts=3)

    act(admin_reader, Page, "try_again", page)

    assert Page.objects.quarantined().count() == 0


def test_articles_are_extracted_again(admin_reader, rows):
    act(admin_reader, type(rows["article"]), "extract_again", rows["article"])

    row = Extraction.objects.get()
    assert (row.done_digest, row.due_at is not None) == ("", True)


def test_pairs_get_a_verdict(admin_reader, rows):
    act(admin_reader, Duplicate, "mark_different", Duplicate.objects.get())

    assert Duplicate.objects.get().verdict == "different"


def test_a_block_is_forgotten(admin_reader, rows):
    Host.objects.update(blocked_since=timezone.now() - timedelta(hours=3), block_reason="403")

    act(admin_reader, Host, "unblock", Host.objects.first())

    assert Host.objects.filter(blocked_since__isnull=False).count() == 0


def test_the_lexicon_remembers_who_added_a_word(admin_reader, rows):
    admin_reader.post(
        "/admin/search/lexiconentry/add/", {"word": "veld", "tag": "NN", "is_active": "on"}
    )

    assert LexiconEntry.objects.get(word="veld").created_by.role == "admin"


def test_what_took_place_cannot_be_invented_or_changed(admin_reader, rows):
    assert admin_reader.get("/admin/feeds/fetch/add/").status_code == 403
    assert admin_reader.get("/admin/extraction/article/add/").status_code == 403


def test_a_user_is_added_with_a_role(admin_reader):
    values = {
        "username": "sipho",
        "usable_password": "true",
        "password1": "a-long-enough-word",
        "password2": "a-long-enough-word",
        "role": "editor",
    }

    admin_reader.post("/admin/accounts/user/add/", values)

    users = admin_reader.get("/admin/accounts/user/").content.decode()
    assert "sipho" in users
