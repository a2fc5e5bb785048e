"""Concordance lines joined with what the database knows of their texts: title, address, names."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.models import Article
from feeds.models import Publication
from search.concordance.kwic import KwicLine
from search.index.documents import DocumentKind


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One line of a concordance.

    ``article_id`` is the article itself or the one the comment stands under; ``position`` and
    ``length`` count tokens within the text, from 0; ``left + node + right`` is a stretch of it.
    """

    kind: DocumentKind
    article_id: int
    comment_id: int | None
    position: int
    length: int
    left: str
    node: str
    right: str
    left_words: tuple[str, ...]
    node_words: tuple[str, ...]
    right_words: tuple[str, ...]
    publication: str
    publication_slug: str
    dated_at: dt.datetime
    author: str
    language: str
    title: str
    url: str

    @property
    def is_comment(self) -> bool:
        """True for a hit in a comment."""
        return self.kind is DocumentKind.COMMENT

    @property
    def hit(self) -> str:
        """Name of the hit in addresses: ``12-7``, or ``c12-7`` in a comment."""
        key = f"c{self.comment_id}" if self.is_comment else str(self.article_id)
        return f"{key}-{self.position}"


def search_lines(lines: Sequence[KwicLine]) -> tuple[SearchLine, ...]:
    """Look titles, addresses and publications up, in two queries for all lines."""
    ids = {line.info.parent_key or line.key for line in lines}
    rows = Article.objects.filter(pk__in=ids).values_list("pk", "title", "url")
    articles = {pk: (title, url) for pk, title, url in rows}
    slugs = {line.info.publication for line in lines}
    names = dict(Publication.objects.filter(slug__in=slugs).values_list("slug", "name"))
    return tuple(_search_line(line, articles, names) for line in lines)


def _search_line(
    line: KwicLine, articles: dict[int, tuple[str, str]], names: dict[str, str]
) -> SearchLine:
    info = line.info
    is_comment = info.kind is DocumentKind.COMMENT
    article_id = info.parent_key if is_comment else info.key
    title, url = articles.get(article_id, ("", ""))
    return SearchLine(
        kind=info.kind,
        article_id=article_id,
        comment_id=info.key if is_comment else None,
        position=line.position,
        length=line.length,
        left=line.left,
        node=line.node,
        right=line.right,
        left_words=line.left_words,
        node_words=line.node_words,
        right_words=line.right_words,
        publication=names.get(info.publication, info.publication),
        publication_slug=info.publication,
        dated_at=dt.datetime.fromtimestamp(info.published_seconds, dt.UTC),
        author=info.author,
        language=info.language,
        title=title,
        url=url,
    )
