"""The extract stage: archived pages → articles and comments, with an outcome on every row.

The heavy part, reading the archive and extracting, is done before the transaction; one transaction
a batch then writes the rows of all pages whose lease is still ours and closes their leases. Nothing
is fetched: the stage can be repeated over all of history.
"""

import logging
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, Value
from django.db.models.functions import Concat

from extraction.models import Extraction
from extraction.sites import templates, waves
from extraction.stage import (
    article_rows,
    comment_rows,
    comment_threads,
    one_page,
    page_comment_rows,
    post_replies,
    records_away,
    second_looks,
    versioning,
)
from extraction.stage.page_comment_rows import ShownComments
from extraction.stage.page_reads import (
    SEPARATOR,
    ExtractOutcome,
    PageKnowledge,
    ReadRow,
    look_up,
    read_page,
)
from extraction.stage.read_articles import ReadArticle, Verdict
from extraction.stage.versioning import RefusedDocument
from extraction.withdrawal import deleted_posts
from feeds import article_flow
from feeds.archive.fetches import ArchiveAwayError, RecordAwayError
from feeds.article_flow import ArticleEvent, Loss
from feeds.models import IS_HELD, Page, PageKind, WorkQuerySet
from feeds.work import leases
from feeds.work.batches import Failures, Report, whole_or_each
from feeds.work.leases import Claim
from feeds.work.row_updates import update_rows

logger = logging.getLogger(__name__)

# Columns that a reading writes.
_READ_COLUMNS = (
    "done_digest",
    "tree_digest",
    "outcome",
    "outcome_detail",
    "extracted_at",
    "elapsed_ms",
    "thin_at",
    "unread_since",
    "unknown_site",
    "rule_version",
    "rule_reports",
    "page_words",
    "page_chars",
    "page_tags",
)
# Kinds of pages that bring texts of their own: what is new of them is a publication's news.
_NEWS = frozenset({PageKind.ARTICLE, PageKind.POST})
EXTRACTED_KINDS = (PageKind.ARTICLE, PageKind.COMMENTS, PageKind.POST)
# A sweep looks at pages visited in the last day of the crawl's life; older ones were swept then.
SWEEP_WINDOW = timedelta(days=1)
# A file is closed after a minute, found idle after another, and stored some seconds later.
_KEPT_FOR = timedelta(minutes=3)


def register_fetched(page_ids: Collection[int], now: datetime) -> None:
    """Make pages due that this machine has fetched: where there is a store, it reads them first."""
    register(page_ids, now, settings.MACHINE_NAME if settings.ARCHIVE_URL else None)


def register(page_ids: Collection[int], now: datetime, kept_on: str | None = None) -> None:
    """Make pages due whose present document has not been extracted."""
    if not page_ids:
        return
    new = {
        page_id: Extraction(page_id=page_id, due_at=now, kept_on=kept_on) for page_id in page_ids
    }
    turns = waves.turns(page_ids, now)
    for page_id, turn in turns.items():
        new[page_id].unknown_site_id, new[page_id].due_at = turn.publication_id, turn.due_at
    # Those that come at once are read in the order of their rows.
    in_turn = [new.pop(page_id) for page_id in turns]
    Extraction.objects.bulk_create([*in_turn, *new.values()], ignore_conflicts=True)
    known = Extraction.objects.filter(IS_HELD | _is_stale(), page__in=page_ids)
    known.at_rest_or_held().reschedule(now, kept_on=kept_on)
    # What broke on another document may be read on this one.
    leases.release_quarantine(known.filter(_is_stale()), now)


def pending(limit: int, now: datetime) -> int:
    """Learn what sites show, then register up to `limit` pages that are new or have changed.

    Returns how many pages became due, those among them that are read otherwise by now.
    """
    n_due = templates.learn(now) + comment_threads.complete_cut(now)
    n_due += records_away.bring_back(now) + waves.go_on_with_all(now)
    second_looks.look_where_sites_are_well(now)
    newest = max(filter(None, map(_last_visit, EXTRACTED_KINDS)), default=None)
    if newest is None:
        return n_due
    recent = Page.objects.filter(
        kind__in=EXTRACTED_KINDS, visited_at__gte=newest - SWEEP_WINDOW
    ).exclude(content_digest="")
    # New and changed ones at once: reading the pages of a day is what it costs.
    resting = Q(extraction__due_at=None, extraction__quarantined_at=None)
    is_changed = ~Q(extraction__done_digest__startswith=_digest_of("content_digest"))
    wanted = recent.filter(Q(extraction=None) | (resting & is_changed))
    page_ids = list(wanted.order_by().values_list("pk", flat=True)[:limit])
    register(page_ids, now)
    return n_due + len(page_ids)


def _readable_here(now: datetime) -> WorkQuerySet[Extraction]:
    """All rows; with a store, without those whose documents are on their way there from elsewhere.

    What is not there in time is nobody's: whoever takes it waits for its record, which is told.
    """
    rows = Extraction.objects.all()
    if not settings.ARCHIVE_URL:
        return rows
    is_here = Q(kept_on=None) | Q(kept_on=settings.MACHINE_NAME)
    return rows.filter(is_here | Q(due_at__lte=now - _KEPT_FOR))


def _last_visit(kind: PageKind) -> datetime | None:
    """When a page of a kind was last visited: the end of an index, kind by kind."""
    last: datetime | None = Page.objects.filter(kind=kind).aggregate(at=Max("visited_at"))["at"]
    return last


def read_again(publication_ids: Collection[int] | None, now: datetime) -> int:
    """Make stored articles' pages due, of all publications where none is named; returns how many.

    For a new version of the extractor: pages become stale by their own change only.
    """
    pages = Extraction.objects.filter(IS_HELD | ~Q(done_digest=""), page__kind=PageKind.ARTICLE)
    if publication_ids is not None:
        pages = pages.filter(page__publication__in=publication_ids)
    return pages.reschedule(now, tree_digest="", quarantined_at=None, attempts=0)


def run(limit: int, terms: Claim) -> Report:
    """Claim up to `limit` pages and extract them; articles and comments go on.

    Pages that wait for what these teach of their site are taken up at once, as far as `limit` goes.
    """
    report = Report()
    while report.n_claimed < limit:
        part, sites = _run(limit - report.n_claimed, terms)
        report += part
        if not waves.go_on(sites, terms.now):
            break
    return report


def _run(limit: int, terms: Claim) -> tuple[Report, set[int]]:
    """Extract some pages; gives the sites among theirs that are not known yet."""
    claimed = leases.claim(_readable_here(terms.now), limit, terms)
    if not claimed:
        return Report(), set()
    rows = list(
        Extraction.objects.filter(pk__in=claimed).select_related(
            "page__publication__extractor_setting",
            "page__content_fetch",
            "page__parent__parent",
        )
    )
    failures = Failures(terms)
    sites = {row.unknown_site_id for row in rows if row.unknown_site_id is not None}
    stored = whole_or_each(
        _read_all(rows, look_up(rows), failures),
        lambda readings: _store(readings, terms),
        lambda reading, error: failures.add(reading.row, error),
    )
    return sum(stored, Report(len(claimed), quarantined=failures.n_quarantined)), sites


def _is_stale() -> Q:
    return ~Q(done_digest__startswith=_digest_of("page__content_digest"))


def _digest_of(column: str) -> Concat:
    """Give how the digest of a row begins that has read the document of this column."""
    return Concat(F(column), Value(SEPARATOR))


def _read_all(
    rows: Sequence[Extraction], known: dict[int, PageKnowledge], failures: Failures
) -> list[ReadRow]:
    readings, unread = [], []
    for row in rows:
        own = known[row.pk]
        started = time.perf_counter()
        try:
            reading = read_page(row, own, failures.terms.now)
        except ArchiveAwayError:
            raise  # no page's fault: the rows go back and wait for it
        except RecordAwayError as error:
            records_away.wait(row, error, failures.terms)
            unread.append(str(error))
            continue
        except Exception as error:  # noqa: BLE001 (told by `failures`; also a file that is bad)
            failures.add(row, error)
            continue
        reading.elapsed_ms = round((time.perf_counter() - started) * 1000)
        reading.rule_version = own.version.number or None
        readings.append(reading)
    if unread:
        logger.warning("%d pages wait for their records: %s", len(unread), unread[0])
    return readings


@transaction.atomic
def _store(readings: Iterable[ReadRow], terms: Claim) -> Report:
    """Write what is still ours; a row whose lease was taken over is somebody else's now."""
    by_row = {reading.row.pk: reading for reading in readings}
    ours = (
        Extraction.objects.filter(pk__in=by_row, lease_owner=terms.owner)
        .select_for_update()
        .values_list("pk", flat=True)
    )
    kept = [by_row[pk] for pk in ours]
    new = one_page.settle(kept, terms.now)
    articles = [reading.article for reading in kept if reading.article is not None]
    stored = article_rows.store(articles, terms.now, new)
    article_rows.follow_documents(reading.row.page for reading in kept if reading.is_unchanged)
    deleted_ids = _follow_deletions(kept, terms.now)
    answered = {row.row.page_id: row.answered for row in kept if row.answered is not None}
    post_replies.store(answered)
    _record_later(kept, terms.now)
    comment_ids = [pk for reading in kept for pk in _store_comments(reading, terms.now)]
    shown_ids = page_comment_rows.store(_shown_comments(articles, stored.ids), terms.now)
    comment_ids += shown_ids
    second_looks.plan_visits(articles, shown_ids, terms.now)
    templates.keep(reading.sketch for reading in kept if reading.sketch is not None)
    flow = [event for reading in kept if (event := _event(reading, terms.now))]
    rows = [_closed(reading, terms.now) for reading in kept]
    update_rows(rows, _READ_COLUMNS, terms.owner)
    leases.complete_many(Extraction, [row.pk for row in rows], terms.owner)
    article_flow.count(flow, terms.now)
    return Report(
        done=Counter(articles=len(stored.ids), comments=len(comment_ids)),
        next_ids={
            "articles": (*stored.told_ids, *deleted_ids),
            "comments": tuple(comment_ids),
        },
    )


def _follow_deletions(kept: Sequence[ReadRow], now: datetime) -> tuple[int, ...]:
    """Withdraw posts that are gone, and put those back that are there again."""
    gone = [reading.row.page_id for reading in kept if reading.outcome is ExtractOutcome.DELETED]
    there = [reading.stored for reading in kept if reading.article is not None and reading.stored]
    return deleted_posts.withdraw(gone, now) + deleted_posts.put_back(there, now)


def _closed(reading: ReadRow, now: datetime) -> Extraction:
    """Set the columns that say how a page was read; its lease is closed with the others'."""
    row = reading.row
    row.done_digest, row.tree_digest = reading.done_digest, reading.tree
    row.outcome, row.outcome_detail = reading.outcome.value, reading.detail[:300]
    row.extracted_at, row.elapsed_ms = now, reading.elapsed_ms
    if not reading.is_unchanged:
        row.thin_at = now if reading.is_thin else None
    row.unread_since = row.unknown_site = None
    if reading.size is not None:
        size = reading.size
        row.page_words, row.page_chars, row.page_tags = size.n_words, size.n_chars, size.n_tags
    row.rule_version = reading.rule_version
    if not reading.is_unchanged:
        row.rule_reports = [
            [report.part, report.matched, report.problem[:300]] for report in reading.reports
        ]
    return row


def _event(reading: ReadRow, now: datetime) -> ArticleEvent | None:
    """Say whether a new article gave a text; what was read with a text before is not new."""
    row, page = reading.row, reading.row.page
    was_read = bool(row.done_digest) and row.thin_at is None
    if page.kind not in _NEWS or was_read or reading.done_digest == row.done_digest:
        return None
    if reading.is_thin:
        fetch = page.content_fetch
        is_copy = fetch is not None and now - fetch.document_at >= article_flow.NEWS_AGE
        return None if is_copy else ArticleEvent(page.publication_id, page.host_id, Loss.EMPTY)
    if reading.article is None:
        return None
    said_at = reading.article.extracted.published_at or page.feed_published_at
    is_news = now - min(said_at or page.found_at, page.found_at) < article_flow.NEWS_AGE
    return ArticleEvent(page.publication_id, page.host_id, is_news=is_news)


def _record_later(kept: Sequence[ReadRow], now: datetime) -> None:
    """Note refused documents, and what each new document was for the planning of visits."""
    refused, found = [], []
    for reading in kept:
        page, later = reading.row.page, reading.later
        # Posts have looks of their own, and their documents are those of their timelines.
        if later is None or page.kind == PageKind.POST:
            continue
        if later.verdict is Verdict.REFUSED:
            refused.append(RefusedDocument(page, later))
        # A document that was looked at before is read again by our own wish: no visit found it.
        if not reading.row.done_digest.startswith(f"{page.content_digest}{SEPARATOR}"):
            found.append((page.pk, later))
    if refused:
        versioning.refuse(refused)
    versioning.record_findings(found, now)


def _shown_comments(
    articles: Sequence[ReadArticle], article_ids: Sequence[int]
) -> list[ShownComments]:
    """Comments in the pages themselves, but for copies of what a comment system gives."""
    shown = [
        pk for article, pk in zip(articles, article_ids, strict=True) if article.extracted.comments
    ]
    elsewhere = comment_threads.with_comments_elsewhere(shown)
    return [
        ShownComments(pk, article.extracted.comments, article.extracted.comment_count)
        if pk not in elsewhere
        else ShownComments(pk, ())
        for article, pk in zip(articles, article_ids, strict=True)
        if article.is_newest
    ]


def _store_comments(reading: ReadRow, now: datetime) -> list[int]:
    if reading.answer is None:
        return []
    article = comment_rows.article_of(reading.row.page)
    if article is None:
        reading.outcome = ExtractOutcome.NO_ARTICLE
        reading.detail = "The article of these comments is not stored."
        return []
    return comment_rows.store(article, reading.row.page.url, reading.answer, now)
