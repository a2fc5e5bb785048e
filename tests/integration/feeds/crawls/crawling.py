"""What tests of crawls share: beginning one, letting it go on, and what it has found."""

from datetime import UTC, datetime, timedelta

from integration.feeds.newspapers import LEASE, crawl
from integration.feeds.origin import page

from feeds.crawler.addressing.seeds import parse_seeds
from feeds.crawls import crawl_slices, site_crawls
from feeds.crawls.site_crawls import NewCrawl
from feeds.models import CrawlKind
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOME = "http://karoo.example/"


def begin(paper, *lines, kind=CrawlKind.SITE, **changes):
    seeds = parse_seeds("\n".join(lines or [HOME]))
    return site_crawls.begin(NewCrawl(paper, kind, seeds, **changes), None, NOW, "Broadsheet")


def go_on(n_slices=1, now=NOW):
    """Let slices of crawls and visits to pages take turns; returns the moment of the last."""
    for _ in range(n_slices):
        now += timedelta(seconds=5)
        crawl_slices.run(5, Claim("tester", now, LEASE))
        crawl(now)
    return now


def pool(crawl_row):
    return {item.url.removeprefix(HOME): item.role for item in crawl_row.addresses.all()}


def links(*paths):
    urls = (path if "://" in path else f"/{path}" for path in paths)
    return page("".join(f'<a href="{url}">A story of the Karoo</a>' for url in urls))
