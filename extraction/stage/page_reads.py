"""Claimed pages → what they say, read from the archive before anything is written.

A page is read with the rules its publication had when it was fetched, and with what its site has
shown so far; the digest of a reading names all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from extraction.extractors import setting_mark
from extraction.html.extract_page import extract_page
from extraction.html.page import ExtractedPage
from extraction.html.site_rules.rules import RuleReport
from extraction.models import Extraction
from extraction.page_inputs import page_input
from extraction.rules.published import (
    NO_PUBLISHED_RULES,
    NO_VERSION,
    PublishedRules,
    VersionRules,
    fingerprint,
    rules_of,
)
from extraction.sites.lookup import NOTHING_KNOWN, KnownSite, known_sites
from extraction.sites.templates import SketchedPage
from extraction.stage import article_rows
from extraction.stage.article_rows import ReadArticle
from extraction.stage.textless import has_readers
from extraction.text.paragraph_languages import text_languages
from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.comment_systems.systems import read_answer
from feeds.crawler.comment_systems.threads import Thread
from feeds.fetches import demand_archive, read_exchange
from feeds.models import Page, PageKind

# Between the digest of the document and that of what it is read with.
SEPARATOR = "|"
_NO_TEXT = "No text was found on the page."


class ExtractOutcome(StrEnum):
    """What became of a page; stored on the stage's row."""

    STORED = "stored"
    EMPTY = "empty"
    COMMENTS = "comments"
    NO_ARTICLE = "no_article"
    NOT_ARCHIVED = "not_archived"


@dataclass(frozen=True, slots=True)
class PageKnowledge:
    """What a page is read with, besides itself."""

    version: VersionRules
    site: KnownSite


@dataclass(slots=True)
class ReadRow:
    """A claimed row with what was read, before anything is written."""

    row: Extraction
    done_digest: str
    outcome: ExtractOutcome
    detail: str = ""
    elapsed_ms: int = 0
    article: ReadArticle | None = None
    answer: Thread | None = None
    rule_version: int | None = None
    reports: tuple[RuleReport, ...] = ()
    sketch: SketchedPage | None = None


def look_up(rows: Sequence[Extraction]) -> dict[int, PageKnowledge]:
    """Look up what each page is read with, in a few queries for all."""
    rules = rules_of(row.page.publication_id for row in rows)
    sites = known_sites(row.page for row in rows)
    return {
        row.pk: PageKnowledge(_version_of(row.page, rules), sites.get(row.page_id, NOTHING_KNOWN))
        for row in rows
    }


def _version_of(page: Page, rules: dict[int, PublishedRules]) -> VersionRules:
    """Rules for the layout that the publication had when the page was fetched."""
    if page.content_fetch is None:
        return NO_VERSION
    published = rules.get(page.publication_id, NO_PUBLISHED_RULES)
    return published.at(page.content_fetch.started_at)


def _fingerprint(page: Page, known: PageKnowledge) -> str:
    return fingerprint(known.version.rules, known.site.number, setting_mark(page.publication))


def read_page(row: Extraction, known: PageKnowledge, now: datetime) -> ReadRow:
    page, rules, site = row.page, known.version.rules, known.site
    digest = f"{page.content_digest}{SEPARATOR}{_fingerprint(page, known)}"
    archived = read_exchange(page.content_fetch) if page.content_fetch else None
    if archived is None and page.content_fetch:
        demand_archive(page.content_fetch)
    if archived is None:
        return ReadRow(row, digest, ExtractOutcome.NOT_ARCHIVED, "No archived copy can be read.")
    if page.kind == PageKind.COMMENTS:
        answer = read_answer(page.url, archived.body, archived.headers)
        return ReadRow(row, digest, ExtractOutcome.COMMENTS, answer.problem, answer=answer)
    extracted = extract_page(page_input(page, archived, rules, site), now=now)
    sketch = SketchedPage(page, extracted, site)
    is_empty = article_rows.is_empty(extracted)
    if is_empty and not has_readers(extracted):
        reports = extracted.rule_reports
        return ReadRow(row, digest, ExtractOutcome.EMPTY, _NO_TEXT, reports=reports, sketch=sketch)
    article = ReadArticle(
        page=page,
        url=original_address(archived.url),
        extracted=extracted,
        languages=text_languages(extracted.text, page.publication.prior_languages),
        thread=extracted.comment_thread,
    )
    return ReadRow(
        row,
        digest,
        ExtractOutcome.EMPTY if is_empty else ExtractOutcome.STORED,
        _NO_TEXT if is_empty else _detail(extracted),
        article=article,
        reports=extracted.rule_reports,
        sketch=sketch,
    )


def _detail(extracted: ExtractedPage) -> str:
    """Why this text, and which rules could not be run: another way was taken for these."""
    problems = [
        f"The rule {report.part} was passed over: {report.problem}"
        for report in extracted.rule_reports
        if report.problem
    ]
    return " ".join([*problems, extracted.reason])
