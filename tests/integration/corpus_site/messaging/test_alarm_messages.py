"""Alarms that people are told of: once, together, at the hour that they chose."""

from datetime import time, timedelta

import pytest
from factories import NOW, make_feed, make_publication

from corpus_site.alarms.models import Alarm
from corpus_site.messaging.models import Habits, Message, Notice, Pace

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_an_alarm_is_told_when_it_opens_and_when_it_closes(world, mail_server, mail_channel):
    world.subscribe(mail_channel)
    world.now += timedelta(minutes=1)
    alarm = world.alarm()
    world.pass_minutes(5)
    world.close(alarm)
    world.pass_minutes(20)

    assert mail_server.subjects == [
        "■ Failing: Karoo Courier 1, News",
        "● Closed: Karoo Courier 1, News",
    ]
    assert mail_server.mails[0][0] == "thandi@example.org"


def test_a_mail_has_both_parts_and_ends_with_one_click(world, mail_server, mail_channel):
    world.subscribe(mail_channel)
    world.now += timedelta(minutes=1)
    world.alarm(subject="<b>Karoo</b>")
    world.pass_minutes(5)

    [(_, mail)] = mail_server.mails
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    text, html = (part.get_content() for part in mail.iter_parts())
    assert "https://corpus.example.org/feeds/1/" in text
    assert "&lt;b&gt;Karoo&lt;/b&gt;" in html
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"].strip().startswith("<https://corpus.example.org/messages/end/")
    assert mail["Message-ID"].endswith("@corpus.example.org>")


def test_a_broken_network_is_one_message(world, mail_server, mail_channel):
    world.subscribe(mail_channel)
    world.now += timedelta(minutes=1)
    for number in range(300):
        world.alarm(number)
    world.pass_minutes(60)

    assert mail_server.subjects == ["300 alarms"]
    text = next(iter(mail_server.mails[0][1].iter_parts())).get_content()
    assert "300 alarms have changed: 300 × Failing." in text
    assert "and 275 more" in text
    assert Notice.objects.exclude(told_at=None).count() == 300


def test_alarms_that_come_within_half_an_hour_are_three_messages(world, mail_server, mail_channel):
    world.subscribe(mail_channel)
    world.pass_minutes(30, lambda minute: [world.alarm(10 * minute + n) for n in range(10)])
    world.pass_minutes(120)

    assert len(mail_server.mails) == 4
    assert Notice.objects.filter(told_at=None).count() == 0


@pytest.mark.long
def test_an_alarm_that_flaps_every_minute_for_a_day_floods_nobody(world, mail_server, mail_channel):
    world.subscribe(mail_channel)

    def flap(minute):
        if minute % 2:
            world.close(Alarm.objects.get(closed_at=None))
        else:
            world.alarm()

    world.pass_minutes(24 * 60, flap)
    world.pass_minutes(4 * 60)

    assert len(mail_server.mails) <= 12
    last = next(iter(mail_server.mails[-1][1].iter_parts())).get_content()
    assert "times" in last
    assert Notice.objects.count() == 24 * 60
    assert Notice.objects.filter(told_at=None).count() == 0


def test_who_was_not_there_is_told_of_what_comes_from_then_on(world, mail_server, mail_channel):
    world.alarm(1)
    world.now += timedelta(minutes=1)
    world.subscribe(mail_channel)
    world.pass_minutes(10)
    world.alarm(2)
    world.pass_minutes(10)

    assert mail_server.subjects == ["■ Failing: Karoo Courier 2, News"]


def test_one_that_is_still_open_after_days_is_told_again_once(world, mail_server, mail_channel):
    world.subscribe(mail_channel, still_days=3)
    world.now += timedelta(minutes=1)
    world.alarm()
    world.pass_minutes(5)
    world.now += timedelta(days=3, minutes=-8)
    world.pass_minutes(30)

    assert mail_server.subjects == [
        "■ Failing: Karoo Courier 1, News",
        "▲ Still open: Karoo Courier 1, News",
    ]


def test_an_alarm_that_sleeps_is_not_told_until_it_wakes(world, mail_server, mail_channel):
    world.subscribe(mail_channel, still_days=1)
    world.now += timedelta(minutes=1)
    alarm = world.alarm()
    world.pass_minutes(5)
    Alarm.objects.update(snoozed_until=NOW + timedelta(days=2))
    world.now += timedelta(days=1)
    world.pass_minutes(30)
    asleep = len(mail_server.mails)
    world.now = NOW + timedelta(days=2) - timedelta(minutes=3)
    world.pass_minutes(10)
    world.close(alarm)
    world.pass_minutes(20)

    assert asleep == 1
    assert mail_server.subjects[1:] == [
        "▲ Still open: Karoo Courier 1, News",
        "● Closed: Karoo Courier 1, News",
    ]


def test_only_the_alarms_of_chosen_publications_are_told(world, mail_server, mail_channel):
    karoo, cape = make_publication("karoo"), make_publication("cape")
    world.subscribe(mail_channel, publications=[karoo])
    world.now += timedelta(minutes=1)
    make_feed(karoo)
    make_feed(cape)
    world.alarm(1, publication=karoo, subject="Karoo, News")
    world.alarm(2, publication=cape, subject="Cape")
    world.alarm(3, publication=karoo, address="/articles/7/", subject="Karoo’s pages")
    world.alarm(4, host="karoo.example", subject="karoo.example")
    world.alarm(5, address="/status/#workers", subject="The disk")
    world.pass_minutes(5)

    text = next(iter(mail_server.mails[0][1].iter_parts())).get_content()
    words = ["Karoo, News", "Cape", "Karoo’s pages", "karoo.example", "The disk"]
    assert [word for word in words if word in text] == [words[0], words[2], words[3]]


def test_what_happens_in_quiet_hours_is_one_message_after_them(
    world, mail_server, mail_channel, owner
):
    Habits.objects.create(
        user=owner, time_zone="UTC", quiet_from=time(10, 30), quiet_until=time(12)
    )
    world.subscribe(mail_channel)
    world.pass_minutes(80, lambda minute: world.alarm(minute) if minute % 20 == 0 else None)
    before = len(mail_server.mails)
    world.pass_minutes(30)

    assert before == 0
    assert mail_server.subjects == ["4 alarms"]


def test_a_daily_digest_comes_at_its_hour_in_the_readers_zone(
    world, mail_server, mail_channel, owner
):
    Habits.objects.create(user=owner, time_zone="Africa/Johannesburg", daily_at=time(13))
    world.subscribe(mail_channel, pace=Pace.DAILY)
    world.pass_minutes(20, world.alarm)
    before = len(mail_server.mails)
    world.now = NOW.replace(hour=10, minute=59)
    world.pass_minutes(5)
    world.pass_minutes(30)

    assert before == 0
    assert mail_server.subjects == ["20 alarms"]
    assert Message.objects.get().made_at == NOW.replace(hour=11, minute=0)


def test_a_paused_channel_and_a_closed_account_are_told_nothing(
    world, mail_server, mail_channel, owner
):
    world.subscribe(mail_channel)
    owner.is_active = False
    owner.save()
    world.pass_minutes(5, world.alarm)

    assert (mail_server.mails, Notice.objects.count()) == ([], 0)
