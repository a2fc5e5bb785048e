"""What editors accepted for single texts: article → the corrections in force in its text.

A place is found again by the characters around it, so that a text that was extracted anew keeps its
corrections; where those are gone, or stand in several places, a correction waits.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from extraction.models import Article
from search.annotation.lexicon import LexiconError, LexiconOverrides, LexiconWord
from search.annotation.rulings import TextRulings
from search.models import CorrectionState, Scope, TagCorrection

CONTEXT_CHARS = 60  # on each side: some ten words


@dataclass(frozen=True, slots=True)
class TokenPlace:
    """Where a token starts, and the characters around it."""

    start: int
    before: str
    word: str
    after: str

    @classmethod
    def in_text(cls, text: str, start: int, word: str) -> "TokenPlace":
        end = start + len(word)
        return cls(
            start,
            text[max(0, start - CONTEXT_CHARS) : start],
            word,
            text[end : end + CONTEXT_CHARS],
        )

    def find(self, text: str) -> int | None:
        """Return where the token starts in a text that may have changed; None when nobody knows."""
        whole = self.before + self.word + self.after
        first = self.start - len(self.before)
        if first >= 0 and text.startswith(whole, first):
            return self.start
        found = text.find(whole)
        if found < 0 or text.find(whole, found + 1) >= 0:
            return None
        return found + len(self.before)


def place_of(correction: TagCorrection) -> TokenPlace:
    return TokenPlace(correction.start, correction.before, correction.word, correction.after)


def rulings_of_articles(texts: Mapping[int, str]) -> dict[int, TextRulings]:
    """Read what is in force in some articles, by their keys; articles without are left out."""
    by_article: defaultdict[int, list[TagCorrection]] = defaultdict(list)
    for correction in corrections_in_force(texts):
        by_article[correction.article_id].append(correction)
    languages = dict(Article.objects.filter(pk__in=by_article).values_list("pk", "language"))
    return {
        key: _rulings(rows, texts[key], languages.get(key, "")) for key, rows in by_article.items()
    }


def corrections_in_force(article_ids: Iterable[int]) -> list[TagCorrection]:
    rows = TagCorrection.objects.filter(
        article__in=list(article_ids), state=CorrectionState.ACCEPTED
    )
    return list(rows.exclude(scope=Scope.ALWAYS).order_by("pk"))


def _rulings(corrections: Iterable[TagCorrection], text: str, language: str) -> TextRulings:
    tokens: dict[int, LexiconWord] = {}
    words: list[LexiconWord] = []
    for correction in corrections:
        try:
            entry = LexiconWord.parse(correction.word, correction.tag, correction.lemma, language)
        except LexiconError:
            # A tag, a tokenizer or a language of former days: the tagger decides again.
            continue
        if correction.scope == Scope.TEXT:
            words.append(entry)
        elif (start := place_of(correction).find(text)) is not None:
            tokens[start] = entry
    return TextRulings(tokens, LexiconOverrides.build(words))
