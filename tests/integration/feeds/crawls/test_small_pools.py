"""Pools of millions in few bytes: their indexes, and how databases of before get these."""

import pytest
from django.db import connection
from integration.feeds.crawls.crawling import HOME, NOW, begin
from integration.feeds.newspapers import make_paper
from killed_work import is_killed_at
from migration_steps import steps

from feeds import migrating
from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawls.links import FoundAddress
from feeds.crawls.pool import Finds, add_found
from feeds.models import AddressRole, CrawlAddress

pytestmark = pytest.mark.sql

FORMER = [("feeds", "0033_records_by_reference")]
LEAN = [("feeds", "0036_families_of_crawls")]
POOLS_BY_DIGEST = ("feeds", "0037_pools_by_digest")
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
    add_found(row, [Finds(seed, found(n_addresses))], NOW)
    return row


def found(n_addresses):
    urls = (f"{HOME}story-{n}-of-the-karoo" for n in range(n_addresses))
    return [FoundAddress(canonicalize(url), AddressRole.ARTICLE) for url in urls]


def plainly(rows):
    """Digests as bytes, which PostgreSQL gives as memory."""
    return [row | {"digest": bytes(row["digest"])} for row in rows]


def shown(row):
    return plainly(row.addresses.order_by("pk").values())


class BreakOff:
    """Lets so many batches of addresses be written, and then none."""

    def __init__(self, n_batches):
        self.n_left = n_batches

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("INSERT INTO") and "_former" in sql:
            self.n_left -= 1
            if self.n_left < 0:
                raise ConnectionAbortedError
        return execute(sql, params, many, context)


def tables_of_addresses():
    named = connection.introspection.table_names()
    return {name for name in named if "crawladdress" in name}


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
    leaves = steps().loader.graph.leaf_nodes()
    steps().migrate(FORMER)
    former, place = indexes_of_addresses(), place_of_the_table()

    steps().migrate(LEAN)

    today, place_today = indexes_of_addresses(), place_of_the_table()
    steps().migrate(leaves)
    assert former >= {"crawladdress_next"}
    assert (today, place_today) == (INDEXES, place)


@pytest.mark.django_db(transaction=True)
def test_a_pool_of_before_keeps_its_rows_and_is_known_by_digests_of_its_keys():
    row = filled_pool(5)
    CrawlAddress.objects.filter(url__contains="story-3").update(
        url=f"{HOME}story-3-of-the-karoo?utm_source=x", followed_at=NOW, n_links=3
    )
    rows = list(row.addresses.order_by("pk").values())
    leaves = steps().loader.graph.leaf_nodes()
    executor = steps()
    executor.migrate(LEAN)
    addresses = executor.loader.project_state(LEAN).apps.get_model("feeds", "CrawlAddress").objects
    keys = list(addresses.order_by("pk").values_list("key", flat=True))

    steps().migrate(leaves)

    assert keys == ["karoo.example/"] + [f"karoo.example/story-{n}-of-the-karoo" for n in range(5)]
    assert indexes_of_addresses() == INDEXES
    assert plainly(row.addresses.order_by("pk").values()) == plainly(rows)
    assert add_found(row, [Finds(row.addresses.get(url=HOME), found(5))], NOW) == [0]


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_is_killed_anywhere_goes_on_where_it_stood(monkeypatch):
    """At every third statement; after the last only the record of the migration is missing."""
    monkeypatch.setattr(migrating, "ROWS_A_BATCH", 2)
    row = filled_pool(5)
    rows, leaves = shown(row), steps().loader.graph.leaf_nodes()
    executor = steps()
    executor.migrate(LEAN)
    before = steps().loader.project_state(LEAN)
    after = executor.loader.get_migration(*POOLS_BY_DIGEST).mutate_state(before)
    (operation,) = executor.loader.get_migration(*POOLS_BY_DIGEST).operations
    keyed, outcomes, n_statements = indexes_of_addresses(), [], 0

    def forwards():
        with connection.schema_editor(atomic=False) as editor:
            operation.database_forwards("feeds", editor, before, after)

    while is_killed_at(n_statements, forwards):
        forwards()
        outcomes.append((shown(row), indexes_of_addresses(), tables_of_addresses()))
        with connection.schema_editor(atomic=False) as editor:
            operation.database_backwards("feeds", editor, after, before)
        assert indexes_of_addresses() == keyed
        n_statements += 3
    steps().migrate(leaves)

    assert n_statements > 15
    assert outcomes == [(rows, INDEXES, {CrawlAddress._meta.db_table})] * (n_statements // 3)
    assert add_found(row, [Finds(row.addresses.get(url=HOME), found(7))], NOW) == [2]
    assert shown(row)[:6] == rows


@pytest.mark.django_db(transaction=True)
def test_batches_that_were_written_stay_written(monkeypatch):
    monkeypatch.setattr(migrating, "ROWS_A_BATCH", 2)
    row = filled_pool(5)
    leaves = steps().loader.graph.leaf_nodes()
    steps().migrate(LEAN)

    def copied(n_statements):
        """Tell how many rows are there once the n-th batch cannot be written."""
        with (
            connection.execute_wrapper(BreakOff(n_statements)),
            pytest.raises(ConnectionAbortedError),
        ):
            steps().migrate(leaves)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM feeds_crawladdress")
            return cursor.fetchone()[0]

    assert [copied(n_batches) for n_batches in (1, 1)] == [2, 4]
    steps().migrate(leaves)
    assert row.addresses.count() == 6


@pytest.mark.django_db
def test_what_waits_of_a_host_is_read_from_the_index_in_its_order():
    row = filled_pool(2_000)
    waiting = CrawlAddress.objects.filter(crawl=row, released_at=None, seed=0, host="karoo.example")
    chosen = waiting.order_by("depth")

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE feeds_crawladdress")
    first = list(chosen.values_list("depth", "url")[:21])
    plan = chosen[:20].explain()

    assert first[0] == (0, HOME)
    assert len(set(first)) == 21
    assert {depth for depth, _ in first[1:]} == {1}  # these among themselves as the table has them
    assert "crawladdress_waits" in plan
    assert "SORT" not in plan.upper().replace("TEMP B-TREE FOR ORDER BY", "SORT")
