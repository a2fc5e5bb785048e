"""Tables of hashes, a batch at a time: who holds one, entering many rows.

On PostgreSQL one LATERAL look-up in the index for each hash, both ways by binary COPY; on SQLite a
join with the batch's hashes in the order of the index. Columns are arrays all the way: tens of rows
an article. The caller holds the writing turn.

The table of sentences stands here too: one is stored for the first articles that hold it, one more
than the limit above which it is popular; so the look-up of any sentence is bounded, and popular
ones are known to be so. The table of fingerprints has a module of its own.
"""

import io
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.db import connection

from dedup.similarity.overlap import MAX_ARTICLES_PER_SENTENCE
from dedup.similarity.sentences import SentenceKey

Numbers = npt.NDArray[np.int64]

# One more than the limit tells that a sentence is popular; further holders need no row.
STORED_HOLDERS = MAX_ARTICLES_PER_SENTENCE + 1

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


def as_numbers(values: Sequence[int] | Sequence[tuple[int, ...]] | Numbers) -> Numbers:
    return np.asarray(values, np.int64)


def look_up(table: HashTable, hashes: Sequence[int] | Numbers, limit: int) -> dict[int, list[int]]:
    """Give the articles that hold each hash, in ascending order; hashes of none are left out."""
    ordered = ",".join(map(str, np.unique(as_numbers(hashes)).tolist()))
    with connection.cursor() as cursor:
        if is_postgres():
            # One literal: as a list each number would be parsed as an expression of its own.
            query = cursor.mogrify(table.postgres_look_up, [f"{{{ordered}}}", limit]).decode()
            answer = io.BytesIO()
            cursor.copy_expert(f"COPY ({query}) TO STDOUT (FORMAT binary)", answer)
            rows = _numbers_of(answer.getbuffer())
        else:
            cursor.execute(table.sqlite_look_up, [f"[{ordered}]"])
            rows = as_numbers(cursor.fetchall()).reshape(-1, 2)
    if not len(rows):
        return {}
    keys, articles = rows[np.lexsort(rows.T[::-1])].T
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
    ends = [*starts[1:].tolist(), len(keys)]
    in_order = articles.tolist()
    return {
        key: in_order[start:end]
        for key, start, end in zip(keys[starts].tolist(), starts.tolist(), ends, strict=True)
    }


def insert(table: HashTable, columns: Sequence[Numbers]) -> None:
    """Write rows in the order of the index."""
    if not len(columns[0]):
        return
    order = np.lexsort(columns[1::-1])
    ordered = [column[order] for column in columns]
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.copy_expert(table.postgres_copy, io.BytesIO(_binary(ordered, table.widths)))
        else:
            rows = list(zip(*(column.tolist() for column in ordered), strict=True))
            cursor.executemany(table.sqlite_insert, rows)


def _numbers_of(answer: memoryview) -> Numbers:
    """Read the rows of a binary COPY of two bigint columns; shape (n, 2)."""
    row = np.dtype([("n", ">i2"), ("b", ">i4"), ("hash", ">i8"), ("c", ">i4"), ("article", ">i8")])
    start, end = len(_COPY_HEADER), len(answer) - len(_COPY_TRAILER)
    table = np.frombuffer(answer[start:end], row)
    return np.column_stack([table["hash"], table["article"]]).astype(np.int64)


def _binary(columns: Sequence[Numbers], widths: Sequence[int]) -> bytes:
    fields: list[tuple[str, str]] = [("n", ">i2")]
    for number, width in enumerate(widths):
        fields += [(f"bytes{number}", ">i4"), (f"value{number}", f">i{width}")]
    table = np.empty(len(columns[0]), np.dtype(fields))
    table["n"] = len(widths)
    for number, (column, width) in enumerate(zip(columns, widths, strict=True)):
        table[f"bytes{number}"] = width
        table[f"value{number}"] = column
    return _COPY_HEADER + table.tobytes() + _COPY_TRAILER


_SENTENCES = HashTable(
    "SELECT k.hash, s.article_id FROM unnest(%s::bigint[]) k (hash) CROSS JOIN LATERAL"
    " (SELECT article_id FROM dedup_sentencehash WHERE hash = k.hash LIMIT %s) s",
    "SELECT s.hash, s.article_id FROM json_each(%s) k"
    " CROSS JOIN dedup_sentencehash s ON s.hash = k.value",
    "COPY dedup_sentencehash (hash, article_id, position) FROM STDIN (FORMAT binary)",
    "INSERT INTO dedup_sentencehash (hash, article_id, position) VALUES (%s, %s, %s)",
    widths=(8, 8, 4),
)


def sentence_holders(hashes: Collection[int]) -> dict[int, list[int]]:
    """Give the articles that hold each sentence, at most `STORED_HOLDERS`; those of none left out.

    The articles of a sentence are in ascending order.
    """
    return look_up(_SENTENCES, list(hashes), STORED_HOLDERS)


def add_sentences(
    keys_of: Mapping[int, Sequence[SentenceKey]], known: dict[int, list[int]]
) -> None:
    """Enter the sentences of new articles, in order of arrival; `known` are the stored holders."""
    n_holders = Counter({key: len(ids) for key, ids in known.items()})
    rows: list[tuple[int, int, int]] = []
    for article_id, keys in keys_of.items():
        for key in keys:
            if n_holders[key.hash] < STORED_HOLDERS:
                n_holders[key.hash] += 1
                rows.append((key.hash, article_id, key.position))
    insert(_SENTENCES, [*as_numbers(rows).reshape(-1, 3).T])
