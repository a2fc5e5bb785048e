"""Where the index's token positions lie in a stored text, and the sentences around a hit.

The index keeps token numbers, the database the text; both meet here through the one tokenizer.
"""

from dataclasses import dataclass

from extraction.models import Article, ArticleKind
from extraction.text.sentences import split_sentences
from extraction.text.tokens import Span, tokenize
from search.articles.reading import TextMark
from search.engine.index.documents import DocumentKind


@dataclass(frozen=True, slots=True)
class TokenPlaces:
    """Code-point spans of the tokens, and token spans of the sentences, as they are indexed."""

    tokens: tuple[Span, ...]
    sentences: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class WideContext:
    """The sentence before a hit, the hit in its own sentence, and the sentence after."""

    before: str
    left: str
    node: str
    right: str
    after: str


def document_kind(article: Article) -> DocumentKind:
    """Say which kind of document an article is in the index."""
    is_post = article.kind == ArticleKind.POST
    return DocumentKind.POST if is_post else DocumentKind.ARTICLE


def token_places(text: str) -> TokenPlaces:
    """Split a text as the index does; a sentence without tokens does not count there."""
    tokens: list[Span] = []
    sentences: list[Span] = []
    for start, end in split_sentences(text):
        found = tokenize(text, start, end)
        if found:
            sentences.append((len(tokens), len(tokens) + len(found)))
            tokens.extend(found)
    return TokenPlaces(tuple(tokens), tuple(sentences))


def marks_of(text: str, hits: list[Span], anchor: str = "h") -> list[TextMark]:
    """Stretches of a text for hits given as half-open token spans.

    Hits beyond the text are left out: the text may have changed since it was indexed. The anchor
    of a mark is the letter and the number of its first token, counted from 0.
    """
    tokens = token_places(text).tokens
    return [
        TextMark(tokens[start][0], tokens[end - 1][1], f"{anchor}{start}")
        for start, end in hits
        if 0 <= start < end <= len(tokens)
    ]


def wide_context(text: str, hit: Span) -> WideContext | None:
    """Sentences around a hit given as a half-open token span; None where the text has no such."""
    places = token_places(text)
    start, end = hit
    if not 0 <= start < end <= len(places.tokens):
        return None
    at = next(number for number, (_, last) in enumerate(places.sentences) if start < last)
    until = next(number for number, (_, last) in enumerate(places.sentences) if end <= last)
    first, last = places.tokens[start][0], places.tokens[end - 1][1]
    begin, stop = _span(places, at)[0], _span(places, until)[1]
    return WideContext(
        before=_sentence(text, places, at - 1),
        left=text[begin:first],
        node=text[first:last],
        right=text[last:stop],
        after=_sentence(text, places, until + 1),
    )


def _span(places: TokenPlaces, number: int) -> Span:
    first, last = places.sentences[number]
    return places.tokens[first][0], places.tokens[last - 1][1]


def _sentence(text: str, places: TokenPlaces, number: int) -> str:
    if not 0 <= number < len(places.sentences):
        return ""
    start, end = _span(places, number)
    return text[start:end]
