"""Claimed pages → what they say, read from the archive before anything is written.

A page is read with the rules its publication had when it was fetched, and with what its site has
shown so far; the digest of a reading names all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from extraction.extractors import setting_mark
from extraction.html.extract_page import extract_page, headline_in_place
from extraction.html.markup.page_size import PageSize
from extraction.html.markup.tree_digest import tree_digest
from extraction.html.page import ExtractedPage
from extraction.html.site_rules.rules import RuleKind, RuleReport
from extraction.models import Article, Extraction
from extraction.page_inputs import page_input
from extraction.revisions.refusals import Refusal
from extraction.rules.published import (
    NO_PUBLISHED_RULES,
    NO_VERSION,
    PublishedRules,
    VersionRules,
    fingerprint,
    rules_at,
    rules_of,
)
from extraction.sites.lookup import NOTHING_KNOWN, KnownSite, known_site_at, known_sites
from extraction.sites.templates import SketchedPage
from extraction.stage import article_rows, corrections, timeline_posts
from extraction.stage.later_documents import NewDocument, Stored, judge, reading_to_store
from extraction.stage.post_replies import Answered
from extraction.stage.read_articles import LaterDocument, ReadArticle, Verdict
from extraction.stage.textless import has_readers, why_empty
from extraction.text.paragraph_languages import text_languages
from feeds.archive.fetches import read_archived, read_exchange
from feeds.archive.web_archives import original_url
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.comment_systems.systems import read_answer
from feeds.crawler.comment_systems.threads import Thread
from feeds.crawler.documents.timeline_posts import DELETED_DIGEST
from feeds.models import Fetch, Page, PageKind

# Between the digest of the document and that of what it is read with.
SEPARATOR = "|"


class ExtractOutcome(StrEnum):
    """What became of a page; stored on the stage's row."""

    STORED = "stored"
    EMPTY = "empty"
    COMMENTS = "comments"
    NO_ARTICLE = "no_article"
    NOT_ARCHIVED = "not_archived"
    REFUSED = "refused"
    OTHER_ADDRESS = "other_address"
    DELETED = "deleted"  # by the author of a post


_READ = frozenset({ExtractOutcome.STORED, ExtractOutcome.EMPTY})


@dataclass(frozen=True, slots=True)
class PageKnowledge:
    """What a page is read with, besides itself; `stored` is the article that was made of it."""

    version: VersionRules
    site: KnownSite
    stored: Article | None = None
    headline: str = ""  # of the stored article, as its page gave it

    def renamed(self, headline: str) -> "PageKnowledge":
        """Give the same with another headline."""
        return replace(self, headline=headline)


@dataclass(slots=True)
class ReadRow:
    """A claimed row with what was read, before anything is written."""

    row: Extraction
    done_digest: str
    outcome: ExtractOutcome
    detail: str = ""
    elapsed_ms: int = 0
    article: ReadArticle | None = None
    later: LaterDocument | None = None
    answer: Thread | None = None
    rule_version: int | None = None
    reports: tuple[RuleReport, ...] = ()
    sketch: SketchedPage | None = None
    size: PageSize | None = None
    body: bytes = b""
    tree: str = ""  # digest of the document of the text that is stored now
    is_first: bool = False  # no article was made of the page yet
    is_unchanged: bool = False  # the stored document's tree again, so not read
    stored: Article | None = None  # of a post: the article as it was before
    answered: Answered | None = None  # by a post

    @property
    def is_thin(self) -> bool:
        """Whether an article's page held no text, or a short one."""
        if self.row.page.kind == PageKind.POST:
            return False
        if self.article is not None:
            least = self.row.page.publication.min_characters
            return len(self.article.extracted.text) < least
        return self.outcome is ExtractOutcome.EMPTY


def look_up(rows: Sequence[Extraction]) -> dict[int, PageKnowledge]:
    """Look up what each page is read with, in a few queries for all."""
    rules = rules_of(row.page.publication_id for row in rows)
    sites = known_sites(row.page for row in rows)
    pages = [row.page_id for row in rows if row.page.kind != PageKind.COMMENTS]
    stored = Article.objects.filter(page__in=pages).select_related("fetch")
    articles = stored.in_bulk(field_name="page_id")
    headlines = corrections.titles_as_read(articles.values())
    return {
        row.pk: PageKnowledge(
            _version_of(row.page, rules),
            sites.get(row.page_id, NOTHING_KNOWN),
            articles.get(row.page_id),
            headlines.get(row.page_id, ""),
        )
        for row in rows
    }


def _version_of(page: Page, rules: dict[int, PublishedRules]) -> VersionRules:
    """Rules for the layout that the publication had when the page showed its document."""
    if page.content_fetch is None:
        return NO_VERSION
    published = rules.get(page.publication_id, NO_PUBLISHED_RULES)
    return published.at(page.content_fetch.document_at)


def _fingerprint(page: Page, known: PageKnowledge) -> str:
    return fingerprint(known.version.rules, known.site.number, setting_mark(page.publication))


def read_page(row: Extraction, known: PageKnowledge, now: datetime) -> ReadRow:
    """Read a page, and say what its document is to the text that is stored of it.

    Raises ArchiveAwayError or RecordAwayError where its archived copy cannot be read.
    """
    if row.page.kind == PageKind.POST:
        return _read_post(row, known)
    if (unchanged := _unchanged(row, known)) is not None:
        return unchanged
    reading = _read_document(row, known, now)
    reading.is_first = known.stored is None
    if known.stored is not None and reading.outcome in _READ:
        page = row.page
        shown = _headline_shown(reading, known)
        if shown:
            reading = _read_document(row, known.renamed(shown), now)
        new = NewDocument(page, reading.article, reading.body)
        before = Stored(known.stored, known.headline)
        reading.later = judge(before, new, lambda fetch: _read_earlier(page, fetch, known, now))
        if reading.later is not None:
            _settle(reading, before, reading.later)
    if reading.article is not None and reading.article.is_newest:
        reading.tree = _read_with(reading.article.extracted.tree, row.page, known)
    reading.body = b""  # a batch of them need not wait in memory
    return reading


def _read_post(row: Extraction, known: PageKnowledge) -> ReadRow:
    """Read a post from the answer in which it stood; what its author changed is a version."""
    page, fetch = row.page, row.page.content_fetch
    digest = f"{page.content_digest}{SEPARATOR}{timeline_posts.VERSION}"
    is_first = known.stored is None
    if page.content_digest == DELETED_DIGEST:
        return ReadRow(row, digest, ExtractOutcome.DELETED, timeline_posts.GONE, is_first=is_first)
    extracted = timeline_posts.read(page, read_archived(fetch) if fetch else None)
    if extracted is None:
        return ReadRow(row, digest, ExtractOutcome.NOT_ARCHIVED, "No copy was archived.")
    if article_rows.is_empty(extracted.page):
        detail = "The post has no words of its own."
        return ReadRow(row, digest, ExtractOutcome.EMPTY, detail, is_first=is_first)
    languages = text_languages(
        extracted.page.text, page.publication.prior_languages, extracted.page.declared_language
    )
    read = ReadArticle(page, extracted.url, page.content_fetch_id, extracted.page, languages, None)
    later = timeline_posts.judge(known.stored, read) if known.stored else None
    if later is not None:
        read = replace(read, later=later)
    return ReadRow(
        row,
        digest,
        ExtractOutcome.STORED,
        extracted.page.reason,
        article=read,
        later=later,
        is_first=is_first,
        stored=known.stored,
        answered=extracted.answered,
    )


def _unchanged(row: Extraction, known: PageKnowledge) -> ReadRow | None:
    """Pass over a new document whose tree is that of the stored one; None for all others.

    As with a document that came byte for byte again, nothing else is asked: not what feeds say
    meanwhile, nor how late it is.
    """
    page, stored = row.page, known.stored
    if stored is None or not _may_be_unchanged(row, known, stored):
        return None
    archived = read_archived(page.content_fetch) if page.content_fetch else None
    if archived is None or original_url(archived.url) != stored.url:
        return None
    given = page_input(page, archived, known.version.rules, known.site)
    tree = tree_digest(given.body, given.content_type)
    if _read_with(tree, page, known) != row.tree_digest:
        return None
    return ReadRow(
        row,
        f"{page.content_digest}{SEPARATOR}{_fingerprint(page, known)}",
        ExtractOutcome.STORED,
        row.outcome_detail,
        later=LaterDocument(Verdict.SAME),
        tree=row.tree_digest,
        is_unchanged=True,
    )


def _may_be_unchanged(row: Extraction, known: PageKnowledge, stored: Article) -> bool:
    """Whether the last reading was of the stored text, and would be the same of an equal tree."""
    before, newest = stored.fetch, row.page.content_fetch
    if not row.tree_digest or row.outcome != ExtractOutcome.STORED or stored.erased_at is not None:
        return False
    if before is None or newest is None or before.pk == newest.pk:
        return False
    # Patterns are sought in the source, and two algorithms count its lines.
    reads_source = any(rule.kind is RuleKind.REGEX for rule in known.version.rules.rules)
    is_set = bool(setting_mark(row.page.publication))
    return before.rights_said == newest.rights_said and not reads_source and not is_set


def _read_with(tree: str, page: Page, known: PageKnowledge) -> str:
    """Join a tree's digest with what it is read with.

    Without what is known of the site: pages that are read otherwise by that become due by
    themselves, as those do that never change.
    """
    read_with = fingerprint(known.version.rules, extractor=setting_mark(page.publication))
    return f"{tree}{SEPARATOR}{read_with}"


def _headline_shown(reading: ReadRow, known: PageKnowledge) -> str:
    """Find the headline of a later document that shows neither the feed's nor the one before it.

    Empty for all others, which is what nearly all are.
    """
    page, stored, read = reading.row.page, known.stored, reading.article
    if stored is None or stored.fetch is None or stored.fetch_id == page.content_fetch_id:
        return ""
    if read is None or read.extracted.shows_title or not known.headline:
        return ""
    newest = page.content_fetch
    former, later = read_exchange(stored.fetch), read_exchange(newest) if newest else None
    if former is None or later is None:
        return ""
    rules = rules_at(page.publication_id, stored.fetch.document_at).rules
    return headline_in_place(
        page_input(page, former, rules, known.site, headline=known.headline),
        page_input(page, later, known.version.rules, known.site),
    )


def _read_document(row: Extraction, known: PageKnowledge, now: datetime) -> ReadRow:
    page, rules, site = row.page, known.version.rules, known.site
    digest = f"{page.content_digest}{SEPARATOR}{_fingerprint(page, known)}"
    archived = read_archived(page.content_fetch) if page.content_fetch else None
    if archived is None:
        return ReadRow(row, digest, ExtractOutcome.NOT_ARCHIVED, "No copy was archived.")
    if page.kind == PageKind.COMMENTS:
        answer = read_answer(page.url, archived.body, archived.headers)
        return ReadRow(row, digest, ExtractOutcome.COMMENTS, answer.problem, answer=answer)
    given = page_input(page, archived, rules, site, headline=known.headline)
    extracted = extract_page(given, now=now)
    sketch = SketchedPage(page, extracted, site)
    is_empty = article_rows.is_empty(extracted)
    if is_empty and not has_readers(extracted):
        reports = extracted.rule_reports
        return ReadRow(
            row,
            digest,
            ExtractOutcome.EMPTY,
            why_empty(archived),
            reports=reports,
            sketch=sketch,
            size=extracted.size,
            body=archived.body,
        )
    return ReadRow(
        row,
        digest,
        ExtractOutcome.EMPTY if is_empty else ExtractOutcome.STORED,
        why_empty(archived) if is_empty else _detail(extracted),
        article=_article(page, page.content_fetch, archived, extracted),
        reports=extracted.rule_reports,
        sketch=sketch,
        size=extracted.size,
        body=archived.body,
    )


def _article(
    page: Page, fetch: Fetch | None, archived: ArchivedExchange, extracted: ExtractedPage
) -> ReadArticle:
    return ReadArticle(
        page=page,
        url=original_url(archived.url),
        fetch_id=fetch.pk if fetch else None,
        extracted=extracted,
        languages=text_languages(
            extracted.text, page.publication.prior_languages, _declared(page, extracted)
        ),
        thread=extracted.comment_thread,
    )


def _declared(page: Page, extracted: ExtractedPage) -> str:
    """Give the language the page declares, else the one its publication is said to be in."""
    return extracted.declared_language or page.publication.language


def read_earlier(page: Page, fetch: Fetch, now: datetime) -> ReadArticle | None:
    """Read an earlier document of a page by itself; None where it has no text.

    Raises ArchiveAwayError or RecordAwayError where its archived copy cannot be read.
    """
    archived = read_archived(fetch)
    return _read_former(page, fetch, archived, "", now) if archived is not None else None


def _read_earlier(
    page: Page, fetch: Fetch, known: PageKnowledge, now: datetime
) -> ReadArticle | None:
    """Read an earlier document of a page as it would be read today; None where it cannot be."""
    archived = read_exchange(fetch)
    if archived is None:
        return None
    return _read_former(page, fetch, archived, known.headline, now)


def _read_former(
    page: Page, fetch: Fetch, archived: ArchivedExchange, headline: str, now: datetime
) -> ReadArticle | None:
    rules = rules_at(page.publication_id, fetch.document_at).rules
    site = known_site_at(page, fetch.document_at, is_copy=fetch.seen_at is not None)
    given = page_input(page, archived, rules, site, headline=headline)
    extracted = extract_page(given, now=now)
    if article_rows.is_empty(extracted):
        return None
    return _article(page, fetch, archived, extracted)


def _settle(reading: ReadRow, stored: Stored, later: LaterDocument) -> None:
    """Go on with what is to be stored of a later document.

    A site is learnt from the first document of each page: what a text shares with its own earlier
    version does not recur on the site.
    """
    reading.sketch = None
    reading.article = reading_to_store(stored, reading.article, later)
    if later.verdict is not Verdict.REFUSED:
        return
    if later.refusal is not Refusal.EMPTY:
        reading.outcome = ExtractOutcome.REFUSED
    reading.detail = f"{later.words}: the text before is kept."


def _detail(extracted: ExtractedPage) -> str:
    """Why this text, and which rules could not be run: another way was taken for these."""
    problems = [
        f"The rule {report.part} was passed over: {report.problem}"
        for report in extracted.rule_reports
        if report.problem
    ]
    return " ".join([*problems, extracted.reason])
