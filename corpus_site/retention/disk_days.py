"""How many days a disk will last: its fill is noted day by day, and what a day adds is learnt.

A crawl adds about as much each day; backups and clean-ups are steps. So a day's growth is the
median of the differences between days, of up to two weeks, which one step does not move.
"""

import platform
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from django.conf import settings
from django.utils import timezone

from corpus_site.retention.models import DiskDay

DAYS_READ = 15  # two weeks of differences
LEAST_DAYS = 4  # three differences: two would be moved by one step
_LOOKED_EVERY = timedelta(hours=1)
_KEPT = timedelta(days=400)
_MACHINE_CHARS = 64
# Further ahead nothing is said: the corpus will have changed by then.
FARTHEST_DAYS = 3 * 365


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is left of one machine's disk.

    `days_left` is None where it is not filling, or will not be full for years.
    """

    machine: str
    free_bytes: int
    bytes_a_day: float
    days_left: int | None


def note_disk(now: datetime) -> bool:
    """Note how full this machine's data folder is, once an hour; returns whether it was noted."""
    machine = platform.node()[:_MACHINE_CHARS]
    day = timezone.localtime(now).date()
    rows = DiskDay.objects.filter(machine=machine)
    if rows.filter(day=day, looked_at__gt=now - _LOOKED_EVERY).exists():
        return False
    try:
        usage = shutil.disk_usage(settings.DATA_DIR)
    except OSError:
        return False  # a disk that is away is told by what stands still
    DiskDay.objects.update_or_create(
        machine=machine,
        day=day,
        defaults={"used_bytes": usage.used, "free_bytes": usage.free, "looked_at": now},
    )
    rows.filter(day__lt=day - _KEPT).delete()
    return True


def outlooks(now: datetime) -> list[Outlook]:
    """Say of each machine's disk how long it will last, the shortest first.

    Machines with fewer than four noted days, and those not seen for two days, are left out.
    """
    today = timezone.localtime(now).date()
    by_machine: dict[str, list[DiskDay]] = {}
    for row in DiskDay.objects.filter(day__gt=today - timedelta(days=DAYS_READ)).order_by("day"):
        by_machine.setdefault(row.machine, []).append(row)
    found = [
        _outlook(rows)
        for rows in by_machine.values()
        if len(rows) >= LEAST_DAYS and rows[-1].day >= today - timedelta(days=1)
    ]
    return sorted(found, key=lambda one: (one.days_left is None, one.days_left or 0))


def _shown(days: float | None) -> int | None:
    return None if days is None or days > FARTHEST_DAYS else round(days)


def _outlook(rows: list[DiskDay]) -> Outlook:
    growth = median(
        (later.used_bytes - earlier.used_bytes) / (later.day - earlier.day).days
        for earlier, later in pairwise(rows)
    )
    last = rows[-1]
    room = max(last.free_bytes - settings.MIN_FREE_DISK_BYTES, 0)
    days = room / growth if growth > 0 else None
    return Outlook(last.machine, last.free_bytes, growth, _shown(days))
