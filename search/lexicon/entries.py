"""The lexicon in force: the shipped South African words, under the editors' entries."""

import logging
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Max

from search.engine.annotation.lexicon import (
    Entry,
    LexiconError,
    LexiconOverrides,
    LexiconWord,
    parse_entry,
    south_african_words,
)
from search.engine.annotation.tagset import NAME_TAGS
from search.models import LexiconChange, LexiconEntry

logger = logging.getLogger(__name__)

Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class LexiconInForce:
    """All entries, and the last change that they hold."""

    overrides: LexiconOverrides
    revision: int


def in_force() -> LexiconInForce:
    """Read the lexicon; it holds every change up to its revision, perhaps a later one."""
    revision = LexiconChange.objects.aggregate(last=Max("pk"))["last"] or 0
    return LexiconInForce(overrides(), revision)


def overrides() -> LexiconOverrides:
    """Read the active entries; an entry wins over the shipped list and over the tagger."""
    return _build(_rows())


def overrides_with(changed: tuple[Entry, ...]) -> LexiconOverrides:
    """Return the lexicon as it would be with some entries more, or changed."""
    replaced = {entry.word.lower() for entry in changed}
    others = [entry for entry in _parse(_rows()) if entry.word.lower() not in replaced]
    return LexiconOverrides.build([*others, *changed], south_african_words())


def overrides_without(word: str) -> LexiconOverrides:
    """Return the lexicon as it would be without an editors' entry."""
    others = [entry for entry in _parse(_rows()) if entry.word.lower() != word.lower()]
    return LexiconOverrides.build(others, south_african_words())


def overrides_but(word: str) -> LexiconOverrides:
    """Return the lexicon without any entry for a word, shipped ones included."""
    entries = overrides().entries
    return LexiconOverrides.build(e for e in entries if e.word.lower() != word.lower())


def known_lemma(wanted: LexiconWord) -> str:
    """Return the lemma that the lexicon has for a word, whatever its tags there; else empty.

    That of a small entry is no name's: "maas" says nothing of a Mr Maas.
    """
    words = overrides().words
    known = words.get(wanted.word)
    if known is None and not NAME_TAGS.issuperset(wanted.tags):
        known = words.get(wanted.word.lower())
    return known.lemma if known else ""


def _rows() -> tuple[Row, ...]:
    rows = LexiconEntry.objects.filter(is_active=True).order_by("pk")
    return tuple(rows.values_list("word", "tag", "lemma"))


@lru_cache(maxsize=2)
def _build(rows: tuple[Row, ...]) -> LexiconOverrides:
    """Build once per state of the table; the last two states serve a change and its undoing."""
    return LexiconOverrides.build(_parse(rows), south_african_words())


def _parse(rows: tuple[Row, ...]) -> list[Entry]:
    entries: list[Entry] = []
    for word, tag, lemma in rows:
        try:
            entries.append(parse_entry(word, tag, lemma))
        except LexiconError as error:  # written past the form, which refuses it
            logger.warning("lexicon entry %r is left out: %s", word, error)
    return entries
