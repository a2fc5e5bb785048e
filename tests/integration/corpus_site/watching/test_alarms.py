"""Alarms: opened and closed by what is seen, put to sleep, taken on, with notes."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from factories import make_feed, make_page, make_publication
from pages import markup, parsed

from corpus_site.alarms.keeping import alarms_in, keep_if_due
from corpus_site.alarms.models import Alarm, AlarmNote
from feeds.crawler.timing.publishing import Pattern, expect, learn
from feeds.models import Host, Lock, Page, Publication, PublishingRhythm
from presentation.wording.times import stamp

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

MINUTE = timedelta(minutes=1)


@pytest.fixture
def now():
    return timezone.localtime()


@pytest.fixture
def blocked(now):
    """A paper whose host refuses us; its feed was read before."""
    feed = make_feed(make_publication(state="active", created_at=now))
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

    assert (alarm.opened_at, alarm.since, alarm.articles_a_day) == (now, now, 10)
    assert alarm.sentence == (
        f"refuses us (a page of questions) since {stamp(now)}; we ask again by ourselves, and "
        "Karoo Courier loses about 10 articles a day: ask the newspaper, or permit another way in "
        "its settings."
    )
    assert (closed.pk, closed.closed_at) == (alarm.pk, now + 2 * MINUTE)
    assert "karoo-courier.example" in shown(linguist, "closed")
    assert "The last alarm, karoo-courier.example, closed" in markup(linguist.get("/status/"))


def seen(now, *, is_blocked):
    Host.objects.update(blocked_since=now if is_blocked else None)
    keep_if_due("sweeper", now)


def test_the_same_cause_more_than_an_hour_later_is_another_alarm(blocked, now):
    keep_if_due("sweeper", now)
    seen(now + MINUTE, is_blocked=False)
    seen(now + 62 * MINUTE, is_blocked=True)

    assert [alarm.closed_at for alarm in Alarm.objects.all()] == [None, now + MINUTE]


def test_alarm_that_flaps_is_one_line_with_a_count(linguist, blocked, now):
    """From its third beginning on it ends only when it was away for an hour."""
    for minute in range(20):
        seen(now + minute * MINUTE, is_blocked=minute % 2 == 0)
    alarm = Alarm.objects.get()

    assert (alarm.opened_at, alarm.closed_at, alarm.n_opened) == (now, None, 3)
    assert "came back 3 times" in shown(linguist)

    seen(now + 77 * MINUTE, is_blocked=False)
    assert Alarm.objects.get().closed_at is None
    seen(now + 79 * MINUTE, is_blocked=False)
    assert Alarm.objects.get().closed_at == now + 79 * MINUTE


def test_the_costliest_alarm_is_the_first_everywhere(admin_reader, blocked, now):
    """A large paper whose host refuses, a small one, and errors of ours that cost none."""
    small = make_feed(make_publication("aloe", state="active", created_at=now))
    for publication, an_hour in (
        (Publication.objects.get(slug="karoo-courier"), 4),
        (small.publication, 1),
    ):
        pattern = learn(Pattern(), now.replace(hour=0), [an_hour] * 24)
        PublishingRhythm.objects.create(
            publication=publication, expectation=expect(pattern).stored()
        )
    Host.objects.filter(pk=small.page.host_id).update(blocked_since=now)
    Page.objects.filter(pk=make_page(outcome="ok").pk).update(quarantined_at=now)
    keep_if_due("sweeper", now)
    expected = ["karoo-courier.example", "aloe.example", "Stage fetch"]

    on_status = admin_reader.get("/status/").context["needs"]
    on_alarms = admin_reader.get("/status/alarms/").context["page"]
    by_api = admin_reader.get("/api/alarms/").json()
    by_command = json.loads(printed("--json"))

    assert [need.subject for need in on_status] == expected
    assert [alarm.subject for alarm in on_alarms] == expected
    assert by_api == {"total": 3, "alarms": by_command}
    assert [alarm["subject"] for alarm in by_command] == expected
    assert list(by_command[0]) == ["kind", "subject", "host", "since", "sentence", "articles_a_day"]
    assert [line.split()[3] for line in printed().splitlines()[1:]] == [
        "block", "block", "quarantine"
    ]  # fmt: skip


def printed(*options):
    out = StringIO()
    call_command("alarms", *options, stdout=out)
    return out.getvalue()


def test_who_may_act_sees_the_number_on_every_page(editor, linguist, browse, alarm):
    mark = '<b class="badge" aria-hidden="true">1</b>'

    assert mark in markup(editor.get("/"))
    assert mark in markup(editor.get("/help/"))
    assert alarm.sentence in markup(editor.get("/"))
    for reader in (linguist, browse("reader")):
        assert "badge" not in markup(reader.get("/"))
        assert alarm.sentence not in markup(reader.get("/"))


def test_status_looks_for_itself_where_nobody_keeps_alarms(linguist, alarm, now):
    Lock.objects.update(last_run_at=now - timedelta(minutes=10))
    Host.objects.update(blocked_since=None)

    assert "Nothing needs you." in markup(linguist.get("/status/"))


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

    answer = admin_reader.post(f"/status/alarms/{alarm.pk}/", asked)

    assert answer.status_code == 400
    assert f"karoo-courier.example is still told: {words}" in markup(answer)
    assert alarms_in("open", now).get() == alarm


def test_a_day_that_cannot_be_stands_in_its_form_again_in_the_list_it_was_chosen_in(
    admin_reader, alarm
):
    place = {"state": "open", "kind": alarm.kind, "p": "1"}
    asked = {"act": "snooze", "until": "2999-01-01"}

    refused = parsed(admin_reader.post(f"/status/alarms/{alarm.pk}/", asked | place))
    taken = admin_reader.post(f"/status/alarms/{alarm.pk}/", {"act": "take"} | place)

    [field] = refused.cssselect("details[open] input[name=until]")
    assert field.get("value") == "2999-01-01"
    assert [chip.text.strip() for chip in refused.cssselect(".chip.on")][:1] == ["Open"]
    assert refused.cssselect("details[open] input[name=kind]")[0].get("value") == alarm.kind
    assert taken["Location"] == f"/status/alarms/?state=open&kind={alarm.kind}&p=1"


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
