"""`{% load tables %}`: cells of `search.result_table` written as the house writes numbers.

{{ cell|written:column }}
"""

from datetime import date, datetime

from django import template

from corpus_site import wording
from search.result_table import Cell, Column, ColumnKind

register = template.Library()

_MEASURE_FIGURES = 3


@register.filter
def written(cell: Cell, column: Column) -> str:
    """Write a value by its column's kind; nothing is a dash."""
    value = cell.value
    if value is None or value == "":
        return wording.MISSING
    if isinstance(value, datetime | date):
        return wording.stamp(value) if isinstance(value, datetime) else f"{value.day} {value:%b %Y}"
    if isinstance(value, float) and column.decimals is not None:
        return wording.group_digits(value, column.decimals)
    return value if isinstance(value, str) else write_number(value, column.kind)


def write_number(value: float, kind: ColumnKind) -> str:
    """Write a number as its column's kind wants it.

    Examples
    --------
    >>> write_number(7.25, ColumnKind.RATE), write_number(0.256, ColumnKind.SHARE)[:4]
    ('7.25', '25.6')
    """
    if kind is ColumnKind.SHARE:
        return f"{wording.group_digits(100 * value, 1)}{wording.THIN}%"
    if kind is ColumnKind.RATE:
        return wording.group_digits(value, 2 if abs(value) < 10 else 1)
    if isinstance(value, int):
        return wording.group_digits(value)
    if kind is ColumnKind.COUNT:
        return wording.group_digits(value, 0 if value == int(value) else 1)
    return _measure(value)


def _measure(value: float) -> str:
    """Write a score with two decimals, small ones with three figures."""
    if value and abs(value) < 0.1:
        return f"{value:.{_MEASURE_FIGURES}g}".replace("-", "−")
    return wording.group_digits(value, 2)
