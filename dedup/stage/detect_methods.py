"""The method in force and its limit; changing either makes every article due again.

What is in force is a row, and all processes work by the same one; editors change it on a page.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from dedup.models import Detection, DetectionMethod
from dedup.stage import fingerprints
from dedup.stage.rows import detect_again, take_turn

SHINGLES = "shingles"
SENTENCES = "sentences"
# What a corpus begins with: the measured better one (docs/design/near-duplicates.md).
_FIRST = SHINGLES


class LimitChangedError(Exception):
    """Raised by `take_back`, caught by the page of limits: another one is in force by now."""


@dataclass(frozen=True, slots=True)
class Method:
    """How twins are found: by which method, and from which closeness on two texts are one."""

    name: str
    limit: float

    @property
    def other(self) -> str:
        """Name of the method that could be in force instead."""
        return SENTENCES if self.name == SHINGLES else SHINGLES


def current() -> Method:
    """Give the method in force; the first one while none has been written down."""
    row = DetectionMethod.objects.first()
    return Method(row.method, row.limit) if row else Method(_FIRST, 1.0)


def settle(now: datetime) -> Method:
    """Give the method in force; the first one is written down before anything is found by it."""
    if not DetectionMethod.objects.exists():
        with transaction.atomic():
            take_turn(now)
            if not DetectionMethod.objects.exists():
                DetectionMethod.objects.create(method=_FIRST, since=now)
    return current()


def use_method(name: str, user_id: int | None, now: datetime) -> bool:
    """Put a method in force with its own limit; whether it was another one.

    All articles are detected anew, as if they came just now.
    """
    with transaction.atomic():
        take_turn(now)
        if settle(now).name == name:
            return False
        _put_in_force(DetectionMethod(method=name, by_id=user_id, since=now))
    return True


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
