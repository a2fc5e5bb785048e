"""The table of sentence hashes: who holds a sentence, entering texts.

A sentence is stored for the first articles that hold it, one more than the limit above which it is
popular; so the look-up of any sentence is bounded, and popular ones are known to be so.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from dedup import hash_tables
from dedup.hash_tables import HashTable, as_numbers
from dedup.pairs import Text
from dedup.similarity.overlap import MAX_ARTICLES_PER_SENTENCE

# One more than the limit tells that a sentence is popular; further holders need no row.
STORED_HOLDERS = MAX_ARTICLES_PER_SENTENCE + 1

_TABLE = HashTable(
    "SELECT k.hash, s.article_id FROM unnest(%s::bigint[]) k (hash) CROSS JOIN LATERAL"
    " (SELECT article_id FROM dedup_sentencehash WHERE hash = k.hash LIMIT %s) s",
    "SELECT s.hash, s.article_id FROM json_each(%s) k"
    " CROSS JOIN dedup_sentencehash s ON s.hash = k.value",
    "COPY dedup_sentencehash (hash, article_id, position) FROM STDIN (FORMAT binary)",
    "INSERT INTO dedup_sentencehash (hash, article_id, position) VALUES (%s, %s, %s)",
    widths=(8, 8, 4),
)


def holders(hashes: Collection[int]) -> dict[int, list[int]]:
    """Give the articles that hold each sentence, at most `STORED_HOLDERS`; those of none left out.

    The articles of a sentence are in ascending order.
    """
    return hash_tables.holders(_TABLE, list(hashes), STORED_HOLDERS)


def add(texts: Sequence[Text], known: dict[int, list[int]]) -> None:
    """Enter the sentences of new texts, in order of arrival; `known` are the stored holders."""
    n_holders = Counter({key: len(ids) for key, ids in known.items()})
    rows: list[tuple[int, int, int]] = []
    for text in texts:
        for key in text.keys:
            if n_holders[key.hash] < STORED_HOLDERS:
                n_holders[key.hash] += 1
                rows.append((key.hash, text.article_id, key.position))
    hash_tables.insert(_TABLE, [*as_numbers(rows).reshape(-1, 3).T])
