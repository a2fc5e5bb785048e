"""Counts the rows that queries read, by PostgreSQL's own plans of them, or by SQLite's steps."""

import json
from collections.abc import Callable
from typing import Any

from django.db import connection

_EXPLAINED = frozenset({"SELECT", "WITH", "UPDATE", "DELETE"})


# Tables of a test are small, and rightly read whole: here a row costs more than all else.
_AS_OF_LARGE_TABLES = """
SET LOCAL enable_seqscan = off;
SET LOCAL cpu_tuple_cost = 10;
SET LOCAL cpu_index_tuple_cost = 5
"""


# Instructions of SQLite's machine that a row of a join takes, and how often they are counted.
_STEPS_A_ROW, _COUNTED_EVERY = 20, 20


def know_tables() -> None:
    """Let the planner know what the tables hold; an SQLite in use is never analysed."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def rows_read(work: Callable[[], object]) -> list[tuple[int, str]]:
    """Run something and give the rows that each of its queries read, and what it asked.

    PostgreSQL explains each before it runs; what it wrote then is undone.
    """
    if connection.vendor != "postgresql":
        return _rows_of_steps(work)
    read: list[tuple[int, str]] = []

    def explain(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.split(maxsplit=1)[0].strip("(") in _EXPLAINED:
            with connection.connection.cursor() as cursor:
                cursor.execute(f"SAVEPOINT explained; {_AS_OF_LARGE_TABLES}")
                cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
                plan = cursor.fetchone()[0]
                cursor.execute("ROLLBACK TO SAVEPOINT explained")
            plan = json.loads(plan) if isinstance(plan, str) else plan
            read.append((_read_by(plan[0]["Plan"]), sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        work()
    return read


def _rows_of_steps(work: Callable[[], object]) -> list[tuple[int, str]]:
    asked = ["before the first"]
    n_counted = [0]

    def begin(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        n_counted.append(0)
        return execute(sql, params, many, context)

    def count() -> int:
        n_counted[-1] += 1
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(count, _COUNTED_EVERY)
    try:
        with connection.execute_wrapper(begin):
            work()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return [
        (n * _COUNTED_EVERY // _STEPS_A_ROW, sql) for n, sql in zip(n_counted, asked, strict=True)
    ]


def _read_by(node: dict[str, Any]) -> int:
    own = 0
    if "Scan" in node["Node Type"]:
        removed = node.get("Rows Removed by Filter", 0) + node.get(
            "Rows Removed by Index Recheck", 0
        )
        own = (node["Actual Rows"] + removed) * node["Actual Loops"]
    return own + sum(map(_read_by, node.get("Plans", ())))
