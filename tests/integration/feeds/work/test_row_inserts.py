from datetime import UTC, datetime

import pytest

from feeds.models import Host, Tombstone
from feeds.work.row_inserts import insert_new_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def test_rows_are_those_of_bulk_create_and_known_ones_stay(monkeypatch):
    Tombstone.objects.create(digest="b", made_at=NOW.replace(year=2020))
    monkeypatch.setattr("feeds.work.row_inserts._MAX_VALUES", 4)  # two rows a statement

    insert_new_rows(Tombstone, {"made_at": NOW}, ["digest"], [("a",), ("b",), ("c",), ("a",)])

    rows = Tombstone.objects.order_by("digest").values_list("digest", "made_at__year")
    assert list(rows) == [("a", 2026), ("b", 2020), ("c", 2026)]


def test_columns_that_are_not_named_get_their_defaults():
    made = Host.objects.bulk_create([Host(name="a.example", next_at=NOW)])[0]

    insert_new_rows(Host, {"next_at": NOW}, ["name"], [("b.example",)])

    columns = [
        field.attname for field in Host._meta.concrete_fields if field.name not in {"id", "name"}
    ]
    kept = Host.objects.filter(name="b.example").values_list(*columns).get()
    assert kept == Host.objects.filter(pk=made.pk).values_list(*columns).get()


def test_nothing_is_asked_for_no_rows(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert_new_rows(Tombstone, {"made_at": NOW}, ["digest"], [])
