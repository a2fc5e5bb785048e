"""Why was this URL not collected? One field, one answer, and the chain behind it.

Rows → one sentence and the steps of the way. An address that became an article gets the article's
own timeline; any other one gets the steps up to the one that failed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.models import Article, Extraction
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.outcomes import Outcome
from feeds.models import (
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
from feeds.watching.seen_links import SeenLink, find_seen_link
from presentation.wording.times import stamp
from search.articles.timeline import StepState, TimelineStep, timeline
from search.models import IndexedArticle

MAX_LISTINGS = 5  # a front page and its sections may all list it
MAX_FETCHES = 10  # the last days of a page that is tried again and again


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
    if page is None:
        return _unknown(address)
    article = _article(page)
    if article is not None:
        return _stored(page, article)
    steps = (*_listed(page), *_switches(page), *_robots(page), *_fetched(page), *_extracted(page))
    return UrlHistory(*_verdict(page, steps), page.url, steps, page)


def _unknown(address: CanonicalUrl) -> UrlHistory:
    """Say which publication an unknown address would belong to, and what robots.txt says now."""
    if buried([digest_of_key(address.key)]):
        sentence = "Not collected: it was erased and does not come back."
        step = _step("Erased", StepState.REFUSED, "only the digest of its address is kept")
        return UrlHistory("warn", sentence, address.url, (step,))
    crawled = CrawlAddress.objects.filter(key=address.key).select_related("crawl").first()
    if crawled is not None:
        return _of_a_crawl(crawled)
    seen = find_seen_link(address)
    if seen is not None:
        return _of_a_link(seen, address)
    host = Host.objects.filter(name=address.host).first()
    publication = Publication.objects.filter(feeds__page__host=host).first() if host else None
    twins = Page.objects.filter(key__startswith=address.key.split("?")[0])[:3]
    facts = [f"A page at {twin.url} is known." for twin in twins]
    if publication is None:
        sentence = "Not known: no publication here reads feeds from this host."
        return UrlHistory(
            "warn", sentence, address.url, (_step("Known", StepState.REFUSED, *facts),)
        )
    sentence = f"Not known: no feed of {publication.name} has listed this address."
    steps = [_step("Known", StepState.REFUSED, *facts)]
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
        return UrlHistory(
            "info", f"Not collected yet: it waits in crawl {crawl.pk}.", address.url, steps
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
        tone, sentence = "warn", f"Collected, but not in the corpus: {article.reason}."
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


def _extracted(page: Page) -> Iterator[TimelineStep]:
    if page.kind == PageKind.FEED:
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
    if page.kind == PageKind.FEED:
        return "info", "This is a feed: it is read for its items and is not an article itself."
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
