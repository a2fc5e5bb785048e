"""Fetch what is due: claimed turns → archive → one transaction for each host with all its effects.

What came over the wire is archived before anything is judged. Then, in one short transaction for a
turn: the Fetch rows, each page's outcome and next visit, what a feed lists, and the host's next
moment with its reason; the update that closes a lease decides whether the effects count. So a
process that is killed loses nothing and does nothing twice: at worst a page is fetched again.
"""

import hashlib
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F

from feeds import comments, poll
from feeds.crawler.conditional import retry_after_seconds, validators
from feeds.crawler.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.politeness import page_retry_at
from feeds.crawler.robots_book import FetchedRobots
from feeds.crawler.slugs import is_section_page
from feeds.crawler.warc import ArchiveRecord
from feeds.fetches import archive_result, fetch_row, sync_archive
from feeds.frontier import release_hosts
from feeds.hosts import Asked, after_turn, may_try_browser, record_robots, slow_down_others
from feeds.leases import Claim, fail
from feeds.models import Fetch, Host, Page, PageKind
from feeds.visits import DoneTurn, Harvest, give_back, visit

logger = logging.getLogger(__name__)

# Kinds whose new documents go on to the extraction.
_TEXT_KINDS = frozenset({PageKind.ARTICLE, PageKind.COMMENTS, PageKind.SAMPLE})


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """What a run did. `page_ids` are the pages with a new document, for the extraction."""

    n_claimed: int
    feeds_polled: int
    pages_found: int
    fetched: Counter[str]
    archived: int
    quarantined: int
    page_ids: tuple[int, ...]


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
    result: FetchResult
    record: ArchiveRecord | None
    digest: str
    outcome: Outcome
    error: str
    reading: poll.Poll | None = None

    @property
    def asked(self) -> Asked:
        return Asked(self.page, self.result, self.outcome)

    @property
    def is_new(self) -> bool:
        """Whether a document came that differs from the last one."""
        return self.outcome is Outcome.OK and self.digest != self.page.content_digest


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a page's lease is closed: columns of the row, and what to count."""

    changes: dict[str, object]
    n_added: int = 0
    is_quarantined: bool = False
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class _Judged:
    """A turn with all that was found out before its transaction."""

    done: DoneTurn
    visited: tuple[_Visited, ...]
    robots: FetchedRobots | None
    robots_row: Fetch | None


def run(limit: int, terms: Claim) -> CrawlReport:
    """Visit up to `limit` hosts at a time until none is due or the batch has run its time.

    Raises OSError when the archive cannot be written: the pages then go back as they were.
    """
    tally = _Tally(terms.owner)
    n_claimed = visit(limit, terms, lambda harvest: _record(harvest, tally))
    return CrawlReport(
        n_claimed=n_claimed,
        feeds_polled=tally.feeds_polled,
        pages_found=tally.pages_found,
        fetched=tally.fetched,
        archived=tally.archived,
        quarantined=tally.quarantined,
        page_ids=tuple(tally.page_ids),
    )


def _record(harvest: Harvest, tally: _Tally) -> None:
    """Archive everything that came, then write each turn in a transaction of its own."""
    leased = {done.turn.host.name for done in harvest.turns}
    rows = record_robots(harvest.robots, leased, harvest.now)
    tally.archived += sum(bool(row.archive_file) for row in rows.values())
    robots = {item.host: item for item in harvest.robots}
    judged = []
    for done in harvest.turns:
        name = done.turn.host.name
        with _one_item(done, tally, harvest.now):
            visited = tuple(_judge(page, result, done) for page, result in done.pages)
            judged.append(_Judged(done, visited, robots.get(name), rows.get(name)))
    sync_archive()
    for turn in judged:
        with _one_item(turn.done, tally, harvest.now):
            _record_turn(turn, tally, harvest.now)
    slow_down_others(harvest.turns, harvest.now)


@contextmanager
def _one_item(done: DoneTurn, tally: _Tally, now: datetime) -> Iterator[None]:
    """Keep a turn that breaks our own code from the others; its pages fail and are counted.

    Lost disks and databases are nobody's fault and travel.
    """
    try:
        yield
    except (OSError, OperationalError, InterfaceError):
        raise
    except Exception as error:
        host = done.turn.host
        logger.exception("turn of host %s", host.name)
        for page in done.turn.pages:
            message = f"{type(error).__name__}: {error}"
            tally.quarantined += fail(page, tally.owner, message, now)
        release_hosts([host.pk], tally.owner)


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
    return _Visited(page, result, record, digest, outcome, error, reading)


def _leads_to_section(page: Page, result: FetchResult) -> bool:
    """COR-50: an article's address that redirects to the home or a section page is none."""
    is_article = page.kind in {PageKind.ARTICLE, PageKind.SAMPLE}
    return is_article and bool(result.hops) and is_section_page(result.final_url, page.url)


def _record_turn(turn: _Judged, tally: _Tally, now: datetime) -> None:
    """Write a turn: rows of pages whose lease is still ours, and the host's next moment."""
    owner, host = tally.owner, turn.done.turn.host
    endings: list[tuple[_Visited, _Ending]] = []
    asked = [item.asked for item in turn.visited]
    moment, columns = after_turn(turn.done, asked, turn.robots, now)
    with transaction.atomic():
        ids = [item.page.pk for item in turn.visited]
        locked = Page.objects.select_for_update(of=("self",)).filter(pk__in=ids, lease_owner=owner)
        attempts = dict(locked.values_list("pk", "attempts"))
        ours = [item for item in turn.visited if item.page.pk in attempts]
        rows = [_row(item, host) for item in ours]
        Fetch.objects.bulk_create([*rows, *([turn.robots_row] if turn.robots_row else [])])
        for item, row in zip(ours, rows, strict=True):
            item.page.attempts = attempts[item.page.pk]
            ending = _ending(item, row, moment.at, now)
            Page.objects.filter(pk=item.page.pk, lease_owner=owner).update(**ending.changes)
            endings.append((item, ending))
        give_back(turn.done.turn.pages[len(turn.visited) :], owner)
        Host.objects.filter(pk=host.pk, lease_owner=owner).update(**columns)
    for item, ending in endings:
        _count(item, ending, tally)


def _row(item: _Visited, host: Host) -> Fetch:
    row = fetch_row(item.result, host.pk, item.record, page=item.page, digest=item.digest)
    row.outcome, row.error = item.outcome.value, row.error or item.error[:500]
    return row


def _ending(item: _Visited, row: Fetch, host_at: datetime, now: datetime) -> _Ending:
    """Decide what becomes of a page, and do what a feed's document asks for."""
    changes: dict[str, object] = {
        "lease_until": None,
        "lease_owner": "",
        "outcome": item.outcome.value,
        "visited_at": now,
        "last_error": "" if item.outcome.is_answer else item.error,
    }
    changes |= _document(item, row)
    if item.reading is not None:
        report = poll.record(item.reading, now)
        at, reason = report.visit.at, report.visit.reason[:200]
        done = {"due_at": at, "due_reason": reason, "attempts": 0}
        return _Ending(changes | done, n_added=report.n_added)
    if item.outcome.is_answer and item.page.kind == PageKind.COMMENTS:
        return _after_comments(item, changes, now)
    if item.outcome.is_answer:
        return _Ending(changes | {"due_at": None, "due_reason": "", "attempts": 0})
    return _after_failure(item, changes, host_at, now)


def _after_comments(item: _Visited, changes: dict[str, object], now: datetime) -> _Ending:
    """COR-33: an open thread is put off, and its document does not go on to the extraction."""
    if item.outcome is Outcome.OK:
        look = comments.record(item.page, item.result.body, now)
    else:
        look = comments.unchanged(item.page, now)
    if not look.is_kept:
        changes = {name: changes[name] for name in changes if not name.startswith("content_")}
    done = {"due_at": look.due_at, "due_reason": look.due_reason[:200], "attempts": 0}
    return _Ending(changes | done, is_kept=look.is_kept)


def _document(item: _Visited, row: Fetch) -> dict[str, object]:
    """Columns that describe the newest document and how to ask for it again."""
    if not item.outcome.is_answer:
        return {}
    known = validators(item.result.headers)
    changes: dict[str, object] = {}
    # A 304 may leave its validators out; then the old ones stay.
    if item.outcome is Outcome.OK or known.etag:
        changes["etag"] = known.etag[:500]
    if item.outcome is Outcome.OK or known.last_modified:
        changes["last_modified"] = known.last_modified[:100]
    if item.is_new:
        changes |= {"content_digest": item.digest, "content_fetch": row}
    return changes


def _after_failure(
    item: _Visited, changes: dict[str, object], host_at: datetime, now: datetime
) -> _Ending:
    """Try again later, or put the page aside: at once where asking again cannot help."""
    attempts = item.page.attempts
    if _is_the_hosts(item):
        # The host wants to be left alone, or another agent: no fault of this page.
        retry = {"due_at": host_at, "due_reason": item.error[:200], "attempts": F("attempts") - 1}
        return _Ending(changes | retry)
    if item.outcome.is_final or attempts >= settings.MAX_ATTEMPTS:
        return _Ending(changes | {"quarantined_at": now}, is_quarantined=True)
    at = max(page_retry_at(now, attempts), host_at)
    reason = f"Attempt {attempts + 1} of {settings.MAX_ATTEMPTS}: {item.error}"
    return _Ending(changes | {"due_at": at, "due_reason": reason[:200]})


def _is_the_hosts(item: _Visited) -> bool:
    if item.outcome is Outcome.RATE_LIMITED:
        return True
    if item.outcome is Outcome.SERVER_ERROR:
        return retry_after_seconds(item.result.headers, item.result.started_at) is not None
    return may_try_browser(item.page, item.result)


def _count(item: _Visited, ending: _Ending, tally: _Tally) -> None:
    tally.fetched[item.outcome.value] += 1
    tally.archived += item.record is not None
    tally.quarantined += ending.is_quarantined
    tally.pages_found += ending.n_added
    tally.feeds_polled += item.reading is not None
    if item.is_new and ending.is_kept and item.page.kind in _TEXT_KINDS:
        tally.page_ids.append(item.page.pk)
