"""The lexicon in force: the shipped South African words, under the editors' entries."""

import logging
from functools import lru_cache

from search.annotation.lexicon import (
    LexiconError,
    LexiconOverrides,
    LexiconWord,
    south_african_words,
)
from search.models import LexiconEntry

logger = logging.getLogger(__name__)

Row = tuple[str, str, str]


def overrides() -> LexiconOverrides:
    """Read the active entries; an entry wins over the shipped list and over the tagger."""
    rows = LexiconEntry.objects.filter(is_active=True).order_by("pk")
    return _build(tuple(rows.values_list("word", "tag", "lemma")))


@lru_cache(maxsize=2)
def _build(rows: tuple[Row, ...]) -> LexiconOverrides:
    """Build once per state of the table; the last two states serve a change and its undoing."""
    entries = []
    for word, tag, lemma in rows:
        try:
            entries.append(LexiconWord.parse(word, tag, lemma))
        except LexiconError as error:  # written past the form, which refuses it
            logger.warning("lexicon entry %r is left out: %s", word, error)
    return LexiconOverrides.build(entries, south_african_words())
