"""Why was this URL not collected? One field, one answer, and the chain behind it.

Rows → one sentence and the steps of the way. An address that became an article gets the article's
own timeline; any other one gets the steps up to the one that failed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.models import Article, Extraction
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.spellings import keys_of
from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.outcomes import Outcome
from feeds.models import (
    Crawl,
    CrawlAddress,
    FeedItem,
    Fetch,
    Host,
    Page,
    PageKind,
    Publication,
    PublicationState,
)
from feeds.other_addresses import page_at
from feeds.tombstones import buried, digest_of_key
from feeds.visiting.feed_entries import filter_of
from feeds.watching.queue_places import MOST_COUNTED, n_before_in_crawl, place_of
from feeds.watching.seen_links import SeenLink, find_seen_link
from presentation.wording.figures import counted
from presentation.wording.times import stamp
from search.articles.timeline import StepState, TimelineStep, timeline
from search.models import IndexedArticle

MAX_LISTINGS = 5  # a front page and its sections may all list it
MAX_FETCHES = 10  # the last days of a page that is tried again and again
MAX_CRAWLS = 500  # the newest, each a probe of an index
# What pages of other kinds are there for.
_KIND_SENTENCES = {
    PageKind.FEED: "This is a feed: it is read for its items and is not an article itself.",
    PageKind.INDEX: "This page is read for its links: it was taken for no story.",
    PageKind.COMMENTS: "This is what a comment system answers: it is read for its comments.",
    PageKind.POST: "This is a post of a timeline: it came with an answer of that.",
    PageKind.RIGHTS: "This file is read for what it says on rights.",
}


@dataclass(frozen=True, slots=True)
class UrlHistory:
    """The answer: a sentence with its tone, the way, and the rows it ends at."""

    tone: str
    sentence: str
    canonical: str = ""
    steps: tuple[TimelineStep, ...] = ()
    page: Page | None = None
    article: Article | None = None


@require_safe
def why_not(request: HttpRequest) -> HttpResponse:
    address = request.GET.get("u", "").strip()
    context = {"now": timezone.localtime(), "address": address}
    if not address:
        return render(request, "corpus_site/why_not.html", context)
    try:
        canonical = canonicalize(address)
    except BadUrl as problem:
        context |= {"problem": str(problem)}
        return render(request, "corpus_site/why_not.html", context, status=400)
    return render(request, "corpus_site/why_not.html", context | {"history": tell(canonical)})


def tell(address: CanonicalUrl) -> UrlHistory:
    """Follow one address through the rows of all stages."""
    page = page_at([address.key])
    if page is not None:
        return _known(page, address)
    history = _met(address)
    if history is not None:
        return history
    spelled = page_at(keys_of(address.url))
    return _known(spelled, address, is_guess=True) if spelled else _unknown(address)


def _known(page: Page, address: CanonicalUrl, *, is_guess: bool = False) -> UrlHistory:
    """Tell of a page, and by which of its addresses it was found."""
    other = []
    if is_guess:
        facts = (f"{page.url} is known, which is spelled in another way", "its page was not asked")
        other = [_step("Like address", StepState.DONE, *facts)]
    elif page.key != address.key:
        other = [_step("Same page", StepState.DONE, f"another address of {page.url}")]
    article = _article(page)
    if article is not None:
        stored = _stored(page, article)
        return replace(stored, steps=(*other, *stored.steps))
    way = (*_listed(page), *_switches(page), *_robots(page), *_fetched(page), *_extracted(page))
    steps = (*other, *way, *_queue(page))
    return UrlHistory(*_verdict(page, steps), page.url, steps, page)


def _met(address: CanonicalUrl) -> UrlHistory | None:
    """Tell of an address that is no page here and was met all the same."""
    if buried([digest_of_key(address.key)]):
        sentence = "Not collected: it was erased and does not come back."
        step = _step("Erased", StepState.REFUSED, "only the digest of its address is kept")
        return UrlHistory("warn", sentence, address.url, (step,))
    # The index begins with the crawl.
    crawls = list(Crawl.objects.order_by("-pk").values_list("pk", flat=True)[:MAX_CRAWLS])
    rows = CrawlAddress.objects.filter(crawl__in=crawls, key=address.key)
    crawled = rows.select_related("crawl").order_by("-pk").first()
    if crawled is not None:
        return _of_a_crawl(crawled)
    seen = find_seen_link(address)
    return _of_a_link(seen, address) if seen is not None else None


def _unknown(address: CanonicalUrl) -> UrlHistory:
    """Say which publication an unknown address would belong to, and what would keep it out."""
    host = Host.objects.filter(name=address.host).first()
    publication = Publication.objects.filter(feeds__page__host=host).first() if host else None
    if publication is None:
        sentence = "Not known: no publication here reads feeds from this host."
        return UrlHistory("warn", sentence, address.url, (_step("Known", StepState.REFUSED),))
    choice = filter_of(publication).decide(address.url)
    if not choice.accepted:
        reason = f"{publication.name} takes no such address: {choice.reason}"
        step = _step("Taken as a story", StepState.REFUSED, choice.reason)
        return UrlHistory("warn", f"Not collected: {reason}.", address.url, (step,))
    sentence = f"Not known: no feed of {publication.name} has listed this address."
    steps = [_step("Known", StepState.REFUSED)]
    decision = _policy(host).allows(address.url) if host and host.robots_fetched_at else None
    if decision is not None and not decision.allowed:
        sentence += f" It would be forbidden by {decision.reason}."
        steps.append(_step("robots.txt", StepState.REFUSED, decision.reason))
    elif decision is not None:
        steps.append(_step("robots.txt", StepState.DONE, "would allow it"))
    return UrlHistory("warn", sentence, address.url, tuple(steps))


def _of_a_link(seen: SeenLink, address: CanonicalUrl) -> UrlHistory:
    """Say on which index page an address is linked, and why it was not taken as a story."""
    steps = (
        TimelineStep("Linked", StepState.DONE, seen.seen_at, (f"on {seen.page_url}",)),
        _step("Taken as a story", StepState.REFUSED, seen.reason),
    )
    sentence = f"Not collected: seen on {seen.page_url}, but not taken: {seen.reason}."
    return UrlHistory("warn", sentence, address.url, steps)


def _of_a_crawl(address: CrawlAddress) -> UrlHistory:
    """Say that a crawl found an address and has not let it into the frontier."""
    crawl = address.crawl
    place = f"found on {address.found_on}" if address.found_on else "given as a seed"
    state = crawl.get_state_display().lower()
    steps = (
        TimelineStep(
            "Found by a crawl", StepState.DONE, address.found_at, (f"crawl {crawl.pk}", place)
        ),
        _step(
            "Let into the frontier", StepState.WAITING, f"the crawl is {state}", crawl.end_reason
        ),
    )
    if crawl.is_open:
        n_before = n_before_in_crawl(address)
        before = _before(
            min(n_before, MOST_COUNTED), " of the crawl’s pool", is_more=n_before > MOST_COUNTED
        )
        queued = _step("In the queue", StepState.WAITING, before)
        return UrlHistory(
            "info",
            f"Not collected yet: it waits in crawl {crawl.pk}.",
            address.url,
            (*steps, queued),
        )
    reason = crawl.end_reason or state
    sentence = f"Not collected: crawl {crawl.pk} had ended before its turn: {reason}."
    return UrlHistory("warn", sentence, address.url, steps)


def _article(page: Page) -> Article | None:
    rows = Article.objects.select_related("publication", "page__publication", "page__host")
    return rows.filter(page=page).first()


def _stored(page: Page, article: Article) -> UrlHistory:
    indexed = IndexedArticle.objects.filter(article=article, n_tokens__gt=0).exists()
    if not article.in_corpus:
        tone, sentence = "warn", f"Collected, but not in the corpus: {article.reason.rstrip('.')}."
    elif indexed:
        tone, sentence = "ok", "Collected and searchable."
    else:
        tone, sentence = "info", "Collected; it becomes searchable when its last stages are done."
    return UrlHistory(tone, sentence, page.url, tuple(timeline(article)), page, article)


def _step(name: str, state: StepState, *details: str) -> TimelineStep:
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
        yield _step("Publication", StepState.REFUSED, f"{page.publication.name} is {state}")
    if page.host.blocked_since:
        yield TimelineStep(
            "Host",
            StepState.REFUSED,
            page.host.blocked_since,
            (page.host.block_reason or "blocked",),
        )


def _robots(page: Page) -> Iterator[TimelineStep]:
    if not page.host.robots_fetched_at:
        yield _step("robots.txt", StepState.WAITING, "not fetched yet")
        return
    decision = _policy(page.host).allows(page.url)
    state = StepState.DONE if decision.allowed else StepState.REFUSED
    facts = (decision.reason or "allows it",)
    yield TimelineStep("robots.txt", state, page.host.robots_fetched_at, facts)


def _policy(host: Host) -> RobotsPolicy:
    agent = settings.CRAWL_USER_AGENT
    return RobotsPolicy.parse(host.robots_body.encode(), host.robots_status, agent)


def _fetched(page: Page) -> Iterator[TimelineStep]:
    newest = list(Fetch.objects.filter(page=page).order_by("-started_at", "-pk")[:MAX_FETCHES])
    if not newest:
        when = f"planned for {stamp(timezone.localtime(page.due_at))}" if page.due_at else ""
        yield _step("Fetched", StepState.WAITING, when or "no visit is planned")
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
        before = _before(place.n_before, f" of {page.host.name}", is_more=place.is_more)
        when = stamp(timezone.localtime(place.likely_at))
        likely = f"not before {when}" if place.is_more else f"likely {when}"
        yield _step("In the queue", StepState.WAITING, before, likely)


def _before(n: int, where: str, *, is_more: bool) -> str:
    words = counted(n, f"page{where} is before it", f"pages{where} are before it")
    return f"more than {words}" if is_more else words


def _extracted(page: Page) -> Iterator[TimelineStep]:
    if page.kind in _KIND_SENTENCES:
        return
    row = Extraction.objects.filter(page=page).first()
    if row is None or (row.extracted_at is None and not row.quarantined_at):
        yield _step("Extracted", StepState.WAITING)
        return
    facts = (row.outcome, row.outcome_detail, row.last_error)
    yield TimelineStep(
        "Extracted",
        StepState.REFUSED,
        row.extracted_at or row.quarantined_at,
        tuple(filter(None, facts)),
        row.elapsed_ms,
    )


def _verdict(page: Page, steps: tuple[TimelineStep, ...]) -> tuple[str, str]:
    """Tone and sentence of a page without an article: the last refusal decides."""
    kind = PageKind(page.kind)
    if kind in _KIND_SENTENCES:
        return "info", _KIND_SENTENCES[kind]
    refusals = [step for step in steps if step.state is StepState.REFUSED]
    if refusals:
        last = refusals[-1]
        facts = ", ".join(fact.rstrip(".") for fact in last.details) or "no reason given"
        seen = f", {stamp(timezone.localtime(last.at))}" if last.at else ""
        return "bad", f"Not collected: {facts} ({last.name}{seen})."
    if page.content_digest:
        return "info", "Fetched; its text is made in a moment."
    if page.due_at:
        return (
            "info",
            f"Not collected yet: its visit is due {stamp(timezone.localtime(page.due_at))}.",
        )
    return "warn", "Not collected: no visit is planned for it."
