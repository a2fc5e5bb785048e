"""Timelines of microblogs among the feeds: where one is read on, and the documents of its posts.

A timeline is polled like a feed. Its place says how far it was read, so a look asks for what is new
alone, or goes back until it meets what is known. Each post is a page of the frontier that has its
document already: the answer in which it stood. It is visited by itself only to see whether it is
still there.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from feeds.crawler.documents.feed_document import ParsedFeed
from feeds.crawler.documents.timeline_posts import TimelinePlace, TimelineStep
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timelines.networks import timeline_network
from feeds.crawler.timelines.past import step_back, without_past
from feeds.models import Feed, Fetch, Page, PageKind, VisitPurpose
from feeds.visiting.feed_entries import Listing
from feeds.visiting.posts import key_of, next_look
from feeds.work.row_updates import update_rows
from presentation.wording.figures import counted

_HOUR = timedelta(hours=1)
_POST_FIELDS = ("content_fetch", "content_digest", "visited_at", "answered_whole_at", "outcome")


@dataclass(frozen=True, slots=True)
class TimelineLook:
    """What a poll showed of a timeline.

    `listing` counts as the rhythm of visits learns from it: of how many posts that could stand in
    an answer how many were no news.
    """

    step: TimelineStep
    listing: Listing
    words: str
    is_complete: bool  # nothing lies between this answer and the last
    is_late: bool  # it was known to be behind: its rhythm learns nothing of it


def place_url(url: str, stored: object) -> str:
    """Address of the part of a timeline that is to be read next; any other address as it is."""
    network = timeline_network(url) if stored else None
    return network.request_url(url, TimelinePlace.from_json(stored)) if network else url


def place_words(feed: Feed) -> str:
    """Say how far a timeline was read, and what its next look asks for; "" of other feeds."""
    network = timeline_network(feed.page.url)
    if network is None or not feed.document_digest:
        return ""
    place = TimelinePlace.from_json(feed.place)
    if place.past_left:
        until = f", or to {place.past_until[:10]}" if place.past_until else ""
        return (
            f"A timeline of {network.name}, being read back to before its first look: "
            f"{counted(place.past_left, 'post')} more at most{until}. What is new comes after it."
        )
    if place.older:
        steps = counted(place.n_back, "answer")
        return (
            f"A timeline of {network.name}, read back by {steps}: to the last post that is known."
        )
    behind = " More posts wait there." if place.is_behind else ""
    if place.newest:
        return (
            f"A timeline of {network.name}, read up to post {place.newest}: the next look asks for "
            f"what follows it.{behind}"
        )
    return (
        f"A timeline of {network.name}: the next look takes the newest posts, and goes back until "
        "one is known."
    )


def look_of(
    feed: Feed, url: str, parsed: ParsedFeed | None, listing: Listing
) -> TimelineLook | None:
    """Say what a poll showed of a timeline; None for all other feeds, and without an answer."""
    network = timeline_network(url)
    if network is None or parsed is None or parsed.timeline is None:
        return None
    answer, before = parsed.timeline, TimelinePlace.from_json(feed.place)
    is_first = not feed.document_digest
    step = network.next_step(before, answer, is_met=is_first or listing.n_known > 0)
    if before.past_left:
        step = step_back(before, answer, step)
    if network.is_in_order and before.newest:
        n_all = max(network.limit, answer.n_items)
        learnt = Listing(n_all, n_all - answer.n_items, listing.n_added)
    else:
        learnt = listing
    return TimelineLook(
        step=step,
        listing=learnt,
        words=_words(parsed, listing, step),
        is_complete=network.is_in_order
        or step.has_more
        or listing.n_known > 0
        or is_first
        or bool(before.past_left),
        is_late=before.is_behind,
    )


def place_without_past(stored: object) -> dict[str, object]:
    """Give up the past of a timeline that does not answer for it; its news go on."""
    place = TimelinePlace.from_json(stored)
    return (without_past(place) if place.past_left else place).to_json()


def _words(parsed: ParsedFeed, listing: Listing, step: TimelineStep) -> str:
    answer = parsed.timeline
    said = [f"{listing.n_known} known, {listing.n_added} added"]
    if answer and answer.n_boosts:
        said.append(f"{counted(answer.n_boosts, 'boost')} passed over")
    if answer and answer.n_declined:
        said.append(f"{counted(answer.n_declined, 'post')} not for strangers")
    if step.has_more:
        said.append("more wait")
    if step.has_gap:
        said.append("what lies further back was given up")
    return "; ".join(said)


def take_posts(answers: Iterable[tuple[ParsedFeed, Fetch]], now: datetime) -> list[int]:
    """Give posts that are new or were edited the document in which they stand.

    Call it in the transaction that stores the fetches, when they are. Returns the pages whose
    document can be read; posts of an answer of which no copy is kept are due by themselves instead.
    """
    documents = {
        key: (post.digest, fetch)
        for parsed, fetch in answers
        for post in (parsed.timeline.posts if parsed.timeline else ())
        if (key := key_of(post.address))
    }
    if not documents:
        return []
    pages = Page.objects.filter(key__in=documents, kind=PageKind.POST, lease_owner="")
    changed = [page for page in pages if page.content_digest != documents[page.key][0]]
    taken: list[Page] = []
    unkept: list[int] = []
    for page in changed:
        digest, fetch = documents[page.key]
        if fetch.archive_offset is None:
            unkept.append(page.pk)
            continue
        page.content_digest, page.content_fetch = digest, fetch
        page.visited_at = page.answered_whole_at = now
        page.outcome = Outcome.OK.value
        taken.append(page)
    update_rows(taken, _POST_FIELDS)
    _plan_looks([page for page in taken if page.due_at is None], now)
    if unkept:
        reason = "Of the timeline that lists it no copy is kept."
        Page.objects.filter(pk__in=unkept).reschedule(now, due_reason=reason)
    return [page.pk for page in taken]


def _plan_looks(pages: Sequence[Page], now: datetime) -> None:
    """Plan the first look at each post; those of an answer whose time is the same hour share it."""
    looks: dict[tuple[datetime, str], list[int]] = defaultdict(list)
    for page in pages:
        at, reason = next_look(page.feed_published_at or page.found_at, now)
        if at is not None:
            looks[at.replace(minute=0, second=0, microsecond=0) + _HOUR, reason].append(page.pk)
    for (at, reason), ids in looks.items():
        rows = Page.objects.filter(pk__in=ids)
        rows.reschedule(at, due_reason=reason, purpose=VisitPurpose.PLANNED)
