"""A reader with channels to real local servers, and time that is told."""

import ipaddress
from datetime import timedelta

import pytest
from factories import NOW, make_user
from message_receivers import HookServer, MailServer

from corpus_site.alarms.models import Alarm
from corpus_site.messaging import channels, delivering, making
from corpus_site.messaging.models import Channel, ChannelKind, Subscription, Topic
from feeds.work.leases import Claim

MINUTE = timedelta(minutes=1)


@pytest.fixture
def owner():
    return make_user("editor", username="thandi")


@pytest.fixture
def mail_server(settings):
    with MailServer() as server:
        settings.EMAIL_URL = f"smtp://127.0.0.1:{server.port}"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.SITE_URL = "https://corpus.example.org"
        yield server


@pytest.fixture
def hook_server(settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    with HookServer() as server:
        yield server


@pytest.fixture
def mail_channel(owner):
    made = channels.add_channel(
        Channel(owner=owner, kind=ChannelKind.MAIL, name="Mail"), "thandi@example.org", NOW
    ).row
    channels.confirm(made.pk, NOW)
    return Channel.objects.get(pk=made.pk)


@pytest.fixture
def hook_channel(owner, hook_server):
    return channels.add_channel(
        Channel(owner=owner, kind=ChannelKind.WEBHOOK, name="Hook"), hook_server.url, NOW
    )


class World:
    """Alarms that open and close, sweeps and turns of the stage, on a clock of its own."""

    def __init__(self):
        self.now = NOW

    def subscribe(self, channel, topic=Topic.ALARMS, publications=(), **wishes):
        row = Subscription(channel=channel, topic=topic, **wishes)
        return channels.subscribe(row, list(publications), self.now)

    def alarm(self, number=1, **changes):
        values = {
            "kind": "feed",
            "tone": "bad",
            "label": "■ Failing",
            "key": f"feed:/feeds/{number}/",
            "subject": f"Karoo Courier {number}, News",
            "sentence": "answers 503.",
            "address": f"/feeds/{number}/",
            "action": "Open the feed",
            "opened_at": self.now,
            "seen_at": self.now,
        }
        return Alarm.objects.create(**values | changes)

    def close(self, alarm):
        Alarm.objects.filter(pk=alarm.pk).update(closed_at=self.now)

    def sweep(self):
        return making.pending(1000, self.now)

    def work(self, owner="worker"):
        return delivering.run(10, Claim(owner, self.now, timedelta(minutes=1)))

    def pass_minutes(self, n, each=lambda _: None, step=1):
        """Let minutes go by: after each `step` what happens, a sweep and all work that is due."""
        for minute in range(0, n, step):
            self.now += step * MINUTE
            each(minute)
            self.sweep()
            while self.work().n_claimed:
                pass


@pytest.fixture
def world():
    return World()
