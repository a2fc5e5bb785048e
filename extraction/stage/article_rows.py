"""Article rows of a batch: extracted pages → rows made or updated, threads registered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from extraction.html.markup.blocks import join_captions
from extraction.html.page import ExtractedKind, ExtractedPage
from extraction.models import Article, ArticleCorrection, CommentThread
from extraction.stage import admission, corrections
from extraction.stage.withdrawn_rows import keep_withdrawn
from extraction.text.digest import text_digest
from extraction.text.paragraph_languages import TextLanguages
from feeds import comments
from feeds.crawler.addressing.slugs import slug as slug_of
from feeds.crawler.documents import comment_systems
from feeds.models import Page, Publication

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
    "withdrawn_at",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """A page read and judged before the transaction that stores it."""

    page: Page
    url: str
    extracted: ExtractedPage
    languages: TextLanguages
    thread: comment_systems.ThreadReference | None


def store(articles: Sequence[ReadArticle], now: datetime) -> list[int]:
    """Write the rows of a batch; returns their primary keys in order. Needs a transaction."""
    if not articles:
        return []
    pages = [article.page for article in articles]
    # Held, so that no editor's word comes between this reading and its end.
    stored = Article.objects.select_for_update(of=("self",)).filter(page__in=pages)
    known = stored.in_bulk(field_name="page_id")
    rows = [_row(article, known.get(article.page.pk), now) for article in articles]
    words = corrections.of_articles(list(known.values()))
    for row in rows:
        if row.pk in words:
            corrections.apply(row, words[row.pk])
    ArticleCorrection.objects.bulk_update(words.values(), ["as_read"])
    _place(rows, words, now)
    Article.objects.bulk_create([row for row in rows if row.pk is None])
    Article.objects.bulk_update(list(known.values()), _UPDATED)
    twins = _mark_slug_twins(rows)
    _place(twins, words, now)
    Article.objects.bulk_update(twins, ["slug_twin", "kind", "in_corpus", "reason"])
    _register_threads(articles, rows, now)
    return [row.pk for row in rows]


def _row(article: ReadArticle, row: Article | None, now: datetime) -> Article:
    page, found = article.page, article.extracted
    if row is None:
        row = Article(publication_id=page.publication_id, created_at=now)
    row.page = page
    row.url = article.url
    row.slug = slug_of(article.url)
    row.title = found.title or page.feed_headline
    row.standfirst = found.description
    row.authors = list(found.authors)
    row.section = found.section[:200]
    row.published_at = found.published_at
    row.modified_at = found.modified_at
    row.published_offset = corrections.offset_minutes(found.published_at)
    row.modified_offset = corrections.offset_minutes(found.modified_at)
    row.tags = list(found.tags)
    row.canonical_url = found.canonical_url if len(found.canonical_url) <= _MAX_URL else ""
    row.declared_language = found.declared_language
    row.is_paywalled = found.is_paywalled
    row.dated_at = corrections.dated(found.published_at, page)
    row.text = found.text
    row.captions = join_captions(found.blocks)
    row.blocks = block_spans(found)
    row.text_digest = text_digest(found.text)
    row.n_words = len(found.text.split())
    row.slug_twin = None
    _set_languages(row, article.languages)
    row.extractor = found.extractor.value
    row.confidence = found.confidence
    row.sources = {source.name: source.source for source in found.sources}
    row.disagreements = disagreements(found)
    row.fetch_id = page.content_fetch_id
    row.updated_at = now
    return row


def _place(rows: Sequence[Article], words: Mapping[int, ArticleCorrection], now: datetime) -> None:
    """Say what belongs to the corpus, by the publications' terms of this moment."""
    publications = Publication.objects.in_bulk({row.publication_id for row in rows})
    for row in rows:
        is_taken = row.pk in words and words[row.pk].is_taken_anyway
        admission.place(row, publications[row.publication_id], is_taken=is_taken)
    keep_withdrawn(rows, now)


def _set_languages(row: Article, found: TextLanguages) -> None:
    row.language = found.decision.language
    row.language_reason = found.decision.reason[:300]
    row.unknown_share = found.decision.unknown_share
    row.running_unknown_share = found.decision.running_share
    row.other_languages = [[span.start, span.end, span.language] for span in found.spans]


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


def _mark_slug_twins(rows: Sequence[Article]) -> list[Article]:
    """On one site the same slug is the same article; returns the rows that came later.

    A weekly column may keep its slug, so the two must share a paragraph too.
    """
    condition = Q()
    for row in rows:
        if row.slug:
            condition |= Q(publication_id=row.publication_id, slug=row.slug)
    if not condition:
        return []
    first: dict[tuple[int, str], Article] = {}
    named = Article.objects.filter(condition, slug_twin=None).order_by("pk")
    for twin in named.only("publication", "slug", "text"):
        first.setdefault((twin.publication_id, twin.slug), twin)
    later = []
    for row in rows:
        earliest = first.get((row.publication_id, row.slug))
        if earliest is not None and earliest.pk < row.pk and shares_paragraph(earliest, row):
            row.slug_twin = earliest
            later.append(row)
    return later


def shares_paragraph(one: Article, other: Article) -> bool:
    """Whether two texts have a paragraph of some length in common."""
    paragraphs = {line for line in one.text.split("\n") if len(line) >= LEAST_SHARED_CHARACTERS}
    return not paragraphs.isdisjoint(other.text.split("\n"))


def _register_threads(
    articles: Sequence[ReadArticle], rows: Sequence[Article], now: datetime
) -> None:
    with_thread = [(a, row) for a, row in zip(articles, rows, strict=True) if a.thread is not None]
    known = set(
        CommentThread.objects.filter(article__in=[row.pk for _, row in with_thread]).values_list(
            "article_id", flat=True
        )
    )
    for article, row in with_thread:
        if row.pk in known or article.thread is None:
            continue
        page_id = comments.register(article.page, article.thread, now)
        if page_id is not None:
            CommentThread.objects.create(
                article=row,
                page_id=page_id,
                system=article.thread.system,
                forum=article.thread.forum[:100],
                identifier=article.thread.identifier[:500],
            )


def is_empty(found: ExtractedPage) -> bool:
    """Whether nothing was found that could be stored."""
    return found.kind is ExtractedKind.EMPTY or not found.text
