"""Imported documents of pages that have another one become versions, in the order of their time.

A document that is newer than the page's is given to the page, and read as a visit's is; an older
one is read here and put among the versions, where the page showed it. So the order in which files
come does not matter. Those of one page are taken one after the other, the oldest first.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from extraction.models import (
    Article,
    Capture,
    CaptureFound,
    Extraction,
    Subject,
    Withdrawal,
)
from extraction.stage import earlier_versions, records_away
from extraction.stage.page_reads import read_earlier
from feeds.archive.fetches import RecordAwayError
from feeds.models import Fetch, Page
from feeds.visiting.given_documents import IMPORTED, give_document
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim

# How soon it is looked again whether the page was read, or an older document of it.
_PAUSE = timedelta(seconds=2)


def register(page_ids: Collection[int], now: datetime) -> None:
    """Make imported documents of pages due that are not the page's own and were never read."""
    fetches = Fetch.objects.filter(
        page__in=page_ids,
        visit_reason__startswith=IMPORTED,
        archive_offset__isnull=False,
        capture=None,
    )
    others = fetches.exclude(pk=F("page__content_fetch"))
    Capture.objects.bulk_create(
        [
            Capture(page_id=page_id, fetch_id=pk, due_at=now)
            for pk, page_id in others.values_list("pk", "page_id")
        ],
        ignore_conflicts=True,
    )


def run(limit: int, terms: Claim) -> Report:
    """Claim documents and find the place of each; articles whose day has changed go on."""
    return run_each(Capture.objects.all(), limit, terms, _turn)


def _turn(row: Capture, terms: Claim) -> Report:
    page = Page.objects.select_related("publication__extractor_setting", "content_fetch").get(
        pk=row.page_id
    )
    if _must_wait(row, page):
        leases.complete(row, terms.owner, due_at=terms.now + _PAUSE)
        return Report()
    if page.content_fetch is None or row.fetch.archive_offset is None:
        return _close(row, terms, CaptureFound.NO_TEXT)
    if row.fetch.document_at > page.content_fetch.document_at:
        return _take_newest(row, page, terms)
    try:
        return _take_earlier(row, page, terms)
    except RecordAwayError as error:
        at = terms.now + records_away.FIRST_WAIT
        leases.complete(row, terms.owner, due_at=at, last_error=str(error))
        return Report()


def _must_wait(row: Capture, page: Page) -> bool:
    """Whether the page is being read or visited, or an older document of it waits."""
    rows = Extraction.objects.filter(page=page)
    is_read = rows.filter(due_at=None, lease_owner="").exists()
    shown_at = Coalesce("fetch__seen_at", "fetch__started_at")
    older = Capture.objects.annotate(at=shown_at).filter(
        Q(due_at__isnull=False) | ~Q(lease_owner=""),
        page=page,
        at__lt=row.fetch.document_at,
        quarantined_at=None,
    )
    return not is_read or bool(page.lease_owner) or older.exists()


def _close(row: Capture, terms: Claim, found: CaptureFound) -> Report:
    leases.complete(row, terms.owner, found=found, last_error="")
    return Report()


@transaction.atomic
def _take_newest(row: Capture, page: Page, terms: Claim) -> Report:
    if not give_document(page.pk, row.fetch):
        leases.complete_or_undo(row, terms.owner, due_at=terms.now + _PAUSE)
        return Report()
    Extraction.objects.filter(page=page).reschedule(terms.now)
    leases.complete_or_undo(row, terms.owner, found=CaptureFound.NEWEST, last_error="")
    return Report()


def _take_earlier(row: Capture, page: Page, terms: Claim) -> Report:
    read = read_earlier(page, row.fetch, terms.now)
    with transaction.atomic():
        rows = Article.objects.select_for_update(of=("self",)).filter(page=page, erased_at=None)
        article = rows.first()
        # Entries of the register name versions by their numbers, which would move.
        entries = Withdrawal.objects.filter(what=Subject.VERSION, article=article)
        found = CaptureFound.NO_TEXT
        if article is not None and read is not None and not entries.exists():
            found = earlier_versions.insert(article, read, row.fetch, page.content_fetch)
        leases.complete_or_undo(row, terms.owner, found=found, last_error="")
        is_dated = found != CaptureFound.NO_TEXT and article is not None
        told = is_dated and earlier_versions.date_back(article, row.fetch, terms.now)
    return Report(next_ids={"articles": (article.pk,)} if told and article else {})
