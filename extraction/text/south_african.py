"""The shipped list of South African words: `data/south_african.tsv`.

Columns: word, tags, lemma, language of origin, meaning. The lexicon of tags
(`search.engine.annotation.lexicon`) is made of it; here its words count among the English
vocabulary, for they stand in English texts.
"""

import csv
from functools import cache
from pathlib import Path

SOUTH_AFRICAN_PATH = Path(__file__).parent / "data" / "south_african.tsv"


@cache
def south_african_rows() -> tuple[dict[str, str], ...]:
    """Read the list once a process."""
    with SOUTH_AFRICAN_PATH.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines, delimiter="\t"))


@cache
def south_african_vocabulary() -> frozenset[str]:
    """Return the words in lower case.

    Examples
    --------
    >>> {"bakkie", "sangoma"} <= south_african_vocabulary()
    True
    """
    return frozenset(row["word"].lower() for row in south_african_rows())
