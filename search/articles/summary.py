"""Summaries as pages show them: chosen sentences of an article, or of the tellings of one event."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.http import QueryDict

from dedup.models import SentenceHash
from dedup.similarity.events.own_sentences import own_sentences
from dedup.similarity.events.summaries import LENGTHS, summarize
from dedup.similarity.sentences import sentence_hashes
from dedup.stage.rows import chunks
from extraction.models import Article
from extraction.text.sentences import split_sentences

DEFAULT_LENGTH = 3
LENGTH_PARAMETER = "sentences"
# A sentence of so many articles is a standing one or an appeal, and sums up none of them.
_STANDING_FROM = 4
# The earliest tellings of an event: what is told first is told by all.
MAX_TELLINGS = 20


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence as it stands in its article."""

    text: str
    article: Article


@dataclass(frozen=True, slots=True)
class ArticleSummary:
    """Chosen sentences with the lengths that can be asked for; empty for texts too short for it."""

    sentences: tuple[SummarySentence, ...]
    length: int
    lengths: tuple[int, ...] = LENGTHS


def wanted_length(parameters: QueryDict) -> int:
    """Read the length from an address; anything else than one that is offered is the usual one."""
    given = parameters.get(LENGTH_PARAMETER, "")
    return int(given) if given in {str(length) for length in LENGTHS} else DEFAULT_LENGTH


def summary_of(articles: Sequence[Article], length: int) -> ArticleSummary:
    """Sum up one article, or the tellings of one event; copies are the caller's matter."""
    texts = [_in_own_language(article) for article in articles[:MAX_TELLINGS]]
    return _summary(articles, texts, length, _standing(texts))


def summary_and_own(
    articles: Sequence[Article], length: int
) -> tuple[ArticleSummary, dict[int, tuple[str, ...]]]:
    """Sum up the tellings of one event, and name by article what no other of them says."""
    texts = [_in_own_language(article) for article in articles[:MAX_TELLINGS]]
    standing = _standing(texts)
    own = {
        article.pk: tuple(text[e.start : e.end] for e in found)
        for article, text, found in zip(
            articles, texts, own_sentences(texts, recurring=standing), strict=False
        )
    }
    return _summary(articles, texts, length, standing), own


def _summary(
    articles: Sequence[Article], texts: Sequence[str], length: int, standing: Collection[int]
) -> ArticleSummary:
    found = summarize(texts, length, standing)
    sentences = (SummarySentence(texts[e.text][e.start : e.end], articles[e.text]) for e in found)
    return ArticleSummary(tuple(sentences), length)


def _in_own_language(article: Article) -> str:
    """Blank out the paragraphs in another language than the article's; places stay."""
    text = article.text
    for start, end, _ in article.other_languages:
        text = text[:start] + "\n" * (end - start) + text[end:]
    return text


def _standing(texts: Sequence[str]) -> set[int]:
    hashes = {key.hash for text in texts for key in sentence_hashes(text, split_sentences(text))}
    found: set[int] = set()
    for chunk in chunks(hashes):
        rows = (
            SentenceHash.objects.filter(hash__in=chunk)
            .order_by()
            .values_list("hash")
            .annotate(n=Count("article__detection__original", distinct=True))
            .filter(n__gte=_STANDING_FROM)
        )
        found |= {key for key, _ in rows}
    return found
