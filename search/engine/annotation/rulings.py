"""What people decide about the tokens of a text: sentences of words → the tokens that are ruled.

Four can rule, the nearest to the token first: a correction of that very token, one of the word in
this text, and in English texts the lexicon, expressions before words, and the rule that R before an
amount is a currency sign.
The tagger chooses among the tags that are left, and a lemma that is given wins over the lemmatizer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from extraction.text.tokens import Span
from search.engine.annotation.features import CaseFlag, case_flags
from search.engine.annotation.lexicon import LexiconOverrides, LexiconWord

_RAND = frozenset({"R", "ZAR"})


class DecidedBy(StrEnum):
    """Who decided the tag of a token, beside the tagger."""

    TOKEN = "token"  # noqa: S105 (a token of a text)
    TEXT = "text"
    LEXICON = "lexicon"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class Ruling:
    """Tags that a token may take, perhaps its lemma, and who says so.

    `expression` is the entry of several tokens that `entry` is a part of.
    """

    entry: LexiconWord
    by: DecidedBy
    expression: str = ""

    @property
    def name(self) -> str:
        """The word or expression under which the lexicon has it."""
        return self.expression or self.entry.word


@dataclass(frozen=True, slots=True)
class TextRulings:
    """Corrections of one text: of single tokens by the code point they start at, and of words."""

    tokens: Mapping[int, LexiconWord] = field(default_factory=dict)
    words: LexiconOverrides = field(default_factory=LexiconOverrides.none)


NO_CORRECTIONS = TextRulings()
_NO_WORDS = LexiconOverrides.none()


def rulings_of_words(
    words: Sequence[str], overrides: LexiconOverrides, in_this_text: LexiconOverrides = _NO_WORDS
) -> dict[int, Ruling]:
    """Find what is ruled in a sentence of words, by place.

    Parameters
    ----------
    words
        Non-empty forms.
    overrides
        The lexicon in force.
    in_this_text
        Entries that rule in this text alone, over the lexicon.

    Returns
    -------
    dict
        Place in the sentence → ruling; empty for most sentences.
    """
    found = dict(_money(words))
    folded = [word.lower() for word in words]
    if overrides.rules_nowhere(folded) and in_this_text.rules_nowhere(folded):
        return found
    flags = case_flags(words)
    found |= _of_words(words, flags, overrides, DecidedBy.LEXICON)
    for start, expression in overrides.expressions_in(words, flags):
        for place, part in enumerate(expression.parts, start):
            found[place] = Ruling(part, DecidedBy.LEXICON, expression.word)
    return found | _of_words(words, flags, in_this_text, DecidedBy.TEXT)


def rulings_of_sentence(
    spans: Sequence[Span], words: Sequence[str], overrides: LexiconOverrides, own: TextRulings
) -> dict[int, Ruling]:
    """Find what is ruled in a sentence that stands in a text with corrections of its own."""
    return rulings_of_words(words, overrides, own.words) | _of_tokens(spans, words, own)


def corrections_of_sentence(
    spans: Sequence[Span], words: Sequence[str], own: TextRulings
) -> dict[int, Ruling]:
    """Find what is corrected in a sentence of a text, without what rules over all texts."""
    found: dict[int, Ruling] = {}
    if not own.words.folded.isdisjoint(word.lower() for word in words):
        found = _of_words(words, case_flags(words), own.words, DecidedBy.TEXT)
    return found | _of_tokens(spans, words, own)


def _of_tokens(spans: Sequence[Span], words: Sequence[str], own: TextRulings) -> dict[int, Ruling]:
    if not own.tokens:
        return {}
    return {
        place: Ruling(entry, DecidedBy.TOKEN)
        for place, ((start, _), word) in enumerate(zip(spans, words, strict=True))
        if (entry := own.tokens.get(start)) and entry.word == word
    }


def _of_words(
    words: Sequence[str], flags: Sequence[CaseFlag], entries: LexiconOverrides, by: DecidedBy
) -> dict[int, Ruling]:
    return {
        place: Ruling(entry, by)
        for place, (word, flag) in enumerate(zip(words, flags, strict=True))
        if (entry := entries.find(word, flag))
    }


def _money(words: Sequence[str]) -> Iterator[tuple[int, Ruling]]:
    """R and ZAR before an amount are currency signs; the treebanks have none of them."""
    for place, word in enumerate(words[:-1]):
        if word in _RAND and words[place + 1][0].isdigit():
            yield place, Ruling(LexiconWord(word, ("$",)), DecidedBy.MONEY)
