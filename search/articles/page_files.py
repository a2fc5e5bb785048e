"""Archived pages of articles for a WACZ: an address of the site → its articles → their pages.

An address is what a browser shows: of an article, a story, a publication, or a search, which gives
the articles that have a hit. Left out, and counted, is what was withdrawn, what the policy on
rights keeps from leaving the site, what was never archived, and what cannot be read back.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Q, QuerySet
from django.urls import Resolver404, resolve

from dedup.models import Detection
from extraction.documents import DOCUMENT, taken
from extraction.models import Article, ArticleKind
from extraction.models.article import RightsSaid
from feeds.archive.fetches import read_served
from feeds.crawler.archive.wacz import Capture
from feeds.crawler.archive.warc_reading import ArchiveError
from feeds.models import Publication
from feeds.rights import unexported
from presentation.wording.figures import counted
from search.answers.answering import hits_of, selection_of
from search.answers.exportable import exportable_request
from search.articles.archived import is_withdrawn
from search.articles.stories import standing_story
from search.asking.address import Address
from search.asking.form import form_at
from search.asking.request import request_of, texts_of
from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.engine.query.text_sets import texts_of_hits, texts_of_selection

_ROWS = 200  # articles read at a time
_KEYS_A_QUERY = 10_000  # numbers in one statement; SQLite takes 32,766
# Why a page is not in a file.
NOT_ARCHIVED, NOT_READABLE = "not archived", "not readable"
WITHDRAWN = "withdrawn in part"


class NoPagesError(Exception):
    """Raised with a sentence where an address names no articles."""


@dataclass(frozen=True)
class PagesToWrite:
    """Articles at an address; `title` says in words what they are of."""

    title: str
    articles: tuple[QuerySet[Article], ...]
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def n_articles(self) -> int:
        return sum(some.count() for some in self.articles)

    def captures(self) -> Iterator[Capture]:
        """Read the pages; those that cannot be written are counted in `left_out`."""
        for articles in self.articles:
            for article in articles.iterator(_ROWS):
                fetch = taken(article)
                if fetch is None or fetch.archive_offset is None:
                    self.left_out[NOT_ARCHIVED] += 1
                    continue
                if is_withdrawn(fetch):  # a comment of it, or a former text
                    self.left_out[WITHDRAWN] += 1
                    continue
                try:
                    exchange = read_served(fetch)
                except ArchiveError:
                    self.left_out[NOT_READABLE] += 1
                    continue
                yield Capture(exchange, article.title, article.text)

    def left_out_words(self) -> str:
        """Say what was left out; empty for nothing."""
        return ", ".join(f"{counted(n, 'page')} {why}" for why, n in self.left_out.items())


def pages_at(address: str, user: Any = None) -> PagesToWrite:
    """Find the articles at an address of this site.

    Parameters
    ----------
    address : str
        A path with its parameters, or a whole address, of which the host is not looked at.
    user : object
        Who asks, for searches by names of their own; None for nobody.

    Returns
    -------
    PagesToWrite
        May be of no articles, where a search finds none.

    Raises
    ------
    NoPagesError
        With a sentence, for another address, what is not there and a query that cannot be read.
    """
    try:
        parts = urlsplit(address.strip())
        match = resolve(parts.path if parts.path.endswith("/") else f"{parts.path}/")
    except (ValueError, Resolver404) as error:
        raise NoPagesError(f"“{address[:200]}” is no address of this site.") from error
    name, values = match.url_name or "", match.kwargs
    if "article_id" in values:
        return _of_article(values["article_id"])
    if name == "story":
        return _of_story(values["story_id"])
    if name == "source":
        return _of_publication(values["slug"])
    if name == "search":
        return _of_search(Address.parse(parts.query), user)
    raise NoPagesError("Pages are written of an article, a story, a publication or a search.")


def _of_article(article_id: int) -> PagesToWrite:
    articles = _exportable(Q(pk=article_id))
    article = articles.first()
    if article is None:
        raise NoPagesError("There is no such article, or its page may not leave the site.")
    return PagesToWrite(article.title, (articles,))


def _of_story(story_id: int) -> PagesToWrite:
    story = standing_story(story_id)
    if story is None:
        raise NoPagesError("There is no such story.")
    told = Detection.objects.filter(story=story).values("article")
    title = story.first.title if story.first else ""
    return PagesToWrite(f"Story: {title}", (_exportable(Q(pk__in=told)),))


def _of_publication(slug: str) -> PagesToWrite:
    publication = Publication.objects.filter(slug=slug).first()
    if publication is None:
        raise NoPagesError("There is no such publication.")
    return PagesToWrite(publication.name, (_exportable(Q(publication=publication)),))


def _of_search(address: Address, user: Any) -> PagesToWrite:
    form = form_at(address, user)
    if form.problem:
        raise NoPagesError(form.problem)
    try:
        request = exportable_request(request_of(form)) if form.has_query else None
        found = (
            texts_of_hits(hits_of(request))
            if request
            else texts_of_selection(selection_of(texts_of(form)))
        )
    except QueryError as error:
        raise NoPagesError(error.message) from error
    keys: set[int] = set()
    for kind in DocumentKind:
        if kind is not DocumentKind.COMMENT:
            keys.update(map(int, found.keys(kind)))
    ordered = sorted(keys)
    slices = [ordered[at : at + _KEYS_A_QUERY] for at in range(0, len(ordered), _KEYS_A_QUERY)]
    words = form.value("q") or form.base_words
    return PagesToWrite(f"Search: {words}", tuple(_exportable(Q(pk__in=one)) for one in slices))


def _exportable(which: Q) -> QuerySet[Article]:
    reserved = Q(publication__slug__in=unexported(), rights=RightsSaid.RESERVED)
    # A post stood in an answer of its timeline, among others.
    articles = Article.shown.filter(which).exclude(reserved).exclude(kind=ArticleKind.POST)
    return articles.select_related(*DOCUMENT).defer("blocks", "captions").order_by("pk")
