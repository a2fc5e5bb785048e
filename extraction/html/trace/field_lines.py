"""Which lines of a page show the title, the authors and the date of its article."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from extraction.html.fields.dates import parse_date
from extraction.html.fields.headline import headline_position
from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import Outline
from extraction.html.page import ExtractedPage
from extraction.text.plain_words import squeezed

_LONGEST = 200  # a longer line that holds a name or a date is a sentence
_BYLINE = Hint.BYLINE.value
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
_DATE = re.compile(
    r"\d{1,4}\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,4}|"
    r"\d{1,2}(?:st|nd|rd|th|er|\.)?,?\s(?:de\s)?[^\W\d_]{3,12}\.?,?\s(?:de\s)?\d{4}|"
    r"[^\W\d_]{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}"
)


def field_lines(outline: Outline, found: ExtractedPage, kept: Sequence[int]) -> dict[int, str]:
    """Find the lines that show a field's value.

    Returns
    -------
    dict
        Position of a line → "title", "author" or "date", or several of them with blanks between; of
        several lines that show a field the nearest to the headline. Lines of the article's text are
        left alone.
    """
    fields: dict[int, str] = {}
    headline = headline_position(outline, found.title)
    if headline is not None:
        fields[headline] = "title"
    taken = set(kept)
    for name, places in (("date", _dates(outline, found)), ("author", _authors(outline, found))):
        free = [place for place in places if place not in taken]
        if free:
            nearest = min(free, key=lambda place: _rank(outline, place, headline or 0))
            fields[nearest] = f"{fields[nearest]} {name}" if nearest in fields else name
    return fields


def _rank(outline: Outline, place: int, headline: int) -> tuple[bool, int]:
    """Order lines that show a field: bylines first, then by their distance from the headline."""
    return not outline.hints[outline.lines[place].node] & _BYLINE, abs(place - headline)


def _authors(outline: Outline, found: ExtractedPage) -> Iterator[int]:
    names = (*found.authors, *found.agencies)
    wanted = [squeezed(name) for name in names if squeezed(name)]
    for position, line in enumerate(outline.lines):
        if len(line.text) > _LONGEST or outline.hints[line.node] & _ELSEWHERE:
            continue
        said = squeezed(line.text)
        if any(author in said for author in wanted):
            yield position


def _dates(outline: Outline, found: ExtractedPage) -> Iterator[int]:
    if found.published_at is None:
        return
    year, day = str(found.published_at.year), found.published_at.date()
    for position, line in enumerate(outline.lines):
        if len(line.text) <= _LONGEST and year in line.text and day in _days_of(line.text):
            yield position


def _days_of(text: str) -> set[date]:
    """Days that a line names; of 3/4/2026 both readings."""
    moments = (
        parse_date(match.group(), day_first=day_first)
        for match in _DATE.finditer(text)
        for day_first in (True, False)
    )
    return {moment.date() for moment in moments if moment is not None}
