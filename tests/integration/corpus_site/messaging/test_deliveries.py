"""Messages that are handed over: signed, tried again, never lost, never twice for who looks."""

import base64
import hashlib
import hmac
import json
import logging
import re
from datetime import timedelta

import pytest
from factories import NOW, make_user
from killed_work import is_killed_at
from message_receivers import HookServer

from corpus_site.messaging import channels, delivering, webhooks
from corpus_site.messaging.delivering import send_again
from corpus_site.messaging.models import Channel, Delivery, Habits, Message, Notice, Subscription
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DAY_OF_MINUTES = 24 * 60
MOST_STATEMENTS = 60  # of a turn; the test ends where a turn is over


@pytest.fixture
def lines(caplog):
    """Return the lines that messages write into the log."""
    caplog.set_level(logging.INFO, "corpus_site.messaging")
    return lambda: [record.getMessage() for record in caplog.records if "messaging" in record.name]


def tell(world, channel):
    world.subscribe(channel)
    world.now += timedelta(minutes=1)
    world.alarm()


def test_a_webhook_is_signed_as_the_standard_says(world, hook_server, hook_channel):
    tell(world, hook_channel.row)
    world.pass_minutes(5)

    [post] = hook_server.posts
    message = Message.objects.get()
    moment = post.headers["webhook-timestamp"]
    key = base64.b64decode(hook_channel.secret.removeprefix("whsec_"))
    signed = f"{message.key}.{moment}.".encode() + post.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert post.headers["webhook-signature"] == f"v1,{expected}"
    assert post.headers["content-type"] == "application/json"
    body = json.loads(post.body)
    assert (body["type"], body["data"]["id"]) == ("broadsheet.alarms", message.key)
    assert body["data"]["items"][0]["subject"] == "Karoo Courier 1, News"
    assert hook_channel.secret not in Channel.objects.get().sealed


def test_the_example_of_the_help_page_is_what_is_sent(world, hook_server, hook_channel):
    tell(world, hook_channel.row)
    world.pass_minutes(2)

    def shape(plain):
        if isinstance(plain, dict):
            return {name: shape(value) for name, value in plain.items()}
        return [shape(one) for one in plain] if isinstance(plain, list) else type(plain)

    [post] = hook_server.posts
    head, _, body = webhooks.EXAMPLE.partition("\n\n")
    assert shape(json.loads(body)) == shape(json.loads(post.body))
    names = {line.partition(":")[0].lower() for line in head.split("\n")[1:]}
    assert names <= set(post.headers)


@pytest.mark.long
def test_a_mail_server_that_is_down_for_a_day_loses_and_floods_nothing(
    world, mail_server, mail_channel, lines
):
    mail_server.stop()
    tell(world, mail_channel)
    world.pass_minutes(
        DAY_OF_MINUTES,
        lambda minute: world.alarm(minute + 2) if minute % 60 == 30 else None,
        step=5,
    )
    tries = Delivery.objects.count()
    mail_server.start()
    world.pass_minutes(70)

    assert mail_server.subjects == ["■ Failing: Karoo Courier 1, News", "24 alarms"]
    assert Notice.objects.filter(told_at=None).count() == 0
    assert tries < 40
    assert [re.split(r"[:(]", line)[0].strip() for line in lines()] == [
        "mail does not leave",
        "mail leaves again",
    ]


@pytest.mark.long
def test_a_receiver_that_answers_500_for_a_day_gets_it_all_in_two(
    world, hook_server, hook_channel, lines
):
    hook_server.status = 500
    tell(world, hook_channel.row)
    world.pass_minutes(
        DAY_OF_MINUTES,
        lambda minute: world.alarm(minute + 2) if minute % 60 == 30 else None,
        step=5,
    )
    n_refused = len(hook_server.posts)
    hook_server.status = 204
    world.pass_minutes(70)

    assert n_refused < 40
    assert len(set(hook_server.ids[: n_refused + 1])) == 1
    assert len(hook_server.posts) == n_refused + 2
    assert len(json.loads(hook_server.posts[-1].body)["data"]["items"]) == 24
    assert [line.partition(" take")[0] for line in lines() if "channel" in line] == [
        f"channel {hook_channel.row.pk} (webhook) does not",
        f"channel {hook_channel.row.pk} (webhook)",
    ]


def test_a_receiver_that_is_gone_for_good_is_given_up_after_three_days(
    world, hook_server, hook_channel
):
    hook_server.status = 500
    tell(world, hook_channel.row)
    world.pass_minutes(2)
    for _ in range(80):
        world.now += timedelta(hours=1)
        world.work()

    message = Message.objects.get()
    assert (message.tries, message.due_at) == (75, None)
    assert timedelta(days=4) > message.given_up_at - message.made_at > timedelta(days=3)
    hook_server.status = 200
    send_again(message, world.now)
    world.work()
    assert Message.objects.get().sent_at == world.now


def test_a_receiver_that_says_it_is_gone_is_asked_no_more(world, hook_server, hook_channel):
    hook_server.status = 410
    tell(world, hook_channel.row)
    world.pass_minutes(2 * 60)
    for _ in range(24):
        world.now += timedelta(hours=1)
        world.pass_minutes(1)

    assert len(hook_server.posts) == 1
    assert Message.objects.get().given_up_at is not None


@pytest.mark.parametrize("status", [302, 307, 308])
def test_a_redirect_to_a_private_address_is_refused(world, hook_server, hook_channel, status):
    hook_server.status = status
    hook_server.location = "http://169.254.169.254/latest/meta-data/"
    tell(world, hook_channel.row)
    world.pass_minutes(2)

    [delivery] = Delivery.objects.all()
    assert not delivery.is_taken
    assert delivery.code == status
    if status != 302:
        assert delivery.sentence == "The address 169.254.169.254 is link-local."


@pytest.mark.parametrize(
    ("status", "is_repeated"), [(301, False), (302, False), (303, False), (307, True), (308, True)]
)
def test_a_redirect_is_followed_where_it_repeats_the_request_and_without_the_signature(
    world, hook_server, hook_channel, status, is_repeated
):
    with HookServer() as elsewhere:
        hook_server.status, hook_server.location = status, elsewhere.url
        tell(world, hook_channel.row)
        world.pass_minutes(2)

        assert [post.body for post in elsewhere.posts] == [
            post.body for post in hook_server.posts if is_repeated
        ]
        assert all("webhook-signature" not in post.headers for post in elsewhere.posts)
    assert Delivery.objects.get().is_taken is is_repeated


def test_a_receiver_that_hangs_is_cut_off_and_keeps_nobody(
    world, hook_server, hook_channel, mail_server, mail_channel, monkeypatch
):
    monkeypatch.setattr(webhooks, "SECONDS", 0.3)
    hook_server.hangs = True
    world.subscribe(mail_channel)
    tell(world, hook_channel.row)
    world.pass_minutes(2)

    assert len(mail_server.mails) == 1
    refused = Delivery.objects.get(is_taken=False)
    assert refused.sentence == "No whole answer within 0.3 s."


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/hook",
        "http://localhost:8000/",
        "http://169.254.169.254/",
        "http://[::1]/",
        "http://0x7f.1/",
        "ftp://example.org/",
        "https://user:password@example.org/",
        "file:///etc/passwd",
    ],
)
def test_no_channel_is_made_to_an_address_that_is_not_on_the_internet(url):
    assert webhooks.refusal(url) != ""


def test_a_refused_recipient_is_final_and_a_busy_server_is_not(world, mail_server, mail_channel):
    mail_server.refusal = "451 4.7.1 Greylisted"
    tell(world, mail_channel)
    world.pass_minutes(2)
    message = Message.objects.get()
    first = (message.given_up_at, message.due_at is not None)
    mail_server.refusal = "550 5.1.1 No such user"
    world.pass_minutes(1)

    assert first == (None, True)
    message.refresh_from_db()
    assert (message.due_at, message.sent_at, message.given_up_at) == (None, None, world.now)
    assert "550 5.1.1 No such user" in Delivery.objects.first().sentence


def test_a_closed_channel_is_sent_nothing_that_waited(world, hook_server, hook_channel):
    tell(world, hook_channel.row)
    world.now += timedelta(minutes=3)
    world.sweep()
    channels.pause(hook_channel.row, world.now)
    world.work()

    assert hook_server.posts == []
    assert Message.objects.get().given_up_at == world.now


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_sent_once_for_who_looks_at_its_id_however_often_we_are_killed(
    world, mail_server, mail_channel
):
    for n in range(MOST_STATEMENTS):
        Message.objects.all().delete()
        mail_server.mails.clear()
        row = Message.objects.create(
            channel=mail_channel, key=f"k{n}", content=CONTENT, made_at=NOW, due_at=NOW
        )
        was_killed = is_killed_at(n, world.work)
        world.now += timedelta(minutes=10)
        while world.work("another").n_claimed:
            pass

        row.refresh_from_db()
        assert row.sent_at is not None
        assert 1 <= len(mail_server.ids) <= 2
        assert len(set(mail_server.ids)) == 1
        assert row.deliveries.filter(is_taken=True).count() == 1
        if not was_killed:
            assert len(mail_server.ids) == 1
            return
    pytest.fail("the turn never ended")


@pytest.mark.django_db(transaction=True)
def test_a_webhook_is_posted_under_one_id_however_often_we_are_killed(
    world, hook_server, hook_channel
):
    for n in range(MOST_STATEMENTS):
        Message.objects.all().delete()
        hook_server.posts.clear()
        row = Message.objects.create(
            channel=hook_channel.row, key=f"k{n}", content=CONTENT, made_at=NOW, due_at=NOW
        )
        was_killed = is_killed_at(n, world.work)
        world.now += timedelta(minutes=10)
        while world.work("another").n_claimed:
            pass

        row.refresh_from_db()
        assert row.sent_at is not None
        assert set(hook_server.ids) == {f"k{n}"}
        if not was_killed:
            assert len(hook_server.ids) == 1
            return
    pytest.fail("the turn never ended")


@pytest.mark.django_db(transaction=True)
def test_who_is_killed_while_messages_are_made_makes_each_once(world, hook_server, hook_channel):
    world.subscribe(hook_channel.row)
    told = 0
    for n in range(MOST_STATEMENTS):
        world.now += timedelta(days=1)
        world.alarm(n)
        world.now += timedelta(minutes=5)
        was_killed = is_killed_at(n, world.sweep)
        world.now += timedelta(minutes=5)
        world.sweep()
        while world.work().n_claimed:
            pass
        told += 1
        assert len(hook_server.posts) == told
        if not was_killed:
            break
    else:
        pytest.fail("the sweep never ended")
    assert len(set(hook_server.ids)) == told
    assert Notice.objects.filter(told_at=None).count() == 0


def test_a_subscription_that_breaks_keeps_nobody_else(world, mail_server, mail_channel, lines):
    Habits.objects.create(user=make_user(), time_zone="Nowhere/Land")
    broken = Channel.objects.create(
        owner=Habits.objects.get().user,
        kind="mail",
        name="Broken",
        address="a@example.org",
        created_at=NOW,
        confirmed_at=NOW,
    )
    Subscription.objects.create(channel=broken, topic="alarms", created_at=NOW, next_at=NOW)
    tell(world, mail_channel)
    world.pass_minutes(50)

    assert [address for address, _ in mail_server.mails] == ["thandi@example.org"]
    assert len([line for line in lines() if "in an hour again" in line]) == 1


def test_a_message_that_breaks_is_put_aside_alone(world, mail_server, mail_channel):
    for key, content in (("a", CONTENT), ("b", {"kind": "nonsense"}), ("c", CONTENT)):
        Message.objects.create(
            channel=mail_channel, key=key, content=content, made_at=NOW, due_at=NOW
        )
    for _ in range(5):
        world.now += timedelta(minutes=5)
        world.work()

    assert len(mail_server.mails) == 2
    assert list(Message.objects.quarantined().values_list("key", flat=True)) == ["b"]


def test_two_workers_send_a_message_once(world, mail_server, mail_channel):
    Message.objects.create(
        channel=mail_channel, key="one", content=CONTENT, made_at=NOW, due_at=NOW
    )
    assert [world.work("a").n_claimed, world.work("b").n_claimed] == [1, 0]
    assert len(mail_server.mails) == 1


def test_a_lost_lease_writes_nothing(world, mail_server, mail_channel):
    row = Message.objects.create(
        channel=mail_channel,
        key="one",
        content=CONTENT,
        made_at=NOW,
        due_at=NOW,
        lease_owner="another",
        lease_until=NOW + timedelta(hours=1),
    )
    attempt = delivering._IN_FEED
    delivering._record(row, attempt, Claim("late", NOW, timedelta(minutes=1)))

    assert Delivery.objects.count() == 0


CONTENT = {
    "kind": "alarms",
    "title": "A title",
    "lead": "A lead.",
    "address": "https://corpus.example.org/status/alarms/",
    "items": [],
    "n_more": 0,
    "figures": [],
}
