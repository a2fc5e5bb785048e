"""`{% load tables %}`: cells of `result_table` written as the house writes numbers.

{{ cell|written:column }}
{% result_rows table %}      all rows; a table may have a thousand, for which templates are slow
"""

import math
from datetime import date, datetime
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from presentation.charts.sparkline import draw_meter
from presentation.wording import figures, times
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable

register = template.Library()

_MEASURE_FIGURES = 3  # of a score below 0.1, which two decimals would make 0.0
_SMALL_SHARE = 0.001  # below it one decimal of a percentage shows 0.1 or nothing
_MOST_SHARE_DECIMALS = 6  # one of a hundred million tokens


@register.simple_tag
def result_rows(table: ResultTable) -> SafeString:
    return mark_safe("\n".join(_row(table, row) for row in table.rows))


def _row(table: ResultTable, row: tuple[Cell, ...]) -> str:
    """Write a row; the cell that names it is its head."""
    cells = (
        f'<th scope="row"{_cell(column, cell)}</th>'
        if column is table.name_column
        else f"<td{_cell(column, cell)}</td>"
        for column, cell in zip(table.columns, row, strict=True)
    )
    return f"<tr data-row>{''.join(cells)}</tr>"


def _cell(column: Column, cell: Cell) -> str:
    """Write what stands between the name of the element and its end."""
    parts = [_classes(column, cell), f' data-k="{escape(column.label)}"']
    if cell.lang:
        parts.append(f' lang="{escape(cell.lang)}"')
    if cell.title:
        parts.append(f' title="{escape(cell.title)}"')
    parts.append(">")
    if cell.spark:
        parts.append(f"{cell.sparkline.draw()} ")
    words = escape(written(cell, column))
    parts.append(f'<a href="{escape(cell.address)}">{words}</a>' if cell.address else words)
    if cell.bar is not None:
        parts.append(f" {draw_meter('', cell.bar)}")
    return "".join(parts)


def _classes(column: Column, cell: Cell) -> str:
    if column.kind.is_number:
        is_wide = cell.bar is not None or cell.spark
        return ' class="num full"' if is_wide else ' class="num"'
    return ' class="full"' if column.kind is ColumnKind.TEXT else ' class="date"'


@register.filter
def written(cell: Cell, column: Column) -> str:
    """Write a value by its column's kind; nothing is a dash."""
    value = cell.value
    if value is None or value == "":
        return figures.MISSING
    if isinstance(value, datetime | date):
        return times.stamp(value) if isinstance(value, datetime) else times.day(value)
    if isinstance(value, float) and column.decimals is not None:
        return figures.grouped(value, column.decimals)
    return value if isinstance(value, str) else write_number(value, column.kind)


def write_number(value: float, kind: ColumnKind) -> str:
    """Write a number as its column's kind wants it.

    Examples
    --------
    >>> write_number(7.25, ColumnKind.RATE), write_number(0.256, ColumnKind.SHARE)[:4]
    ('7.25', '25.6')
    """
    if kind is ColumnKind.SHARE:
        return figures.percent(value, _share_decimals(value))
    if kind is ColumnKind.RATE:
        return figures.rate(value)
    if isinstance(value, int):
        return figures.grouped(value)
    if kind is ColumnKind.COUNT:
        return figures.grouped(value, 0 if value == int(value) else 1)
    return _measure(value)


def _share_decimals(share: float) -> int:
    """Give a percentage one decimal, a small one as many as show two figures."""
    if not 0 < share < _SMALL_SHARE:
        return 1
    return min(_MOST_SHARE_DECIMALS, 1 - math.floor(math.log10(100 * share)))


def _measure(value: float) -> str:
    """Write a score with two decimals, small ones with three figures."""
    if value and abs(value) < 0.1:
        return f"{value:.{_MEASURE_FIGURES}g}".replace("-", "−")
    return figures.grouped(value, 2)
