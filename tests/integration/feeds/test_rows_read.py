"""Claims and sweeps read few rows, however long the lists are.

The plans of PostgreSQL tell how many rows each query read. The tables are small and skewed: one
host holds nearly all that waits, all of it due at one moment, and far more is at rest.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from integration.feeds.newspapers import make_paper
from rows_read import know_tables, rows_read

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
    know_tables()


def most_read(work):
    """Give the rows that the greediest query of some work read, and what it asked."""
    read = rows_read(work)
    assert read, "nothing was asked"
    return max(read)


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
    n_rows, sql = most_read(work)
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
    before, _ = most_read(lambda: claim_turns(5, 1, TERMS))
    after, sql = most_read(lambda: claim_turns(5, 1, TERMS))
    assert before > MOST_ROWS
    assert after <= MOST_ROWS, sql
