"""Slices: one value of a column of a table, as a filter behind all other filters.

Input → output: ``column:value`` as addresses write it → `Slice`; `slicing` cuts
hits. A cell of a table counts hits after copies and stories have been counted once; a slice
is cut from the same documents, so that it holds exactly the hits of the cell (a filter narrows
first and then counts once, which may keep another copy).

Written ``column:value``: ``days:2026-09-01..2026-09-30``, ``pub:karoo``, ``sec:Sport``,
``author:…``, ``agency:AFP``, ``lang:en``, ``kind:comment``, ``changed:yes``, ``rights:reserved``,
``undated:yes``, ``weekday:1`` (Monday) to 7, ``hour:0`` to 23 on the site's clock; by tokens
``quarter:1`` to 4 of each text, ``stroke:1`` to 1200 of all texts in order of time, and
``block:heading``, ``quote``, ``caption`` … or ``running`` (all but captions);
``text:12`` one text (`search.engine.index.text_names`);
by what the hits read as in `search.engine.statistics.value_slices`.
A minus before a column of documents cuts all but that slice: ``-pub:karoo``.
"""

import datetime as dt
import re
from dataclasses import dataclass, replace

from search.engine.index.documents import UNIX_EPOCH, WORDED_COLUMNS
from search.engine.index.segments.text_blocks import TextBlock
from search.engine.index.text_names import named_text, text_name
from search.engine.statistics.value_slices import is_value_column

QUARTERS = 4
STRING_COLUMNS = {"pub": "publication", "sec": "section", "author": "author", "lang": "language"}
_NUMBERS = {
    column: {word: number for number, word in words.items()}
    for column, words in WORDED_COLUMNS.items()
}
# News agencies stand among the authors of articles.
NAMED_COLUMNS = STRING_COLUMNS | {"agency": "author"}
STROKES = 1_200  # as many as a barcode has strokes
_RANGES = {
    "weekday": (1, 7),
    "hour": (0, 23),
    "quarter": (1, QUARTERS),
    "stroke": (1, STROKES),
}
OF_TOKENS = ("quarter", "stroke", "block")
OF_TIME = ("days", "weekday", "hour")  # which a text without a date is in none of
# Value of a slice by block → the kinds that are in it.
BLOCKS: dict[str, frozenset[int]] = {
    "running": frozenset(TextBlock) - {TextBlock.CAPTION},
    **{kind.label: frozenset({int(kind)}) for kind in TextBlock},
}
_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Slice:
    """A column and its value; where values are numbers, the first and the last of them.

    A slice that is `left_out` is all the rest of what it is cut from.
    """

    column: str
    value: str
    first: int = 0
    last: int = 0
    left_out: bool = False

    def __str__(self) -> str:
        return f"{'-' if self.left_out else ''}{self.column}:{self.value}"


def parse_slice(text: str) -> Slice:
    """Read ``column:value``, or ``-column:value`` for the documents that are not of it.

    Raises
    ------
    ValueError
        With a sentence for the reader.

    Examples
    --------
    >>> str(parse_slice("weekday:1")), parse_slice("sec:Arts: film").value
    ('weekday:1', 'Arts: film')
    >>> parse_slice("-pub:karoo")
    Slice(column='pub', value='karoo', first=0, last=0, left_out=True)
    """
    wanted = _parsed(text.removeprefix("-"))
    if not text.startswith("-"):
        return wanted
    if wanted.column in OF_TOKENS or is_value_column(wanted.column):
        raise ValueError(f"“{text[:80]}” cannot be left out: only parts made of whole texts.")
    return replace(wanted, left_out=True)


def _parsed(text: str) -> Slice:
    column, sign, value = text.partition(":")
    if column == "days":
        return _days(value)
    if column in _RANGES:
        return _numbered(column, value)
    if column == "text":
        return Slice(column, text_name(*named_text(value)))
    if column == "block" and value in BLOCKS:
        return Slice(column, value)
    if value in _NUMBERS.get(column, ()):
        number = _NUMBERS[column][value]
        return Slice(column, value, number, number)
    if sign and (column in NAMED_COLUMNS or is_value_column(column)):
        return Slice(column, value)
    raise ValueError(f"“{text[:80]}” is no part of the corpus: write days:, pub:, hour: and so on.")


def _days(value: str) -> Slice:
    found = _DAYS.fullmatch(value)
    try:
        days = [dt.date.fromisoformat(text) for text in found.groups()] if found else []
    except ValueError:
        days = []
    if len(days) != 2 or days[1] < days[0]:
        raise ValueError(f"“{value[:40]}” are no days: write 2026-09-01..2026-09-30.")
    return day_slice(*((day - UNIX_EPOCH).days for day in days))


def _numbered(column: str, value: str) -> Slice:
    low, high = _RANGES[column]
    if not re.fullmatch(r"[0-9]{1,4}", value) or not low <= int(value) <= high:
        raise ValueError(f"“{value[:40]}” is no {column}: {low} to {high}.")
    return Slice(column, str(int(value)), int(value), int(value))


def day_slice(first: int, last: int) -> Slice:
    """Make the slice of a span of days, numbered since 1970-01-01, both inclusive."""
    days = (UNIX_EPOCH + dt.timedelta(days=number) for number in (first, last))
    return Slice("days", "..".join(day.isoformat() for day in days), first, last)
