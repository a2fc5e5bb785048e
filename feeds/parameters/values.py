"""The values that hold now: those of admins, else those of the settings.

A process reads them at the beginning of a batch, a sweep or a page, at most every few seconds; in
between `value` asks nobody, so that it may be called in an event loop.
"""

import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction

from feeds.acts import Act
from feeds.models import ParameterChange
from feeds.parameters.parameter import Parameter

# A change holds in all processes after so long; the read is one row a changed parameter.
READ_EVERY_SECONDS = 5.0


@dataclass(slots=True)
class _Held:
    """What this process has read; `read_at` by its own clock."""

    values: dict[str, float] = field(default_factory=dict)
    read_at: float = -READ_EVERY_SECONDS


_held = _Held()


def value(name: str) -> float:
    """Give the value of a parameter by its name."""
    return _held.values.get(name, float(getattr(settings, name)))


def refresh() -> None:
    """Read what admins have changed, unless that was done a moment ago."""
    if time.monotonic() - _held.read_at >= READ_EVERY_SECONDS:
        read()


def read() -> None:
    """Read what admins have changed."""
    latest = ParameterChange.objects.filter(is_latest=True).values_list("name", "value")
    _held.values = {name: value for name, value in latest if value is not None}
    _held.read_at = time.monotonic()


def hold(read_at: float) -> None:
    """Forget what was read, and take that for what was read then (tests)."""
    _held.values, _held.read_at = {}, read_at


@transaction.atomic
def change(parameter: Parameter, wanted: float | None, act: Act) -> bool:
    """Let a parameter be a value, or what the settings say (None); False where it is that already.

    Each change is a row that stays: the last one holds.
    """
    rows = ParameterChange.objects.select_for_update().filter(name=parameter.name, is_latest=True)
    last = rows.first()
    before = last.value if last else None
    if before == wanted:
        return False
    rows.update(is_latest=False)
    ParameterChange.objects.create(
        name=parameter.name,
        before=parameter.default if before is None else before,
        value=wanted,
        reason=act.reason,
        made_by_id=act.made_by,
        made_at=act.at,
    )
    transaction.on_commit(read)
    return True
