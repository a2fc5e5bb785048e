"""The heartbeat: asked for once a minute, whoever sweeps; its trouble is nobody else's."""

import logging
from datetime import timedelta

import pytest
from factories import NOW

from corpus_site.messaging.heartbeat import beat_if_due

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
SECOND = timedelta(seconds=1)


def test_it_is_asked_for_once_a_minute_by_all_together(settings, hook_server):
    settings.HEARTBEAT_URL = hook_server.url
    hook_server.status = 200
    beats = [beat_if_due(f"owner {n % 3}", NOW + 15 * n * SECOND) for n in range(9)]

    assert beats == [True, False, False, False, True, False, False, False, True]
    assert len(hook_server.posts) == 3


def test_without_an_address_nothing_is_asked(hook_server):
    assert not beat_if_due("owner", NOW)


@pytest.mark.parametrize("url", ["http://169.254.169.254/ping", "http://10.0.0.1/", "nonsense"])
def test_an_address_that_may_not_be_asked_is_one_line(settings, url, caplog):
    caplog.set_level(logging.WARNING)
    settings.HEARTBEAT_URL = url
    beats = [beat_if_due("owner", NOW + 60 * n * SECOND) for n in range(5)]

    assert beats == [False] * 5
    assert len([one for one in caplog.records if "heartbeat" in one.getMessage()]) <= 1
