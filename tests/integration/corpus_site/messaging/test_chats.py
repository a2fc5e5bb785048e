"""Messages to chats: by Apprise, in a process whose connections are looked at."""

import json
import socket

import pytest
from factories import NOW

from corpus_site.messaging import channels, chats
from corpus_site.messaging.models import Channel, ChannelKind, Delivery

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def ntfy(owner, url):
    """Make a channel to an ntfy server without https."""
    address = url.replace("http://", "ntfy://").replace("/hook", "/alarms")
    row = Channel(owner=owner, kind=ChannelKind.CHAT, name="Phone")
    return channels.add_channel(row, address, NOW).row


def test_a_message_reaches_a_server_by_apprise(world, owner, hook_server):
    hook_server.status = 200
    world.subscribe(ntfy(owner, hook_server.url))
    world.pass_minutes(1)
    world.alarm()
    world.pass_minutes(2)

    [delivery] = Delivery.objects.all()
    assert (delivery.is_taken, delivery.sentence) == (True, "Taken.")
    [post] = hook_server.posts
    body = json.loads(post.body)
    assert body["topic"] == "alarms"
    assert "Failing: Karoo Courier 1, News" in body["title"]
    assert "answers 503." in body["message"]


def test_no_connection_is_made_to_a_private_address(world, owner, hook_server, settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = []
    channel = ntfy(owner, hook_server.url)
    attempt = channels.send_test(channel, NOW)

    assert not attempt.is_taken
    assert attempt.sentence == "The address 127.0.0.1 is loopback."
    assert hook_server.posts == []


def test_a_redirect_is_not_followed(owner, hook_server):
    hook_server.status, hook_server.location = 307, "http://169.254.169.254/"
    attempt = channels.send_test(ntfy(owner, hook_server.url), NOW)

    assert not attempt.is_taken
    assert len(hook_server.posts) == 1


def test_who_drips_bytes_for_ever_is_ended(owner, hook_server, monkeypatch):
    monkeypatch.setattr(chats, "SECONDS", 3.0)
    hook_server.hangs = True
    attempt = channels.send_test(ntfy(owner, hook_server.url), NOW)

    assert not attempt.is_taken
    assert attempt.elapsed_ms < 10_000


def test_the_program_knows_no_setting_of_ours(owner, hook_server, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "not to be told")

    assert set(chats._environment()) == {"PATH", "LANG"}


@pytest.mark.parametrize(
    "url",
    [
        "exec://rm",
        "dbus://",
        "file:///etc/passwd",
        "xml://10.0.0.1/",
        "form://10.0.0.1/",
        "rsyslog://10.0.0.1",
        "smtp://x",
        "mqtt://10.0.0.1/x",
        "",
        "http://[",
    ],
)
def test_what_is_no_public_service_is_refused(url):
    assert chats.refusal(url) != ""


@pytest.mark.parametrize(
    "url",
    [
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#alarms",
        "tgram://123456789:abcdefg_hijklmnop/12315544/",
        "matrixs://user:secret@matrix.example.org/#room",
        "ntfys://ntfy.sh/alarms?priority=high",
        "msteams://team/a/b/c/",
    ],
)
def test_addresses_of_services_are_taken(url):
    assert chats.refusal(url) == ""


def test_a_name_that_resolves_to_a_private_address_gains_nothing(owner):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        attempt = channels.send_test(ntfy(owner, f"http://localhost:{port}/hook"), NOW)

        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not attempt.is_taken
    assert "loopback" in attempt.sentence


def test_a_proxy_is_used_and_asked_for_no_private_host(owner, hook_server, settings):
    hook_server.status = 200
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = []
    settings.CRAWL_PROXY_URL = hook_server.url.replace("127.0.0.1", "localhost").removesuffix(
        "/hook"
    )
    taken = channels.send_test(ntfy(owner, "http://ntfy.example/hook"), NOW)
    refused = channels.send_test(ntfy(owner, "http://127.0.0.1:8080/hook"), NOW)

    assert taken.is_taken
    assert [post.path for post in hook_server.posts] == ["http://ntfy.example/"]
    assert refused.sentence == "The address 127.0.0.1 is loopback."
