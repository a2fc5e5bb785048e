"""Article rows of a batch: extracted pages → rows made or updated, threads registered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from extraction.html.markup.blocks import join_captions
from extraction.html.page import ExtractedKind, ExtractedPage
from extraction.models import Article, ArticleKind
from extraction.stage import comment_threads
from extraction.stage.comment_threads import FoundThread
from extraction.stage.textless import textless_kind
from extraction.text.digest import text_digest
from extraction.text.paragraph_languages import TextLanguages
from feeds.crawler.addressing.slugs import slug as slug_of
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.models import Page

# Why a page is kept outside the article corpus; its comments are wanted all the same.
REASONS = {
    ArticleKind.GALLERY: "It is a gallery.",
    ArticleKind.VIDEO: "It is a video page.",
    ArticleKind.SHORT: "Its text is shorter than 500 characters.",
}
SLUG_TWIN_REASON = "The publication has an article under the same name already."
# Shorter paragraphs ("Dear editor,") stand in every instalment of a column.
LEAST_SHARED_CHARACTERS = 40
_MAX_URL = 2_048  # the length of the column
_UPDATED = [
    "url", "slug", "title", "standfirst", "authors", "section", "published_at", "modified_at",
    "dated_at", "text", "captions", "blocks", "text_digest", "n_words", "kind", "in_corpus",
    "reason", "slug_twin", "language", "language_reason", "unknown_share", "running_unknown_share",
    "other_languages", "extractor",
    "confidence", "sources", "fetch", "updated_at", "tags", "canonical_url", "declared_language",
    "is_paywalled", "published_offset", "modified_offset", "disagreements",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """A page read and judged before the transaction that stores it."""

    page: Page
    url: str
    extracted: ExtractedPage
    languages: TextLanguages
    thread: ThreadReference | None


def store(articles: Sequence[ReadArticle], now: datetime) -> list[int]:
    """Write the rows of a batch; returns their primary keys in order. Needs a transaction."""
    if not articles:
        return []
    pages = [article.page for article in articles]
    known = Article.objects.filter(page__in=pages).in_bulk(field_name="page_id")
    rows = [_row(article, known.get(article.page.pk), now) for article in articles]
    Article.objects.bulk_create([row for row in rows if row.pk is None])
    Article.objects.bulk_update(list(known.values()), _UPDATED)
    _mark_slug_twins(rows)
    _register_threads(articles, rows, now)
    return [row.pk for row in rows]


def _row(article: ReadArticle, row: Article | None, now: datetime) -> Article:
    page, found = article.page, article.extracted
    if row is None:
        row = Article(page=page, publication_id=page.publication_id, created_at=now)
    elif is_empty(found):
        return row  # its text stays; only its comments are new
    kind = textless_kind(found, article.url) if is_empty(found) else ArticleKind(found.kind.value)
    row.url = article.url
    row.slug = slug_of(article.url)
    row.title = found.title or page.feed_headline
    row.standfirst = found.description
    row.authors = list(found.authors)
    row.section = found.section[:200]
    row.published_at = found.published_at
    row.modified_at = found.modified_at
    row.published_offset = offset_minutes(found.published_at)
    row.modified_offset = offset_minutes(found.modified_at)
    row.tags = list(found.tags)
    row.canonical_url = found.canonical_url if len(found.canonical_url) <= _MAX_URL else ""
    row.declared_language = found.declared_language
    row.is_paywalled = found.is_paywalled
    row.dated_at = found.published_at or page.feed_published_at or page.found_at
    row.text = found.text
    row.captions = join_captions(found.blocks)
    row.blocks = block_spans(found)
    row.text_digest = text_digest(found.text)
    row.n_words = len(found.text.split())
    row.kind = kind
    row.reason = REASONS.get(kind, "")
    row.in_corpus = not row.reason
    row.slug_twin = None
    _set_languages(row, article.languages)
    row.extractor = found.extractor.value
    row.confidence = found.confidence
    row.sources = {source.name: source.source for source in found.sources}
    row.disagreements = disagreements(found)
    row.fetch_id = page.content_fetch_id
    row.updated_at = now
    return row


def _set_languages(row: Article, found: TextLanguages) -> None:
    row.language = found.decision.language
    row.language_reason = found.decision.reason[:300]
    row.unknown_share = found.decision.unknown_share
    row.running_unknown_share = found.decision.running_share
    row.other_languages = [[span.start, span.end, span.language] for span in found.spans]


def offset_minutes(moment: datetime | None) -> int | None:
    """Minutes east of UTC of the zone in which a moment is written; None for no moment."""
    offset = moment.utcoffset() if moment is not None else None
    return None if offset is None else round(offset.total_seconds() / 60)


def disagreements(found: ExtractedPage) -> dict[str, list[list[str]]]:
    """List by field `[source, value]` of the sources that say something else."""
    said: dict[str, list[list[str]]] = {}
    for one in found.disagreements:
        said.setdefault(one.name, []).append([one.source, one.value])
    return said


def block_spans(found: ExtractedPage) -> list[list[object]]:
    """List `[kind, start, end]` of each block, in page order.

    Places are code points of the running text, one line feed, and the captions: a caption stands
    in the list where it stands on the page, its words behind those of the text.
    """
    spans: list[list[object]] = []
    start, behind = 0, len(found.text) + 1
    for block in found.blocks:
        if not block.text:
            continue
        at = start if block.kind.is_running else behind
        end = at + len(block.text)
        spans.append([block.kind.value, at, end])
        if block.kind.is_running:
            start = end + 1
        else:
            behind = end + 1
    return spans


def _mark_slug_twins(rows: Sequence[Article]) -> None:
    """On one site the same slug is the same article; the first one stays in the corpus.

    A weekly column may keep its slug, so the two must share a paragraph too.
    """
    condition = Q()
    for row in rows:
        if row.slug:
            condition |= Q(publication_id=row.publication_id, slug=row.slug)
    if not condition:
        return
    first: dict[tuple[int, str], Article] = {}
    named = Article.objects.filter(condition, slug_twin=None).order_by("pk")
    for twin in named.only("publication", "slug", "text"):
        first.setdefault((twin.publication_id, twin.slug), twin)
    later = []
    for row in rows:
        earliest = first.get((row.publication_id, row.slug))
        if earliest is not None and earliest.pk < row.pk and shares_paragraph(earliest, row):
            row.slug_twin = earliest
            row.in_corpus = False
            row.reason = row.reason or SLUG_TWIN_REASON
            later.append(row)
    Article.objects.bulk_update(later, ["slug_twin", "in_corpus", "reason"])


def shares_paragraph(one: Article, other: Article) -> bool:
    """Whether two texts have a paragraph of some length in common."""
    paragraphs = {line for line in one.text.split("\n") if len(line) >= LEAST_SHARED_CHARACTERS}
    return not paragraphs.isdisjoint(other.text.split("\n"))


def _register_threads(
    articles: Sequence[ReadArticle], rows: Sequence[Article], now: datetime
) -> None:
    found = [
        FoundThread(row, item.page, item.thread, item.extracted.comment_count)
        for item, row in zip(articles, rows, strict=True)
        if item.thread is not None
    ]
    comment_threads.register(found, now)


def is_empty(found: ExtractedPage) -> bool:
    """Whether nothing was found that could be stored."""
    return found.kind is ExtractedKind.EMPTY or not found.text
