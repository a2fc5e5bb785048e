"""What the pages of one slice lead to gets into the pool at once, each address once."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from integration.feeds.crawls.crawling import HOME, NOW, begin, go_on, links, pool
from integration.feeds.newspapers import LEASE, crawl, make_paper
from integration.feeds.origin import page

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawls import crawl_slices
from feeds.crawls import pool as crawl_pool
from feeds.crawls.links import FoundAddress
from feeds.crawls.pool import Finds, add_found
from feeds.models import AddressRole, CrawlAddress, UrlPolicy
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.usefixtures("through_our_web")]


@pytest.fixture
def paper():
    return make_paper(NOW)


def found(*paths):
    return [FoundAddress(canonicalize(f"{HOME}{path}"), AddressRole.ARTICLE) for path in paths]


def test_what_two_pages_name_is_new_of_the_first(paper):
    row = begin(paper, HOME)
    (seed,) = row.addresses.all()
    seed.snapshot_at = NOW

    n_new = add_found(row, [Finds(seed, found("a", "b", "")), Finds(seed, found("b", "c"))], NOW)

    assert n_new == [2, 1]
    assert row.n_known == 4
    assert pool(row) == {"": "page", "a": "story", "b": "story", "c": "story"}
    child = row.addresses.get(url=f"{HOME}a")
    assert bytes(child.digest) == sha256(b"karoo.example/a").digest()[:20]
    assert (child.host, child.depth, child.found_on) == ("karoo.example", 1, HOME)
    assert (child.found_at, child.snapshot_at, child.page, child.n_links) == (NOW, NOW, None, None)


def test_pool_takes_no_more_than_its_limit(paper, monkeypatch):
    monkeypatch.setattr(crawl_pool, "MAX_ADDRESSES", 3)
    row = begin(paper, HOME)
    (seed,) = row.addresses.all()

    n_new = add_found(row, [Finds(seed, found("a")), Finds(seed, found("b", "c"))], NOW)

    assert (n_new, row.n_known) == ([1, 1], 3)
    assert CrawlAddress.objects.count() == 3


def test_statements_of_a_slice_do_not_grow_with_its_pages(web, paper):
    def n_statements(n_pages):
        stories = [f"story-{n_pages}-{n}-of-the-karoo" for n in range(n_pages)]
        home = f"home-{n_pages}/"
        web.routes[f"/{home}"] = links(*stories)
        for story in stories:
            web.routes[f"/{story}"] = page(f'<a href="/further-{story}">x</a>')
        row = begin(paper, f"{HOME}{home} 100", policy=UrlPolicy.ALL, max_depth=2)
        now = go_on(2, NOW + timedelta(hours=n_pages))
        for _ in stories:
            now += crawl_slices.PAUSE
            crawl(now)
        with CaptureQueriesContext(connection) as queries:
            crawl_slices.run(5, Claim("tester", now, LEASE))
        assert row.addresses.filter(depth=2).count() == n_pages
        return len(queries)

    assert n_statements(2) == n_statements(12)
