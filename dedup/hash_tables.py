"""Tables of hashes, a batch at a time: who holds one, entering many rows.

On PostgreSQL one LATERAL look-up in the index for each hash and insert by binary COPY; on SQLite a
join with the batch's hashes in the order of the index. A third of the time of Django's own lists
and inserts: tens of rows an article. The caller holds the writing turn.
"""

import io
import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

# PostgreSQL's COPY … (FORMAT binary): signature, flags, length of the header's extension; rows as
# number of fields, then length and big-endian value of each; -1 ends them.
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TRAILER = b"\xff\xff"


@dataclass(frozen=True, slots=True)
class HashTable:
    """The statements of one table; `widths` are the bytes of the columns that are written.

    The look-ups give (hash, article); PostgreSQL's takes the hashes and the most holders of each,
    SQLite's the hashes as JSON: there what is entered has to bound the rows.
    """

    postgres_look_up: str
    sqlite_look_up: str
    postgres_copy: str
    sqlite_insert: str
    widths: tuple[int, ...]


def is_postgres() -> bool:
    return connection.vendor == "postgresql"


def holders(table: HashTable, hashes: Collection[int], limit: int) -> dict[int, list[int]]:
    """Give the articles that hold each hash, in ascending order; hashes of none are left out."""
    ordered = sorted(set(hashes))
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.execute(table.postgres_look_up, [ordered, limit])
        else:
            cursor.execute(table.sqlite_look_up, [json.dumps(ordered)])
        rows = cursor.fetchall()
    found: defaultdict[int, list[int]] = defaultdict(list)
    for key, article_id in sorted(rows):
        found[key].append(article_id)
    return dict(found)


def insert(table: HashTable, rows: Sequence[tuple[int, ...]]) -> None:
    """Write rows in the order of the index."""
    if not rows:
        return
    ordered = sorted(rows)
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.copy_expert(table.postgres_copy, io.BytesIO(_binary(ordered, table.widths)))
        else:
            cursor.executemany(table.sqlite_insert, ordered)


def _binary(rows: Sequence[tuple[int, ...]], widths: Sequence[int]) -> bytes:
    fields: list[tuple[str, str]] = [("n", ">i2")]
    for number, width in enumerate(widths):
        fields += [(f"bytes{number}", ">i4"), (f"value{number}", f">i{width}")]
    table = np.empty(len(rows), np.dtype(fields))
    values = np.array(rows, np.int64)
    table["n"] = len(widths)
    for number, width in enumerate(widths):
        table[f"bytes{number}"] = width
        table[f"value{number}"] = values[:, number]
    return _COPY_HEADER + table.tobytes() + _COPY_TRAILER
