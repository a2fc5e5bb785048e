"""The writing turn: one batch, or one decision of an editor, changes the twins at a time."""

from datetime import datetime

from feeds.models import Lock

_NAME = "detect"


def take_turn(now: datetime) -> None:
    """Wait until nobody else writes; the turn ends with the surrounding transaction.

    A locked row on PostgreSQL. On SQLite the transaction itself is the turn (IMMEDIATE).
    """
    Lock.objects.select_for_update().get_or_create(
        name=_NAME, defaults={"lease_owner": _NAME, "lease_until": now}
    )
