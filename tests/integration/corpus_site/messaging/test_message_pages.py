"""The reader's page of messages, and the addresses that work without signing in."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from factories import NOW, make_publication, make_user
from pages import markup

from corpus_site.messaging import channels, noticing
from corpus_site.messaging.addresses import Wish, signed
from corpus_site.messaging.models import Channel, Delivery, Habits, Message, Subscription, Topic
from feeds.secrets_at_rest import unseal

BACKEND = "corpus_site.accounts.backends.RoleBackend"
PAGE = "/settings/messages/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(owner):
    client = Client()
    client.force_login(owner, backend=BACKEND)
    return client


def add(client, kind, address="", name=""):
    return client.post(
        f"{PAGE}channels/add/", {"kind": kind, "address": address, "name": name}, follow=True
    )


def test_without_a_mail_server_the_page_says_so_and_what_to_do(reader):
    page = markup(reader.get(PAGE))

    assert "No mail can leave: this site knows no mail server." in page
    assert "EMAIL_URL" in page


def test_two_channels_of_one_name_are_told_apart_by_their_owner(reader):
    add(reader, "feed", name="Desk")
    page = markup(add(reader, "webhook", "https://hook.example/in", name="Desk"))

    assert "You have a channel called “Desk”: call it else." in page
    assert Channel.objects.count() == 1


def test_a_mail_channel_waits_until_its_reader_agrees(reader, mail_server, world):
    page = markup(add(reader, "mail", "friend@example.org"))
    channel = Channel.objects.get()
    world.subscribe(channel)
    world.pass_minutes(5, world.alarm)
    before = mail_server.subjects
    text = next(iter(mail_server.mails[0][1].iter_parts())).get_content()
    path = re.search(r"https://corpus\.example\.org(/messages/confirm/\S+)", text)[1]
    stranger = Client()
    asked = markup(stranger.get(path))
    looked_at = Channel.objects.get().confirmed_at
    done = markup(stranger.post(path))

    assert "Open the link in that mail to agree" in page
    assert before == ["Broadsheet: please confirm"]
    assert ("Send me messages" in asked, looked_at) == (True, None)
    assert "Messages come to this address." in done
    assert Channel.objects.get().confirmed_at is not None


def test_a_test_says_what_the_other_side_answered(reader, hook_server):
    page = markup(add(reader, "webhook", hook_server.url, "Mine"))
    channel = Channel.objects.get()
    secret = re.search(r'id="new-secret">(whsec_\S+?)<', page)[1]
    sent = markup(reader.post(f"{PAGE}channels/{channel.pk}/test/", follow=True))
    hook_server.status = 404
    refused = markup(reader.post(f"{PAGE}channels/{channel.pk}/test/", follow=True))

    assert "The test was sent. “Mine”: Taken. (204)" in sent
    assert "Nothing arrived. “Mine”: The server answered 404 Not Found. (404)" in refused
    assert secret == unseal(channel.sealed)
    assert secret not in sent
    assert Delivery.objects.count() == 2


def test_tests_are_bounded(reader, hook_server):
    add(reader, "webhook", hook_server.url)
    path = f"{PAGE}channels/{Channel.objects.get().pk}/test/"
    for _ in range(channels.TESTS_AN_HOUR):
        reader.post(path)
    page = markup(reader.post(path, follow=True))
    reader.post(f"{PAGE}channels/{Channel.objects.get().pk}/remove/")
    add(reader, "webhook", hook_server.url)
    reader.post(f"{PAGE}channels/{Channel.objects.get().pk}/test/")

    assert "You sent 10 tests within an hour." in page
    assert len(hook_server.posts) == channels.TESTS_AN_HOUR


@pytest.mark.parametrize(
    ("kind", "address", "words"),
    [
        ("mail", "nobody", "This is no mail address."),
        ("mail", "", "Give the address that messages are to go to."),
        ("webhook", "http://127.0.0.1/", "The address 127.0.0.1 is loopback."),
        ("webhook", "javascript:alert(1)", "Only http and https are fetched, not javascript."),
        ("chat", "json://127.0.0.1/", "This is no address of a service"),
        ("chat", "mailto://a:b@example.org", "This is no address of a service"),
        ("chat", "syslog://", "This is no address of a service"),
        ("chat", "msteams://a/b/c/?template=/etc/passwd", "The option “template” is not taken"),
        ("chat", "ntfys://ntfy.sh/x?verify=no", "The option “verify” is not taken"),
    ],
)
def test_an_address_that_cannot_be_used_is_named(reader, kind, address, words):
    answer = add(reader, kind, address)

    assert (answer.status_code, Channel.objects.count()) == (400, 0)
    assert words in markup(answer)


def test_the_address_of_a_chat_is_shown_to_nobody(reader):
    page = markup(add(reader, "chat", "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/"))

    assert "slack://…" in page
    assert "TIiajkdnlazkcOXrIdevi7FQ" not in page
    channel = Channel.objects.get()
    assert "TIiajkdnlazkcOXrIdevi7FQ" not in channel.sealed
    assert "TIiajkdnlazkcOXrIdevi7FQ" in unseal(channel.sealed)


def test_one_click_ends_a_subscription_without_signing_in(world, mail_channel):
    row = world.subscribe(mail_channel)
    path = f"/messages/end/{signed(Wish.END, row.pk)}/"
    stranger = Client(enforce_csrf_checks=True)
    asked = markup(stranger.get(path))
    before = Subscription.objects.get().paused_at
    answer = stranger.post(path, {"List-Unsubscribe": "One-Click"})

    assert ("Tell me of this no more" in asked, before) == (True, None)
    assert answer.status_code == 200
    assert Subscription.objects.get().paused_at is not None


def test_who_leaves_a_channel_has_to_agree_again(world, mail_server, mail_channel, reader):
    reader.post(f"{PAGE}channels/{mail_channel.pk}/test/")
    [(_, mail)] = mail_server.mails
    path = mail["List-Unsubscribe"].strip().removeprefix("<https://corpus.example.org")[:-1]
    Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    paused = markup(reader.post(f"{PAGE}channels/{mail_channel.pk}/test/", follow=True))
    reader.post(f"{PAGE}channels/{mail_channel.pk}/resume/")
    world.subscribe(mail_channel)
    world.pass_minutes(5, world.alarm)

    assert "is paused: let it go on first." in paused
    assert "Not confirmed yet" in markup(reader.get(PAGE))
    assert len(mail_server.mails) == 1


@pytest.mark.parametrize("wish", ["end", "leave", "confirm", "feed"])
def test_a_forged_address_opens_nothing(wish, mail_channel, world):
    row = world.subscribe(mail_channel)

    for key in (f"{row.pk}", f"{row.pk}:x", signed(Wish.LEAVE, row.pk) + "x"):
        assert Client().get(f"/messages/{wish}/{key}/").status_code == 404
    other = Wish.LEAVE if wish == "end" else Wish.END
    assert Client().post(f"/messages/{wish}/{signed(other, row.pk)}/").status_code in {404, 405}


def test_a_feed_is_read_by_its_key_until_the_key_is_changed(reader, world):
    add(reader, "feed", name="Reader")
    channel = Channel.objects.get()
    world.subscribe(channel)
    world.pass_minutes(5, lambda n: world.alarm(n, subject="<Karoo>\x0b & Co."))
    page = markup(reader.get(PAGE))
    path = re.search(r"/messages/feed/[^/\"]+/", page)[0]
    feed = Client().get(path)
    reader.post(f"{PAGE}channels/{channel.pk}/renew/")

    assert feed["Content-Type"].startswith("application/atom+xml")
    assert b"&amp;lt;Karoo&amp;gt;" in feed.content
    assert Client().get(path).status_code == 404
    channel.refresh_from_db()
    assert Client().get(f"/messages/feed/{channels.key_of(channel)}/").status_code == 200


def test_a_closed_account_ends_its_feeds(reader, owner):
    add(reader, "feed")
    key = channels.key_of(Channel.objects.get())
    owner.is_active = False
    owner.save()

    assert Client().get(f"/messages/feed/{key}/").status_code == 404


def test_others_channels_subscriptions_and_messages_are_nobody_elses(
    linguist, world, mail_channel, browse
):
    row = world.subscribe(mail_channel)
    message = Message.objects.create(
        channel=mail_channel, key="k", content={"title": "Private"}, made_at=NOW
    )
    paths = [
        f"{PAGE}channels/{mail_channel.pk}/remove/",
        f"{PAGE}channels/{mail_channel.pk}/test/",
        f"{PAGE}wanted/{row.pk}/remove/",
        f"{PAGE}sent/{message.pk}/again/",
    ]

    assert [linguist.post(path).status_code for path in paths] == [404] * 4
    assert "Private" not in markup(linguist.get(f"{PAGE}sent/?of=all"))
    assert "Private" in markup(browse("admin").get(f"{PAGE}sent/?of=all"))


def test_what_is_wanted_is_chosen_paused_and_removed(reader, mail_channel):
    values = {
        "topic": "alarms",
        "channel": mail_channel.pk,
        "pace": "daily",
        "tells_opened": "on",
        "still_days": 3,
    }
    added = markup(reader.post(f"{PAGE}wanted/add/", values, follow=True))
    row = Subscription.objects.get()
    reader.post(f"{PAGE}wanted/{row.pk}/pause/")
    paused = Subscription.objects.get().paused_at
    reader.post(f"{PAGE}wanted/{row.pk}/resume/")
    resumed = Subscription.objects.get().paused_at
    reader.post(f"{PAGE}wanted/{row.pk}/remove/")

    assert "still open after 3 days" in added
    assert (row.tells_closed, row.pace) == (False, "daily")
    assert (paused is None, resumed) == (False, None)
    assert Subscription.objects.count() == 0


def test_the_report_is_never_sent_at_once(reader, mail_channel):
    values = {"topic": "report", "channel": mail_channel.pk, "pace": "once"}
    page = markup(reader.post(f"{PAGE}wanted/add/", values))

    assert "The report comes once a day or once a week." in page


def test_somebody_elses_channel_cannot_be_chosen(linguist, mail_channel):
    values = {"topic": "alarms", "channel": mail_channel.pk, "pace": "once"}

    assert linguist.post(f"{PAGE}wanted/add/", values).status_code == 400
    assert Subscription.objects.count() == 0


def test_hours_are_kept_and_checked(reader, owner):
    values = {
        "daily_at": "08:30",
        "weekday": "4",
        "quiet_from": "22:00",
        "quiet_until": "06:00",
        "time_zone": "Africa/Johannesburg",
    }
    reader.post(f"{PAGE}hours/", values)
    wrong = markup(reader.post(f"{PAGE}hours/", values | {"time_zone": "Mars", "quiet_until": ""}))

    habits = Habits.objects.get(user=owner)
    assert (habits.daily_at.hour, habits.weekday, habits.quiet_from.hour) == (8, 4, 22)
    assert "This is no time zone." in wrong
    assert "Give both ends of the quiet hours, or neither." in wrong


def test_links_lead_here_from_alarms_and_saved_queries(reader, mail_channel):
    assert f"{PAGE}?topic=alarms#subscribe" in markup(reader.get("/status/alarms/"))
    page = markup(reader.get(f"{PAGE}?topic={Topic.REPORT}"))
    assert '<option value="report" selected>' in page


def test_a_message_is_sent_again(reader, world, hook_server, hook_channel):
    world.subscribe(hook_channel.row)
    world.pass_minutes(5, world.alarm)
    message = Message.objects.get()
    n_before = len(hook_server.posts)
    reader.post(f"{PAGE}sent/{message.pk}/again/")
    message.refresh_from_db()
    world.now = message.due_at
    world.work()

    assert len(hook_server.posts) == n_before + 1
    assert set(hook_server.ids) == {message.key}


def test_a_removed_channel_takes_all_with_it(reader, world, hook_server, hook_channel):
    world.subscribe(hook_channel.row)
    world.pass_minutes(5, world.alarm)
    page = markup(reader.post(f"{PAGE}channels/{hook_channel.row.pk}/remove/", follow=True))

    assert "is removed" in page
    assert (Channel.objects.count(), Message.objects.count(), Delivery.objects.count()) == (0, 0, 0)


def test_a_page_with_every_state_is_whole(reader, world, mail_channel, hook_server, owner):
    make_user("linguist")
    for kind, address in (("feed", ""), ("webhook", hook_server.url), ("mail", "x@example.org")):
        add(reader, kind, address)
    Channel.objects.filter(kind="webhook").update(failing_since=NOW)
    Channel.objects.filter(kind="mail").update(paused_at=NOW)
    page = markup(reader.get(PAGE))

    for words in ("Does not take messages", "Paused", "Open"):
        assert words in page


def test_a_subscription_is_changed_in_place(reader, mail_server, mail_channel, hook_channel, world):
    karoo = make_publication("karoo")
    world.subscribe(mail_channel, tells_closed=False)
    row = Subscription.objects.get()
    world.now += timedelta(minutes=1)
    world.alarm(1)
    world.sweep()
    told = list(row.notices.values_list("key", flat=True))
    path = f"{PAGE}wanted/{row.pk}/edit/"
    form = markup(reader.get(path))
    wanted = {
        "topic": "alarms",
        "channel": hook_channel.row.pk,
        "pace": "daily",
        "tells_closed": "on",
        "still_days": 3,
        "publications": [karoo.pk],
    }

    reader.post(path, wanted)

    held = Subscription.objects.get()
    assert (held.pk, held.channel_id, held.pace) == (row.pk, hook_channel.row.pk, "daily")
    assert (held.tells_opened, held.tells_closed, held.still_days) == (False, True, 3)
    assert list(held.publications.all()) == [karoo]
    assert held.created_at == row.created_at
    assert list(held.notices.values_list("key", flat=True)) == told
    assert held.next_at > row.next_at
    assert "Save the change" in form


def test_another_topic_begins_anew(reader, mail_server, mail_channel, world):
    row = world.subscribe(mail_channel)
    world.now += timedelta(minutes=1)
    world.alarm(1)
    noticing.note_alarms(NOW, world.now)

    wanted = {"topic": "report", "channel": mail_channel.pk, "pace": "weekly"}
    reader.post(f"{PAGE}wanted/{row.pk}/edit/", wanted)

    held = Subscription.objects.get()
    assert (held.topic, held.created_at > row.created_at) == ("report", True)
    assert row.notices.count() == 1
    assert not row.notices.filter(told_at=None).exists()


def test_somebody_elses_subscription_is_changed_by_nobody(linguist, mail_channel, world):
    row = world.subscribe(mail_channel)

    assert linguist.get(f"{PAGE}wanted/{row.pk}/edit/").status_code == 404
    assert linguist.post(f"{PAGE}wanted/{row.pk}/edit/", {"topic": "report"}).status_code == 404
