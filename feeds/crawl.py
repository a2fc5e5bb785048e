"""Fetch what is due: claimed turns → archive → one transaction for each host with all its effects.

What came over the wire is archived before anything is judged. Then, in one short transaction for a
turn: the Fetch rows, each page's outcome and next visit, what a feed lists, and the host's next
moment with its reason; the update that closes a lease decides whether the effects count. So a
process that is killed loses nothing and does nothing twice: at worst a page is fetched again.
"""

import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import transaction

from feeds import comments, poll
from feeds.batches import Report, each, whole_or_each
from feeds.crawler.conditional import retry_after_seconds, validators
from feeds.crawler.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.politeness import page_retry_at
from feeds.crawler.slugs import is_section_page
from feeds.crawler.warc import ArchiveRecord
from feeds.fetches import archive_result, fetch_row, sync_archive
from feeds.frontier import release_hosts
from feeds.hosts import (
    HOST_FIELDS,
    Asked,
    after_turn,
    may_try_browser,
    record_robots,
    slow_down_others,
)
from feeds.leases import Claim, fail
from feeds.models import Fetch, Host, HostDecision, Page, PageKind
from feeds.row_updates import update_rows
from feeds.visits import DoneTurn, Harvest, give_back, visit

logger = logging.getLogger(__name__)

# Kinds whose new documents go on to the extraction.
_TEXT_KINDS = frozenset({PageKind.ARTICLE, PageKind.COMMENTS, PageKind.SAMPLE})


# Before an outcome in the counts of a report.
FETCHED = "fetched "
# Statements are shared by so many turns; one of 16 holds the database for some 10 ms.
TURNS_PER_TRANSACTION = 16
_MAX_REASON = 200
# Columns that a visit writes.
_PAGE_FIELDS = (
    "due_at",
    "due_reason",
    "lease_until",
    "lease_owner",
    "attempts",
    "last_error",
    "quarantined_at",
    "outcome",
    "visited_at",
    "etag",
    "last_modified",
    "content_digest",
    "content_fetch",
)


@dataclass(slots=True)
class _Tally:
    """Counts of a run while it goes on."""

    owner: str
    feeds_polled: int = 0
    pages_found: int = 0
    fetched: Counter[str] = field(default_factory=Counter)
    archived: int = 0
    quarantined: int = 0
    page_ids: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Visited:
    """One page of a turn with everything that was found out before the transaction."""

    page: Page
    host: Host
    result: FetchResult
    record: ArchiveRecord | None
    digest: str
    outcome: Outcome
    error: str
    is_new: bool  # a document came that differs from the last one
    reading: poll.Poll | None = None

    @property
    def asked(self) -> Asked:
        return Asked(self.page, self.result, self.outcome)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A turn with all that was found out before its transaction."""

    done: DoneTurn
    visited: tuple[_Visited, ...]
    robots_row: Fetch | None
    decisions: tuple[HostDecision, ...] = ()

    @property
    def left(self) -> tuple[Page, ...]:
        """Pages that were claimed but not asked for."""
        return self.done.turn.pages[len(self.visited) :]


def run(limit: int, terms: Claim) -> Report:
    """Visit up to `limit` hosts at a time until none is due or the batch has run its time.

    Pages with a new document go on. Fetches are counted by outcome, as "fetched ok".
    Raises OSError when the archive cannot be written: the pages then go back as they were.
    """
    tally = _Tally(terms.owner)
    n_claimed = visit(limit, terms, lambda harvest: _record(harvest, tally))
    done = Counter({f"{FETCHED}{outcome}": n for outcome, n in tally.fetched.items()})
    done.update(
        feeds_polled=tally.feeds_polled, pages_found=tally.pages_found, archived=tally.archived
    )
    return Report(n_claimed, done, tally.quarantined, {"pages": tuple(tally.page_ids)})


def _record(harvest: Harvest, tally: _Tally) -> None:
    """Archive everything that came, then write the turns, some in each transaction."""
    leased = {done.turn.host.name for done in harvest.turns}
    rows = record_robots(harvest.robots, leased, harvest.now)
    tally.archived += sum(bool(row.archive_file) for row in rows.values())
    robots = {item.host: item for item in harvest.robots}

    def judge(done: DoneTurn) -> _Judged:
        name = done.turn.host.name
        visited = tuple(_judge(page, result, done) for page, result in done.pages)
        asked = [item.asked for item in visited]
        decisions = after_turn(done, asked, robots.get(name), harvest.now)
        return _Judged(done, visited, rows.get(name), tuple(decisions))

    judged = each(harvest.turns, judge, lambda done, error: _fail(done, error, tally, harvest.now))
    sync_archive()
    for start in range(0, len(judged), TURNS_PER_TRANSACTION):
        _record_some(judged[start : start + TURNS_PER_TRANSACTION], tally, harvest.now)
    slow_down_others(harvest.turns, harvest.now)


def _record_some(turns: Sequence[_Judged], tally: _Tally, now: datetime) -> None:
    """Write several turns at once; if one of them breaks that, each by itself."""
    whole_or_each(
        turns,
        lambda some: _record_turns(some, tally, now),
        lambda turn, error: _fail(turn.done, error, tally, now),
    )


def _fail(done: DoneTurn, error: Exception, tally: _Tally, now: datetime) -> None:
    """Count a turn that breaks our own code as a failure of its pages."""
    logger.error("turn of host %s", done.turn.host.name, exc_info=error)
    for page in done.turn.pages:
        message = f"{type(error).__name__}: {error}"
        tally.quarantined += fail(page, tally.owner, message, now)
    release_hosts([done.turn.host.pk], tally.owner)


def _judge(page: Page, result: FetchResult, done: DoneTurn) -> _Visited:
    """Archive what came for a page and find out what it is; no lock is held here."""
    digest = hashlib.sha256(result.body).hexdigest() if result.outcome is Outcome.OK else ""
    record = archive_result(result, page, digest)
    outcome, error = result.outcome, result.error
    reading = None
    if page.kind == PageKind.FEED:
        reading = poll.read(page, result, digest, done.crawl_delay_seconds)
        outcome, error = reading.outcome, reading.error
    elif outcome is Outcome.OK and _leads_to_section(page, result):
        outcome = Outcome.REDIRECTED_TO_SECTION
        error = f"The address leads to {result.final_url}, which is no article."
    is_new = outcome is Outcome.OK and digest != page.content_digest
    host = done.turn.host
    return _Visited(page, host, result, record, digest, outcome, error, is_new, reading)


def _leads_to_section(page: Page, result: FetchResult) -> bool:
    """COR-50: an article's address that redirects to the home or a section page is none."""
    is_article = page.kind in {PageKind.ARTICLE, PageKind.SAMPLE}
    return is_article and bool(result.hops) and is_section_page(result.final_url, page.url)


def _record_turns(turns: Sequence[_Judged], tally: _Tally, now: datetime) -> None:
    """Write turns: pages whose lease is still ours with all effects, and the hosts' moments."""
    owner = tally.owner
    with transaction.atomic():
        ours = _still_ours([item for turn in turns for item in turn.visited], owner)
        rows = [_row(item) for item in ours]
        readings = [item.reading for item in ours if item.reading]
        reports = {
            reading.page.pk: report
            for reading, report in zip(readings, poll.record(readings, now), strict=True)
        }
        documents = [
            item.page if _end(item, row, reports.get(item.page.pk), now) else None
            for item, row in zip(ours, rows, strict=True)
        ]
        robots_rows = [turn.robots_row for turn in turns if turn.robots_row]
        for robots_row in robots_rows:
            robots_row.pk = None  # the number that an undone transaction gave it
        Fetch.objects.bulk_create([*rows, *robots_rows])
        for page, row in zip(documents, rows, strict=True):
            if page is not None:
                page.content_fetch = row
        update_rows([item.page for item in ours], _PAGE_FIELDS, owner)
        give_back([page for turn in turns for page in turn.left], owner)
        update_rows([turn.done.turn.host for turn in turns], HOST_FIELDS, owner)
        HostDecision.objects.bulk_create(decision for turn in turns for decision in turn.decisions)
    for item in ours:
        _count(item, reports.get(item.page.pk), tally)


def _still_ours(visited: Sequence[_Visited], owner: str) -> list[_Visited]:
    """Lock the pages and leave out those whose lease ran out and went to somebody else."""
    ids = [item.page.pk for item in visited]
    locked = Page.objects.select_for_update(of=("self",)).filter(pk__in=ids, lease_owner=owner)
    attempts = dict(locked.order_by("pk").values_list("pk", "attempts"))
    ours = [item for item in visited if item.page.pk in attempts]
    for item in ours:
        item.page.attempts = attempts[item.page.pk]
    return ours


def _row(item: _Visited) -> Fetch:
    row = fetch_row(item.result, item.page.host_id, item.record, item.page, item.digest)
    row.outcome, row.error = item.outcome.value, row.error or item.error[:500]
    return row


def _end(item: _Visited, row: Fetch, report: poll.PollReport | None, now: datetime) -> bool:
    """Decide what becomes of a page: set the columns that are written with the others'.

    Returns whether the page takes this fetch's document.
    """
    page = item.page
    thread = _comment_visit(item, now)
    page.lease_until, page.lease_owner, page.quarantined_at = None, "", None
    page.outcome, page.visited_at = item.outcome.value, now
    page.last_error = "" if item.outcome.is_answer else item.error
    takes_document = item.is_new and (thread is None or thread.is_kept)
    if thread is None or thread.is_kept:
        _take_document(item)
    if thread is not None:
        page.due_at, page.due_reason = thread.due_at, thread.due_reason[:_MAX_REASON]
        page.attempts = 0
    elif report is not None:
        page.due_at, page.due_reason = report.due_at, report.due_reason[:_MAX_REASON]
        page.attempts = 0
        if report.due_at and may_try_browser(page, item.result):
            # The next agent is worth more than a feed's interval: it is asked at the host's turn.
            page.due_at, page.due_reason = item.host.next_at, item.error[:_MAX_REASON]
    elif item.outcome.is_answer:
        page.due_at, page.due_reason, page.attempts = None, "", 0
    else:
        _after_failure(item, now)
    row.next_visit_at = page.due_at if page.quarantined_at is None else None
    row.next_visit_reason = page.due_reason if row.next_visit_at else ""
    return takes_document


def _comment_visit(item: _Visited, now: datetime) -> comments.CommentVisit | None:
    """Ask what follows from an answer of a comment system; with the row as it was claimed."""
    if item.page.kind != PageKind.COMMENTS or not item.outcome.is_answer:
        return None
    if not item.is_new:
        return comments.unchanged(item.page, now)
    return comments.record(item.page, item.result.body, now)


def _take_document(item: _Visited) -> None:
    """Keep what describes the newest document, and how to ask for it again."""
    if not item.outcome.is_answer:
        return
    page, known = item.page, validators(item.result.headers)
    # A 304 may leave its validators out; then the old ones stay.
    if item.outcome is Outcome.OK or known.etag:
        page.etag = known.etag[:500]
    if item.outcome is Outcome.OK or known.last_modified:
        page.last_modified = known.last_modified[:100]
    if item.is_new:
        page.content_digest = item.digest


def _after_failure(item: _Visited, now: datetime) -> None:
    """Try again later, or put the page aside: at once where asking again cannot help."""
    page = item.page
    host_at = item.host.next_at
    if _is_the_hosts(item):
        # The host wants to be left alone, or another agent: no fault of this page.
        page.due_at, page.due_reason = host_at, item.error[:_MAX_REASON]
        page.attempts -= 1
    elif item.outcome.is_final or page.attempts >= settings.MAX_ATTEMPTS:
        page.quarantined_at = now
    else:
        page.due_at = max(page_retry_at(now, page.attempts), host_at)
        reason = f"Attempt {page.attempts + 1} of {settings.MAX_ATTEMPTS}: {item.error}"
        page.due_reason = reason[:_MAX_REASON]


def _is_the_hosts(item: _Visited) -> bool:
    if item.outcome is Outcome.RATE_LIMITED:
        return True
    if item.outcome is Outcome.SERVER_ERROR:
        return retry_after_seconds(item.result.headers, item.result.started_at) is not None
    return may_try_browser(item.page, item.result)


def _count(item: _Visited, report: poll.PollReport | None, tally: _Tally) -> None:
    tally.fetched[item.outcome.value] += 1
    tally.archived += item.record is not None
    tally.quarantined += item.page.quarantined_at is not None
    if report is not None:
        tally.feeds_polled += 1
        tally.pages_found += report.n_added
    # Of an open thread nothing was taken: its digest is not the page's.
    if item.is_new and item.page.kind in _TEXT_KINDS and item.page.content_digest == item.digest:
        tally.page_ids.append(item.page.pk)
