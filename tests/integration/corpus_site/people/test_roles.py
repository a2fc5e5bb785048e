"""Who may open what: role × address, with and without reading for everybody."""

import pytest
from django.utils import timezone
from factories import make_feed, make_page, make_publication

from corpus_site.accounts.models import User
from feeds.sources.collections import collection_of

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

READING = [
    "/",
    "/sources/",
    "/sources/karoo-courier/",
    "/sources/karoo-courier/months/",
    "/rights/",
    "/status/",
    "/status/alarms/",
    "/status/jobs/",
    "/comments/months/",
    "/status/plan/",
    "/status/url/",
]
READING += ["/status/stages/fetch/", "/feeds/{feed}/", "/hosts/karoo-courier.example/"]
READING += ["/collections/", "/collections/my-texts/", "/help/texts/"]
READING += ["/search/builder/", "/words/sketch/", "/words/sketch/grammar/af/"]
READING += ["/words/", "/words/zipf/", "/words/new/", "/words/braai/", "/search/keyness/"]
EDITING = [
    "/sources/add/",
    "/source-files/",
    "/web-archives/",
    "/source-files/export/",
    "/sources/karoo-courier/settings/",
    "/sources/karoo-courier/fetch-again/",
]
EDITING += ["/sources/karoo-courier/rules/", "/withdrawals/", "/sources/karoo-courier/withdraw/"]
EDITING += ["/sources/karoo-courier/accounts/"]
EDITING += ["/reference-lists/give/", "/collections/give/", "/collections/my-texts/remove/"]
EDITING_POSTS = ["/rights/policy/", "/sources/karoo-courier/do/pause/", "/feeds/{feed}/pause/"]
EDITING_POSTS += [
    "/status/jobs/change/",
    "/comments/months/",
    "/status/stages/fetch/again/",
    "/sources/karoo-courier/rules/change/",
]
EDITING_POSTS += ["/feeds/{feed}/address/", "/feeds/{feed}/schedule/", "/feeds/{feed}/delete/"]
EDITING_POSTS += ["/hosts/karoo-courier.example/try/"]
ADMIN = ["/admin/", "/admin/feeds/publication/", "/admin/accounts/user/add/"]
OWN = ["/settings/", "/settings/messages/", "/settings/messages/sent/", "/markings/"]
PUBLIC = ["/sign-in/", "/healthz"]


@pytest.fixture
def rows():
    publication = make_publication(state="active")
    feed = make_feed(publication)
    make_page(publication)
    collection_of("My texts", timezone.now())
    return {"feed": feed.pk}


def statuses(client, paths, rows):
    return {path: client.get(path.format(**rows)).status_code for path in paths}


@pytest.mark.parametrize("role", ["linguist", "editor", "admin"])
def test_everybody_with_an_account_may_read(role, browse, rows):
    paths = READING + OWN

    assert statuses(browse(role), paths, rows) == dict.fromkeys(paths, 200)


def test_without_an_account_one_is_sent_to_sign_in(browse, rows):
    paths = READING + EDITING + ADMIN + OWN

    answers = {path: browse("reader").get(path.format(**rows), follow=True) for path in paths}

    places = {path: answer.redirect_chain[-1][0] for path, answer in answers.items()}
    assert places == {path: f"/sign-in/?next={path.format(**rows)}" for path in paths}


def test_what_is_public_needs_no_account(browse, rows):
    assert statuses(browse("reader"), PUBLIC, rows) == dict.fromkeys(PUBLIC, 200)


def test_reading_for_everybody_opens_reading_and_nothing_else(browse, rows, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    reader = browse("reader")

    assert statuses(reader, READING, rows) == dict.fromkeys(READING, 200)
    assert statuses(reader, EDITING, rows) == dict.fromkeys(EDITING, 403)
    assert statuses(reader, ADMIN + OWN, rows) == dict.fromkeys(ADMIN + OWN, 302)
    assert {
        path: reader.post(path.format(**rows)).status_code for path in EDITING_POSTS
    } == dict.fromkeys(EDITING_POSTS, 302)


@pytest.mark.parametrize(("role", "status"), [("linguist", 403), ("editor", 200), ("admin", 200)])
def test_sources_are_changed_by_editors(role, status, browse, rows):
    assert statuses(browse(role), EDITING, rows) == dict.fromkeys(EDITING, status)


def test_a_linguist_may_post_nothing_to_the_sources(linguist, rows):
    answers = {path: linguist.post(path.format(**rows)).status_code for path in EDITING_POSTS}

    assert answers == dict.fromkeys(EDITING_POSTS, 403)


@pytest.mark.parametrize(("role", "status"), [("linguist", 403), ("editor", 403), ("admin", 200)])
def test_the_raw_tables_are_for_admins(role, status, browse, rows):
    assert statuses(browse(role), ADMIN, rows) == dict.fromkeys(ADMIN, status)


def test_an_account_that_was_closed_may_nothing(browse, rows):
    client = browse("admin")
    User.objects.update(is_active=False)

    assert client.get("/sources/add/").status_code == 302


def test_entries_that_a_role_may_not_use_are_absent(browse, rows):
    words = {
        role: browse(role).get("/sources/").content.decode() for role in ("linguist", "editor")
    }

    assert "Add a publication" not in words["linguist"]
    assert "Pause" not in words["linguist"]
    assert "Add a publication" in words["editor"]


def test_forbidden_pages_say_what_and_who(linguist, rows):
    answer = linguist.get("/sources/add/")

    assert "Sources and rules are for editors" in answer.content.decode()


def test_a_part_polled_after_the_session_ended_reloads_its_page(browse, rows):
    answer = browse("reader").get("/part/status/", headers={"HX-Request": "true"})

    assert (answer.status_code, answer["HX-Refresh"]) == (401, "true")
