"""Addresses that only take forms: after the session has ended, and asked for by a link."""

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from factories import make_publication

from corpus_site.accounts.form_addresses import SIGNED_OUT, page_above

pytestmark = pytest.mark.django_db

HERE = "http://testserver"
# One value for each parameter of an address; nothing of it needs to exist.
VALUES = {
    **dict.fromkeys(
        ("pk", "query_id", "subcorpus_id", "list_id", "macro_id", "word_id", "marking_id"), 7
    ),
    **dict.fromkeys(("entry_id", "correction_id", "article_id", "key", "number"), 7),
    "slug": "karoo-courier",
    "action": "pause",
    "name": "fetch",
}


def takes_forms_alone(view):
    """Look for `require_POST` among the decorators of a view."""
    while view is not None:
        cells = getattr(view, "__closure__", None) or ()
        if any(cell.cell_contents == ["POST"] for cell in cells):
            return True
        view = getattr(view, "__wrapped__", None)
    return False


def all_names(patterns):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace is None:
                yield from all_names(pattern.url_patterns)
        elif takes_forms_alone(pattern.callback):
            yield pattern.name


FORMS = sorted(all_names(get_resolver().url_patterns))


def address_of(name):
    [(_, names)] = get_resolver().reverse_dict.getlist(name)[0][0]
    return reverse(name, kwargs={key: VALUES[key] for key in names})


def test_the_addresses_are_found():
    assert {"source-action", "duplicates-change", "change-password", "crawl-change"} < set(FORMS)


@pytest.mark.parametrize("is_open", [True, False])
def test_who_was_signed_out_comes_back_to_the_page_of_the_form(settings, is_open):
    settings.READING_WITHOUT_SIGN_IN = is_open
    page = "/duplicates/?pair=1-2"
    client = Client()
    for name in FORMS:
        answer = client.post(address_of(name), {}, headers={"referer": HERE + page})

        assert answer.status_code == 302, name
        assert answer.url == "/sign-in/?next=/duplicates/%3Fpair%3D1-2", name


def test_the_sign_in_page_says_that_nothing_was_saved(client):
    answer = client.post("/duplicates/change/", {})

    assert SIGNED_OUT in client.get(answer.url).content.decode()


@pytest.mark.parametrize(
    "referrer", ["", "https://elsewhere.example/x/", f"{HERE}//elsewhere.example/", "/sign-in/"]
)
def test_a_form_of_no_page_of_ours_leads_home(referrer):
    answer = Client().post("/duplicates/change/", {}, headers={"referer": referrer})

    assert answer.url == "/sign-in/?next=/"


def test_a_link_to_what_takes_forms_leads_to_the_page_above(admin_reader):
    make_publication()
    for name in FORMS:
        answer = admin_reader.get(address_of(name))
        assert answer.status_code == 302, name
        assert answer.url == page_above(address_of(name)), name


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/sources/karoo-courier/do/pause/", "/sources/karoo-courier/"),
        ("/crawls/3/stop/", "/crawls/3/"),
        ("/status/alarms/3/", "/status/alarms/"),
        ("/subcorpora/add/", "/subcorpora/"),
        ("/words/macros/7/remove/", "/words/lists/"),
        ("/sign-out/", "/"),
    ],
)
def test_the_page_above_an_address(address, page):
    assert page_above(address) == page


def test_other_ways_of_asking_are_still_refused(editor):
    assert editor.put("/duplicates/change/").status_code == 405
