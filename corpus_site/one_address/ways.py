"""The way of a page that became no article: listed, queued, allowed, fetched, extracted.

Rows of one page → the steps up to the one that failed.
"""

from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone

from extraction.models import Extraction
from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.outcomes import Outcome
from feeds.models import FeedItem, Fetch, Host, Page, PageKind, PublicationState
from feeds.watching.queue_places import place_of
from presentation.wording.figures import counted
from presentation.wording.times import stamp
from search.articles.timeline import StepState, TimelineStep

MAX_LISTINGS = 5  # a front page and its sections may all list it
MAX_FETCHES = 10  # the last days of a page that is tried again and again
# What pages of other kinds are there for.
KIND_SENTENCES = {
    PageKind.FEED: "This is a feed: it is read for its items and is not an article itself.",
    PageKind.INDEX: "This page is read for its links: it was taken for no story.",
    PageKind.COMMENTS: "This is what a comment system answers: it is read for its comments.",
    PageKind.POST: "This is a post of a timeline: it came with an answer of that.",
    PageKind.RIGHTS: "This file is read for what it says on rights.",
}


def way_of(page: Page) -> Iterator[TimelineStep]:
    """Tell the whole way of a page, as far as it came."""
    yield from _listed(page)
    yield from _switches(page)
    yield from _robots(page)
    yield from _fetched(page)
    yield from _extracted(page)
    yield from _queue(page)


def step_of(name: str, state: StepState, *details: str) -> TimelineStep:
    return TimelineStep(name, state, details=tuple(detail for detail in details if detail))


def _listed(page: Page) -> Iterator[TimelineStep]:
    listings = FeedItem.objects.filter(page=page).select_related("feed__page")
    for item in listings.order_by("first_seen_at")[:MAX_LISTINGS]:
        facts = (f"feed “{item.feed}”", page.feed_headline and f"as “{page.feed_headline}”")
        yield TimelineStep(
            "Seen in a feed", StepState.DONE, item.first_seen_at, tuple(filter(None, facts))
        )
    facts = (page.get_kind_display().lower(), page.due_reason)
    yield TimelineStep("Queued", StepState.DONE, page.found_at, tuple(filter(None, facts)))


def _switches(page: Page) -> Iterator[TimelineStep]:
    if page.publication.state != PublicationState.ACTIVE:
        state = page.publication.get_state_display().lower()
        yield step_of("Publication", StepState.REFUSED, f"{page.publication.name} is {state}")
    if page.host.blocked_since:
        yield TimelineStep(
            "Host",
            StepState.REFUSED,
            page.host.blocked_since,
            (page.host.block_reason or "blocked",),
        )


def _robots(page: Page) -> Iterator[TimelineStep]:
    if not page.host.robots_fetched_at:
        yield step_of("robots.txt", StepState.WAITING, "not fetched yet")
        return
    decision = policy(page.host).allows(page.url)
    state = StepState.DONE if decision.allowed else StepState.REFUSED
    facts = (decision.reason or "allows it",)
    yield TimelineStep("robots.txt", state, page.host.robots_fetched_at, facts)


def policy(host: Host) -> RobotsPolicy:
    agent = settings.CRAWL_USER_AGENT
    return RobotsPolicy.parse(host.robots_body.encode(), host.robots_status, agent)


def _fetched(page: Page) -> Iterator[TimelineStep]:
    newest = list(Fetch.objects.filter(page=page).order_by("-started_at", "-pk")[:MAX_FETCHES])
    if not newest:
        when = f"planned for {stamp(timezone.localtime(page.due_at))}" if page.due_at else ""
        yield step_of("Fetched", StepState.WAITING, when or "no visit is planned")
    for fetch in reversed(newest):
        answered = Outcome(fetch.outcome).is_answer
        facts = (
            f"status {fetch.status}" if fetch.status else "",
            fetch.outcome.replace("_", " "),
            fetch.error,
            f"redirected to {fetch.final_url}" if fetch.final_url not in {"", fetch.url} else "",
        )
        yield TimelineStep(
            "Fetched",
            StepState.DONE if answered else StepState.REFUSED,
            fetch.started_at,
            tuple(filter(None, facts)),
            fetch.elapsed_ms,
            fetch,
        )
    is_explained = bool(newest) and not Outcome(newest[0].outcome).is_answer
    if page.quarantined_at and not is_explained:
        yield TimelineStep("Put aside", StepState.REFUSED, page.quarantined_at, (page.last_error,))


def _queue(page: Page) -> Iterator[TimelineStep]:
    """Tell the place of a page that waits, and when it is likely to be fetched."""
    place = place_of(page, timezone.now())
    if place is not None:
        before = before_words(place.n_before, f" of {page.host.name}", is_more=place.is_more)
        when = stamp(timezone.localtime(place.likely_at))
        likely = f"not before {when}" if place.is_more else f"likely {when}"
        yield step_of("In the queue", StepState.WAITING, before, likely)


def before_words(n: int, where: str, *, is_more: bool) -> str:
    words = counted(n, f"page{where} is before it", f"pages{where} are before it")
    return f"more than {words}" if is_more else words


def _extracted(page: Page) -> Iterator[TimelineStep]:
    if page.kind in KIND_SENTENCES:
        return
    row = Extraction.objects.filter(page=page).first()
    if row is None or (row.extracted_at is None and not row.quarantined_at):
        yield step_of("Extracted", StepState.WAITING)
        return
    facts = (row.outcome, row.outcome_detail, row.last_error)
    yield TimelineStep(
        "Extracted",
        StepState.REFUSED,
        row.extracted_at or row.quarantined_at,
        tuple(filter(None, facts)),
        row.elapsed_ms,
    )
