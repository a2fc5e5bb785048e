"""Pools of millions in few bytes: their indexes, and how databases of before get these."""

import pytest
from django.db import connection
from integration.feeds.crawls.crawling import HOME, NOW, begin
from integration.feeds.newspapers import make_paper
from migration_steps import steps

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawls.links import FoundAddress
from feeds.crawls.pool import Finds, add_found
from feeds.models import AddressRole, CrawlAddress

pytestmark = pytest.mark.sql

FORMER = [("feeds", "0033_records_by_reference")]
INDEXES = {
    "crawladdress_of_host",
    "crawladdress_of_page",
    "crawladdress_page",
    "crawladdress_under_way",
    "crawladdress_waits",
}


def filled_pool(n_addresses):
    row = begin(make_paper(NOW), HOME)
    (seed,) = row.addresses.all()
    urls = (f"{HOME}story-{n}-of-the-karoo" for n in range(n_addresses))
    found = [FoundAddress(canonicalize(url), AddressRole.ARTICLE) for url in urls]
    add_found(row, [Finds(seed, found)], NOW)
    return row


def indexes_of_addresses():
    """Names of all indexes but those of constraints, whose names are the databases' own."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, CrawlAddress._meta.db_table)
    return {name for name, one in found.items() if one["index"] and not one["unique"]}


def place_of_the_table():
    """Tell where the rows of the table lie; elsewhere after they were written anew."""
    table = CrawlAddress._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT relfilenode FROM pg_class WHERE relname = %s", [table])
        else:
            cursor.execute("SELECT rootpage FROM sqlite_master WHERE name = %s", [table])
        return cursor.fetchone()


@pytest.mark.django_db(transaction=True)
def test_a_pool_of_before_gets_the_indexes_of_today_and_is_not_written_anew():
    row = filled_pool(5)
    rows = list(row.addresses.order_by("pk").values())
    leaves = steps().loader.graph.leaf_nodes()
    steps().migrate(FORMER)
    former, place = indexes_of_addresses(), place_of_the_table()

    steps().migrate(leaves)

    assert former >= {"crawladdress_next"}
    assert indexes_of_addresses() == INDEXES
    assert place_of_the_table() == place
    assert list(row.addresses.order_by("pk").values()) == rows


@pytest.mark.django_db
def test_what_waits_of_a_host_is_read_from_the_index_in_its_order():
    row = filled_pool(2_000)
    waiting = CrawlAddress.objects.filter(crawl=row, released_at=None, seed=0, host="karoo.example")
    chosen = waiting.order_by("depth")

    urls = list(chosen.values_list("url", flat=True)[:21])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE feeds_crawladdress")
    plan = chosen[:20].explain()

    assert urls == [HOME] + [f"{HOME}story-{n}-of-the-karoo" for n in range(20)]
    assert "crawladdress_waits" in plan
    assert "SORT" not in plan.upper().replace("TEMP B-TREE FOR ORDER BY", "SORT")
