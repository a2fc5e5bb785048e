"""Which tokens of the index single texts correct: lines of a concordance → rulings by token."""

from collections.abc import Mapping, Sequence

from extraction.models import Article
from extraction.text.sentences import split_sentences
from extraction.text.tokens import tokenize
from search.correction_rulings import corrections_in_force, rulings_of_articles
from search.engine.annotation.rulings import Ruling, TextRulings, corrections_of_sentence
from search.engine.concordance.kwic import KwicLine
from search.engine.index.documents import DocumentKind


def corrections_of_lines(lines: Sequence[KwicLine]) -> list[dict[int, Ruling]]:
    """Find what is corrected in the sentence of each line, by place in the sentence.

    Only articles that have corrections are read, however many lines there are.
    """
    keys = [line.key if line.kind is DocumentKind.ARTICLE else None for line in lines]
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
