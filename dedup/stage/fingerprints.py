"""The table of fingerprints: who holds one, entering and removing texts.

A row is (hash, article); a fingerprint is never entered under more than `MAX_HOLDERS` articles
(`similarity.near.entries`), so that every look-up is bounded. What an article was entered under is
kept in one row of another table, by which it is taken out again: a tenth of the bytes and of the
work of an index on the article.

Texts that are not entered, since their cluster is found by others, stand here under minus their
number, at most as many again a fingerprint. Nothing is compared with them; but they are judged
again when a text comes that belongs before them (`order`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from django.db import connection

from dedup.models import EnteredText
from dedup.similarity.near import MAX_HOLDERS
from dedup.stage import hash_tables
from dedup.stage.hash_tables import HashTable, Numbers, as_numbers, is_postgres
from dedup.stage.rows import chunks

TABLE = HashTable(
    "SELECT k.hash, f.article FROM unnest(%s::bigint[]) k (hash) CROSS JOIN LATERAL"
    " (SELECT article FROM dedup_fingerprint WHERE hash = k.hash LIMIT %s) f",
    "SELECT f.hash, f.article FROM json_each(%s) k"
    " CROSS JOIN dedup_fingerprint f ON f.hash = k.value",
    "COPY dedup_fingerprint (hash, article) FROM STDIN (FORMAT binary)",
    "INSERT OR IGNORE INTO dedup_fingerprint (hash, article) VALUES (%s, %s)",
    widths=(8, 8),
)
_STORED = np.dtype("<i8")


def holders(hashes: Sequence[int] | Numbers) -> dict[int, list[int]]:
    """Give the articles that hold each fingerprint, at most `MAX_HOLDERS`; those of none left out.

    The articles of a fingerprint are in ascending order.
    """
    found = all_holders(hashes)
    return {key: ids for key, some in found.items() if (ids := [held for held in some if held > 0])}


def all_holders(hashes: Sequence[int] | Numbers) -> dict[int, list[int]]:
    """Give the articles as `holders` does, and before them those that are not entered.

    These as minus their numbers; at most `MAX_HOLDERS` of either kind.
    """
    return hash_tables.look_up(TABLE, hashes, 2 * MAX_HOLDERS) if len(hashes) else {}


def add(entries: Iterable[tuple[Sequence[int] | Numbers, int]]) -> None:
    """Enter articles: fingerprints and number of each; in place of what they held before.

    Under minus its number an article is no candidate of others.
    """
    by_article = {article_id: as_numbers(keys) for keys, article_id in entries if len(keys)}
    if not by_article:
        return
    remove({abs(article_id) for article_id in by_article})
    n_keys = [len(keys) for keys in by_article.values()]
    articles = np.repeat(as_numbers(list(by_article)), n_keys)
    hash_tables.insert(TABLE, [np.concatenate(list(by_article.values())), articles])
    keep_entered(by_article)


def keep_entered(by_article: Mapping[int, Numbers]) -> None:
    """Keep what articles have been entered under."""
    rows = [(article_id, keys.astype(_STORED).tobytes()) for article_id, keys in by_article.items()]
    with connection.cursor() as cursor:
        if is_postgres():
            columns = [list(column) for column in zip(*rows, strict=True)]
            cursor.execute(
                "INSERT INTO dedup_enteredtext (article, fingerprints)"
                " SELECT * FROM unnest(%s::bigint[], %s::bytea[])",
                columns,
            )
        else:
            cursor.executemany(
                "INSERT INTO dedup_enteredtext (article, fingerprints) VALUES (%s, %s)", rows
            )


def remove(article_ids: Collection[int]) -> None:
    """Take articles out, however many fingerprints they have, entered or not."""
    for chunk in chunks(article_ids):
        signed = [*chunk, *(-article_id for article_id in chunk)]
        entered = EnteredText.objects.filter(article__in=signed)
        rows = list(entered.values_list("article", "fingerprints"))
        if rows:
            _remove({article_id: np.frombuffer(stored, _STORED) for article_id, stored in rows})
            entered.delete()


def _remove(by_article: dict[int, Numbers]) -> None:
    n_keys = [len(keys) for keys in by_article.values()]
    hashes = np.concatenate(list(by_article.values()))
    articles = np.repeat(as_numbers(list(by_article)), n_keys)
    order = np.argsort(hashes)
    columns = hashes[order].tolist(), articles[order].tolist()
    with connection.cursor() as cursor:
        if is_postgres():
            cursor.execute(
                "DELETE FROM dedup_fingerprint f USING unnest(%s::bigint[], %s::bigint[])"
                " k (hash, article) WHERE f.hash = k.hash AND f.article = k.article",
                [f"{{{','.join(map(str, column))}}}" for column in columns],
            )
        else:
            cursor.executemany(
                "DELETE FROM dedup_fingerprint WHERE hash = %s AND article = %s",
                list(zip(*columns, strict=True)),
            )


def clear() -> None:
    """Empty the tables at once: every article is about to be detected anew."""
    with connection.cursor() as cursor:
        for table in ("dedup_fingerprint", "dedup_enteredtext"):
            cursor.execute(f"TRUNCATE {table}" if is_postgres() else f"DELETE FROM {table}")  # noqa: S608 -- constants
