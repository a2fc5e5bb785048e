"""A crawl that leaves addresses: told on Status, decided on its page, told no more."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_publication
from pages import markup

from corpus_site.alarms.models import AlarmKind
from corpus_site.alarms.needs import all_needs
from feeds.models import Crawl

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

CALENDAR, SESSIONS = "karoo.example/events/#/", "karoo.example/?sid"
SENTENCES = {
    CALENDAR: "No more addresses such as http://karoo.example/events/1900/7/ are taken.",
    SESSIONS: "No more addresses such as http://karoo.example/?sid=1 are taken.",
}


@pytest.fixture
def crawl():
    return Crawl.objects.create(
        publication=make_publication("karoo", state="active"),
        kind="site",
        seeds=[["http://karoo.example/", 100, ""]],
        state="running",
        created_at=timezone.now(),
        traps={"families": [], "stopped": SENTENCES},
        trap_sentences=list(SENTENCES.values()),
    )


def told():
    return [need for need in all_needs(timezone.now()) if need.kind == "trap"]


def test_status_says_it_until_an_editor_has_spoken_of_each(editor, crawl):
    (need,) = told()
    page = editor.get("/status/").content.decode()
    says = []
    for action, family in (("leave", CALENDAR), ("take", SESSIONS)):
        editor.post(f"/crawls/{crawl.pk}/{action}/", {"family": family})
        says.append([one.sentence.partition(".")[0] for one in told()])

    assert need.kind in AlarmKind.values
    assert need.sentence.startswith(
        f"has a crawl that leaves 2 kinds of addresses. {SENTENCES[SESSIONS]}"
    )
    assert (need.address, need.cause) == (f"/crawls/{crawl.pk}/#h-traps", f"trap:{crawl.pk}")
    assert f'href="{need.address}"' in page
    assert says == [["has a crawl that leaves 1 kind of addresses"], []]
    crawl.refresh_from_db()
    assert crawl.trap_choices == {CALENDAR: "stop", SESSIONS: "take"}


@pytest.mark.parametrize(("days", "n_told"), [(6, 1), (8, 0)])
def test_a_crawl_that_ended_is_told_of_for_a_week(crawl, days, n_told):
    ended_at = timezone.now() - timedelta(days=days)
    Crawl.objects.update(state="done", ended_at=ended_at)

    assert len(told()) == n_told


def test_a_crawl_without_traps_is_not_told_of(crawl):
    Crawl.objects.update(trap_sentences=[], traps=None)

    assert told() == []


def test_the_page_offers_what_may_be_said(editor, linguist, crawl):
    here = f"/crawls/{crawl.pk}/"
    first = markup(editor.get(here))
    editor.post(f"{here}take/", {"family": CALENDAR})
    taken = markup(editor.get(here))
    stopped = markup(
        editor.post(f"{here}stop-such/", {"url": "http://karoo.example/albums/7/"}, follow=True)
    )

    assert first.count("Take them after all") == first.count("Leave them, it is a trap") == 2
    assert (taken.count("Take them after all"), taken.count("Leave them again")) == (1, 1)
    assert "Addresses such as karoo.example/albums/#/ are left from now on." in stopped
    assert "An editor has stopped them." in stopped
    assert "Take them after all" not in markup(linguist.get(here))
    assert linguist.post(f"{here}take/", {"family": SESSIONS}).status_code == 403


@pytest.mark.parametrize(
    ("action", "given", "sentence"),
    [
        ("take", {"family": "other.example/#"}, "This crawl does not leave such addresses."),
        ("leave", {}, "This crawl does not leave such addresses."),
        ("stop-such", {"url": "no address"}, "no address"),
        ("stop-such", {}, ""),
    ],
)
def test_what_cannot_be_said_is_told(editor, crawl, action, given, sentence):
    page = editor.post(f"/crawls/{crawl.pk}/{action}/", given, follow=True)

    (message,) = page.context["messages"]
    assert (message.level_tag, sentence in str(message)) == ("error", True)
    crawl.refresh_from_db()
    assert crawl.trap_choices == {}
