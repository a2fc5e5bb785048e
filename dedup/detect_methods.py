"""The method in force and its limit; changing either makes every article due again."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from dedup import fingerprints
from dedup.models import Detection, DetectionMethod
from dedup.redoing import detect_again
from dedup.turn import take_turn

SHINGLES = "shingles"
SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class Method:
    """How twins are found: by which method, and from which closeness on two texts are one."""

    name: str
    limit: float


def current(now: datetime) -> Method:
    """Give the method in force; the setting's when none has been written down yet."""
    row = DetectionMethod.objects.first()
    if row is None:
        row = DetectionMethod.objects.create(method=settings.DEDUP_METHOD, since=now)
    return Method(row.method, row.limit)


def follow_setting(now: datetime) -> bool:
    """Change to the method that the setting names; whether it was another one."""
    row = DetectionMethod.objects.first()
    if row is None or row.method == settings.DEDUP_METHOD:
        return False
    _put_in_force(DetectionMethod(method=settings.DEDUP_METHOD, since=now))
    return True


def set_limit(limit: float, user_id: int | None, now: datetime) -> Method:
    """Put another limit in force; all articles are detected anew, as if they came just now.

    `limit` is a closeness: 1.0 are the thresholds of the method itself, 0.9 nine tenths of them.
    """
    method = current(now)
    if limit <= 0:
        raise ValueError("A limit is above 0.")
    _put_in_force(DetectionMethod(method=method.name, limit=limit, by_id=user_id, since=now))
    return Method(method.name, limit)


def _put_in_force(row: DetectionMethod) -> None:
    """Write the method down, empty the fingerprints, make all due: one transaction.

    Clusters stay as they are until their articles' turn comes; editors' words stay for good.
    """
    with transaction.atomic():
        take_turn(row.since)
        row.save()
        fingerprints.clear()
        detect_again(Detection.objects.all(), row.since)
