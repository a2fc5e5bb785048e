"""Words for slices of the corpus: `weekday:1` → `Mondays`, for chips and the base sentence."""

import datetime as dt
from calendar import day_name

from extraction.text.language_names import language_name
from presentation.wording.times import days
from search.engine.index.documents import UNIX_EPOCH
from search.engine.index.text_names import named_text
from search.engine.statistics.slices import STROKES, Slice, parse_slice
from search.engine.statistics.value_slices import is_value_column
from search.wording.value_words import MARK_WORDS, value_slice_words

_QUARTERS = ("first", "second", "third", "last")
BLOCK_WORDS = {
    "running": "running text, without captions",
    "heading": "headings",
    "quote": "quotes",
    "caption": "captions",
    "list_item": "items of lists",
    "table_row": "rows of tables",
    "preformatted": "preformatted text",
    "embed": "posts of other sites",
    "paragraph": "plain paragraphs",
    "headline": "headlines",
    "standfirst": "standfirsts",
}


def slice_words(text: str, publications: dict[str, str]) -> str:
    """Say which part of the corpus a slice is; a wrong one is repeated as it stands."""
    try:
        wanted = parse_slice(text)
    except ValueError:
        return text
    words = _words(wanted, publications)
    return f"all but {words}" if wanted.left_out else words


def _words(wanted: Slice, publications: dict[str, str]) -> str:
    numbered = {
        "days": lambda: span_words(wanted.first, wanted.last),
        "weekday": lambda: f"{day_name[wanted.first - 1]}s",
        "hour": lambda: f"{wanted.first}:00 to {wanted.first}:59",
        "stroke": lambda: f"part {wanted.first} of {STROKES} in order of time",
        "block": lambda: BLOCK_WORDS[wanted.value],
        "quarter": lambda: f"{_QUARTERS[wanted.first - 1]} quarter of each text",
        "kind": lambda: MARK_WORDS["kind"][wanted.value],
        "changed": lambda: MARK_WORDS["changed"][wanted.value],
        "rights": lambda: MARK_WORDS["rights"][wanted.value],
        "undated": lambda: MARK_WORDS["undated"][wanted.value],
        "pub": lambda: publications.get(wanted.value, wanted.value),
        "lang": lambda: language_name(wanted.value),
        "text": lambda: _text_words(wanted.value),
    }
    if wanted.column in numbered:
        return numbered[wanted.column]()
    if is_value_column(wanted.column):
        return value_slice_words(wanted.column, wanted.value)
    name = {"sec": "section", "author": "author", "agency": "agency"}[wanted.column]
    return f"{name} “{wanted.value}”" if wanted.value else f"no {name} given"


def _text_words(name: str) -> str:
    """Name one text: `article 12`, `comment 12`, `the quotes of article 12`."""
    kind, key = named_text(name)
    return (
        f"the {MARK_WORDS['kind'][kind.label]} of article {key}"
        if kind.is_part
        else (f"{kind.label} {key}")
    )


def span_words(first: int, last: int) -> str:
    """Write a span of days since 1970-01-01: `20 Nov 2026`, `1 Sep to 30 Sep 2026`."""
    start, end = (UNIX_EPOCH + dt.timedelta(days=number) for number in (first, last))
    return days(start, end)
