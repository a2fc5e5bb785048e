"""The text of an article as it is shown: paragraphs of numbered sentences, hits marked."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from extraction.article_blocks import blocks_of
from extraction.models import Article
from extraction.text.language import UNKNOWN
from extraction.text.language_names import LANGUAGES
from extraction.text.tokens import Span
from presentation.wording.times import day
from search.articles.places import token_places
from search.articles.reading import TextMark, TextPiece, cut

_NAMES = LANGUAGES | {UNKNOWN: "another language"}


@dataclass(frozen=True, slots=True)
class NumberedSentence:
    """One sentence of a paragraph; numbers count from 1 as in the index, 0 is none of its."""

    number: int
    pieces: tuple[TextPiece, ...]
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`language` is the code of another language than the article's, else empty."""

    kind: str
    sentences: tuple[NumberedSentence, ...]
    language: str = ""

    @property
    def language_name(self) -> str:
        return _NAMES.get(self.language, self.language)


def paragraphs(article: Article, marks: Sequence[TextMark] = ()) -> list[Paragraph]:
    """Blocks of the stored text in page order, cut into sentences and at the marks.

    Marks may not overlap each other. Captions stand where they stand on the page, with the numbers
    they have in the index: behind those of the text.
    """
    text = article.whole_text
    spans = _sentence_spans(text)
    starts = [start for start, _ in spans]
    shown = []
    for kind, start, end in blocks_of(article):
        sentences = []
        for at in range(bisect_left(starts, start), bisect_left(starts, end)):
            begin, stop = spans[at][0], min(end, spans[at][1])
            citation = _citation(article, text[begin:stop], at + 1)
            sentences.append(
                NumberedSentence(at + 1, tuple(cut(text, begin, stop, marks)), citation)
            )
        if not sentences and start < end:
            sentences = [NumberedSentence(0, tuple(cut(text, start, end, marks)))]
        if sentences:
            language = language_at(article, start)
            shown.append(Paragraph(kind, tuple(sentences), language))
    return shown


def language_at(article: Article, place: int) -> str:
    """Code of the other language that the paragraph at a code point is in; empty for none."""
    return next((code for start, end, code in article.other_languages if start <= place < end), "")


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """How many of an article's paragraphs are in another language."""

    name: str
    n_paragraphs: int


def language_parts(shown: Sequence[Paragraph]) -> list[LanguagePart]:
    """Count the paragraphs in other languages, most first."""
    counts = Counter(paragraph.language for paragraph in shown if paragraph.language)
    return [LanguagePart(_NAMES.get(code, code), n) for code, n in counts.most_common()]


def _sentence_spans(text: str) -> list[Span]:
    """Code points of the sentences the index counts: those that hold a token."""
    places = token_places(text)
    return [(places.tokens[first][0], places.tokens[end - 1][1]) for first, end in places.sentences]


def _citation(article: Article, sentence: str, number: int) -> str:
    """Quote a sentence with where and when it stood."""
    moment = timezone.localtime(article.dated_at)
    who = "".join(f"{name}, " for name in [*article.authors, *article.agencies])
    where = f"{article.publication.name}, {day(moment)}, sentence {number}"
    return f"“{sentence}” ({who}“{article.title}”, {where}, {article.url})"
