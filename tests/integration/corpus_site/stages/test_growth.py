"""No page, sweep or claim of the growth table reads more rows as a corpus grows older.

What `make bench-growth` measures, by the rows that PostgreSQL's plans say were read or by the steps
that SQLite took: of a corpus, and of one four times as old that collects as much a day.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import transaction
from rows_read import know_tables, rows_read

from dedup import recurring
from feeds import host_claims, status, table_admin
from feeds.watching import tallies
from feeds.work import rounds
from search.models import IndexedArticle, IndexedComment

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
import grow
import growth_costs

AGES = (1, 4)
N_ARTICLES, N_ADDRESSES, YEARS, FETCH_DAYS = 400, 4000, 1, 30  # at the age of one
MOST_GROWTH = 1.5
# Of lists that are too short to say anything: a page's rows with what belongs to each.
LEAST_ROWS = 400
pytestmark = [pytest.mark.django_db, pytest.mark.sql]
# Limits of what is looked at, each smaller than its table here, as in a large corpus; what is dear
# there is kept, and so is all here.
LIMITS = {
    (rounds, "RANGE_ROWS"): 50,
    (rounds, "NEWEST_ROWS"): 20,
    (table_admin, "MOST_LISTED"): 200,
    (status, "MOST_DUE_COUNTED"): 5,
    (recurring, "TEXTS_READ"): 5,
    (grow, "LEAST_PAPERS"): 10,
    (growth_costs, "HOSTS_A_CLAIM"): 10,
    (host_claims, "_SPARE"): 10,
    (tallies, "REST"): 10**6,
}


@pytest.fixture(autouse=True)
def limits(monkeypatch, settings):
    for (module, name), limit in LIMITS.items():
        monkeypatch.setattr(module, name, limit)
    monkeypatch.setattr(rounds, "_round", {})  # of tables that are gone after the test
    settings.TALLY_DEAR_MS = 0
    settings.ALLOWED_HOSTS = ["127.0.0.1"]


def test_nothing_reads_more_rows_in_an_older_corpus():
    young, old = map(_read_at_age, AGES)
    grown = [
        f"{name}: {before} → {after}, {max(read)[0]} of them for {max(read)[1]}"
        for name, read in old.items()
        if (after := _sum(read)) > max(LEAST_ROWS, MOST_GROWTH * (before := _sum(young[name])))
    ]
    assert not grown, "\n".join(grown)


def _sum(read):
    return sum(n_rows for n_rows, _ in read)


def _read_at_age(age):
    found = {}
    with transaction.atomic():
        size = grow.Size(age * N_ARTICLES, age * N_ADDRESSES, age * YEARS, age * FETCH_DAYS)
        grow.fill_tables(size, datetime.now(UTC))
        for model in (IndexedArticle, IndexedComment):
            model.objects.update(lease_owner="", lease_until=None)
        know_tables()
        for name, work in growth_costs.measured():
            if name.startswith(("first", "page")):
                work()  # which keeps figures
            found[name] = rows_read(work)
        transaction.set_rollback(True)
    return found
