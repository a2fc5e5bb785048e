"""Words whose tags and lemma people decide: the South African list and editors' entries.

An entry names one tag or several to choose from (`NN|VB`); the tagger chooses among them only, and
the entry's lemma wins. An entry in lower case rules over the small form everywhere, and over the
capitalised one where a capital says nothing (first word, headline, capitals): "maas" is a noun, the
mid-sentence name "Maas" is left alone. An entry with a capital rules over that very spelling.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from extraction.text.language import ENGLISH
from extraction.text.south_african import south_african_rows
from extraction.text.tokens import tokenize
from search.engine.annotation.afrikaans_tokens import join_afrikaans
from search.engine.annotation.features import CaseFlag
from search.engine.annotation.languages import is_afrikaans, tags_of

TAG_SEPARATOR = "|"
LONGEST_WORD = 100  # characters; what the columns of the editors' table hold
MOST_TAGS = 6  # more say nothing: the tagger weighs the best five of a token


class LexiconError(ValueError):
    """An entry that cannot be used; the message is shown to the editor who wrote it."""


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """One word, its allowed tags, and its lemma (empty: as the lemmatizer says)."""

    word: str
    tags: tuple[str, ...]
    lemma: str = ""

    @classmethod
    def parse(cls, word: str, tags: str, lemma: str = "", language: str = ENGLISH) -> "LexiconWord":
        """Check an entry as it is typed; LexiconError with a sentence when something is wrong."""
        word, lemma = word.strip(), lemma.strip()
        names = tuple(
            dict.fromkeys(tag.strip() for tag in tags.split(TAG_SEPARATOR) if tag.strip())
        )
        if not word or any(sign.isspace() for sign in word + lemma):
            raise LexiconError("An entry is one word without spaces.")
        if not (word + lemma).isprintable():
            raise LexiconError("An entry is one word; this has a sign that cannot be seen.")
        if max(len(word), len(lemma)) > LONGEST_WORD:
            raise LexiconError(f"One word of at most {LONGEST_WORD} characters, please.")
        pieces = _tokens(word, language)
        if len(pieces) > 1:
            raise LexiconError(
                f"“{word}” is not one word in the texts here: it is taken apart into "
                f"{' and '.join(f'“{piece}”' for piece in pieces)}. Enter one of these."
            )
        _check_tags(names, language)
        if len(names) > MOST_TAGS:
            raise LexiconError(f"At most {MOST_TAGS} tags to choose from.")
        return cls(word, names, lemma)


def _tokens(word: str, language: str) -> list[str]:
    spans = tokenize(word, 0, len(word))
    if is_afrikaans(language):
        spans = join_afrikaans(word, spans)
    return [word[start:end] for start, end in spans]


def _check_tags(names: Sequence[str], language: str) -> None:
    known = tags_of(language)
    kind, noun, verb = (
        ("a universal", "NOUN", "VERB") if is_afrikaans(language) else ("a Penn", "NN", "VB")
    )
    if not names:
        raise LexiconError(f"An entry needs a tag, such as {noun}.")
    for name in names:
        if name not in known:
            meant = name.upper()
            hint = f"write {meant}." if meant in known else f"nouns are {noun}, verbs {verb}."
            raise LexiconError(f"“{name}” is not {kind} tag; {hint}")


@dataclass(frozen=True, slots=True)
class LexiconOverrides:
    """All entries in force, by spelling; `folded` holds their words in small letters."""

    words: Mapping[str, LexiconWord]
    digest: str
    folded: frozenset[str]

    @classmethod
    def build(
        cls, entries: Iterable[LexiconWord], defaults: Iterable[LexiconWord] = ()
    ) -> "LexiconOverrides":
        """Collect entries; an entry replaces a default for the same word in whatever spelling."""
        chosen = list(entries)
        replaced = {entry.word.lower() for entry in chosen}
        words = {entry.word: entry for entry in defaults if entry.word.lower() not in replaced}
        words |= {entry.word: entry for entry in chosen}
        listing = "\n".join(
            f"{word}\t{TAG_SEPARATOR.join(words[word].tags)}\t{words[word].lemma}"
            for word in sorted(words)
        )
        digest = hashlib.blake2b(listing.encode(), digest_size=8).hexdigest()
        return cls(words, digest, frozenset(word.lower() for word in words))

    @classmethod
    def none(cls) -> "LexiconOverrides":
        """No entries at all."""
        return cls.build(())

    def find(self, word: str, flag: CaseFlag) -> LexiconWord | None:
        """Return the entry that rules over a word in a sentence, if any."""
        found = self.words.get(word)
        if found is None and flag != CaseFlag.NORMAL and word[:1].isupper():
            found = self.words.get(word.lower())
        return found


@cache
def south_african_words() -> tuple[LexiconWord, ...]:
    """Read the shipped list."""
    return tuple(
        LexiconWord.parse(row["word"], row["tags"], row["lemma"]) for row in south_african_rows()
    )
