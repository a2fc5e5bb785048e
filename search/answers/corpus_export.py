"""The texts of the site's index for other tools: with titles, in order of publication.

Input → output: which texts and a format → strings of a corpus file. Tokens, lemmas and tags are
those of the index, so a file says what searches find.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from extraction.models import Article
from search.answers.exportable import exportable
from search.engine.exchange.formats import Format, write_texts
from search.engine.exchange.stored import stored_texts
from search.engine.exchange.texts import CorpusText
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, select
from search.opened_index import current_snapshot

TEXTS_PER_LOOKUP = 200


class UnreadableIndexError(Exception):
    """Raised when part of the index cannot be read; an export without it would not say so."""


def name_of(kind: DocumentKind, key: int) -> str:
    """Return the id of a text in files: ``article-12``, ``comment-7``."""
    return f"{kind.label}-{key}"


def exported_corpus(
    kind: Format, wanted: DocumentFilter, vertical: VerticalOptions
) -> Iterator[str]:
    """Write the texts that a filter lets through, but those that may not be exported.

    Raises
    ------
    UnreadableIndexError
    """
    snapshot = current_snapshot()
    if snapshot.damaged:
        raise UnreadableIndexError(", ".join(map(str, snapshot.damaged)))
    texts = stored_texts(select(snapshot, exportable(wanted)), name_of, by_time=True)
    return write_texts(kind, _titled(texts), vertical)


def _titled(texts: Iterable[CorpusText]) -> Iterator[CorpusText]:
    """Give articles their titles, some hundred at a time."""
    waiting = iter(texts)
    while batch := list(islice(waiting, TEXTS_PER_LOOKUP)):
        keys = [_article_key(text) for text in batch]
        titles = dict(Article.objects.filter(pk__in=set(keys)).values_list("pk", "title"))
        for text, key in zip(batch, keys, strict=True):
            title = titles.get(key, "")
            yield replace(text, columns=replace(text.columns, title=title))


def _article_key(text: CorpusText) -> int:
    """Return the article's key, 0 for a comment, which has no title."""
    is_article = text.columns.kind is DocumentKind.ARTICLE
    return int(text.columns.name.rpartition("-")[2]) if is_article else 0
