"""What tests of the crawl share: papers behind a proxy that is the test's own origin."""

from datetime import timedelta

from integration.feeds.origin import Answer, answer

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.slugs import slug
from feeds.fetch import FETCHED, run
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, Page, PageKind, Publication, PublicationState
from feeds.work.batches import Report
from feeds.work.leases import Claim

LEASE = timedelta(seconds=60)


def make_paper(now, **changes) -> Publication:
    values = {
        "name": "Karoo Courier",
        "slug": "karoo-courier",
        "home_url": "http://karoo.example/",
        "state": PublicationState.ACTIVE,
        "created_at": now,
    }
    return Publication.objects.create(**values | changes)


def add_page(paper: Publication, url: str, now, kind=PageKind.ARTICLE) -> Page:
    address = canonicalize(url)
    new = NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=kind,
        publication_id=paper.pk,
        slug=slug(url),
        due_at=now,
    )
    return Page.objects.get(pk=add_pages([new], now).ids[address.key])


def add_feed(paper: Publication, url: str, now) -> Feed:
    page = add_page(paper, url, now, PageKind.FEED)
    return Feed.objects.create(publication=paper, page=page, created_at=now)


def crawl(now, owner="tester", limit=50) -> Report:
    return run(limit, Claim(owner, now, LEASE))


def fetched(report: Report) -> dict[str, int]:
    """Count the fetches of a report by their outcome."""
    return {
        name.removeprefix(FETCHED): n for name, n in report.done.items() if name.startswith(FETCHED)
    }


def rss(*items: tuple[str, str], **headers: str) -> Answer:
    """Answer with a feed of (url, guid) items; header names are given with underscores."""
    entries = "".join(
        f"<item><title>Story {url[-1]}</title><link>{url}</link>"
        f"<guid isPermaLink='false'>{guid}</guid></item>"
        for url, guid in items
    )
    body = f"<rss version='2.0'><channel><title>Karoo News</title>{entries}</channel></rss>"
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return answer(body.encode(), 200, (("Content-Type", "application/rss+xml"), *pairs))
