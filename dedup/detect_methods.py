"""The method in force and its limit; changing either makes every article due again.

What is in force is a row, not the setting: all processes work by the same one. A process whose
`DEDUP_METHOD` names another method puts that in force, unless somebody has done so since the
process began. So of two that are set differently the one started last wins, once, and the other
goes along and says so (`disagreement`).
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from dedup import fingerprints
from dedup.models import Detection, DetectionMethod
from dedup.redoing import detect_again
from dedup.turn import take_turn
from presentation.wording.times import stamp

logger = logging.getLogger(__name__)

SHINGLES = "shingles"
SENTENCES = "sentences"
_STARTED = timezone.now()


class LimitChangedError(Exception):
    """Raised by `take_back`, caught by the page of limits: another one is in force by now."""


@dataclass(frozen=True, slots=True)
class Method:
    """How twins are found: by which method, and from which closeness on two texts are one."""

    name: str
    limit: float


def current() -> Method:
    """Give the method in force; the setting's while none has been written down."""
    row = DetectionMethod.objects.first()
    return Method(row.method, row.limit) if row else Method(settings.DEDUP_METHOD, 1.0)


def settle(now: datetime) -> Method:
    """Give the method in force; the first one is written down before anything is found by it."""
    if not DetectionMethod.objects.exists():
        with transaction.atomic():
            take_turn(now)
            if not DetectionMethod.objects.exists():
                DetectionMethod.objects.create(method=settings.DEDUP_METHOD, since=now)
    return current()


def follow_setting(now: datetime, started: datetime = _STARTED) -> bool:
    """Change to the method that the setting names; whether it was another one.

    `started` is when this process began: what was put in force after that stays.
    """
    if not disagreement():
        return False
    with transaction.atomic():
        take_turn(now)
        words, row = disagreement(), DetectionMethod.objects.first()
        if not words or row is None:
            return False
        if row.since > started:
            _warn_once(words)
            return False
        _put_in_force(DetectionMethod(method=settings.DEDUP_METHOD, since=now))
    return True


@cache
def _warn_once(words: str) -> None:
    """Log, but not at every sweep of a process that runs for weeks."""
    logger.warning(words)


def disagreement() -> str:
    """Say that the setting of this process is not what is in force; empty when it is."""
    row = DetectionMethod.objects.first()
    if row is None or row.method == settings.DEDUP_METHOD:
        return ""
    return (
        f"DEDUP_METHOD is {settings.DEDUP_METHOD} here, but {row.method} is in force since"
        f" {stamp(timezone.localtime(row.since))}. The worker started last decides, and"
        " has all articles compared again: give every process the same setting."
    )


def set_limit(limit: float, user_id: int | None, now: datetime) -> Method:
    """Put another limit in force; all articles are detected anew, as if they came just now.

    `limit` is a closeness: 1.0 are the thresholds of the method itself, 0.9 nine tenths of them.
    """
    if limit <= 0:
        raise ValueError("A limit is above 0.")
    with transaction.atomic():
        method = settle(now)
        _put_in_force(DetectionMethod(method=method.name, limit=limit, by_id=user_id, since=now))
    return Method(method.name, limit)


def former() -> DetectionMethod | None:
    """Give the row before the one in force, if the two differ in nothing but the limit."""
    rows = list(DetectionMethod.objects.all()[:2])
    is_limit = len(rows) > 1 and rows[0].method == rows[1].method
    return rows[1] if is_limit and rows[0].limit != rows[1].limit else None


def take_back(row_id: int, user_id: int | None, now: datetime) -> Method:
    """Put the limit before `row_id` in force again; all articles are detected anew.

    Raises
    ------
    LimitChangedError
        When that row is not the one in force (any more), or no other limit was before it.
    """
    with transaction.atomic():
        take_turn(now)
        newest, before = DetectionMethod.objects.first(), former()
        if before is None or newest is None or newest.pk != row_id:
            raise LimitChangedError("Another limit is in force by now: look again.")
        return set_limit(before.limit, user_id, now)


def _put_in_force(row: DetectionMethod) -> None:
    """Write the method down, empty the fingerprints, make all due: one transaction.

    Clusters stay as they are until their articles' turn comes; editors' words stay for good.
    """
    with transaction.atomic():
        take_turn(row.since)
        row.save()
        fingerprints.clear()
        detect_again(Detection.objects.all(), row.since)
