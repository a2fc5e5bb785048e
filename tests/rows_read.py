"""Counts the rows that queries read, by PostgreSQL's own plans of them."""

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


def know_tables() -> None:
    """Let the planner know what the tables hold."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def rows_read(work: Callable[[], object]) -> list[tuple[int, str]]:
    """Run something and give the rows that each of its queries read, and what it asked.

    Each is explained before it runs; what it wrote then is undone.
    """
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


def _read_by(node: dict[str, Any]) -> int:
    own = 0
    if "Scan" in node["Node Type"]:
        removed = node.get("Rows Removed by Filter", 0) + node.get(
            "Rows Removed by Index Recheck", 0
        )
        own = (node["Actual Rows"] + removed) * node["Actual Loops"]
    return own + sum(map(_read_by, node.get("Plans", ())))
