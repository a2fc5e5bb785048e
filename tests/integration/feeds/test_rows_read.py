"""Claims and sweeps read few rows, however long the lists are.

The plans of PostgreSQL tell how many rows each query read. The tables are small and skewed: one
host holds nearly all that waits, all of it due at one moment, and far more is at rest.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from integration.feeds.newspapers import make_paper

from feeds import revisits
from feeds.frontier import claim_turns
from feeds.models import Host, Page, PageKind, PublicationState, VisitPurpose
from feeds.work import leases
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TERMS = Claim("one", NOW, timedelta(seconds=60))
N_WAITING = 2000  # in the long list
N_AT_REST = 4000
N_HOSTS = 100  # with one page that is due
# For a few hosts or pages: those themselves, with what belongs to each; no list is that short.
MOST_ROWS = 300
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def skewed():
    if connection.vendor != "postgresql":
        pytest.skip("the plans of PostgreSQL tell the rows that were read")
    paper = make_paper(NOW)
    hosts = Host.objects.bulk_create(
        Host(name=f"h{n}.example", next_at=NOW - timedelta(hours=2)) for n in range(N_HOSTS)
    )

    def add(n, name, host, **columns):
        Page.objects.bulk_create(
            Page(
                url=f"http://h/{name}/{i}", key=f"h/{name}/{i}", kind=PageKind.ARTICLE,
                host=host(i), publication=paper, found_at=NOW - timedelta(days=1), **columns,
            )
            for i in range(n)
        )  # fmt: skip

    add(N_WAITING, "due", lambda _: hosts[0], due_at=NOW)
    add(N_HOSTS, "one", lambda i: hosts[i], due_at=NOW)
    add(N_AT_REST, "done", lambda i: hosts[i % N_HOSTS], outcome="ok", visited_at=NOW)
    add(N_WAITING, "gone", lambda i: hosts[i % N_HOSTS], outcome="not_found", quarantined_at=NOW)
    later = NOW + timedelta(days=3)
    add(N_WAITING, "later", lambda _: hosts[1], due_at=later, purpose=VisitPurpose.PLANNED)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        # Tables as small as these are read whole otherwise, and rightly so.
        cursor.execute("SET LOCAL enable_seqscan = off")


def rows_read(work):
    """Run something and give the rows that its queries read, each explained before it runs."""
    read = []

    def explain(execute, sql, params, many, context):
        if sql.split(maxsplit=1)[0].strip("(") in {"SELECT", "WITH", "UPDATE"}:
            with transaction.atomic(), connection.connection.cursor() as cursor:
                cursor.execute("SAVEPOINT explained")
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                plan = cursor.fetchone()[0]
                cursor.execute("ROLLBACK TO SAVEPOINT explained")
            plan = json.loads(plan) if isinstance(plan, str) else plan
            read.append((sum_of(plan[0]["Plan"]), sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        work()
    assert read, "nothing was asked"
    return max(read)


def sum_of(node):
    own = 0
    if "Scan" in node["Node Type"]:
        removed = node.get("Rows Removed by Filter", 0) + node.get(
            "Rows Removed by Index Recheck", 0
        )
        own = (node["Actual Rows"] + removed) * node["Actual Loops"]
    return own + sum(map(sum_of, node.get("Plans", ())))


@pytest.mark.parametrize(
    "work",
    [
        lambda: claim_turns(5, 1, TERMS),
        lambda: claim_turns(5, 8, TERMS),
        lambda: leases.claim(Page.objects.all(), 20, TERMS),
        lambda: leases.quarantine_exhausted(Page, NOW),
        lambda: revisits.pending(1000, NOW),
    ],
    ids=["hosts", "hosts without delay", "pages", "exhausted", "late visits"],
)
def test_few_rows_are_read(skewed, work):
    n_rows, sql = rows_read(work)
    assert n_rows <= MOST_ROWS, sql


def test_hosts_at_rest_are_not_read(skewed):
    """Those of a paused paper too, however many of their pages are due."""
    paused = make_paper(NOW, name="Idle", slug="idle", state=PublicationState.PAUSED)
    hosts = Host.objects.bulk_create(
        Host(name=f"idle{n}.example", next_at=NOW - timedelta(hours=9)) for n in range(N_HOSTS)
    )
    Page.objects.bulk_create(
        Page(
            url=f"http://i/{i}", key=f"i/{i}", kind=PageKind.ARTICLE, host=hosts[i % N_HOSTS],
            publication=paused, found_at=NOW, due_at=NOW,
        )
        for i in range(N_WAITING)
    )  # fmt: skip
    before, _ = rows_read(lambda: claim_turns(5, 1, TERMS))
    after, sql = rows_read(lambda: claim_turns(5, 1, TERMS))
    assert before > MOST_ROWS
    assert after <= MOST_ROWS, sql
