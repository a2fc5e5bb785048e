"""What editors accepted for single texts: article → the corrections in force in its text.

A place is found again by the characters around it, so that a text that was extracted anew keeps its
corrections; where those are gone, or stand in several places, a correction waits.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extraction.models import Article
from extraction.text.sentences import split_sentences
from extraction.text.tokens import tokenize
from search.engine.annotation.lexicon import LexiconError, LexiconOverrides, LexiconWord
from search.engine.annotation.rulings import Ruling, TextRulings, corrections_of_sentence
from search.engine.concordance.kwic import KwicLine
from search.engine.index.documents import ARTICLE_KINDS
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


def corrections_of_lines(lines: Sequence[KwicLine]) -> list[dict[int, Ruling]]:
    """Find what is corrected in the sentence of each line, by place in the sentence.

    Only articles that have corrections are read, however many lines there are.
    """
    keys = [line.key if line.kind in ARTICLE_KINDS else None for line in lines]
    corrected = {
        row.article_id for row in corrections_in_force({key for key in keys if key is not None})
    }
    if not corrected:
        return [{} for _ in lines]
    texts = {article.pk: article.whole_text for article in Article.objects.filter(pk__in=corrected)}
    by_article = {
        key: _rulings_by_token(texts[key], own) for key, own in rulings_of_articles(texts).items()
    }
    return [
        _in_sentence(line, by_article.get(key, {}) if key else {})
        for line, key in zip(lines, keys, strict=True)
    ]


def _rulings_by_token(text: str, own: TextRulings) -> dict[int, Ruling]:
    """Find the corrected tokens of an English text, by their number from 0.

    Concordances compare lexicons, and these rule over English texts only.
    """
    found: dict[int, Ruling] = {}
    n_before = 0
    for bounds in split_sentences(text):
        spans = tokenize(text, *bounds)
        words = [text[start:end] for start, end in spans]
        rulings = corrections_of_sentence(spans, words, own)
        found |= {n_before + place: ruling for place, ruling in rulings.items()}
        n_before += len(spans)
    return found


def _in_sentence(line: KwicLine, rulings: Mapping[int, Ruling]) -> dict[int, Ruling]:
    """Cut out a line's sentence; a word that is another one in the index meanwhile is left out."""
    words = [*line.left_words, *line.node_words, *line.right_words]
    first = line.position - len(line.left_words)
    return {
        number - first: ruling
        for number, ruling in rulings.items()
        if 0 <= number - first < len(words)
        and words[number - first].lower() == ruling.entry.word.lower()
    }
