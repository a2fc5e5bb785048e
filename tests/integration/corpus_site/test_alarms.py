"""Alarms: opened and closed by what is seen, put to sleep, taken on, with notes."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_feed, make_publication
from pages import markup

from corpus_site.alarms.keeping import alarms_in, keep_if_due
from corpus_site.alarms.models import Alarm, AlarmNote
from feeds.models import Host, Page

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.localtime()


@pytest.fixture
def blocked(now):
    """A paper whose host refuses us; its feed was read before."""
    feed = make_feed(make_publication(state="active"))
    Page.objects.update(outcome="ok")
    Host.objects.update(blocked_since=now, block_reason="403 on three pages")
    return feed.page.host


@pytest.fixture
def alarm(blocked, now):
    keep_if_due("sweeper", now)
    return Alarm.objects.get()


def shown(client, state="open"):
    return markup(client.get(f"/status/alarms/?state={state}"))


def test_an_alarm_opens_keeps_its_day_and_closes_with_its_cause(linguist, blocked, now):
    keep_if_due("sweeper", now)
    Host.objects.update(block_reason="a page of questions")
    keep_if_due("sweeper", now + MINUTE)
    alarm = Alarm.objects.get()
    Host.objects.update(blocked_since=None)
    keep_if_due("sweeper", now + 2 * MINUTE)
    closed = Alarm.objects.get()

    assert (alarm.opened_at, alarm.sentence) == (now, "refuses us: a page of questions.")
    assert (closed.pk, closed.closed_at) == (alarm.pk, now + 2 * MINUTE)
    assert "karoo-courier.example" in shown(linguist, "closed")
    assert "The last alarm, karoo-courier.example, closed" in markup(linguist.get("/status/"))


def test_the_same_cause_once_more_is_another_alarm(blocked, now):
    keep_if_due("sweeper", now)
    Host.objects.update(blocked_since=None)
    keep_if_due("sweeper", now + MINUTE)
    Host.objects.update(blocked_since=now)
    keep_if_due("sweeper", now + 2 * MINUTE)

    assert [alarm.closed_at for alarm in Alarm.objects.all()] == [None, now + MINUTE]


def test_alarms_are_looked_for_once_a_minute(blocked, now):
    moments = [now, now + MINUTE / 2, now + MINUTE]

    assert [keep_if_due(f"sweeper {n}", at) for n, at in enumerate(moments)] == [True, False, True]


def test_an_admin_puts_an_alarm_to_sleep_until_a_day(admin_reader, editor, alarm, now):
    day = (now + timedelta(days=3)).date()
    asked = {"act": "snooze", "until": day.isoformat()}

    refused = editor.post(f"/status/alarms/{alarm.pk}/", asked).status_code
    admin_reader.post(f"/status/alarms/{alarm.pk}/", asked)
    overview = markup(admin_reader.get("/status/"))
    keep_if_due("sweeper", now + MINUTE)

    assert refused == 403
    assert "refuses us" not in overview.partition("Stages</h2>")[0]
    assert "1 put to sleep" in overview
    assert "told again" in shown(admin_reader, "snoozed")
    assert alarms_in("open", now).count() == 0
    assert alarms_in("open", now + timedelta(days=4)).get() == alarm

    admin_reader.post(f"/status/alarms/{alarm.pk}/", {"act": "wake"})
    assert alarms_in("open", now).get() == alarm


@pytest.mark.parametrize(
    ("until", "words"),
    [
        ("", "Choose the day from which the alarm is told again."),
        ("soon", "This is no day."),
        ("2020-01-01", "Choose a day from tomorrow to"),
        ("2999-01-01", "Choose a day from tomorrow to"),
    ],
)
def test_sleep_needs_a_day_to_come(admin_reader, alarm, until, words, now):
    asked = {"act": "snooze", "until": until}

    page = markup(admin_reader.post(f"/status/alarms/{alarm.pk}/", asked, follow=True))

    assert f"karoo-courier.example is still told: {words}" in page
    assert alarms_in("open", now).get() == alarm


def test_an_editor_takes_an_alarm_on_and_writes_a_note(editor, linguist, alarm):
    editor.post(f"/status/alarms/{alarm.pk}/", {"act": "take"})
    editor.post(f"/status/alarms/{alarm.pk}/", {"act": "note", "text": "Mail sent <b>to them"})
    editor.post(f"/status/alarms/{alarm.pk}/", {"act": "note", "text": " \0 "})
    page = shown(linguist)
    editor.post(f"/status/alarms/{alarm.pk}/", {"act": "leave"})

    assert "looks after it" in page
    assert "Mail sent &lt;b&gt;to them" in page
    assert 'name="act"' not in page.partition("<main")[2]
    assert AlarmNote.objects.count() == 1
    assert Alarm.objects.get().taken_by is None


def test_readers_change_no_alarm(linguist, alarm):
    assert linguist.post(f"/status/alarms/{alarm.pk}/", {"act": "take"}).status_code == 403
    assert linguist.get(f"/status/alarms/{alarm.pk}/").status_code == 403


def test_what_is_no_act_is_refused(editor, alarm):
    assert editor.post(f"/status/alarms/{alarm.pk}/", {"act": "burn"}).status_code == 400
    assert editor.post("/status/alarms/4711/", {"act": "take"}).status_code == 404


def test_alarms_of_one_kind_are_chosen(linguist, alarm):
    Alarm.objects.create(
        kind="disk", key="disk:", subject="The disk", opened_at=alarm.opened_at,
        seen_at=alarm.opened_at,
    )  # fmt: skip

    page = linguist.get("/status/alarms/?kind=disk").context["page"]

    assert [each.subject for each in page] == ["The disk"]
