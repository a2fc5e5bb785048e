"""Rows of the stage: the writing turn, reading and writing a batch, making articles due again.

A batch's rows are read and written by hand, hundreds at a time: as model instances that took a
quarter of the stage's time.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat

from dedup.models import Detection
from dedup.stage.hash_tables import is_postgres
from feeds.models import Lock, WorkQuerySet

# Below SQLite's 32,766 variables, twice in a statement and with room for other conditions.
VALUES_PER_QUERY = 10_000
# Before a done digest: this text has been detected, but not in the present circumstances.
AGAIN = "~"
# The lock of whoever changes pairs and clusters.
_TURN = "detect"
_POSTGRES = (
    "UPDATE dedup_detection d SET done_digest = f.digest, n_sentences = f.n,"
    " representative_id = f.representative, original_id = f.original, detected_at = %s"
    " FROM unnest(%s::bigint[], %s::text[], %s::integer[], %s::bigint[], %s::bigint[])"
    " f (id, digest, n, representative, original) WHERE d.id = f.id"
)
_SQLITE = (
    "UPDATE dedup_detection SET done_digest = %s, n_sentences = %s, representative_id = %s,"
    " original_id = %s, detected_at = %s WHERE id = %s"
)


class RowState(NamedTuple):
    """What a row says of the article's former detection."""

    done_digest: str
    detected_at: datetime | None
    representative_id: int | None
    original_id: int | None
    is_rescheduled: bool | None = None

    @property
    def is_again(self) -> bool:
        """Whether circumstances have changed since the claim, which its reading cannot know."""
        return bool(self.is_rescheduled) and self.done_digest.startswith(AGAIN)


class FoundRow(NamedTuple):
    """What a row is to say; the statements below take the values in this order."""

    row_id: int
    done_digest: str
    n_sentences: int
    representative_id: int
    original_id: int | None


NEVER_DETECTED = RowState("", None, None, None)


def chunks(values: Iterable[int]) -> Iterator[list[int]]:
    """Cut into lists for IN, sorted so that an index is read in its order."""
    ordered = sorted(values)
    for start in range(0, len(ordered), VALUES_PER_QUERY):
        yield ordered[start : start + VALUES_PER_QUERY]


def take_turn(now: datetime) -> None:
    """Wait until nobody else writes; the turn ends with the surrounding transaction.

    A locked row on PostgreSQL. On SQLite the transaction itself is the turn (IMMEDIATE).
    """
    Lock.objects.select_for_update().get_or_create(
        name=_TURN, defaults={"lease_owner": _TURN, "lease_until": now}
    )


def detect_again(rows: WorkQuerySet[Detection], now: datetime) -> int:
    """Make rows due, and no longer done; returns how many.

    The digest stays readable behind a mark: whether the text itself has changed decides what
    becomes of those that were joined to it.
    """
    rows = rows.filter(quarantined_at=None)
    marked = rows.filter(done_digest__startswith=AGAIN).reschedule(now)
    return marked + rows.exclude(done_digest__startswith=AGAIN).reschedule(
        now, done_digest=Concat(Value(AGAIN), F("done_digest"))
    )


def has_same_text(done_digest: str, input_digest: str) -> bool:
    """Whether a row was detected with this very text before, in whatever circumstances."""
    return done_digest.removeprefix(AGAIN) == input_digest


def set_free(article_ids: Collection[int], now: datetime) -> None:
    """Take articles from the texts they were joined to; they are detected again."""
    for chunk in chunks(article_ids):
        rows = Detection.objects.filter(article_id__in=chunk)
        rows.update(representative=None)
        detect_again(rows, now)


def held_rows(row_ids: Collection[int], owner: str) -> dict[int, RowState]:
    """Read and lock the rows that are still leased by `owner`."""
    rows = Detection.objects.select_for_update().filter(pk__in=row_ids, lease_owner=owner)
    return {
        row_id: RowState(*state) for row_id, *state in rows.values_list("pk", *RowState._fields)
    }


def write_rows(rows: Sequence[FoundRow], now: datetime) -> None:
    """Write what was found."""
    if not rows:
        return
    stamp = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.execute(_POSTGRES, [stamp, *map(list, zip(*rows, strict=True))])
        else:
            cursor.executemany(_SQLITE, [(*row[1:], stamp, row.row_id) for row in rows])
