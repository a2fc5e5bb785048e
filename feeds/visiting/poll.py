"""Read feeds that were fetched: entries go into the frontier, the next visit is written.

A poll is read without a lock; it is recorded in the transaction that closes its page's lease.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

import xxhash

from feeds.crawler.documents.believable_dates import believable_dates
from feeds.crawler.documents.feed_document import FeedKind, ParsedFeed, of_articles
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.hubs import hub_in_headers
from feeds.crawler.documents.index_page import read_index_page
from feeds.crawler.documents.sitemaps import parse_plain_sitemap
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timelines.networks import timeline_network
from feeds.crawler.timelines.timeline_feed import parse_timeline
from feeds.crawler.timing.conditional import freshness, retry_after_seconds
from feeds.crawler.timing.revisit import (
    DEFAULT_INTERVAL_SECONDS,
    PollObservation,
    Rhythm,
    VisitLimits,
    VisitRequest,
    failure_weight,
    interrupted,
    learn,
    may_have_missed,
    missed_items,
    next_visit,
)
from feeds.crawler.timing.schedules import Schedule
from feeds.hubs import subscriptions
from feeds.models import Feed, Page
from feeds.parameters.values import value
from feeds.removal.quoting import names_erased
from feeds.sources.feed_changes import time_zone
from feeds.sources.publications import learn_from_feed
from feeds.visiting.feed_entries import Listing, filter_of, list_entries
from feeds.visiting.timelines import look_of, place_without_past
from feeds.work.row_updates import update_rows
from presentation.wording.times import span

_DAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Poll:
    """One visit to a feed as it ended; `parsed` is None where no new document came."""

    page: Page
    result: FetchResult
    outcome: Outcome
    error: str
    digest: str
    parsed: ParsedFeed | None
    crawl_delay_seconds: float | None = None

    @property
    def is_unchanged(self) -> bool:
        return self.outcome.is_answer and self.parsed is None


@dataclass(frozen=True, slots=True)
class PollReport:
    """What a poll brought, and when the feed is visited next: never, if it was switched off."""

    n_added: int
    due_at: datetime | None
    due_reason: str


_NOTHING = Listing()
_MORE_WAITS = "more posts wait behind the last answer"
# Columns that a poll writes.
_FEED_FIELDS = (
    "title",
    "kind",
    "polled_at",
    "state_text",
    "n_items",
    "n_new",
    "overlap_share",
    "interval_seconds",
    "failures",
    "failing_since",
    "missed_at",
    "n_missed",
    "document_digest",
    "newest_item_at",
    "moved_to",
    "moved_since",
    "visit_terms",
    "place",
)


def read(
    page: Page, result: FetchResult, digest: str, crawl_delay_seconds: float | None = None
) -> Poll:
    """Parse a fetched feed; takes no lock and writes nothing.

    An answer with the digest of the last document is not parsed again.
    """
    outcome, error, parsed = result.outcome, result.error, None
    if outcome is Outcome.OK and digest != page.content_digest:
        parsed = _parsed(page, result)
        if not parsed.is_feed:
            outcome, error, parsed = Outcome.NOT_A_FEED, parsed.problem, None
        else:
            named = hub_in_headers(result.headers, result.final_url)
            parsed = replace(parsed, hub=named) if named else parsed
    return Poll(page, result, outcome, error, digest, parsed, crawl_delay_seconds)


def may_be_kept(poll: Poll) -> bool:
    """Whether a copy of the document may lie in the archive: not while it lists what was erased."""
    if poll.parsed is not None:
        return not names_erased(poll.page.publication_id, poll.parsed.entries)
    known = poll.page.content_fetch
    is_same = poll.result.outcome is Outcome.OK and poll.digest == poll.page.content_digest
    return not (is_same and known is not None and known.archive_offset is None)


def _parsed(page: Page, result: FetchResult) -> ParsedFeed:
    """Read a document as what its feed is known to be; a feed is asked nothing else."""
    feed: Feed | None = getattr(page, "feed", None)
    kind = feed.kind if feed else ""
    if kind == FeedKind.INDEX:
        accepts = filter_of(page.publication)
        return read_index_page(result.document, result.final_url, result.document_type, accepts)
    if timeline_network(result.final_url) is not None:
        return parse_timeline(result.body, result.final_url)
    parsed = parse_feed(result.body, result.content_type, result.final_url)
    if kind == FeedKind.SITEMAP and not parsed.is_feed:
        return parse_plain_sitemap(result.body, result.final_url)
    return parsed


def record(polls: Sequence[Poll], now: datetime) -> list[PollReport]:
    """Write what feeds list and what was learnt of them; returns a report for each poll.

    Call it inside the transaction that closes the leases of their pages. All feeds share their
    statements, so a poll costs a fraction of one alone.
    """
    if not polls:
        return []
    polls = [_believable(poll, now) for poll in polls]
    rows = Feed.objects.select_related("publication", "hub").filter(
        page_id__in=[poll.page.pk for poll in polls]
    )
    feeds = {feed.page_id: feed for feed in rows}
    documents = [(feeds[poll.page.pk], poll.parsed) for poll in polls if poll.parsed]
    listings = list_entries(documents, now)
    _note_untold([feed for feed, _ in documents], listings, now)
    reports = []
    for poll in polls:
        feed = feeds[poll.page.pk]
        reports.append(_write(feed, poll, listings.get(feed.pk, _NOTHING), now))
    update_rows(list(feeds.values()), _FEED_FIELDS)
    _note_hubs(documents, now)
    return reports


def _note_untold(feeds: Sequence[Feed], listings: Mapping[int, Listing], now: datetime) -> None:
    """Keep which hubs kept silent of what these visits found."""
    untold = []
    for feed in feeds:
        hub = subscriptions.of_feed(feed)
        has_news = feed.pk in listings and listings[feed.pk].n_added > 0
        if hub and has_news and hub.is_trusted(now) and not hub.has_told_since(feed.polled_at):
            hub.untold_at = now
            untold.append(feed.pk)
    subscriptions.note_untold(untold, now)


def _note_hubs(documents: Sequence[tuple[Feed, ParsedFeed]], now: datetime) -> None:
    """Keep the hubs that documents name, where they are others than those of the last ones."""
    named = {feed.pk: (subscriptions.of_feed(feed), parsed.hub) for feed, parsed in documents}
    subscriptions.note(
        {pk: hub for pk, (known, hub) in named.items() if subscriptions.has_changed(known, hub)},
        now,
    )


def _believable(poll: Poll, now: datetime) -> Poll:
    """Leave out front pages, and wrong dates: 2099 would stand before all news for good."""
    if poll.parsed is None:
        return poll
    return replace(poll, parsed=believable_dates(of_articles(poll.parsed), now)[0])


def _write(feed: Feed, poll: Poll, listing: Listing, now: datetime) -> PollReport:
    """Set the columns of one feed; its row is written with the others'."""
    look = look_of(feed, poll.page.url, poll.parsed, listing)
    rhythm, overlap = _learn(feed, poll, look.listing if look else listing, now)
    if look and look.is_late:
        rhythm = Rhythm(feed.interval_seconds, 1)
    failures = 0.0 if poll.outcome.is_answer else feed.failures + failure_weight(poll.outcome)
    request = _told(_request(poll, rhythm, failures, now), feed, now)
    request = _by_hand(request, feed, now)
    visit = next_visit(now, request, _limits())
    feed.state_text = (look.words if look else _state_text(feed, poll, listing, overlap))[:300]
    if look:
        feed.place = look.step.place.to_json()
    elif poll.is_unchanged or poll.outcome.is_final:
        feed.place = place_without_past(feed.place)
    if poll.parsed:
        if look is None or not look.is_complete:
            _note_missed(feed, poll.parsed, listing, now)
        if not feed.document_digest:
            learn_from_feed(feed.publication, poll.parsed)
        _write_document(feed, poll.parsed, poll.digest, listing)
        feed.overlap_share = overlap
    if poll.outcome.is_answer:
        _note_address(feed, poll.result, now)
    feed.polled_at = now
    feed.failures = failures
    feed.failing_since = (feed.failing_since or now) if failures else None
    feed.interval_seconds = rhythm.interval_seconds
    feed.visit_terms = [asdict(term) for term in visit.terms]
    due_at, reason = (now, _MORE_WAITS) if look and look.step.has_more else (visit.at, visit.reason)
    return PollReport(listing.n_added, *((due_at, reason) if feed.is_active else (None, "")))


def _learn(feed: Feed, poll: Poll, listing: Listing, now: datetime) -> tuple[Rhythm, float | None]:
    """Adjust the interval; the second value is the share of known entries, None at a first poll."""
    # A good poll in a row is what the last one was, if it did not fail.
    n_good = 1 if feed.polled_at and not feed.failures else 0
    rhythm = Rhythm(feed.interval_seconds, n_good)
    if not poll.outcome.is_answer:
        return interrupted(rhythm), None
    planned = poll.page.due_at or now
    newest = (poll.parsed.newest if poll.parsed else None) or feed.newest_item_at
    observation = PollObservation(
        n_items=listing.n_listed,
        n_known=listing.n_known,
        is_unchanged=poll.is_unchanged,
        late_seconds=(now - planned).total_seconds(),
        quiet_days=(now - newest).total_seconds() / _DAY_SECONDS if newest else 0.0,
    )
    is_first = not feed.document_digest
    overlap = None if is_first else observation.overlap
    hub = subscriptions.of_feed(feed)
    if hub and (hub.is_trusted(now) or hub.has_told_since(feed.polled_at)):
        # A visit at the hub's word, or a rare one since it tells, shows nothing of the interval.
        return Rhythm(rhythm.interval_seconds, n_good + 1), overlap
    if is_first:
        return Rhythm(rhythm.interval_seconds, 1), overlap
    return learn(rhythm, observation, _limits()), overlap


def _request(poll: Poll, rhythm: Rhythm, failures: float, now: datetime) -> VisitRequest:
    headers = poll.result.headers
    ttl = poll.parsed.ttl_minutes if poll.parsed else None
    return VisitRequest(
        learnt_seconds=rhythm.interval_seconds or DEFAULT_INTERVAL_SECONDS,
        learnt_from="from its overlap" if rhythm.interval_seconds else "no visits enough yet",
        ttl_seconds=ttl * 60 if ttl else None,
        max_age_seconds=freshness(headers, now).seconds if poll.outcome.is_answer else None,
        retry_after_seconds=retry_after_seconds(headers, now),
        crawl_delay_seconds=poll.crawl_delay_seconds,
        failures=failures,
        # The feed's own share of the spread: the same at every visit.
        spread=(xxhash.xxh32_intdigest(poll.page.key.encode()) % 1000) / 1000,
    )


def _told(request: VisitRequest, feed: Feed, now: datetime) -> VisitRequest:
    """Add for how long a hub tells of the feed's news, if one does."""
    hub = subscriptions.of_feed(feed)
    if hub is None or hub.ends_at is None or not hub.is_trusted(now):
        return request
    return replace(request, told_seconds=(hub.ends_at - now).total_seconds())


def _by_hand(request: VisitRequest, feed: Feed, now: datetime) -> VisitRequest:
    """Add the moment that an editor's schedule asks for, if there is one."""
    schedule = Schedule.from_json(feed.schedule)
    if schedule is None:
        return request
    zone = time_zone(feed.publication)
    seconds = (schedule.next_after(now, zone) - now).total_seconds()
    return replace(request, by_hand_seconds=seconds, by_hand_words=f"{schedule} ({zone})")


def _limits() -> VisitLimits:
    return VisitLimits(value("CRAWL_MIN_POLL_SECONDS"), value("CRAWL_MAX_POLL_SECONDS"))


def _write_document(feed: Feed, parsed: ParsedFeed, digest: str, listing: Listing) -> None:
    feed.kind = parsed.kind.value if parsed.kind is not FeedKind.NONE else ""
    feed.title = feed.title or parsed.title[:300]
    feed.n_items = listing.n_listed
    feed.n_new = listing.n_added
    feed.document_digest = digest
    if parsed.newest:
        feed.newest_item_at = max(parsed.newest, feed.newest_item_at or parsed.newest)


def _note_address(feed: Feed, result: FetchResult, now: datetime) -> None:
    """Keep where permanent redirects lead, and since when they lead there."""
    moved_to = result.moved_to
    if moved_to != feed.moved_to:
        feed.moved_to, feed.moved_since = moved_to, now if moved_to else None


def _note_missed(feed: Feed, parsed: ParsedFeed, listing: Listing, now: datetime) -> None:
    """Count what came and went between the last document and this one, if nothing is in both."""
    if not may_have_missed(feed.n_items, PollObservation(listing.n_listed, listing.n_known)):
        return
    dates = [entry.published_at for entry in parsed.entries if entry.published_at]
    first, last = min(dates, default=None), max(dates, default=None)
    feed.missed_at = now
    # Until the last poll nothing newer was there than what that poll brought.
    known = [moment for moment in (feed.newest_item_at, feed.polled_at) if moment]
    feed.n_missed = missed_items(listing.n_listed, first, last, max(known, default=None))


def _state_text(feed: Feed, poll: Poll, listing: Listing, overlap: float | None) -> str:
    """Say in one line what the poll showed."""
    if not poll.outcome.is_answer:
        return poll.error or poll.outcome.value.replace("_", " ")
    if poll.parsed is None:
        return "unchanged"
    observation = PollObservation(listing.n_listed, listing.n_known)
    if overlap is not None and may_have_missed(feed.n_items, observation):
        gap = span(feed.interval_seconds or DEFAULT_INTERVAL_SECONDS)
        return f"possibly missed items: nothing in the document was known {gap} after the last"
    text = f"{listing.n_known} known, {listing.n_added} added"
    return f"{text}; {poll.parsed.warning}" if poll.parsed.warning else text
