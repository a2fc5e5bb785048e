"""Whoever makes a row of work due says so by `reschedule`: an UPDATE of its own would be lost."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[3]
APPS = ("corpus_site", "dedup", "extraction", "feeds", "presentation", "search")
# The one place that does it, and who closes leases.
ALLOWED = {"feeds/models/work.py", "feeds/work/leases.py"}


def writes_of_due_at(source: str) -> list[int]:
    """Lines that write `due_at` into rows that are there already."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [
        call.lineno
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and (
            (call.func.attr == "update" and "due_at" in {word.arg for word in call.keywords})
            or (call.func.attr in {"bulk_update", "save"} and "'due_at'" in ast.unparse(call))
        )
    ]


def test_due_at_is_written_in_one_place():
    files = (path for app in APPS for path in (ROOT / app).rglob("*.py"))
    found = {
        f"{name}:{line}"
        for path in files
        if "migrations" not in path.parts
        and (name := path.relative_to(ROOT).as_posix()) not in ALLOWED
        for line in writes_of_due_at(path.read_text())
    }

    assert found == set()


def test_writes_are_found():
    lines = (
        "rows.update(due_at=now)",
        "rows.bulk_update(x, ['due_at'])",
        "row.save(update_fields=['due_at'])",
        "rows.filter(due_at=None).reschedule(now)",
    )

    assert writes_of_due_at("\n".join(lines)) == [1, 2, 3]
