"""How long a disk lasts is learnt from its days, said on Status and told in time."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings

from corpus_site.alarms.needs import all_needs
from corpus_site.retention import disk_days
from corpus_site.retention.models import DiskDay

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TODAY = date(2026, 11, 20)
GIGABYTE = 10**9
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def add_days(machine, used, free):
    """Note days up to today, in gigabytes."""
    for n, gigabytes in enumerate(reversed(used)):
        DiskDay.objects.create(
            machine=machine, day=TODAY - timedelta(days=n), used_bytes=gigabytes * GIGABYTE,
            free_bytes=free * GIGABYTE + settings.MIN_FREE_DISK_BYTES, looked_at=NOW,
        )  # fmt: skip


def test_a_step_does_not_move_what_a_day_adds():
    add_days("one", [100, 101, 102, 140, 141, 142], free=20)

    [found] = disk_days.outlooks(NOW)

    assert (found.machine, found.bytes_a_day, found.days_left) == ("one", GIGABYTE, 20.0)


def test_what_does_not_fill_has_no_end_and_three_days_tell_nothing():
    add_days("still", [100, 100, 100, 90], free=20)
    add_days("young", [1, 2, 3], free=20)

    assert [(one.machine, one.days_left) for one in disk_days.outlooks(NOW)] == [("still", None)]


def test_a_disk_is_looked_at_once_an_hour_and_has_one_row_a_day():
    looks = [NOW, NOW + timedelta(minutes=30), NOW + timedelta(minutes=61)]

    assert [disk_days.note_disk(at) for at in looks] == [True, False, True]
    assert DiskDay.objects.count() == 1


def test_a_disk_that_is_full_within_two_weeks_is_told(settings):
    settings.MIN_FREE_DISK_BYTES = 0
    add_days("one", [100, 102, 104, 106], free=20)
    add_days("two", [100, 101, 102, 103], free=20)

    told = [need for need in all_needs(NOW) if need.kind == "disk"]

    assert [(need.subject, need.label) for need in told] == [("The disk of one", "▲ Fills")]
    assert "full in about 10 days" in told[0].sentence
    assert told[0].address == "/status/retention/"
