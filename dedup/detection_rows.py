"""The stage's rows of a batch: what they said, and what was found, written in one statement.

By hand, for hundreds of rows a batch: as model instances reading and writing them took a quarter of
the stage's time.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from dedup.hash_tables import is_postgres
from dedup.models import Detection


class RowState(NamedTuple):
    """What a row says of the article's former detection."""

    done_digest: str
    detected_at: datetime | None
    representative_id: int | None
    original_id: int | None


class FoundRow(NamedTuple):
    """What a row is to say; the statements below take the values in this order."""

    row_id: int
    done_digest: str
    n_sentences: int
    representative_id: int
    original_id: int | None


NEVER_DETECTED = RowState("", None, None, None)

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


def held(row_ids: Collection[int], owner: str) -> dict[int, RowState]:
    """Read and lock the rows that are still leased by `owner`."""
    rows = Detection.objects.select_for_update().filter(pk__in=row_ids, lease_owner=owner)
    return {
        row_id: RowState(*state) for row_id, *state in rows.values_list("pk", *RowState._fields)
    }


def write(rows: Sequence[FoundRow], now: datetime) -> None:
    """Write what was found."""
    if not rows:
        return
    stamp = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.execute(_POSTGRES, [stamp, *map(list, zip(*rows, strict=True))])
        else:
            cursor.executemany(_SQLITE, [(*row[1:], stamp, row.row_id) for row in rows])
