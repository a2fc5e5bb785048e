"""Lines of a page that may hold its date: short, with a date in them, near the headline.

Nearest first.
"""

import re
from dataclasses import dataclass

from extraction.html.class_words import Hint
from extraction.html.elements import text_of
from extraction.html.outline import Outline

_MAX_CHARACTERS = 200
_MAX_LINES = 8
_MAX_TIMES = 40
_DAY_CHARACTERS = 10  # of an ISO date and time
_TIME_TAGS = frozenset(["time", "abbr"])
_DATE_LIKE = re.compile(
    r"\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:19|20)?\d{2}\b|(?:19|20)\d{2}\s?[./年-]\s?\d{1,2}|\d{1,2}(?:st|nd|rd|th|er|\.)?,?\s+(?:de\s+)?"
    r"[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?(?:19|20)\d{2}|[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2}"
)
# What each of its forms holds, found in a fraction of the time.
_DATE_SIGN = re.compile(r"(?:19|20)\d\d|\d\s?[./-]\s?\d")
_BYLINE = Hint.BYLINE.value
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
# In lines: a marked date may stand this much further from the headline than an unmarked one.
_MARK_LEAD = 15
_BEFORE_PENALTY = 6
# Rank up to which a date stands by the headline: some lines below it, further where it is marked.
_NEAR = 12
_ELSEWHERE_PENALTY = 40
# A date after one of these words is that of a change, or of the site.
_OTHER_DATE = re.compile(
    r"updat|aktualisi|mis à jour|modifi|bijgewerk|geändert|ctualiza|©|copyright", re.IGNORECASE
)
_OTHER_PENALTY = 6
# A date and a time, or minutes of reading, in two elements without a blank between: "202221:25".
_GLUED = re.compile(r"((?:19|20)\d{2})(?=\d{1,2}(?::\d\d|\s?min))", re.IGNORECASE)
# More publication dates than this are those of a list of articles.
_MAX_MARKED_DAYS = 2


@dataclass(frozen=True, slots=True)
class ShownDates:
    """Texts that begin with a date; `near` stand by the headline, `others` anywhere."""

    near: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def visible_dates(outline: Outline, headline: int | None) -> ShownDates:
    """Find lines that hold a date, each from its date on, the likeliest first.

    `headline` is the line of the headline; where it is None only a marked line is near.
    """
    origin = headline or 0
    ranked = []
    for position, line in enumerate(outline.lines):
        if len(line.text) > _MAX_CHARACTERS:
            continue
        match = _DATE_LIKE.search(line.text) if _DATE_SIGN.search(line.text) else None
        if match is None:
            continue
        distance = position - origin
        rank = distance if distance >= 0 else _BEFORE_PENALTY - distance
        if (outline.own_hints[line.node] | outline.own_hints[outline.parents[line.node]]) & _BYLINE:
            rank -= _MARK_LEAD
        if outline.hints[line.node] & _ELSEWHERE:
            rank += _ELSEWHERE_PENALTY
        if _OTHER_DATE.search(line.text[: match.start()]):
            rank += _OTHER_PENALTY
        ranked.append((rank, position, _GLUED.sub(r"\1 ", line.text[match.start() :])))
    ranked.sort()
    least = _NEAR if headline is not None else -_MARK_LEAD
    near = tuple(text for rank, _, text in ranked[:_MAX_LINES] if rank <= least)
    return ShownDates(near, tuple(text for _, _, text in ranked[len(near) : _MAX_LINES]))


def marked_times(outline: Outline) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Machine-readable times: those marked as the publication's, and other `time` elements."""
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
    if len({value[:_DAY_CHARACTERS] for value in marked}) > _MAX_MARKED_DAYS:
        marked, others = [], marked + others
    return tuple(marked[:_MAX_TIMES]), tuple(others[:_MAX_TIMES])
