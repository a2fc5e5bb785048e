"""Read side of the lexicon: editors' entries and the shipped words they do not replace."""

import csv
from dataclasses import dataclass
from functools import cache

from search.annotation.lexicon import SOUTH_AFRICAN_PATH, TAG_SEPARATOR
from search.annotation.tagset import describe
from search.models import LexiconEntry


@dataclass(frozen=True, slots=True)
class LexiconRow:
    """One word of the list; `entry` is None for a shipped word."""

    word: str
    tags: tuple[str, ...]
    tag_words: str
    lemma: str
    origin: str
    meaning: str
    entry: LexiconEntry | None = None


def lexicon_rows(words: str = "") -> list[LexiconRow]:
    """Editors' entries, then the shipped words, each by word; `words` is looked for in all."""
    wanted = words.casefold()
    entries = LexiconEntry.objects.filter(is_active=True).select_related("created_by")
    own = [_entry_row(entry) for entry in entries]
    replaced = {row.word.lower() for row in own}
    shipped = [row for row in _shipped_rows() if row.word.lower() not in replaced]
    return [
        row
        for row in [*own, *shipped]
        if not wanted or wanted in f"{row.word} {row.lemma} {row.meaning}".casefold()
    ]


def _entry_row(entry: LexiconEntry) -> LexiconRow:
    tags = tuple(entry.tag.split(TAG_SEPARATOR))
    return LexiconRow(
        entry.word, tags, _in_words(tags), entry.lemma, entry.language_of_origin, entry.note, entry
    )


@cache
def _shipped_rows() -> tuple[LexiconRow, ...]:
    with SOUTH_AFRICAN_PATH.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return tuple(
        LexiconRow(
            row["word"],
            tags := tuple(row["tags"].split(TAG_SEPARATOR)),
            _in_words(tags),
            row["lemma"],
            row["language_of_origin"],
            row["meaning"],
        )
        for row in sorted(rows, key=lambda row: row["word"].casefold())
    )


def _in_words(tags: tuple[str, ...]) -> str:
    return " or ".join(describe(tag).words for tag in tags)
