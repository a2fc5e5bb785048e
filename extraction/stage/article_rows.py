"""Article rows of a batch: extracted pages → rows made or updated, threads registered."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from extraction.html.fields.agencies import agency_names
from extraction.html.markup.blocks import join_captions
from extraction.html.page import ExtractedKind, ExtractedPage
from extraction.models import Article, ArticleCorrection, ArticleKind
from extraction.models.article import SECTION_CHARACTERS
from extraction.stage import admission, comment_threads, corrections, rights_of_rows, versioning
from extraction.stage.blocks import block_spans
from extraction.stage.comment_threads import FoundThread
from extraction.stage.read_articles import ReadArticle, Verdict
from extraction.stage.textless import textless_kind
from extraction.stage.withdrawn_rows import keep_withdrawn
from extraction.text.digest import text_digest
from extraction.text.paragraph_languages import TextLanguages
from feeds.crawler.addressing.slugs import slug as slug_of
from feeds.models import Page, PageKind, Publication
from feeds.work.row_updates import update_rows

# Shorter paragraphs ("Dear editor,") stand in every instalment of a column.
LEAST_SHARED_CHARACTERS = 40
_MAX_URL = 2_048  # the length of the column
_UPDATED = [
    "url", "slug", "title", "standfirst", "authors", "agencies", "section", "published_at",
    "modified_at", "dated_at", "text", "captions", "blocks", "text_digest", "n_words", "kind",
    "in_corpus", "reason", "slug_twin", "language", "language_reason", "unknown_share",
    "running_unknown_share", "other_languages", "extractor",
    "confidence", "sources", "fetch", "updated_at", "tags", "canonical_url", "declared_language",
    "is_paywalled", "published_offset", "modified_offset", "disagreements", "withdrawn_at",
    "n_versions", "changed_at", "rights", "rights_said",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredArticles:
    """Keys of a batch's articles in order, and of those that changed for others than this stage."""

    ids: tuple[int, ...] = ()
    told_ids: tuple[int, ...] = ()


def store(
    articles: Sequence[ReadArticle], now: datetime, new: Collection[int] = ()
) -> StoredArticles:
    """Write the rows of a batch, and the versions that they replace. Needs a transaction.

    `new` names pages that are known to have no article.
    """
    if not articles:
        return StoredArticles()
    pages = [article.page for article in articles if article.page.pk not in new]
    # Held, so that no editor's word comes between this reading and its end.
    stored = Article.objects.select_for_update(of=("self",)).filter(page__in=pages)
    known = stored.in_bulk(field_name="page_id")
    words = corrections.of_articles(list(known.values()))
    followed = versioning.keep_former(articles, known, now)
    before = _as_before(articles, known)
    rows = [_row(article, known.get(article.page.pk), now) for article in articles]
    rights_of_rows.read(rows, [(a.page, a.extracted.rights_said) for a in articles])
    for row in rows:
        if row.pk in before:
            versioning.keep_text(row, before[row.pk])
            row.slug_twin_id = before[row.pk]["slug_twin"]
        if row.pk in words:
            corrections.apply(row, words[row.pk])
    versioning.pack_anew(followed, {row.pk: row.text for row in known.values()})
    ArticleCorrection.objects.bulk_update(words.values(), ["as_read"])
    place_rows(rows, words, now)
    quiet = _quiet(rows, before)
    Article.objects.bulk_create([row for row in rows if row.pk is None])
    update_rows([row for row in known.values() if row.pk not in quiet], _UPDATED)
    update_rows([row for row in known.values() if row.pk in quiet], versioning.QUIET_COLUMNS)
    twins = _mark_slug_twins(rows)
    place_rows(twins, words, now)
    Article.objects.bulk_update(twins, ["slug_twin", "kind", "in_corpus", "reason"])
    _register_threads(articles, rows, now)
    return StoredArticles(
        tuple(row.pk for row in rows), tuple(row.pk for row in rows if row.pk not in quiet)
    )


def follow_documents(pages: Iterable[Page]) -> None:
    """Let articles name the newest documents of their pages, which show what is stored.

    Needs a transaction.
    """
    newest = {page.pk: page.content_fetch_id for page in pages}
    rows = list(Article.objects.filter(page__in=newest).only("page"))
    for row in rows:
        row.fetch_id = newest[row.page_id or 0]
    update_rows(rows, ["fetch"])


def _as_before(
    articles: Sequence[ReadArticle], known: Mapping[int, Article]
) -> dict[int, dict[str, Any]]:
    """Keep the columns of rows whose document shows the stored text again, noise aside."""
    return {
        row.pk: {name: versioning.value_of(row, name) for name in _UPDATED}
        for article in articles
        if article.later is not None
        and article.later.verdict is Verdict.SAME
        and (row := known.get(article.page.pk)) is not None
    }


def _quiet(rows: Sequence[Article], before: Mapping[int, Mapping[str, Any]]) -> set[int]:
    """Find the rows in which nothing has changed that others depend on."""
    quiet = set()
    for row in rows:
        if row.pk in before and not versioning.is_told(row, before[row.pk], _UPDATED):
            row.updated_at = before[row.pk]["updated_at"]
            quiet.add(row.pk)
    return quiet


def _row(article: ReadArticle, row: Article | None, now: datetime) -> Article:
    page, found = article.page, article.extracted
    former = row.dated_at if row is not None and row.published_at is None else None
    if row is None:
        row = Article(publication_id=page.publication_id, created_at=now)
    if page.kind == PageKind.POST:
        row.kind = ArticleKind.POST
    elif is_empty(found):
        row.kind = textless_kind(found, article.url)
    row.page = page
    row.url = article.url
    row.slug = slug_of(article.url)
    row.title = found.title or page.feed_headline
    row.standfirst = found.description
    row.authors = list(found.authors)
    row.agencies = agency_names(found.agencies)
    row.section = found.section[:SECTION_CHARACTERS]
    row.published_at = found.published_at
    row.modified_at = found.modified_at
    row.published_offset = corrections.offset_minutes(found.published_at)
    row.modified_offset = corrections.offset_minutes(found.modified_at)
    row.tags = list(found.tags)
    row.canonical_url = found.canonical_url if len(found.canonical_url) <= _MAX_URL else ""
    row.declared_language = found.declared_language
    row.is_paywalled = found.is_paywalled
    row.dated_at = corrections.dated(found.published_at, page, former)
    row.text = found.text
    row.captions = join_captions(found.blocks)
    row.blocks = block_spans(found)
    row.text_digest = text_digest(found.text)
    row.n_words = len(found.text.split())
    row.slug_twin = None
    set_languages(row, article.languages)
    row.extractor = found.extractor.value
    row.confidence = found.confidence
    row.sources = {source.name: source.source for source in found.sources}
    row.disagreements = disagreements(found)
    row.fetch_id = article.fetch_id
    row.updated_at = now
    return row


def place_rows(
    rows: Sequence[Article], words: Mapping[int, ArticleCorrection], now: datetime
) -> None:
    """Say what belongs to the corpus, by the publications' terms of this moment."""
    publications = Publication.objects.in_bulk({row.publication_id for row in rows})
    for row in rows:
        is_taken = row.pk in words and words[row.pk].is_taken_anyway
        admission.place(row, publications[row.publication_id], is_taken=is_taken)
    rights_of_rows.place(rows, publications)
    keep_withdrawn(rows, now)


def set_languages(row: Article, found: TextLanguages) -> None:
    """Write what a text was judged to be."""
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
        if (
            earliest is not None
            and earliest.pk < row.pk
            and share_paragraph(earliest.text, row.text)
        ):
            row.slug_twin = earliest
            later.append(row)
    return later


def share_paragraph(one: str, other: str) -> bool:
    """Whether two texts have a paragraph of some length in common."""
    paragraphs = {line for line in one.split("\n") if len(line) >= LEAST_SHARED_CHARACTERS}
    return not paragraphs.isdisjoint(other.split("\n"))


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
