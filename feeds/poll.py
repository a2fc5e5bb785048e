"""Read feeds that were fetched: entries go into the frontier, the next visit is written.

What a feed lists is remembered (FeedItem), so that the share of known entries in a document tells
whether something was missed, and old items do not come back. Pages are known by their canonical
key; an entry whose guid is known under another address is that same article. COR-01, COR-02,
COR-06, COR-09.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

import xxhash
from django.conf import settings

from feeds.crawler.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.conditional import freshness, retry_after_seconds
from feeds.crawler.exchange import FetchResult
from feeds.crawler.feed_document import FeedEntry, FeedKind, ParsedFeed
from feeds.crawler.feed_parser import parse_feed
from feeds.crawler.index_page import read_index_page
from feeds.crawler.links import BadPattern, LinkFilter, unwrap
from feeds.crawler.outcomes import Outcome
from feeds.crawler.revisit import (
    DEFAULT_INTERVAL_SECONDS,
    PollObservation,
    Rhythm,
    VisitLimits,
    VisitRequest,
    failure_weight,
    interrupted,
    learn,
    may_have_missed,
    next_visit,
)
from feeds.crawler.sitemaps import parse_plain_sitemap
from feeds.crawler.slugs import slug
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, FeedItem, Page, PageKind, Publication
from feeds.publications import learn_from_feed
from feeds.row_updates import update_rows
from presentation.wording.times import span

_DAY_SECONDS = 86_400.0
# Wrong zones and clocks put honest dates up to a day ahead.
_CLOCKS_APART = timedelta(days=1)


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


@dataclass(frozen=True, slots=True)
class _Listing:
    """The pages that a document lists, against those that the feed listed before."""

    n_listed: int = 0
    n_known: int = 0
    n_added: int = 0


_Offer = tuple[FeedEntry, CanonicalUrl]
_NOTHING = _Listing()
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
    "document_digest",
    "newest_item_at",
    "visit_terms",
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
    return Poll(page, result, outcome, error, digest, parsed, crawl_delay_seconds)


def _parsed(page: Page, result: FetchResult) -> ParsedFeed:
    """Read a document as what its feed is known to be; a feed is asked nothing else."""
    feed: Feed | None = getattr(page, "feed", None)
    kind = feed.kind if feed else ""
    if kind == FeedKind.INDEX:
        accepts = _filter(page.publication)
        return read_index_page(result.body, result.final_url, result.content_type, accepts)
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
    polls = [_without_future(poll, now) for poll in polls]
    rows = Feed.objects.select_related("publication").filter(
        page_id__in=[poll.page.pk for poll in polls]
    )
    feeds = {feed.page_id: feed for feed in rows}
    documents = [(feeds[poll.page.pk], poll.parsed) for poll in polls if poll.parsed]
    listings = _list(documents, now)
    reports = []
    for poll in polls:
        feed = feeds[poll.page.pk]
        reports.append(_write(feed, poll, listings.get(feed.pk, _NOTHING), now))
    update_rows(list(feeds.values()), _FEED_FIELDS)
    return reports


def _without_future(poll: Poll, now: datetime) -> Poll:
    """Take dates that have not come for mistakes: 2099 would stand before all news for good."""
    latest = now + _CLOCKS_APART
    if poll.parsed is None or (poll.parsed.newest or latest) <= latest:
        return poll
    entries = tuple(
        replace(entry, published_at=None)
        if entry.published_at and entry.published_at > latest
        else entry
        for entry in poll.parsed.entries
    )
    return replace(poll, parsed=replace(poll.parsed, entries=entries))


def _write(feed: Feed, poll: Poll, listing: _Listing, now: datetime) -> PollReport:
    """Set the columns of one feed; its row is written with the others'."""
    rhythm, overlap = _learn(feed, poll, listing, now)
    failures = 0.0 if poll.outcome.is_answer else feed.failures + failure_weight(poll.outcome)
    visit = next_visit(now, _request(poll, rhythm, failures, now), _limits())
    feed.state_text = _state_text(feed, poll, listing, overlap)[:300]
    if poll.parsed:
        if not feed.document_digest:
            learn_from_feed(feed.publication, poll.parsed)
        _write_document(feed, poll.parsed, poll.digest, listing)
        feed.overlap_share = overlap
    feed.polled_at = now
    feed.failures = failures
    feed.interval_seconds = rhythm.interval_seconds
    feed.visit_terms = [asdict(term) for term in visit.terms]
    due_at = visit.at if feed.is_active else None
    return PollReport(listing.n_added, due_at, visit.reason if due_at else "")


def _list(documents: Sequence[tuple[Feed, ParsedFeed]], now: datetime) -> dict[int, _Listing]:
    """Bring entries into the frontier and remember which feed lists them."""
    offers = [(feed, _offered(feed.publication, parsed.entries)) for feed, parsed in documents]
    keys = {address.key for _, offered in offers for _, address in offered}
    if not keys:
        return {}
    ids = dict(Page.objects.filter(key__in=keys).values_list("key", "pk"))
    ids |= _by_guid(offers, ids)
    fresh: dict[str, NewPage] = {}
    for feed, offered in offers:
        for entry, address in offered:
            if address.key not in ids:
                fresh.setdefault(address.key, _new_page(entry, address, feed.publication_id, now))
    report = add_pages(list(fresh.values()), now)
    ids |= report.ids
    listed = {
        feed.pk: {ids[address.key] for _, address in offered if address.key in ids}
        for feed, offered in offers
    }
    known = _remember(listed, now)
    return {
        feed.pk: _Listing(
            n_listed=len(listed[feed.pk]),
            n_known=len(known[feed.pk]),
            n_added=sum(address.key in report.added for _, address in offered),
        )
        for feed, offered in offers
    }


def _remember(listed: Mapping[int, set[int]], now: datetime) -> dict[int, set[int]]:
    """Write that feeds list pages; returns the pages that each had listed before."""
    known: dict[int, set[int]] = {feed_id: set() for feed_id in listed}
    pages = set().union(*listed.values())
    items = FeedItem.objects.filter(feed_id__in=list(listed), page_id__in=pages)
    for feed_id, page_id in items.values_list("feed_id", "page_id"):
        known[feed_id].add(page_id)
    known = {feed_id: pages & listed[feed_id] for feed_id, pages in known.items()}
    if any(known.values()):
        items.update(last_seen_at=now)
    FeedItem.objects.bulk_create(
        [
            FeedItem(feed_id=feed_id, page_id=page_id, first_seen_at=now, last_seen_at=now)
            for feed_id, pages in listed.items()
            for page_id in sorted(pages - known[feed_id])
        ],
        ignore_conflicts=True,
    )
    return known


def _offered(publication: Publication, entries: Sequence[FeedEntry]) -> list[_Offer]:
    """Entries that the publication's patterns let in, each address once."""
    accepts = _filter(publication)
    offered: dict[str, _Offer] = {}
    for entry in entries:
        try:
            address = canonicalize(unwrap(entry.url))
        except BadUrl:
            continue
        if address.key not in offered and accepts.decide(address.url).accepted:
            offered[address.key] = (entry, address)
    return list(offered.values())


def _filter(publication: Publication) -> LinkFilter:
    """Patterns of a publication; a stored one that no longer compiles lets everything in."""
    try:
        return LinkFilter.compile([publication.include_pattern], [publication.exclude_pattern])
    except BadPattern:
        return LinkFilter()


def _by_guid(
    offers: Sequence[tuple[Feed, Sequence[_Offer]]], known: Mapping[str, int]
) -> dict[str, int]:
    """Pages that are known under the same guid and another address, by the key given now.

    A guid that stands twice in the document tells nothing.
    """
    keys: dict[tuple[int, str], str] = {}
    for feed, offered in offers:
        counts = Counter(entry.guid for entry, _ in offered if entry.guid)
        for entry, address in offered:
            if counts[entry.guid] == 1 and address.key not in known:
                keys[feed.publication_id, entry.guid] = address.key
    if not keys:
        return {}
    rows = Page.objects.filter(
        publication_id__in={publication_id for publication_id, _ in keys},
        guid__in={guid for _, guid in keys},
    )
    return {
        keys[publication_id, guid]: pk
        for publication_id, guid, pk in rows.values_list("publication_id", "guid", "pk")
        if (publication_id, guid) in keys
    }


def _new_page(
    entry: FeedEntry, address: CanonicalUrl, publication_id: int, now: datetime
) -> NewPage:
    return NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.ARTICLE,
        publication_id=publication_id,
        slug=slug(address.url),
        due_at=now,
        due_reason="Listed by a feed.",
        guid=entry.guid,
        headline=entry.headline,
        published_at=entry.published_at,
        author=entry.author,
        description=entry.description,
    )


def _learn(feed: Feed, poll: Poll, listing: _Listing, now: datetime) -> tuple[Rhythm, float | None]:
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


def _limits() -> VisitLimits:
    return VisitLimits(settings.CRAWL_MIN_POLL_SECONDS, settings.CRAWL_MAX_POLL_SECONDS)


def _write_document(feed: Feed, parsed: ParsedFeed, digest: str, listing: _Listing) -> None:
    feed.kind = parsed.kind.value if parsed.kind is not FeedKind.NONE else ""
    feed.title = feed.title or parsed.title[:300]
    feed.n_items = listing.n_listed
    feed.n_new = listing.n_added
    feed.document_digest = digest
    if parsed.newest:
        feed.newest_item_at = max(parsed.newest, feed.newest_item_at or parsed.newest)


def _state_text(feed: Feed, poll: Poll, listing: _Listing, overlap: float | None) -> str:
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
