"""Rows that a sweep looks for, a range of a table at a time.

A sweep comes every few seconds for what hints have missed, so it may not read every row of a large
corpus each time. It looks at the newest rows, where hints are lost most often, and at one range of
all the others by primary key; the next sweep takes the next range. A process starts at the first
row, and a table of up to a range is looked at whole each time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q, QuerySet

# Some 12 ms a table; a million rows are gone through in 100 minutes of sweeps.
RANGE_ROWS = 2_500
NEWEST_ROWS = 2_000

# After which row the next range begins, per question; each process goes its own round.
_round: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Question:
    """Rows of one table, and the field that holds the key of what each stands for."""

    name: str
    model: type[Model]
    condition: Q
    field: str


def find(limit: int, *questions: Question) -> list[int]:
    """Return up to `limit` keys that answer the questions, each once, in the questions' order."""
    found: dict[int, None] = {}
    for question in questions:
        stop = _range_end(question)
        for part in _ranges(question, stop):
            rows = part.filter(question.condition).order_by()
            keys = rows.values_list(question.field, flat=True)[: limit - len(found)]
            found.update(dict.fromkeys(keys))
        if len(found) >= limit:
            break
        _round[question.name] = stop or 0  # where the next sweep begins: there, or from the start
    return list(found)


def _ranges(question: Question, stop: int | None) -> Iterator[QuerySet[Any]]:
    """Yield the newest rows, and those whose turn it is."""
    rows: QuerySet[Any] = question.model._default_manager.all()
    after = _round.get(question.name, 0)
    newest = rows.order_by("-pk").values_list("pk", flat=True)[NEWEST_ROWS : NEWEST_ROWS + 1]
    recent = next(iter(newest), 0)
    if recent > after:
        yield rows.filter(pk__gt=recent)
    yield rows.filter(pk__gt=after) if stop is None else rows.filter(pk__gt=after, pk__lte=stop)


def _range_end(question: Question) -> int | None:
    """Return the last row of the range, None when it goes to the end of the table."""
    rows: QuerySet[Any] = question.model._default_manager.filter(
        pk__gt=_round.get(question.name, 0)
    )
    last = rows.order_by("pk").values_list("pk", flat=True)[RANGE_ROWS - 1 : RANGE_ROWS]
    return next(iter(last), None)
