"""Which lines of a page show the title, the authors and the date of its article."""

import re
from collections.abc import Iterator, Sequence

from extraction.html.class_words import Hint
from extraction.html.dates import parse_date
from extraction.html.headline import headline_position
from extraction.html.outline import Outline
from extraction.html.page import ExtractedPage
from extraction.html.titles import squeezed
from extraction.html.visible_dates import visible_dates

_LONGEST = 200  # a longer line that holds a name or a date is a sentence
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
_WORD = re.compile(r"\w+")


def field_lines(outline: Outline, found: ExtractedPage, kept: Sequence[int]) -> dict[int, str]:
    """Find the lines that show a field's value.

    Returns
    -------
    dict
        Position of a line → "title", "author" or "date"; of several lines that show a field the
        nearest to the headline. Lines of the article's text are left alone.
    """
    fields: dict[int, str] = {}
    headline = headline_position(outline, found.title)
    if headline is not None:
        fields[headline] = "title"
    taken = set(kept)
    for name, places in (("date", _dates(outline, found)), ("author", _authors(outline, found))):
        free = [place for place in places if place not in taken]
        if free:
            nearest = min(free, key=lambda place: abs(place - (headline or 0)))
            fields.setdefault(nearest, name)
    return fields


def _authors(outline: Outline, found: ExtractedPage) -> Iterator[int]:
    wanted = [squeezed(author) for author in found.authors if squeezed(author)]
    for position, line in enumerate(outline.lines):
        if len(line.text) > _LONGEST or outline.hints[line.node] & _ELSEWHERE:
            continue
        said = squeezed(line.text)
        if any(author in said for author in wanted):
            yield position


def _dates(outline: Outline, found: ExtractedPage) -> Iterator[int]:
    if found.published_at is None:
        return
    day = found.published_at.date()
    said = {
        text
        for text in visible_dates(outline, found.title)
        for moment in (parse_date(text), parse_date(text, day_first=False))
        if moment is not None and moment.date() == day
    }
    for position, line in enumerate(outline.lines):
        if len(line.text) <= _LONGEST and any(line.text.endswith(text) for text in said):
            yield position
