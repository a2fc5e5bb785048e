"""Which workers a supervisor ends: its own machine's, since this start of it, and no others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from corpus_site.running.executor import Heartbeat
from corpus_site.running.supervise import WATCH_EVERY_TICKS, StuckWorkers
from feeds.models import Worker

pytestmark = pytest.mark.django_db

PID = 4711


def stuck(name: str) -> Worker:
    now = timezone.now()
    return Worker.objects.create(
        name=name,
        kind="worker",
        pid=PID,
        started_at=now,
        beat_at=now,
        hard_limit_at=now - timedelta(seconds=1),
    )


def watched() -> list[int]:
    watch = StuckWorkers()
    return [pid for _ in range(WATCH_EVERY_TICKS) for pid in watch()]


def test_a_stuck_worker_of_this_machine_is_ended_and_forgotten():
    stuck(Heartbeat("worker").name)

    assert watched() == [PID]
    assert not Worker.objects.exists()


@pytest.mark.parametrize("part", [0, 1])
def test_a_stuck_worker_of_another_machine_or_boot_stays_for_its_own_supervisor(part):
    parts = Heartbeat("worker").name.split(":")
    parts[part] = "elsewhere"
    stuck(":".join(parts))

    assert watched() == []
    assert Worker.objects.count() == 1


def test_no_two_starts_have_one_name():
    names = {Heartbeat("worker").name for _ in range(20)}

    assert len(names) == 20
    assert max(len(name) for name in names) <= Worker._meta.get_field("name").max_length
