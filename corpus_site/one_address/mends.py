"""Where what keeps an address out can be looked at or changed: links beside the answer.

A page of the frontier, or what is known instead of one → links, each for those who may open it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from extraction.models import Article, ArticleKind
from feeds.models import Crawl, Host, Page, PageKind, Publication
from search.articles.timeline import StepState, TimelineStep

_MAY_CHANGE = "feeds.change_publication"


@dataclass(frozen=True, slots=True)
class Mend:
    """A link; `permission` is what its page asks for, empty where every reader may open it."""

    label: str
    address: str
    permission: str = ""


def of_patterns(publication: Publication) -> Mend:
    """Lead to the patterns of a publication."""
    address = reverse("source-settings", args=[publication.slug])
    return Mend(f"Change the patterns of {publication.name}", address, _MAY_CHANGE)


def of_robots(host: Host) -> Mend:
    """Lead to what a host allows; only its owner can change it."""
    return Mend(f"Read the robots.txt of {host.name}", reverse("host", args=[host.name]))


def of_nobody(address: str) -> Mend:
    """Lead an address of an unknown host to the wizard."""
    query = urlencode({"address": address})
    return Mend("Add its publication", f"{reverse('source-add')}?{query}", "feeds.add_publication")


def of_crawl(crawl: Crawl) -> Mend:
    return Mend(f"Open crawl {crawl.pk}", reverse("crawl", args=[crawl.pk]))


def of_unlisted(publication: Publication) -> Mend:
    """Lead to a crawl, which finds what no feed lists."""
    query = urlencode({"pub": publication.slug})
    address = f"{reverse('crawl-new')}?{query}"
    return Mend(f"Crawl {publication.name} for what feeds do not list", address, "feeds.add_crawl")


def of_article(article: Article, original: Article | None) -> Iterator[Mend]:
    """Lead from a copy to its original, from an article left out to what would take it."""
    if original is not None:
        yield Mend("Open the original", reverse("article", args=[original.pk]))
    if not article.in_corpus and article.withdrawn_at is None:
        # The button is on the article's page.
        address = reverse("article", args=[article.pk])
        yield Mend("Take it anyway, on its page", address, "extraction.change_articlecorrection")
        name = article.publication.name
        if article.kind == ArticleKind.SHORT and article.page_id is not None:
            rules = reverse("rules", args=[article.publication.slug])
            address = f"{rules}?{urlencode({'article': article.pk, 'propose': 1})}"
            yield _of_rules(name, address)
        settings = reverse("source-settings", args=[article.publication.slug])
        yield Mend(f"Change what {name} takes", settings, _MAY_CHANGE)


def of_page(page: Page, steps: Sequence[TimelineStep]) -> Iterator[Mend]:
    """Lead to what the last refusal on a page's way is about, and a waiting page to its queue."""
    if page.kind == PageKind.INDEX:
        yield of_patterns(page.publication)
        return
    refused = [step.name for step in steps if step.state is StepState.REFUSED]
    waits = [step.name for step in steps if step.state is StepState.WAITING]
    if refused:
        yield from _of_refusal(refused[-1], page)
    elif "In the queue" in waits:
        address = reverse("host", args=[page.host.name])
        yield Mend(f"See what {page.host.name} is asked for", address)


def _of_refusal(step: str, page: Page) -> Iterator[Mend]:
    publication, host = page.publication, page.host
    if step == "Publication":
        yield Mend(
            f"Open {publication.name} to resume it", reverse("source", args=[publication.slug])
        )
    elif step == "Host":
        yield Mend(f"Open {host.name} to release it", reverse("host", args=[host.name]))
    elif step == "robots.txt":
        yield of_robots(host)
    elif step == "Extracted":
        address = reverse("rules", args=[publication.slug])
        yield _of_rules(publication.name, address)
    elif page.quarantined_at is not None:
        address = f"{reverse('stage', args=['fetch'])}?{urlencode({'state': 'quarantined'})}"
        yield Mend("Try it again among what was put aside", address)


def _of_rules(name: str, address: str) -> Mend:
    return Mend(f"Write a rule for pages of {name}", address, "extraction.change_siterule")
