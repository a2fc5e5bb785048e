"""Statements that are written once and run with other values each time.

Django writes the text of a query anew whenever it is asked: for one claim of a host that took three
quarters of its processor time. Here a query is written with placeholders, its text is kept, and
values are put in when it runs. The conditions stay those of the querysets that are used elsewhere.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import DateTimeField, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.sql import UpdateQuery

# Where the keys stand in the text; no name of ours holds it.
_KEYS = "{keys}"


@dataclass(frozen=True, slots=True)
class _Named:
    """A parameter whose value is known when the statement runs."""

    name: str


def placeholder(name: str) -> RawSQL:
    """Stand for a moment that is known when the statement runs."""
    return RawSQL("%s", (_Named(name),), DateTimeField())


def keys_placeholder() -> RawSQL:
    """Stand for the primary keys of the rows in question, in `pk__in`."""
    return RawSQL(_KEYS, ())  # noqa: S611 (as above)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The text of a query on the one database, with its parameters, placeholders among them."""

    text: str
    parameters: tuple[Any, ...]
    table: str = ""

    @classmethod
    def of(cls, query: QuerySet[Any, Any]) -> "Prepared":
        """Write a query; keep what comes back, it is as good for every other value."""
        with transaction.atomic(savepoint=False):  # Django locks no rows outside of one
            text, parameters = query.query.sql_with_params()
        return cls(text, tuple(parameters), query.model._meta.db_table)

    @classmethod
    def of_update(cls, rows: QuerySet[Any, Any], **values: Any) -> "Prepared":
        """Write an update of rows, as `QuerySet.update` does, for `run`."""
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(values)
        with transaction.atomic(savepoint=False):
            text, parameters = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        return cls(text, tuple(parameters))

    def run(self, keys: Collection[int] = (), **moments: Any) -> int:
        """Run an update; returns how many rows were written."""
        with connection.cursor() as cursor:
            cursor.execute(*self.bound(keys, **moments))
            return int(cursor.rowcount)

    def bound(self, keys: Collection[int] = (), **moments: Any) -> tuple[str, list[Any]]:
        """Give text and parameters with values for all placeholders.

        Parameters
        ----------
        keys
            Primary keys for `keys_placeholder`; of none, no row is meant.
        moments
            Aware datetimes by the names of their placeholders.

        Raises
        ------
        KeyError
            If a placeholder has no value.
        """
        adapt = connection.ops.adapt_datetimefield_value
        values = {name: adapt(moment) for name, moment in moments.items()}
        parameters = [
            values[one.name] if isinstance(one, _Named) else one for one in self.parameters
        ]
        listed = ", ".join(str(int(key)) for key in keys) or "NULL"
        return self.text.replace(_KEYS, listed), parameters

    def rows(self, keys: Collection[int] = (), **moments: Any) -> list[tuple[Any, ...]]:
        """Run the query; a tuple a row, its columns as the database's driver gives them."""
        with connection.cursor() as cursor:
            cursor.execute(*self.bound(keys, **moments))
            return list(cursor.fetchall())

    def update(
        self,
        assignments: str,
        values: Collection[Any],
        keys: Collection[int] = (),
        **moments: Any,
    ) -> list[int]:
        """Update the rows whose primary keys the query chooses; returns these keys, in no order.

        `assignments` is the text behind SET with a %s for each of `values`, never a user's words.
        The choice is made once, in a materialised table expression: as a plain `IN (SELECT … LIMIT
        n FOR UPDATE SKIP LOCKED)` PostgreSQL may run it anew for each row of the table, where it
        skips what this statement has updated already and lets more than n rows through.
        """
        choice, parameters = self.bound(keys, **moments)
        with connection.cursor() as cursor:
            cursor.execute(
                f"WITH chosen (id) AS MATERIALIZED ({choice})"  # noqa: S608 (no value of a user's in the text)
                f" UPDATE {connection.ops.quote_name(self.table)} SET {assignments}"
                f" WHERE id IN (SELECT id FROM chosen) RETURNING id",
                [*parameters, *values],
            )
            return [row[0] for row in cursor.fetchall()]
