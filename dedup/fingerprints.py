"""The table of fingerprints: who holds one, entering and removing texts.

A row is (hash, article); a fingerprint is never entered under more than `MAX_HOLDERS` articles
(`similarity.near.entries`), so that every look-up is bounded.
"""

from collections.abc import Collection, Iterable, Sequence

from django.db import connection

from dedup import hash_tables
from dedup.hash_tables import HashTable, is_postgres
from dedup.models import Fingerprint
from dedup.similarity.near import MAX_HOLDERS

_TABLE = HashTable(
    "SELECT k.hash, f.article FROM unnest(%s::bigint[]) k (hash) CROSS JOIN LATERAL"
    " (SELECT article FROM dedup_fingerprint WHERE hash = k.hash LIMIT %s) f",
    "SELECT f.hash, f.article FROM json_each(%s) k"
    " CROSS JOIN dedup_fingerprint f ON f.hash = k.value",
    "COPY dedup_fingerprint (hash, article) FROM STDIN (FORMAT binary)",
    "INSERT OR IGNORE INTO dedup_fingerprint (hash, article) VALUES (%s, %s)",
    widths=(8, 4),
)


def holders(hashes: Collection[int]) -> dict[int, list[int]]:
    """Give the articles that hold each fingerprint, at most `MAX_HOLDERS`; those of none left out.

    The articles of a fingerprint are in ascending order.
    """
    return hash_tables.holders(_TABLE, hashes, MAX_HOLDERS)


def add(entries: Iterable[tuple[Sequence[int], int]]) -> None:
    """Enter articles: fingerprints and number of each."""
    hash_tables.insert(_TABLE, [(key, article_id) for keys, article_id in entries for key in keys])


def remove(article_ids: Collection[int]) -> None:
    """Take articles out, however many fingerprints they have."""
    if article_ids:
        Fingerprint.objects.filter(article__in=list(article_ids)).delete()


def clear() -> None:
    """Empty the table at once: every article is about to be detected anew."""
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.execute("TRUNCATE dedup_fingerprint")
        else:
            cursor.execute("DELETE FROM dedup_fingerprint")
