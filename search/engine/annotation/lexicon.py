"""Words whose tags and lemma people decide: the South African list and editors' entries.

An entry names one tag or several to choose from (`NN|VB`); the tagger chooses among them only, and
the entry's lemma wins. An entry in lower case rules over the small form everywhere, and over the
capitalised one where a capital says nothing (first word, headline, capitals): "maas" is a noun, the
mid-sentence name "Maas" is left alone. An entry with a capital rules over that very spelling.

An expression, as "just now", is an entry for each of its tokens, which rules where they stand in a
row. It is spelled as the texts here are taken apart, between single spaces: "ja - nee".
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from extraction.text.language import ENGLISH
from extraction.text.south_african import south_african_rows
from extraction.text.tokens import tokenize
from search.engine.annotation.features import CaseFlag
from search.engine.annotation.languages import PENN, tagged_language
from search.engine.annotation.tagset import TAG_SEPARATOR

WORD_SEPARATOR = " "  # of expressions, their tags and their lemmas
LONGEST_WORD = 100  # characters; what the columns of the editors' table hold
LONGEST_TAGS = 40  # characters; six tags with their separators
MOST_TOKENS = 6  # of an expression
MOST_TAGS = 6  # more say nothing: the tagger weighs the best five of a token


class LexiconError(ValueError):
    """An entry that cannot be used; the message is shown to the editor who wrote it."""


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """One word, its allowed tags, and its lemma (empty: as the lemmatizer says)."""

    word: str
    tags: tuple[str, ...]
    lemma: str = ""

    @property
    def tag(self) -> str:
        """The tags as they are typed and kept."""
        return TAG_SEPARATOR.join(self.tags)

    def rules_over(self, word: str, flag: CaseFlag) -> bool:
        """Whether a word in a sentence is this one."""
        return word == self.word or (_is_capital_empty(word, flag) and word.lower() == self.word)

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


@dataclass(frozen=True, slots=True)
class Expression:
    """Tokens in a row, such as "just now", with an entry for each; lemmas for all or for none."""

    parts: tuple[LexiconWord, ...]

    @property
    def word(self) -> str:
        return WORD_SEPARATOR.join(part.word for part in self.parts)

    @property
    def tag(self) -> str:
        return WORD_SEPARATOR.join(part.tag for part in self.parts)

    @property
    def lemma(self) -> str:
        return WORD_SEPARATOR.join(part.lemma for part in self.parts).strip()

    def stands_at(self, place: int, words: Sequence[str], flags: Sequence[CaseFlag]) -> bool:
        """Whether the words of a sentence are these from a place on."""
        end = place + len(self.parts)
        return end <= len(words) and all(
            part.rules_over(word, flag)
            for part, word, flag in zip(self.parts, words[place:end], flags[place:end], strict=True)
        )


Entry = LexiconWord | Expression


def parse_entry(word: str, tags: str, lemma: str = "") -> Entry:
    """Check an entry of the lexicon as it is typed: a word, or an expression.

    The tokens of an expression have one tag each, between spaces, or all the same one.

    Raises
    ------
    LexiconError
        With a sentence when something is wrong.

    Examples
    --------
    >>> parse_entry("ja-nee", "UH").word, parse_entry("just now", "RB  RB|UH").tag
    ('ja - nee', 'RB RB|UH')
    """
    pieces = _tokens(word, ENGLISH)
    if len(pieces) < 2:
        return LexiconWord.parse(word, tags, lemma)
    spelling = WORD_SEPARATOR.join(pieces)
    if len(pieces) > MOST_TOKENS or len(spelling) > LONGEST_WORD:
        raise LexiconError(
            f"An expression has at most {MOST_TOKENS} tokens and {LONGEST_WORD} characters."
        )
    if _tokens(spelling, ENGLISH) != pieces:
        raise LexiconError(f"“{word}” can be no entry: “{spelling}” is taken apart otherwise.")
    each_tags = re.sub(r"\s*\|\s*", TAG_SEPARATOR, tags).split()
    if len(each_tags) == 1:
        each_tags *= len(pieces)
    each_lemma = lemma.split() or [""] * len(pieces)
    for given, name in ((each_tags, "tag"), (each_lemma, "lemma")):
        if len(given) != len(pieces):
            raise LexiconError(
                f"“{spelling}” has {len(pieces)} tokens here: one {name} for each, please, "
                "between spaces."
            )
    found = Expression(tuple(map(LexiconWord.parse, pieces, each_tags, each_lemma)))
    if len(found.tag) > LONGEST_TAGS or len(found.lemma) > LONGEST_WORD:
        raise LexiconError(f"At most {LONGEST_TAGS} characters of tags, {LONGEST_WORD} of lemmas.")
    return found


def _is_capital_empty(word: str, flag: CaseFlag) -> bool:
    """Whether a word has a capital that says nothing where it stands."""
    return flag != CaseFlag.NORMAL and word[:1].isupper()


def _tokens(word: str, language: str) -> list[str]:
    spans = tokenize(word, 0, len(word))
    known = tagged_language(language)
    if known and known.join:
        spans = known.join(word, spans)
    return [word[start:end] for start, end in spans]


def _check_tags(names: Sequence[str], language: str) -> None:
    found = tagged_language(language)
    known, kind, noun, verb = found.tag_set if found else PENN._replace(tags={})
    if not names:
        raise LexiconError(f"An entry needs a tag, such as {noun}.")
    for name in names:
        if name not in known:
            meant = name.upper()
            hint = f"write {meant}." if meant in known else f"nouns are {noun}, verbs {verb}."
            raise LexiconError(f"“{name}” is not {kind}; {hint}")


@dataclass(frozen=True, slots=True)
class LexiconOverrides:
    """All entries in force, by spelling; `folded` holds their words in small letters.

    Expressions stand by their first two tokens in small letters, the longest first.
    """

    words: Mapping[str, LexiconWord]
    digest: str
    folded: frozenset[str]
    expressions: Mapping[tuple[str, str], tuple[Expression, ...]] = field(default_factory=dict)

    @classmethod
    def build(
        cls, entries: Iterable[Entry], defaults: Iterable[LexiconWord] = ()
    ) -> "LexiconOverrides":
        """Collect entries; an entry replaces a default for the same word in whatever spelling."""
        chosen = list(entries)
        replaced = {entry.word.lower() for entry in chosen}
        kept: dict[str, Entry] = {
            entry.word: entry for entry in defaults if entry.word.lower() not in replaced
        }
        kept |= {entry.word: entry for entry in chosen}
        listing = "\n".join(
            f"{word}\t{kept[word].tag}\t{kept[word].lemma}" for word in sorted(kept)
        )
        digest = hashlib.blake2b(listing.encode(), digest_size=8).hexdigest()
        words = {word: entry for word, entry in kept.items() if isinstance(entry, LexiconWord)}
        expressions = [entry for entry in kept.values() if isinstance(entry, Expression)]
        folded = frozenset(word.lower() for word in words)
        return cls(words, digest, folded, _by_first_two(expressions))

    @classmethod
    def none(cls) -> "LexiconOverrides":
        """No entries at all."""
        return cls.build(())

    @property
    def entries(self) -> list[Entry]:
        """Words, then expressions."""
        return [*self.words.values(), *(one for some in self.expressions.values() for one in some)]

    def rules_nowhere(self, folded: Sequence[str]) -> bool:
        """Whether no entry can rule in a sentence, whose words are given in small letters."""
        return self.folded.isdisjoint(folded) and (
            not self.expressions or self.expressions.keys().isdisjoint(pairwise(folded))
        )

    def find(self, word: str, flag: CaseFlag) -> LexiconWord | None:
        """Return the entry that rules over a word in a sentence, if any."""
        found = self.words.get(word)
        if found is None and _is_capital_empty(word, flag):
            found = self.words.get(word.lower())
        return found

    def expressions_in(
        self, words: Sequence[str], flags: Sequence[CaseFlag]
    ) -> Iterator[tuple[int, Expression]]:
        """Give the expressions of a sentence and where each begins; none overlap.

        From the left, and of those that begin at one word the longest.
        """
        if not self.expressions:
            return
        end = 0
        for place, pair in enumerate(pairwise(word.lower() for word in words)):
            if place < end:
                continue
            for expression in self.expressions.get(pair, ()):
                if expression.stands_at(place, words, flags):
                    end = place + len(expression.parts)
                    yield place, expression
                    break


def _by_first_two(
    expressions: Iterable[Expression],
) -> dict[tuple[str, str], tuple[Expression, ...]]:
    found: dict[tuple[str, str], list[Expression]] = {}
    for expression in sorted(expressions, key=lambda one: -len(one.parts)):
        first, second, *_ = (part.word.lower() for part in expression.parts)
        found.setdefault((first, second), []).append(expression)
    return {pair: tuple(some) for pair, some in found.items()}


@cache
def south_african_words() -> tuple[LexiconWord, ...]:
    """Read the shipped list."""
    return tuple(
        LexiconWord.parse(row["word"], row["tags"], row["lemma"]) for row in south_african_rows()
    )
