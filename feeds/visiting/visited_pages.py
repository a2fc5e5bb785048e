"""A page of a turn: what came for it is archived and judged, then it is decided what becomes of it.

`judge` takes no lock. `close_visit` sets columns, which the caller writes together with those of
the other pages of its transaction.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.conf import settings

from feeds import comments, rights
from feeds.archive.fetches import archive_result, fetch_row
from feeds.crawler.archive.warc import ArchiveRecord
from feeds.crawler.documents.timeline_posts import DELETED_DIGEST
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.signing_in.led_away import led_away
from feeds.crawler.timing.conditional import retry_after_seconds, validators
from feeds.crawler.timing.page_visits import Found
from feeds.crawler.timing.politeness import page_retry_at
from feeds.frontier import Turn
from feeds.models import Fetch, Host, Page, PageKind, VisitFound, VisitPurpose
from feeds.network import permits_browser
from feeds.planning import recovery
from feeds.planning.next_visits import planned_visit
from feeds.visiting import poll, posts
from feeds.visiting.captures import CaptureRights

# What the columns hold.
_MAX_REASON = 200
_MAX_ERROR = 500
_MAX_ETAG = 500
_MAX_LAST_MODIFIED = 100
# Columns that a visit writes.
PAGE_FIELDS = (
    "due_at",
    "due_reason",
    "purpose",
    "lease_until",
    "lease_owner",
    "attempts",
    "last_error",
    "quarantined_at",
    "outcome",
    "visited_at",
    "answered_whole_at",
    "etag",
    "last_modified",
    "content_digest",
    "content_fetch",
)


@dataclass(frozen=True, slots=True)
class Rescheduling:
    """What was said of a page's next visit after its claim; without a date, that there is none."""

    due_at: datetime | None
    reason: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the transaction knows beside the visit: the report of a poll, what visits here find."""

    report: poll.PollReport | None
    found: Mapping[int, Found]


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """One page of a turn: what came, how it was judged, and what is to be written of it."""

    page: Page
    host: Host
    result: FetchResult
    record: ArchiveRecord | None
    digest: str
    outcome: Outcome
    error: str
    is_new: bool  # a document came that differs from the last one
    reading: poll.Poll | None = None
    rescheduled: Rescheduling | None = None
    rights_said: list[list[str]] = field(default_factory=list)  # as the column holds it

    @property
    def is_unchanged(self) -> bool:
        """Whether the server said or showed that the known document still stands."""
        return self.outcome.is_answer and not self.is_new and bool(self.page.content_digest)

    @property
    def may_try_browser(self) -> bool:
        """Whether a 403 to our honest name is worth the one fallback that an editor permits."""
        return (
            self.result.status == 403
            and self.result.user_agent == settings.CRAWL_USER_AGENT
            and permits_browser(self.host, self.page.publication)
        )


def judge(page: Page, result: FetchResult, turn: Turn, captures: CaptureRights) -> VisitedPage:
    """Archive what came for a page and find out what it is; no lock is held here."""
    result, said = captures.judge(page, turn.host.name, result)
    digest = hashlib.sha256(result.document).hexdigest() if result.outcome is Outcome.OK else ""
    outcome, error = result.outcome, result.error
    reading = None
    if page.kind == PageKind.FEED:
        reading = poll.read(page, result, digest, turn.crawl_delay_seconds)
        outcome, error = reading.outcome, reading.error
    elif page.kind == PageKind.POST:
        digest, outcome, error = posts.judge(page, result)
    elif outcome is Outcome.OK and page.kind in {PageKind.ARTICLE, PageKind.SAMPLE}:
        error = led_away(result, page.url)
        outcome = Outcome.REDIRECTED_TO_SECTION if error else outcome
    is_kept = reading is None or poll.may_be_kept(reading)
    record = archive_result(result, page, digest) if is_kept else None
    is_read = outcome is Outcome.OK or digest == DELETED_DIGEST
    is_new = is_read and digest != page.content_digest
    visited = VisitedPage(page, turn.host, result, record, digest, outcome, error, is_new, reading)
    return replace(visited, rights_said=said) if said else visited


def row_of(item: VisitedPage) -> Fetch:
    """Make the row of the fetch, not saved yet."""
    row = fetch_row(item.result, item.page.host_id, item.record, item.page, item.digest)
    row.rights_said = item.rights_said
    row.outcome, row.error = item.outcome.value, row.error or item.error[:_MAX_ERROR]
    row.visit_reason = item.page.due_reason
    row.found = _found(item)
    return row


def _found(item: VisitedPage) -> VisitFound:
    """Say what a later visit found, as far as bytes tell it."""
    if not item.is_unchanged:
        return VisitFound.NOT_LOOKED
    is_spared = item.outcome is Outcome.NOT_MODIFIED
    return VisitFound.NOT_MODIFIED if is_spared else VisitFound.SAME_BYTES


def close_visit(item: VisitedPage, row: Fetch, known: Known, now: datetime) -> bool:
    """Decide what becomes of a page: set the columns that are written with the others'.

    Returns whether the page takes this fetch's document.
    """
    page, report = item.page, known.report
    thread = _comment_visit(item, now)
    page.lease_until, page.lease_owner, page.quarantined_at = None, "", None
    page.outcome, page.visited_at = item.outcome.value, now
    page.last_error = "" if item.outcome.is_answer else item.error
    takes_document = item.is_new and (thread is None or thread.is_kept)
    if thread is None or thread.is_kept:
        _take_document(item, now)
    if thread is not None:
        page.due_at, page.due_reason = thread.due_at, thread.due_reason[:_MAX_REASON]
        page.attempts, page.purpose = 0, VisitPurpose.FIRST
    elif page.kind == PageKind.POST and posts.is_told(item.outcome):
        _close_post(item, now)
    elif page.kind == PageKind.RIGHTS:
        page.due_at, page.due_reason = rights.next_look(item.outcome, now)
        page.attempts, page.purpose = 0, VisitPurpose.FIRST
    elif report is not None:
        page.due_at, page.due_reason = report.due_at, report.due_reason[:_MAX_REASON]
        page.attempts = 0
        if report.due_at and item.may_try_browser:
            # The next agent is worth more than a feed's interval: it is asked at the host's turn.
            page.due_at, page.due_reason = item.host.next_at, item.error[:_MAX_REASON]
    elif item.outcome.is_answer:
        _plan(page, known, now)
    else:
        _after_failure(item, known, now)
    if item.rescheduled is not None:
        _leave_as_asked(page, item.rescheduled)
    row.next_visit_at = page.due_at if page.quarantined_at is None else None
    row.next_visit_reason = page.due_reason if row.next_visit_at else ""
    return takes_document


def _close_post(item: VisitedPage, now: datetime) -> None:
    """Plan the next look at a post; that it is gone stands in the place of its document."""
    page = item.page
    posted_at = page.feed_published_at or page.found_at
    page.due_at, page.due_reason = posts.next_look(posted_at, now, item.outcome)
    page.attempts, page.purpose = 0, VisitPurpose.PLANNED
    if item.digest == DELETED_DIGEST:
        page.content_digest = DELETED_DIGEST


def _comment_visit(item: VisitedPage, now: datetime) -> comments.CommentVisit | None:
    """Ask what follows from an answer of a comment system; with the row as it was claimed."""
    if item.page.kind != PageKind.COMMENTS:
        return None
    if not item.outcome.is_answer:
        return comments.refused(item.page, item.outcome, item.error)
    if not item.is_new:
        return comments.unchanged(item.page, now)
    return comments.record(item.page, item.result.body, now, item.result.headers)


def _plan(page: Page, known: Known, now: datetime) -> None:
    """Set the next planned visit to a page, or none."""
    visit = planned_visit(page, known.found, now)
    page.attempts = 0
    if visit is None:
        page.due_at, page.due_reason, page.purpose = None, "", VisitPurpose.FIRST
    else:
        page.due_at, page.due_reason = visit.at, visit.reason[:_MAX_REASON]
        page.purpose = VisitPurpose.PLANNED


def _take_document(item: VisitedPage, now: datetime) -> None:
    """Keep what describes the newest document, and how to ask for it again."""
    if not item.outcome.is_answer:
        return
    page, known = item.page, validators(item.result.headers)
    if item.outcome is Outcome.OK:
        page.answered_whole_at = now
    # A 304 may leave its validators out; then the old ones stay.
    if item.outcome is Outcome.OK or known.etag:
        page.etag = known.etag[:_MAX_ETAG]
    if item.outcome is Outcome.OK or known.last_modified:
        page.last_modified = known.last_modified[:_MAX_LAST_MODIFIED]
    if item.is_new:
        page.content_digest = item.digest


def _after_failure(item: VisitedPage, known: Known, now: datetime) -> None:
    """Try again later, or put the page aside: at once where asking again cannot help.

    A page whose document is there is not put aside: its next age comes, unless it is gone for good.
    """
    page = item.page
    host_at = item.host.next_at
    if _is_the_hosts(item):
        # The host wants to be left alone, or another agent: no fault of this page.
        page.due_at, page.due_reason = host_at, item.error[:_MAX_REASON]
        page.attempts = max(page.attempts - 1, 0)
    elif item.outcome.is_final or page.attempts >= settings.MAX_ATTEMPTS:
        if page.content_fetch_id is None or page.kind != PageKind.ARTICLE:
            _give_up(item, now)
        elif item.outcome is Outcome.GONE:
            page.due_at, page.due_reason, page.attempts = None, "", 0
            page.purpose = VisitPurpose.FIRST
        else:
            _plan(page, known, now)
    else:
        page.due_at = max(page_retry_at(now, page.attempts), host_at)
        reason = f"Attempt {page.attempts + 1} of {settings.MAX_ATTEMPTS}: {item.error}"
        page.due_reason = reason[:_MAX_REASON]


def _give_up(item: VisitedPage, now: datetime) -> None:
    """Put a page aside, or let it try once more where it alone is ill."""
    page = item.page
    at = recovery.next_try(page, item.host, item.outcome, now)
    if at is None:
        page.quarantined_at = now
        return
    page.due_at, page.attempts = max(at, item.host.next_at), settings.MAX_ATTEMPTS - 1
    page.due_reason = f"One more attempt, as its host answers: {item.error}"[:_MAX_REASON]


def _leave_as_asked(page: Page, asked: Rescheduling) -> None:
    """Keep what was said of the page during its visit; who asks for it anew gets all attempts."""
    page.due_at, page.due_reason, page.purpose = asked.due_at, asked.reason, asked.purpose
    if asked.due_at is not None:
        page.quarantined_at, page.attempts = None, 0


def _is_the_hosts(item: VisitedPage) -> bool:
    if item.outcome is Outcome.RATE_LIMITED:
        return True
    if item.outcome is Outcome.SERVER_ERROR:
        return retry_after_seconds(item.result.headers, item.result.started_at) is not None
    return item.may_try_browser
