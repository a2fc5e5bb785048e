"""The buttons of a host's page: for editors, with a reason, told in words."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_feed, make_publication
from pages import error_beside, filled, is_whole, markup, open_forms

from feeds.models import Host, HostDecision, Page

pytestmark = pytest.mark.django_db
HOST = "/hosts/karoo-courier.example/"


@pytest.fixture
def host():
    make_feed(make_publication(state="active"))
    wish = {
        "next_at": timezone.now() + timedelta(minutes=28),
        "next_reason": "The server asked for 30 min (Retry-After).",
    }
    Host.objects.update(**wish)
    return Host.objects.get()


def test_trying_now_says_what_it_overrides_before_and_after(editor, host):
    offered = markup(editor.get(HOST))
    told = markup(editor.post(f"{HOST}try/", {"reason": "They rang."}, follow=True))

    assert "Overridden is: The server asked for 30 min (Retry-After)." in offered
    assert "is asked for now, once. That overrides: The server asked for 30 min" in told
    assert "They rang." in told
    assert Host.objects.get().next_at <= timezone.now()
    assert Page.objects.get().due_at <= timezone.now()


@pytest.mark.parametrize("reason", [{}, {"reason": "  "}, {"reason": "x" * 201}])
def test_nothing_is_done_without_a_reason(editor, host, reason):
    answer = editor.post(f"{HOST}try/", reason, headers={"HX-Request": "true"})

    assert HostDecision.objects.count() == 0
    assert answer.status_code == 400
    assert error_beside(answer, "try-reason")


@pytest.mark.parametrize(
    ("action", "typed", "field", "words"),
    [
        ("delay", {"seconds": "0", "reason": "They rang."}, "delay-seconds", "A delay is between"),
        ("delay", {"seconds": "x", "reason": "They rang."}, "delay-seconds", "A delay is a number"),
        ("delay", {"seconds": "20", "reason": ""}, "delay-reason", "Say why"),
        ("proxy", {"permit": "forbid", "reason": " "}, "proxy-reason", "Say why"),
        ("browser", {"permit": "paper", "reason": "Why"}, "browser-permit", "say already."),
        ("robots", {"reason": "x" * 201}, "robots-reason", "at most 200 characters"),
    ],
)
def test_refused_act_keeps_what_was_typed(editor, host, action, typed, field, words):
    answer = editor.post(f"{HOST}{action}/", typed)

    assert answer.status_code == 400
    assert is_whole(answer)
    assert words in error_beside(answer, field)
    assert filled(answer, f"{HOST}{action}/").items() >= typed.items()
    assert open_forms(answer) == [f"{HOST}{action}/"]
    assert HostDecision.objects.count() == 0


def test_refusal_of_an_act_that_is_no_longer_offered_is_a_notice(editor, host):
    answer = editor.post(f"{HOST}forget-block/", {"reason": "They rang."})

    assert answer.status_code == 400
    assert "there is no block to forget" in markup(answer)


@pytest.mark.parametrize(
    ("action", "value", "words"),
    [
        ("delay", {"seconds": "20"}, "is 20 s from its next turn on"),
        ("delay", {"seconds": "0"}, "A delay is between 1 s and"),
        ("delay", {"seconds": "soon"}, "A delay is a number of seconds."),
        ("delay", {"seconds": "nan"}, "A delay is a number of seconds."),
        ("proxy", {"permit": "forbid"}, "A proxy of the pool: forbidden here from now on."),
        ("browser", {"permit": "permit"}, "A browser’s name: permitted here from now on."),
        ("browser", {"permit": "paper"}, "A browser’s name: as its publications say already."),
        ("robots", {}, "robots.txt is read again with the next turn"),
        ("forget-block", {}, "there is no block to forget"),
    ],
)
def test_each_act_is_told_in_words(editor, host, action, value, words):
    told = markup(editor.post(f"{HOST}{action}/", {"reason": "Why not"} | value, follow=True))

    assert words in told


def test_linguists_see_the_log_and_no_buttons(linguist, host):
    assert "What you can do" not in markup(linguist.get(HOST))
    assert linguist.post(f"{HOST}try/", {"reason": "x"}).status_code == 403


def test_unknown_acts_and_hosts_are_not_found(editor, host):
    assert editor.post(f"{HOST}burn/", {"reason": "x"}).status_code == 404
    assert editor.post("/hosts/nobody.example/try/", {"reason": "x"}).status_code == 404
