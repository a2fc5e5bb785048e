"""Lines of a page that may hold its date: short, with a date in them, near the headline.

Nearest first.
"""

import re

from extraction.html.class_words import Hint
from extraction.html.elements import text_of
from extraction.html.headline import headline_position
from extraction.html.outline import Outline

_MAX_CHARACTERS = 200
_MAX_LINES = 8
_MAX_TIMES = 40
_TIME_TAGS = frozenset(["time", "abbr"])
_DATE_LIKE = re.compile(
    r"\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:19|20)?\d{2}\b|(?:19|20)\d{2}\s?[./年-]\s?\d{1,2}|\d{1,2}(?:st|nd|rd|th|er|\.)?,?\s+(?:de\s+)?"
    r"[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?(?:19|20)\d{2}|[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2}"
)
_BYLINE = Hint.BYLINE.value
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
# In lines: a marked date may stand this much further from the headline than an unmarked one.
_MARK_LEAD = 15
_BEFORE_PENALTY = 6
_ELSEWHERE_PENALTY = 40
# A date after one of these words is that of a change, or of the site.
_OTHER_DATE = re.compile(
    r"updat|aktualisi|mis à jour|modifi|bijgewerk|geändert|ctualiza|©|copyright", re.IGNORECASE
)
_OTHER_PENALTY = 6


def visible_dates(outline: Outline, title: str) -> tuple[str, ...]:
    """Find lines that hold a date, each from its date on, the likeliest first.

    `title` is the chosen headline, may be empty.
    """
    headline = headline_position(outline, title) or 0
    ranked = []
    for position, line in enumerate(outline.lines):
        if len(line.text) > _MAX_CHARACTERS:
            continue
        match = _DATE_LIKE.search(line.text)
        if match is None:
            continue
        distance = position - headline
        rank = distance if distance >= 0 else _BEFORE_PENALTY - distance
        if (outline.own_hints[line.node] | outline.own_hints[outline.parents[line.node]]) & _BYLINE:
            rank -= _MARK_LEAD
        if outline.hints[line.node] & _ELSEWHERE:
            rank += _ELSEWHERE_PENALTY
        if _OTHER_DATE.search(line.text[: match.start()]):
            rank += _OTHER_PENALTY
        ranked.append((rank, position, line.text[match.start() :]))
    ranked.sort()
    return tuple(text for _, _, text in ranked[:_MAX_LINES])


def marked_times(outline: Outline) -> tuple[str, ...]:
    """Machine-readable times.

    Those marked as the publication's first, then other `time` elements.
    """
    marked: list[str] = []
    others: list[str] = []
    for index, tag in enumerate(outline.tags):
        if tag not in _TIME_TAGS and not outline.own_hints[index] & _BYLINE:
            continue
        element = outline.elements[index]
        is_published = element.get("itemprop") == "datePublished"
        if tag not in _TIME_TAGS and not is_published:
            continue
        value = element.get("datetime") or element.get("content") or element.get("title")
        value = value or text_of(element)
        is_marked = (
            is_published
            or element.get("pubdate") is not None
            or "publish" in outline.classes[index]
        )
        (marked if is_marked else others).append(value)
    return tuple((marked + others)[:_MAX_TIMES])
