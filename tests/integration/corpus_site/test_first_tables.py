"""A first start makes all tables at once: the same that every step since the first release made."""

import pytest
from django.core.management import call_command
from django.db import connection
from migration_steps import empty_database, steps

# Of the second release: from here on the last steps go the ordinary way.
FORMER = [
    ("feeds", "0008_publication_paused_at"),
    ("extraction", "0008_evaluation"),
]


def tables():
    """Columns and constraints of every table, in no order: columns were added over time."""
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            columns = connection.introspection.get_table_description(cursor, name)
            constraints = connection.introspection.get_constraints(cursor, name)
            found[name] = (
                {(one.name, one.type_code, one.null_ok, one.default) for one in columns},
                # SQLite numbers its foreign keys as they come.
                {
                    (key.rstrip("0123456789"), *sorted(map(str, one.items())))
                    for key, one in constraints.items()
                },
            )
    return found


@pytest.mark.django_db(transaction=True)
def test_older_database_gets_the_tables_of_a_first_start(tmp_path):
    first = tables()
    with empty_database(tmp_path):
        steps().migrate(FORMER)
        call_command("migrate", verbosity=0)
        upgraded = tables()

    assert upgraded.keys() == first.keys()
    assert {name for name in first if upgraded[name] != first[name]} == set()
