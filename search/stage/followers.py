"""What followers of the index say of themselves, and which of them are late.

A follower is current when it has what its source lists and what the index stage has noted: so a
source that stands still, or publishes no more, is seen too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from search.models import IndexedArticle, IndexFollower

FOLLOWER = "follower"  # kinds of the processes, which work on no stage
PUBLISHER = "publisher"
# A generation is there within seconds; a source that is being restarted is no alarm.
LATE_AFTER = timedelta(minutes=5)
_MAX_PROBLEM = 500


@dataclass(frozen=True, slots=True)
class FollowedState:
    """How far a folder is: generation here and at its source, bytes to fetch, what is wrong."""

    source: str
    generation: int = 0
    newest: int = 0
    n_bytes_left: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FollowerRow:
    """A machine that follows the index, as of a moment."""

    machine: str
    source: str
    generation: int
    behind: int  # generations
    seconds: float  # since it had all that there was
    n_bytes_left: int
    checked_at: datetime
    current_at: datetime
    problem: str
    is_late: bool


def note(state: FollowedState, now: datetime) -> None:
    """Write how far this machine is."""
    noted = _newest_noted()
    newest = max(state.newest, noted)
    is_current = not state.problem and not state.n_bytes_left and state.generation >= newest
    present = {
        "source": state.source,
        "generation": state.generation,
        "newest": newest,
        "n_bytes_left": state.n_bytes_left,
        "checked_at": now,
        "problem": state.problem[:_MAX_PROBLEM],
    }
    IndexFollower.objects.update_or_create(
        machine=settings.MACHINE_NAME,
        defaults=present | ({"current_at": now} if is_current else {}),
        create_defaults=present | {"current_at": now},
    )


def forget(machine: str) -> None:
    """Forget a machine that is no more; one that still follows is there again in a moment."""
    IndexFollower.objects.filter(machine=machine).delete()


def follower_rows(now: datetime) -> Sequence[FollowerRow]:
    """List all machines that follow the index."""
    noted = _newest_noted()
    return [_row(row, noted, now) for row in IndexFollower.objects.all()]


def own_row(now: datetime) -> FollowerRow | None:
    """Return the row of this machine, None if it does not follow."""
    row = IndexFollower.objects.filter(machine=settings.MACHINE_NAME).first()
    return _row(row, _newest_noted(), now) if row else None


def _row(row: IndexFollower, noted: int, now: datetime) -> FollowerRow:
    seconds = max(0.0, (now - row.current_at).total_seconds())
    return FollowerRow(
        machine=row.machine,
        source=row.source,
        generation=row.generation,
        behind=max(0, max(row.newest, noted) - row.generation),
        seconds=seconds,
        n_bytes_left=row.n_bytes_left,
        checked_at=row.checked_at,
        current_at=row.current_at,
        problem=row.problem,
        is_late=seconds > LATE_AFTER.total_seconds(),
    )


def _newest_noted() -> int:
    """Return the generation of the article that was indexed last: one row of an index."""
    rows = IndexedArticle.objects.filter(indexed_at__isnull=False, generation__isnull=False)
    newest = rows.order_by("-indexed_at").values_list("generation", flat=True).first()
    return newest or 0
