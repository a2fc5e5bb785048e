"""The table of fingerprints: who holds one, entering and removing texts, a batch at a time.

A row is (hash, article); a fingerprint is never entered under more than `MAX_HOLDERS` articles
(`similarity.near.entries`), so that every look-up is bounded. The caller holds the stage's writing
turn. PostgreSQL: one LATERAL look-up in the index for each hash, insert by binary COPY. SQLite: the
rows lie in the primary key (WITHOUT ROWID), look-up and insert in its order.
"""

import io
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from django.db import connection

from dedup.models import Fingerprint
from dedup.similarity.near import MAX_HOLDERS

# A holder: its fingerprints and its article.
Entry = tuple[Sequence[int], int]

# PostgreSQL's COPY … (FORMAT binary): signature, flags, length of the header's extension; rows as
# number of fields, then length and big-endian value of each; -1 ends them.
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
_COPY_ROW = np.dtype(
    [("n", ">i2"), ("hash_bytes", ">i4"), ("hash", ">i8"), ("id_bytes", ">i4"), ("id", ">i4")]
)


def holders(hashes: Collection[int]) -> dict[int, list[int]]:
    """Give the articles that hold each fingerprint, at most `MAX_HOLDERS`; those of none left out.

    The articles of a fingerprint are in ascending order.
    """
    ordered = sorted(set(hashes))
    rows = _rows_of_postgres(ordered) if _is_postgres() else _rows_of_sqlite(ordered)
    found: dict[int, list[int]] = defaultdict(list)
    for key, article_id in rows:
        found[key].append(article_id)
    for ids in found.values():
        ids.sort()
    return dict(found)


def add(entries: Iterable[Entry]) -> int:
    """Enter articles under fingerprints; returns how many rows were written."""
    rows = sorted((key, article_id) for keys, article_id in entries for key in keys)
    if not rows:
        return 0
    if _is_postgres():
        _copy(rows)
    else:
        _insert(rows)
    return len(rows)


def remove(article_ids: Collection[int]) -> None:
    """Take articles out, however many fingerprints they have."""
    if article_ids:
        Fingerprint.objects.filter(article__in=list(article_ids)).delete()


def clear() -> None:
    """Empty the table at once: every article is about to be detected anew."""
    statement = "TRUNCATE dedup_fingerprint" if _is_postgres() else "DELETE FROM dedup_fingerprint"
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _is_postgres() -> bool:
    return connection.vendor == "postgresql"


def _rows_of_postgres(hashes: list[int]) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT k.hash, f.article FROM unnest(%s::bigint[]) k (hash) CROSS JOIN LATERAL"
            " (SELECT article FROM dedup_fingerprint WHERE hash = k.hash LIMIT %s) f",
            [hashes, MAX_HOLDERS],
        )
        return list(cursor.fetchall())


def _rows_of_sqlite(hashes: list[int]) -> list[tuple[int, int]]:
    """Look up in the key's order; what is entered bounds the rows, SQLite has no LATERAL."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT f.hash, f.article FROM json_each(%s) k"
            " CROSS JOIN dedup_fingerprint f ON f.hash = k.value",
            [json.dumps(hashes)],
        )
        return list(cursor.fetchall())


def _copy(rows: list[tuple[int, int]]) -> None:
    table = np.empty(len(rows), _COPY_ROW)
    table["n"], table["hash_bytes"], table["id_bytes"] = 2, 8, 4
    values = np.array(rows, np.int64)
    table["hash"], table["id"] = values[:, 0], values[:, 1]
    stream = io.BytesIO(_COPY_HEADER + table.tobytes() + _COPY_TRAILER)
    with connection.cursor() as cursor:
        cursor.copy_expert(
            "COPY dedup_fingerprint (hash, article) FROM STDIN (FORMAT binary)", stream
        )


def _insert(rows: list[tuple[int, int]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany("INSERT OR IGNORE INTO dedup_fingerprint VALUES (%s, %s)", rows)
