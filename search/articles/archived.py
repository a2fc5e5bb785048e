"""A stored page for the frame of the article page: fetch → markup that can do nothing.

Where the page is an article, also what became of each part of it. That is read anew from the
archived bytes at each view (some 40 ms), by the extraction's own code: stored beside each article
it would be larger than the text. What is shown as kept is what is stored, whichever version of the
extraction read it. The reading is a child's, which is ended where a page takes too much.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from propcache.api import cached_property

from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from extraction.html.trace.inert_page import inert_markup, make_inert
from extraction.html.trace.line_groups import LineFate, LineGroup, group_lines
from extraction.html.trace.marking import mark_page
from extraction.html.trace.page_trace import UNSEEN, PageTrace, as_stored, trace_page
from extraction.models import Article, ArticleKind, ArticleVersion
from extraction.page_inputs import page_input, shown_at
from extraction.rules.published import rules_at
from extraction.text.normalize import normalize_text
from feeds.archive.fetches import read_of
from feeds.archive.outside import is_outside
from feeds.crawler.archive.warc_reading import ArchivedExchange, ArchiveError
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)
from feeds.crawler.timing.conditional import header
from feeds.models import Fetch, Page
from search.articles.reading import TextMark, TextPiece, cut

_log = logging.getLogger(__name__)
# Which marks are shown: parameter `show` of the page and of its frame, with its words.
SHOWS = (("both", "Both"), ("kept", "Kept"), ("dropped", "Dropped"))
# Real pages have at most 2.3 million characters; what comes after this is not shown.
_SHOWN_CHARACTERS = 5_000_000


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """Inert markup of a stored page, or the sentence why there is none."""

    url: str
    fetched_at: datetime
    markup: str = ""
    problem: str = ""


@dataclass(frozen=True)
class PageReading:
    """What became of the parts of an article's page, in page order."""

    groups: tuple[LineGroup, ...]
    is_as_stored: bool  # today's extraction would read the same text
    n_missing: int  # stored blocks that stand nowhere on the page (JSON-LD)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of groups of each fate."""
        return dict(Counter(group.fate.value for group in self.groups))

    @cached_property
    def kept_share(self) -> float:
        """Share of the visible page's letters that are the article's text."""
        n_chars: Counter[LineFate] = Counter()
        for group in self.groups:
            seen = (line for line in group.lines if line.run != UNSEEN)
            n_chars[group.fate] += sum(len(line.text) for line in seen)
        return n_chars[LineFate.KEPT] / max(1, n_chars.total())


@dataclass(frozen=True, slots=True)
class _Stored:
    """An article's page as its extractor is given it, and what is stored of it: no rows."""

    given: PageInput
    text: str
    captions: str
    read_at: datetime

    @classmethod
    def of(cls, article: Article, page: Page, exchange: ArchivedExchange) -> "_Stored":
        version = rules_at(article.publication_id, shown_at(exchange))
        given = page_input(page, exchange, version.rules, headline=article.title)
        return cls(given, article.text, article.captions, article.updated_at)

    def trace(self) -> PageTrace:
        trace = trace_page(self.given, now=self.read_at)
        return as_stored(trace, self.text, self.captions)


def pieces_of_lines(
    group: LineGroup, article: Article, marks: Sequence[TextMark]
) -> Iterator[tuple[TextPiece, ...]]:
    """Cut the lines of a group at the hits in them; what is not in the stored text has none."""
    text = article.whole_text
    for line in group.lines:
        said = normalize_text(line.text)
        start = text.find(said) if marks and group.fate in {LineFate.KEPT, LineFate.CAPTION} else -1
        if start < 0:
            yield (TextPiece(line.text),)
        else:
            yield tuple(cut(text, start, start + len(said), marks))


def archived_page(fetch: Fetch) -> ArchivedPage:
    """Read a fetch's record back and make it inert, with marks where it is an article's page."""
    url = fetch.final_url or fetch.url
    if is_withdrawn(fetch):
        return ArchivedPage(url, fetch.started_at, problem="What this page held was withdrawn.")
    if fetch.archive_offset is None:
        return ArchivedPage(url, fetch.started_at, problem="This fetch was not archived.")
    exchange = _exchange(fetch)
    if exchange is None:
        where = fetch.archive_file
        if is_outside(where):
            where = "a file that was imported by reference, and is moved, changed or gone,"
        problem = f"The record in {where} cannot be read back; the log says why."
        return ArchivedPage(url, fetch.started_at, problem=problem)
    article = Article.objects.filter(fetch=fetch).select_related("page__publication").first()
    if article is not None and article.kind == ArticleKind.POST:
        problem = "A post has no page of its own: it stood in an answer of its timeline."
        return ArchivedPage(url, fetch.started_at, problem=problem)
    stored = None
    if article is not None and article.page is not None:
        stored = _Stored.of(article, article.page, exchange)
    try:
        markup = run_limited(lambda: _markup(exchange, stored), FOR_A_REQUEST)
    except WorkEndedError:
        _log.warning("the page of fetch %s takes too much to be shown", fetch.pk)
        return ArchivedPage(url, exchange.fetched_at, problem=TOO_MUCH)
    problem = "" if markup else "The stored page shows nothing without its scripts."
    return ArchivedPage(url, exchange.fetched_at, markup, problem)


def is_withdrawn(fetch: Fetch) -> bool:
    """Whether a fetch holds what was withdrawn, as the article's page or that of its comments."""
    own, above = Q(page=fetch.page_id), Q(page__children=fetch.page_id)
    gone = Q(withdrawn_at__isnull=False) | Q(comments__withdrawn_at__isnull=False)
    if fetch.page_id is None:
        return False
    former = ArticleVersion.objects.filter(fetch=fetch, withdrawn_at__isnull=False)
    return Article.objects.filter(own | above, gone).exists() or former.exists()


def read_again(article: Article) -> PageReading | None:
    """Say what became of the parts of an article's page.

    None where no record can be read, or where that takes too much; of posts, which have no page.
    """
    if article.kind == ArticleKind.POST:
        return None
    exchange = _exchange(article.fetch) if article.fetch else None
    if exchange is None or article.page is None:
        return None
    stored = _Stored.of(article, article.page, exchange)
    try:
        return run_limited(lambda: _reading(exchange, stored), FOR_A_REQUEST)
    except WorkEndedError:
        _log.warning("the page of article %s takes too much to be read again", article.pk)
        return None


def _reading(exchange: ArchivedExchange, stored: _Stored) -> PageReading:
    trace = stored.trace()
    groups = group_lines(trace, parse_html(_text(exchange)))
    return PageReading(tuple(groups), trace.is_as_stored, trace.n_missing)


def _exchange(fetch: Fetch) -> ArchivedExchange | None:
    if fetch.archive_offset is None:
        return None
    try:
        return read_of(fetch)
    except ArchiveError:
        # The message names folders of the server, which readers need not see.
        _log.exception("archive record of fetch %s cannot be read", fetch.pk)
        return None


def _text(exchange: ArchivedExchange) -> str:
    return decode_html(exchange.body, header(exchange.headers, "content-type") or "").text


def _markup(exchange: ArchivedExchange, stored: _Stored | None) -> str:
    """Make a page inert, with marks where it is an article's and not too long for them."""
    text = _text(exchange)
    if stored is None or len(text) > _SHOWN_CHARACTERS:
        return make_inert(text[:_SHOWN_CHARACTERS])
    trace, root = stored.trace(), parse_html(text)
    mark_page(root, group_lines(trace, root), trace)
    return inert_markup(root)
