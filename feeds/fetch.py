"""Fetch what is due: claimed turns → archive → one transaction for each host with all its effects.

What came over the wire is archived before anything is judged. Then, in one short transaction for a
turn: the Fetch rows, each page's outcome and next visit, what a feed lists, and the host's next
moment with its reason; the update that closes a lease decides whether the effects count. So a
process that is killed loses nothing and does nothing twice: at worst a page is fetched again.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.db.models import prefetch_related_objects

from feeds import article_flow
from feeds.archive.fetches import archive_result, fetch_row, sync_archive
from feeds.article_flow import ArticleEvent
from feeds.crawler.documents.feed_document import ParsedFeed
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.timing.page_visits import Found
from feeds.frontier import Turn
from feeds.models import Fetch, HostDecision, Page, PageKind
from feeds.planning import findings
from feeds.planning.findings import Finding, found_by_publication
from feeds.planning.next_visits import may_change
from feeds.planning.recovery import bring_back, bring_back_permitted, changed_robots
from feeds.rights import take_file
from feeds.visiting import log_ins, poll, probes, timelines
from feeds.visiting.captures import CaptureRights
from feeds.visiting.hosts import (
    HOST_FIELDS,
    after_turn,
    has_recovered,
    keep_acts,
    record_robots,
    release_asked,
    slow_down_others,
)
from feeds.visiting.visited_pages import (
    PAGE_FIELDS,
    Known,
    Rescheduling,
    VisitedPage,
    close_visit,
    judge,
    row_of,
)
from feeds.visiting.visits import Harvest, give_back, harvests
from feeds.work.batches import Report, each, whole_or_each
from feeds.work.leases import Claim, fail
from feeds.work.row_updates import update_rows

logger = logging.getLogger(__name__)

# Kinds whose new documents go on to the extraction.
_TEXT_KINDS = frozenset({PageKind.ARTICLE, PageKind.COMMENTS, PageKind.POST, PageKind.SAMPLE})


# Statements are shared by so many turns; one of 16 holds the database for some 10 ms.
TURNS_PER_TRANSACTION = 16
# Before an outcome in the counts of a report.
FETCHED = "fetched "


@dataclass(slots=True)
class _Tally:
    """Counts of a run while it goes on."""

    owner: str
    n_claimed: int = 0
    feeds_polled: int = 0
    pages_found: int = 0
    fetched: Counter[str] = field(default_factory=Counter)
    archived: int = 0
    quarantined: int = 0
    page_ids: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A turn with all that was found out before its transaction."""

    turn: Turn
    visited: tuple[VisitedPage, ...]
    other_rows: tuple[Fetch, ...]  # robots.txt, and a probe that was refused
    decisions: tuple[HostDecision, ...]
    has_recovered: bool
    robots: RobotsPolicy | None  # where the host's file has changed


def run(limit: int, terms: Claim) -> Report:
    """Visit up to `limit` hosts at a time until none is due or the batch has run its time.

    Pages with a new document go on. Fetches are counted by outcome, as "fetched ok".
    Raises OSError when the archive cannot be written: the pages then go back as they were.
    """
    tally = _Tally(terms.owner)
    with closing(harvests(limit, terms)) as ended:
        for harvest in ended:
            _record(harvest, tally)
    done = Counter({f"{FETCHED}{outcome}": n for outcome, n in tally.fetched.items()})
    done.update(
        feeds_polled=tally.feeds_polled, pages_found=tally.pages_found, archived=tally.archived
    )
    return Report(tally.n_claimed, done, tally.quarantined, {"pages": tuple(tally.page_ids)})


def _record(harvest: Harvest, tally: _Tally) -> None:
    """Archive everything that came, then write the turns, some in each transaction."""
    leased = {turn.host.name for turn in harvest.turns}
    rows = record_robots(harvest.robots, leased, harvest.now)
    tally.archived += sum(bool(row.archive_file) for row in rows.values())
    robots = {item.host: item for item in harvest.robots}
    captures = CaptureRights(_robots_texts(harvest), _results(harvest))
    tally.n_claimed += sum(len(turn.pages) for turn in harvest.turns)

    def judged_turn(turn: Turn) -> _Judged:
        visited = tuple(judge(page, result, turn, captures) for page, result in turn.visited)
        other = [rows[turn.host.name]] if turn.host.name in rows else []
        other += [_probe_row(turn, turn.probe)] if turn.probe and not visited else []
        other += _signed_out_rows(turn)
        is_back = has_recovered(turn.host, visited)
        policy = changed_robots(turn.host, robots.get(turn.host.name))
        decisions = after_turn(turn, visited, robots.get(turn.host.name), harvest.now)
        return _Judged(turn, visited, tuple(other), tuple(decisions), is_back, policy)

    # What a repeated document may point at, in one query instead of one a page.
    visited = [page for turn in harvest.turns for page, _ in turn.visited]
    prefetch_related_objects(visited, "content_fetch")
    judged = each(
        harvest.turns, judged_turn, lambda turn, error: _fail(turn, error, tally, harvest.now)
    )
    sync_archive()
    for start in range(0, len(judged), TURNS_PER_TRANSACTION):
        _record_some(judged[start : start + TURNS_PER_TRANSACTION], tally, harvest.now)
    slow_down_others(harvest.turns, harvest.now)


def _probe_row(turn: Turn, probe: FetchResult) -> Fetch:
    """Archive a probe that its host refused; its page is visited the usual way instead."""
    page = turn.pages[0]
    row = fetch_row(probe, turn.host.pk, archive_result(probe), page)
    row.visit_reason = f"a probe without {probes.chosen_way(turn.host)}"
    return row


def _signed_out_rows(turn: Turn) -> list[Fetch]:
    """Archive what came for a page in place of an answer to somebody who is signed in."""
    if turn.log_in is None or turn.log_in.signed_out is None:
        return []
    result, page = turn.log_in.signed_out, turn.not_visited[0]
    row = fetch_row(result, turn.host.pk, archive_result(result), page)
    row.visit_reason = "the log-in had ended"
    return [row]


def _robots_texts(harvest: Harvest) -> dict[str, str]:
    """Return the robots.txt of the hosts that were visited, by their names: the newest there is."""
    texts = {turn.host.name: turn.host.robots_body for turn in harvest.turns}
    return texts | {item.host: item.policy.text for item in harvest.robots if item.is_fresh}


def _results(harvest: Harvest) -> Iterator[FetchResult]:
    return (result for turn in harvest.turns for result in turn.results)


def _record_some(turns: Sequence[_Judged], tally: _Tally, now: datetime) -> None:
    """Write several turns at once; if one of them breaks that, each by itself."""
    whole_or_each(
        turns,
        lambda some: _record_turns(some, tally, now),
        lambda judged, error: _fail(judged.turn, error, tally, now),
    )


def _fail(turn: Turn, error: Exception, tally: _Tally, now: datetime) -> None:
    """Count a turn that breaks our own code as a failure of its pages."""
    logger.error("turn of host %s", turn.host.name, exc_info=error)
    for page in turn.pages:
        message = f"{type(error).__name__}: {error}"
        tally.quarantined += fail(page, tally.owner, message, now)
    release_asked([turn], tally.owner, now)


def _record_turns(turns: Sequence[_Judged], tally: _Tally, now: datetime) -> None:
    """Write turns: pages whose lease is still ours with all effects, and the hosts' moments."""
    owner = tally.owner
    with transaction.atomic():
        ours = _still_ours([item for judged in turns for item in judged.visited], owner)
        rows = [row_of(item) for item in ours]
        readings = [item.reading for item in ours if item.reading]
        reports = {
            reading.page.pk: report
            for reading, report in zip(readings, poll.record(readings, now), strict=True)
        }
        findings.add(
            Finding(item.page, now, is_changed=False) for item in ours if _is_second_look(item)
        )
        found = found_by_publication(_planned(ours))
        documents = [
            item.page if close_visit(item, row, _known(item, reports, found), now) else None
            for item, row in zip(ours, rows, strict=True)
        ]
        other_rows = [row for judged in turns for row in judged.other_rows]
        for other_row in other_rows:
            other_row.pk = None  # the number that an undone transaction gave it
        Fetch.objects.bulk_create([*rows, *other_rows])
        for page, row in zip(documents, rows, strict=True):
            if page is not None:
                page.content_fetch = row
        update_rows([item.page for item in ours], PAGE_FIELDS, owner)
        post_ids = timelines.take_posts(_answers(ours, rows), now)
        for item in ours:
            if item.page.kind == PageKind.RIGHTS:
                take_file(item.page, item.outcome, item.result.body, item.error, now)
        give_back([page for judged in turns for page in judged.turn.not_visited], owner)
        keep_acts([judged.turn for judged in turns], owner, now)
        log_ins.record([judged.turn for judged in turns], now)
        update_rows([judged.turn.host for judged in turns], HOST_FIELDS, owner)
        HostDecision.objects.bulk_create(
            decision for judged in turns for decision in judged.decisions
        )
        bring_back((judged.turn.host for judged in turns if judged.has_recovered), now)
        for judged in turns:
            bring_back_permitted(judged.turn.host, judged.robots, now)
        article_flow.count(_lost(ours), now)
    for item in ours:
        _count(item, reports.get(item.page.pk), tally)
    tally.page_ids += post_ids


def _answers(
    visited: Sequence[VisitedPage], rows: Sequence[Fetch]
) -> Iterator[tuple[ParsedFeed, Fetch]]:
    """Give the feeds that came, each with its fetch."""
    for item, row in zip(visited, rows, strict=True):
        if item.reading and item.reading.parsed:
            yield item.reading.parsed, row


def _lost(visited: Sequence[VisitedPage]) -> list[ArticleEvent]:
    """List the articles that were asked for and gave no document so far, but for past ones."""
    lost = {
        item.page: loss
        for item in visited
        if (loss := article_flow.loss_of(item.outcome))
        and (item.page.kind == PageKind.ARTICLE and item.page.content_fetch_id is None)
    }
    past = article_flow.named_by_archives([page.pk for page in lost])
    return [
        ArticleEvent(page.publication_id, page.host_id, loss)
        for page, loss in lost.items()
        if page.pk not in past
    ]


def _is_second_look(item: VisitedPage) -> bool:
    """Whether a visit found an article's page as it was known."""
    return item.page.kind == PageKind.ARTICLE and item.is_unchanged


def _planned(visited: Sequence[VisitedPage]) -> set[int]:
    """Publications of pages whose next visit follows from what visits have found."""
    return {item.page.publication_id for item in visited if may_change(item.page)}


def _known(
    item: VisitedPage,
    reports: Mapping[int, poll.PollReport],
    found: Mapping[int, Mapping[int, Found]],
) -> Known:
    return Known(reports.get(item.page.pk), found.get(item.page.publication_id, {}))


def _still_ours(visited: Sequence[VisitedPage], owner: str) -> list[VisitedPage]:
    """Lock the pages and leave out those whose lease ran out and went to somebody else."""
    ids = [item.page.pk for item in visited]
    locked = Page.objects.select_for_update(of=("self",)).filter(pk__in=ids, lease_owner=owner)
    columns = ("attempts", "is_rescheduled", "due_at", "due_reason", "purpose")
    held = {pk: row for pk, *row in locked.order_by("pk").values_list("pk", *columns)}
    ours = []
    for item in visited:
        if item.page.pk not in held:
            continue
        item.page.attempts, is_rescheduled, *said = held[item.page.pk]
        asked = Rescheduling(*said) if is_rescheduled else None
        ours.append(replace(item, rescheduled=asked) if asked else item)
    return ours


def _count(item: VisitedPage, report: poll.PollReport | None, tally: _Tally) -> None:
    tally.fetched[item.outcome.value] += 1
    tally.archived += item.record is not None
    tally.quarantined += item.page.quarantined_at is not None
    if report is not None:
        tally.feeds_polled += 1
        tally.pages_found += report.n_added
    # Of an open thread nothing was taken: its digest is not the page's.
    if item.is_new and item.page.kind in _TEXT_KINDS and item.page.content_digest == item.digest:
        tally.page_ids.append(item.page.pk)
