"""Why was this URL not collected? One field, one answer, and the chain behind it.

Rows → one sentence and the steps of the way. An address that became an article gets the article's
own timeline; any other one gets the steps up to the one that failed.
"""

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from corpus_site.one_address import mends
from corpus_site.one_address.mends import Mend
from corpus_site.one_address.ways import KIND_SENTENCES, before_words, policy, step_of, way_of
from dedup.twins import original_of
from extraction.known_addresses import article_at
from extraction.models import Article
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.spellings import keys_of
from feeds.crawls.links import crawl_choice
from feeds.crawls.pool import digest_of
from feeds.models import (
    Crawl,
    CrawlAddress,
    Host,
    Page,
    PageKind,
    Publication,
)
from feeds.other_addresses import page_at
from feeds.tombstones import buried, digest_of_key
from feeds.visiting.feed_entries import filter_of
from feeds.watching.queue_places import MOST_COUNTED, n_before_in_crawl
from feeds.watching.seen_links import SeenLink, find_seen_link
from presentation.wording.times import stamp
from search.articles.timeline import StepState, TimelineStep, timeline
from search.models import IndexedArticle

MAX_CRAWLS = 500  # the newest, each a probe of an index


@dataclass(frozen=True, slots=True)
class UrlHistory:
    """The answer: a sentence with its tone, the way, and the rows it ends at."""

    tone: str
    sentence: str
    canonical: str = ""
    steps: tuple[TimelineStep, ...] = ()
    page: Page | None = None
    article: Article | None = None
    mends: tuple[Mend, ...] = ()


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
    history = tell(canonical)
    context |= {
        "history": history,
        "mends": [
            mend
            for mend in history.mends
            if not mend.permission or request.user.has_perm(mend.permission)
        ],
    }
    return render(request, "corpus_site/why_not.html", context)


def tell(address: CanonicalUrl) -> UrlHistory:
    """Follow one address through the rows of all stages."""
    page = page_at([address.key])
    if page is not None:
        return _known(page, address)
    history = _met(address)
    if history is not None:
        return history
    spelled = page_at(keys_of(address.url))
    if spelled is not None:
        return _known(spelled, address, is_guess=True)
    # Such as a post, whose page is its JSON, by the address that people follow.
    article = article_at(address.url)
    return _known(article.page, address) if article and article.page else _unknown(address)


def _known(page: Page, address: CanonicalUrl, *, is_guess: bool = False) -> UrlHistory:
    """Tell of a page, and by which of its addresses it was found."""
    other = []
    if is_guess:
        facts = (f"{page.url} is known, which is spelled in another way", "its page was not asked")
        other = [step_of("Like address", StepState.DONE, *facts)]
    elif page.key != address.key:
        other = [step_of("Same page", StepState.DONE, f"another address of {page.url}")]
    article = _article(page)
    if article is not None:
        stored = _stored(page, article)
        return replace(stored, steps=(*other, *stored.steps))
    steps = (*other, *way_of(page))
    tone, sentence = _verdict(page, steps)
    return UrlHistory(
        tone, sentence, page.url, steps, page, None, tuple(mends.of_page(page, steps))
    )


def _met(address: CanonicalUrl) -> UrlHistory | None:
    """Tell of an address that is no page here and was met all the same."""
    if buried([digest_of_key(address.key)]):
        sentence = "Not collected: it was erased and does not come back."
        step = step_of("Erased", StepState.REFUSED, "only the digest of its address is kept")
        return UrlHistory("warn", sentence, address.url, (step,))
    # The index begins with the crawl.
    crawls = list(Crawl.objects.order_by("-pk").values_list("pk", flat=True)[:MAX_CRAWLS])
    rows = CrawlAddress.objects.filter(crawl__in=crawls, digest=digest_of(address.key))
    crawled = rows.select_related("crawl").order_by("-pk").first()
    if crawled is not None:
        return _of_a_crawl(crawled)
    seen = find_seen_link(address)
    return _of_a_link(seen, address) if seen is not None else None


def _unknown(address: CanonicalUrl) -> UrlHistory:
    """Say which publication an unknown address would belong to, and what would keep it out."""
    host = Host.objects.filter(name=address.host).first()
    publication = _publication_at(host) if host else None
    if publication is None:
        sentence = "Not known: no publication here reads feeds from this host."
        steps = (step_of("Known", StepState.REFUSED),)
        links = (mends.of_nobody(address.url),)
        return UrlHistory("warn", sentence, address.url, steps, mends=links)
    choice = filter_of(publication).decide(address.url)
    if not choice.accepted:
        reason = f"{publication.name} takes no such address: {choice.reason}"
        step = step_of("Taken as a story", StepState.REFUSED, choice.reason)
        links = (mends.of_patterns(publication),)
        sentence = f"Not collected: {reason}."
        return UrlHistory("warn", sentence, address.url, (step,), mends=links)
    sentence = f"Not known: no feed of {publication.name} has listed this address."
    more = [step_of("Known", StepState.REFUSED)]
    link = mends.of_unlisted(publication)
    crawl = Crawl.objects.filter(publication=publication).order_by("-pk").first()
    left_out = crawl_choice(crawl, address.url) if crawl else None
    if crawl is not None and left_out is not None and not left_out.accepted:
        sentence += f" Crawl {crawl.pk} took no such address: {left_out.reason}."
        more.append(step_of(f"Crawl {crawl.pk}", StepState.REFUSED, left_out.reason))
        link = mends.of_crawl(crawl)
    decision = policy(host).allows(address.url) if host and host.robots_fetched_at else None
    if host is not None and decision is not None and not decision.allowed:
        sentence += f" It would be forbidden by {decision.reason}."
        more.append(step_of("robots.txt", StepState.REFUSED, decision.reason))
        link = mends.of_robots(host)
    elif decision is not None:
        more.append(step_of("robots.txt", StepState.DONE, "would allow it"))
    return UrlHistory("warn", sentence, address.url, tuple(more), mends=(link,))


def _publication_at(host: Host) -> Publication | None:
    """Find a publication by its feeds, else by its pages: feeds often have another host."""
    by_feeds = Publication.objects.filter(feeds__page__host=host).first()
    if by_feeds is not None:
        return by_feeds
    # In the order of the index of a host's pages, so that one row is read.
    pages = Page.objects.filter(host=host).select_related("publication")
    page = pages.order_by("purpose", "due_at", "pk").first()
    return page.publication if page else None


def _of_a_link(seen: SeenLink, address: CanonicalUrl) -> UrlHistory:
    """Say on which index page an address is linked, and why it was not taken as a story."""
    steps = (
        TimelineStep("Linked", StepState.DONE, seen.seen_at, (f"on {seen.page_url}",)),
        step_of("Taken as a story", StepState.REFUSED, seen.reason),
    )
    sentence = f"Not collected: seen on {seen.page_url}, but not taken: {seen.reason}."
    links = (mends.of_patterns(seen.publication),) if seen.publication else ()
    return UrlHistory("warn", sentence, address.url, steps, mends=links)


def _of_a_crawl(address: CrawlAddress) -> UrlHistory:
    """Say that a crawl found an address and has not let it into the frontier."""
    crawl = address.crawl
    place = f"found on {address.found_on}" if address.found_on else "given as a seed"
    state = crawl.get_state_display().lower()
    steps = (
        TimelineStep(
            "Found by a crawl", StepState.DONE, address.found_at, (f"crawl {crawl.pk}", place)
        ),
        step_of(
            "Let into the frontier", StepState.WAITING, f"the crawl is {state}", crawl.end_reason
        ),
    )
    if crawl.is_open:
        n_before = n_before_in_crawl(address)
        before = before_words(
            min(n_before, MOST_COUNTED), " of the crawl’s pool", is_more=n_before > MOST_COUNTED
        )
        queued = step_of("In the queue", StepState.WAITING, before)
        return UrlHistory(
            "info",
            f"Not collected yet: it waits in crawl {crawl.pk}.",
            address.url,
            (*steps, queued),
            mends=(mends.of_crawl(crawl),),
        )
    reason = crawl.end_reason or state
    sentence = f"Not collected: crawl {crawl.pk} had ended before its turn: {reason}."
    return UrlHistory("warn", sentence, address.url, steps, mends=(mends.of_crawl(crawl),))


def _article(page: Page) -> Article | None:
    rows = Article.objects.select_related("publication", "page__publication", "page__host")
    return rows.filter(page=page).first()


def _stored(page: Page, article: Article) -> UrlHistory:
    indexed = IndexedArticle.objects.filter(article=article, n_tokens__gt=0).exists()
    original = original_of(article) if article.in_corpus else None
    links = tuple(mends.of_article(article, original))
    if not article.in_corpus:
        tone, sentence = "warn", f"Collected, but not in the corpus: {article.reason.rstrip('.')}."
    elif indexed and original is not None:
        tone = "ok"
        sentence = (
            "Collected and searchable, as a copy: searches that count copies once show"
            f" “{original}” of {original.publication.name} in its place."
        )
    elif indexed:
        tone, sentence = "ok", "Collected and searchable."
    else:
        tone, sentence = "info", "Collected; it becomes searchable when its last stages are done."
    return UrlHistory(tone, sentence, page.url, tuple(timeline(article)), page, article, links)


def _verdict(page: Page, steps: tuple[TimelineStep, ...]) -> tuple[str, str]:
    """Tone and sentence of a page without an article: the last refusal decides."""
    kind = PageKind(page.kind)
    if kind in KIND_SENTENCES:
        return "info", KIND_SENTENCES[kind]
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
