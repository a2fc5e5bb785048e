"""Read side of the lexicon: editors' entries and the shipped words they do not replace."""

from dataclasses import dataclass, replace
from functools import cache

from django.db.models import F

from extraction.text.south_african import south_african_rows
from search.engine.annotation.lexicon import WORD_SEPARATOR
from search.engine.annotation.tagset import TAG_SEPARATOR, describe
from search.lexicon.changes import EntryValues
from search.models import LexiconChange, LexiconEntry, LexiconUse, Retagging

SHIPPED_SOURCE = "shipped list"


@dataclass(frozen=True, slots=True)
class LexiconRow:
    """One word of the list; `entry` is None for a shipped word, `use` before it was counted.

    An expression has all its tags in one.
    """

    word: str
    tags: tuple[str, ...]
    tag_words: str
    lemma: str
    origin: str
    meaning: str
    source: str = SHIPPED_SOURCE
    entry: LexiconEntry | None = None
    use: LexiconUse | None = None

    @property
    def is_expression(self) -> bool:
        return WORD_SEPARATOR in self.word


def lexicon_rows(words: str = "") -> list[LexiconRow]:
    """Editors' entries, then the shipped words, each by word; `words` is looked for in all."""
    wanted = words.casefold()
    entries = LexiconEntry.objects.filter(is_active=True).select_related("created_by")
    uses = {use.word: use for use in LexiconUse.objects.all()}
    own = [_entry_row(entry) for entry in entries]
    replaced = {row.word.lower() for row in own}
    shipped = [row for row in _shipped_rows() if row.word.lower() not in replaced]
    return [
        _with_use(row, uses)
        for row in [*own, *shipped]
        if not wanted or wanted in f"{row.word} {row.lemma} {row.meaning} {row.origin}".casefold()
    ]


def row_of(word: str) -> LexiconRow | None:
    """Return what the lexicon holds of a word, in whatever spelling."""
    rows = [row for row in lexicon_rows(word) if row.word.lower() == word.lower()]
    return rows[0] if rows else None


def history_of(word: str) -> list[LexiconChange]:
    """Return the changes of a word's entry, the last one first."""
    return list(LexiconChange.objects.filter(word__iexact=word).select_related("made_by"))


def newest_jobs(n_jobs: int) -> list[Retagging]:
    """Return the jobs that have not ended, then the newest of the others."""
    ended_last = F("finished_at").desc(nulls_first=True)
    return list(Retagging.objects.select_related("created_by").order_by(ended_last)[:n_jobs])


def is_shipped(word: str) -> bool:
    return word.lower() in shipped_values()


@cache
def shipped_values() -> dict[str, EntryValues]:
    """Return the shipped words as entries, by their small letters."""
    return {
        row.word.lower(): EntryValues(
            row.word, TAG_SEPARATOR.join(row.tags), row.lemma, row.origin, row.meaning
        )
        for row in _shipped_rows()
    }


def _with_use(row: LexiconRow, uses: dict[str, LexiconUse]) -> LexiconRow:
    use = uses.get(row.word.lower())
    return replace(row, use=use) if use else row


def _entry_row(entry: LexiconEntry) -> LexiconRow:
    tags = (entry.tag,) if WORD_SEPARATOR in entry.word else tuple(entry.tag.split(TAG_SEPARATOR))
    return LexiconRow(
        word=entry.word,
        tags=tags,
        tag_words=" + ".join(map(_in_words, entry.tag.split(WORD_SEPARATOR))),
        lemma=entry.lemma,
        origin=entry.language_of_origin,
        meaning=entry.note,
        source=entry.source,
        entry=entry,
    )


@cache
def _shipped_rows() -> tuple[LexiconRow, ...]:
    return tuple(
        LexiconRow(
            row["word"],
            tuple(row["tags"].split(TAG_SEPARATOR)),
            _in_words(row["tags"]),
            row["lemma"],
            row["language_of_origin"],
            row["meaning"],
        )
        for row in sorted(south_african_rows(), key=lambda row: row["word"].casefold())
    )


def _in_words(tags: str) -> str:
    return " or ".join(describe(tag).words for tag in tags.split(TAG_SEPARATOR))
