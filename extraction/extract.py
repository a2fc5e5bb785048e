"""The extract stage: archived pages → articles and comments, with an outcome on every row.

The heavy part, reading the archive and extracting, is done before the transaction; one transaction
a batch then writes the rows of all pages whose lease is still ours and closes their leases. Nothing
is fetched: the stage can be repeated over all of history.
"""

import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Max, Q, Value
from django.db.models.functions import Concat

from extraction import article_rows, comment_rows, page_comment_rows, site_templates
from extraction.article_rows import ReadArticle
from extraction.extractors import setting_mark
from extraction.html.extract_page import extract_page
from extraction.html.page import ExtractedPage, RuleReport
from extraction.models import Extraction
from extraction.page_comment_rows import ShownComments
from extraction.page_inputs import page_input
from extraction.site_lookup import NOTHING_KNOWN, KnownSite, known_sites
from extraction.site_rules import (
    NO_PUBLISHED_RULES,
    NO_VERSION,
    PublishedRules,
    VersionRules,
    fingerprint,
    rules_of,
)
from extraction.site_templates import SketchedPage
from extraction.text.paragraph_languages import text_languages
from feeds import leases
from feeds.crawler.comment_systems import DisqusThread, parse_disqus
from feeds.fetches import read_exchange
from feeds.leases import Claim
from feeds.models import Page, PageKind

logger = logging.getLogger(__name__)

EXTRACTED_KINDS = (PageKind.ARTICLE, PageKind.COMMENTS)
# A sweep looks at pages visited in the last day of the crawl's life; older ones were swept then.
SWEEP_WINDOW = timedelta(days=1)
_SEPARATOR = "|"
# Lost disks and databases are no page's fault: they travel, and the leases run out.
_DISASTERS = (OSError, OperationalError, InterfaceError)


class ExtractOutcome(StrEnum):
    """What became of a page; stored on the stage's row."""

    STORED = "stored"
    EMPTY = "empty"
    COMMENTS = "comments"
    NO_ARTICLE = "no_article"
    NOT_ARCHIVED = "not_archived"


@dataclass(frozen=True, slots=True)
class ExtractReport:
    """What a batch came to; the ids go on to detection and to the index."""

    n_claimed: int = 0
    articles: int = 0
    comments: int = 0
    article_ids: tuple[int, ...] = ()
    comment_ids: tuple[int, ...] = ()
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class _Known:
    """What a page is read with, besides itself."""

    version: VersionRules
    site: KnownSite


@dataclass(slots=True)
class _Reading:
    """A claimed row with what was read, before anything is written."""

    row: Extraction
    done_digest: str
    outcome: ExtractOutcome
    detail: str = ""
    elapsed_ms: int = 0
    article: ReadArticle | None = None
    answer: DisqusThread | None = None
    rule_version: int | None = None
    reports: tuple[RuleReport, ...] = ()
    sketch: SketchedPage | None = None


@dataclass(frozen=True, slots=True)
class _Stored:
    """What one committed transaction has written."""

    article_ids: list[int]
    comment_ids: list[int]


@dataclass(slots=True)
class _Tally:
    article_ids: list[int] = field(default_factory=list)
    comment_ids: list[int] = field(default_factory=list)
    quarantined: int = 0

    def add(self, stored: _Stored) -> None:
        self.article_ids += stored.article_ids
        self.comment_ids += stored.comment_ids


def register(page_ids: Collection[int], now: datetime) -> None:
    """Make pages due whose present document has not been extracted."""
    if not page_ids:
        return
    Extraction.objects.bulk_create(
        [Extraction(page_id=page_id, due_at=now) for page_id in page_ids], ignore_conflicts=True
    )
    Extraction.objects.filter(
        _is_stale(), page__in=page_ids, due_at=None, quarantined_at=None
    ).update(due_at=now)


def pending(limit: int, now: datetime) -> int:
    """Learn what sites show, then register up to `limit` pages that are new or have changed.

    Returns how many pages became due, those among them that are read otherwise by now.
    """
    n_due = site_templates.learn(now)
    newest = Page.objects.filter(kind__in=EXTRACTED_KINDS).aggregate(at=Max("visited_at"))["at"]
    if newest is None:
        return n_due
    recent = Page.objects.filter(
        kind__in=EXTRACTED_KINDS, visited_at__gte=newest - SWEEP_WINDOW
    ).exclude(content_digest="")
    unknown = recent.filter(extraction=None).order_by().values_list("pk", flat=True)
    stale = Extraction.objects.filter(
        _is_stale(), page__in=recent, due_at=None, quarantined_at=None
    ).values_list("page_id", flat=True)
    page_ids = [*unknown[:limit], *stale[:limit]][:limit]
    register(page_ids, now)
    return n_due + len(page_ids)


def read_again(publication_ids: Collection[int] | None, now: datetime) -> int:
    """Make stored articles' pages due, of all publications where none is named; returns how many.

    For a new version of the extractor: pages become stale by their own change only.
    """
    pages = Extraction.objects.filter(page__kind=PageKind.ARTICLE).exclude(done_digest="")
    if publication_ids is not None:
        pages = pages.filter(page__publication__in=publication_ids)
    return pages.update(due_at=now, quarantined_at=None, attempts=0)


def run(limit: int, terms: Claim) -> ExtractReport:
    """Claim up to `limit` pages and extract them."""
    claimed = leases.claim(Extraction.objects.all(), limit, terms)
    if not claimed:
        return ExtractReport()
    rows = list(
        Extraction.objects.filter(pk__in=claimed).select_related(
            "page__publication__extractor_setting",
            "page__content_fetch",
            "page__parent__parent",
        )
    )
    tally = _Tally()
    readings = _read_all(rows, _known(rows), terms, tally)
    _store_all(readings, terms, tally)
    return ExtractReport(
        n_claimed=len(claimed),
        articles=len(tally.article_ids),
        comments=len(tally.comment_ids),
        article_ids=tuple(tally.article_ids),
        comment_ids=tuple(tally.comment_ids),
        quarantined=tally.quarantined,
    )


def _is_stale() -> Q:
    prefix = Concat(F("page__content_digest"), Value(_SEPARATOR))
    return ~Q(done_digest__startswith=prefix)


def _read_all(
    rows: Sequence[Extraction], known: dict[int, _Known], terms: Claim, tally: _Tally
) -> list[_Reading]:
    readings = []
    for row in rows:
        own = known[row.pk]
        started = time.perf_counter()
        try:
            reading = _read(row, own, terms.now)
        except Exception as error:
            # One page of a batch: its failure stays on its row, the others go on.
            logger.exception("extraction of page %s failed", row.page_id)
            tally.quarantined += leases.fail(row, terms.owner, repr(error), terms.now)
            continue
        reading.elapsed_ms = round((time.perf_counter() - started) * 1000)
        reading.rule_version = own.version.number or None
        readings.append(reading)
    return readings


def _known(rows: Sequence[Extraction]) -> dict[int, _Known]:
    """Look up what each page is read with, in a few queries for all."""
    rules = rules_of(row.page.publication_id for row in rows)
    sites = known_sites(row.page for row in rows)
    return {
        row.pk: _Known(_version_of(row.page, rules), sites.get(row.page_id, NOTHING_KNOWN))
        for row in rows
    }


def _version_of(page: Page, rules: dict[int, PublishedRules]) -> VersionRules:
    """Rules for the layout that the publication had when the page was fetched."""
    if page.content_fetch is None:
        return NO_VERSION
    published = rules.get(page.publication_id, NO_PUBLISHED_RULES)
    return published.at(page.content_fetch.started_at)


def _fingerprint(page: Page, known: _Known) -> str:
    return fingerprint(known.version.rules, known.site.number, setting_mark(page.publication))


def _read(row: Extraction, known: _Known, now: datetime) -> _Reading:
    page, rules, site = row.page, known.version.rules, known.site
    digest = f"{page.content_digest}{_SEPARATOR}{_fingerprint(page, known)}"
    archived = read_exchange(page.content_fetch) if page.content_fetch else None
    if archived is None:
        return _Reading(row, digest, ExtractOutcome.NOT_ARCHIVED, "No archived copy can be read.")
    if page.kind == PageKind.COMMENTS:
        answer = parse_disqus(archived.body)
        return _Reading(row, digest, ExtractOutcome.COMMENTS, answer.problem, answer=answer)
    extracted = extract_page(page_input(page, archived, rules, site), now=now)
    sketch = SketchedPage(page, extracted, site)
    if article_rows.is_empty(extracted):
        sentence = "No text was found on the page."
        reports = extracted.rule_reports
        return _Reading(row, digest, ExtractOutcome.EMPTY, sentence, reports=reports, sketch=sketch)
    article = ReadArticle(
        page=page,
        url=archived.url,
        extracted=extracted,
        languages=text_languages(extracted.text, page.publication.prior_languages),
        thread=extracted.comment_thread,
    )
    return _Reading(
        row,
        digest,
        ExtractOutcome.STORED,
        _detail(extracted),
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


def _store_all(readings: Sequence[_Reading], terms: Claim, tally: _Tally) -> None:
    """Store a batch in one transaction; when one page cannot be stored, each by itself."""
    try:
        tally.add(_store(readings, terms))
    except _DISASTERS:
        raise
    except Exception:
        logger.warning("batch refused, storing its pages one by one", exc_info=True)
    else:
        return
    for reading in readings:
        try:
            tally.add(_store([reading], terms))
        except _DISASTERS:
            raise
        except Exception as error:
            logger.exception("page %s cannot be stored", reading.row.page_id)
            tally.quarantined += leases.fail(reading.row, terms.owner, repr(error), terms.now)


@transaction.atomic
def _store(readings: Iterable[_Reading], terms: Claim) -> _Stored:
    """Write what is still ours; a row whose lease was taken over is somebody else's now."""
    by_row = {reading.row.pk: reading for reading in readings}
    ours = (
        Extraction.objects.filter(pk__in=by_row, lease_owner=terms.owner)
        .select_for_update()
        .values_list("pk", flat=True)
    )
    kept = [by_row[pk] for pk in ours]
    articles = [reading.article for reading in kept if reading.article is not None]
    article_ids = article_rows.store(articles, terms.now)
    comment_ids = [pk for reading in kept for pk in _store_comments(reading, terms.now)]
    comment_ids += page_comment_rows.store(_shown_comments(articles, article_ids), terms.now)
    site_templates.keep(reading.sketch for reading in kept if reading.sketch is not None)
    for reading in kept:
        leases.complete(
            reading.row,
            terms.owner,
            done_digest=reading.done_digest,
            outcome=reading.outcome.value,
            outcome_detail=reading.detail[:300],
            extracted_at=terms.now,
            elapsed_ms=reading.elapsed_ms,
            rule_version=reading.rule_version,
            rule_reports=[
                [report.part, report.matched, report.problem[:300]] for report in reading.reports
            ],
        )
    return _Stored(article_ids, comment_ids)


def _shown_comments(
    articles: Sequence[ReadArticle], article_ids: Sequence[int]
) -> list[ShownComments]:
    """Comments in the pages themselves; beside a Disqus thread they are a copy of its posts."""
    return [
        ShownComments(pk, () if article.thread is not None else article.extracted.comments)
        for article, pk in zip(articles, article_ids, strict=True)
    ]


def _store_comments(reading: _Reading, now: datetime) -> list[int]:
    if reading.answer is None:
        return []
    article = comment_rows.article_of(reading.row.page)
    if article is None:
        reading.outcome = ExtractOutcome.NO_ARTICLE
        reading.detail = "The article of these comments is not stored."
        return []
    return comment_rows.store(article, reading.answer, now)
