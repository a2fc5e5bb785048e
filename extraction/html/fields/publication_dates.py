"""Publication and update date of an article by agreement of feed, JSON-LD, meta and visible page.

The first source that speaks wins, in the order of trust; but where two machine-readable sources
name different days, or one can be read as two days, what the page shows decides between them. The
zone is the one the date was written in: a moment given in UTC takes the local zone from any other
source that writes the same moment. What the page shows are machine-readable times and lines with a
date in them, short and near the headline, the nearest first.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from extraction.html.fields.dates import (
    DateChoice,
    choose_date,
    is_plausible,
    last_resort,
    parse_date,
    url_date,
)
from extraction.html.fields.headline import stands_elsewhere
from extraction.html.markup.class_words import Hint
from extraction.html.markup.elements import text_of
from extraction.html.markup.outline import Outline

PUBLISHED_NAMES = (
    "article:published_time", "og:published_time", "og:article:published_time",
    "article:published", "datepublished", "rnews:datepublished", "parsely-pub-date",
    "sailthru.date", "pubdate", "publishdate", "publish-date", "publish_date", "publication_date",
    "published-date", "date_published", "originalpublicationdate", "article_date_original",
    "cxenseparse:recs:publishtime", "bt:pubdate", "vr:published_time",
    "shareaholic:article_published_time", "citation_publication_date", "citation_date",
    "dc.date.issued", "dcterms.issued", "dc.date.created", "date.created",
)  # fmt: skip
# Names that just as often hold the day of the last change, or of the page's delivery: what the page
# shows by its headline comes before them.
VAGUE_NAMES = ("dcterms.created", "dcterms.date", "dc.date", "date", "created")
MODIFIED_NAMES = (
    "article:modified_time", "og:updated_time", "og:article:modified_time", "datemodified",
    "dcterms.modified", "dc.date.modified", "lastmod", "last-modified", "revised",
    "article:modified",
)  # fmt: skip
# Two sources that are less apart name one moment: some leave out the seconds.
_ONE_MOMENT = timedelta(minutes=1)
# Of zones: Kiribati is 14 hours ahead, Nepal three quarters of an hour off.
_LARGEST_OFFSET = timedelta(hours=14)
_HOURS, _LEAST_HOURS, _MOST_HOURS = 24, -12, 14
_QUARTER = timedelta(minutes=15)
# Of what the page shows the likeliest are read, since each costs a parse; a longer line is a
# paragraph with a date in it.
_MAX_SHOWN = 6
_MAX_CHARACTERS = 200
_MAX_LINES = 8
_MAX_TIMES = 40
_DAY_CHARACTERS = 10  # of an ISO date and time
_TIME_TAGS = frozenset(["time", "abbr"])
_DATE_LIKE = re.compile(
    r"\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:19|20)?\d{2}\b|\d{1,2} \| \d{1,2} \| (?:19|20)\d{2}\b|"
    r"(?:19|20)\d{2}\s?[./年-]\s?\d{1,2}|"
    r"\d{1,2}(?:(?:st|nd|rd|th|er|\.)?,?\s+|\.)(?:de\s+)?[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?(?:19|20)\d{2}|"
    r"\d{1,2}-[^\W\d_]{3,9}-(?:19|20)\d{2}|"
    r"[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2}"
)
# What each of its forms holds, found in a fraction of the time.
_DATE_SIGN = re.compile(r"(?:19|20)\d\d|\d\s?[./-]\s?\d")
_BYLINE = Hint.BYLINE.value
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
# In lines: a marked date may stand this much further from the headline than an unmarked one.
_MARK_LEAD = 15
_BEFORE_PENALTY = 6  # above the headline stands the day of today
# Rank up to which a date stands by the headline: some lines below it, further where it is marked.
_NEAR = 12
_ELSEWHERE_PENALTY = 40  # among comments and teasers: behind all others
# A date after one of these words is that of a change, or of the site.
_OTHER_DATE = re.compile(
    r"updat|aktualisi|mis à jour|modifi|bijgewerk|geändert|ctualiza|©|copyright", re.IGNORECASE
)
_OTHER_PENALTY = 6
# A longer line is a sentence, and its date that of what it tells of.
_MAX_DATELINE, _SENTENCE_PENALTY = 80, 6
# A date and a time, or minutes of reading, in two elements without a blank between: "202221:25".
_GLUED = re.compile(r"((?:19|20)\d{2})(?=\d{1,2}(?::\d\d|\s?min))", re.IGNORECASE)
# "3/9/2026": 3 September, or 9 March in America.
_TWO_WAYS = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d\d)(?!\d)")
_ISO_DAY = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_MONTHS = 12
# More publication dates than this are those of a list of articles.
_MAX_MARKED_DAYS = 2


@dataclass(frozen=True, slots=True)
class ShownDates:
    """Texts that begin with a date; `near` stand by the headline, `others` anywhere."""

    near: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def date_in(text: str) -> re.Match[str] | None:
    """Find what is written like a whole date, first one first."""
    return _DATE_LIKE.search(text) if _DATE_SIGN.search(text) else None


def visible_dates(outline: Outline, headline: int | None) -> ShownDates:
    """Find lines that hold a date, each from its date on, the likeliest first.

    `headline` is the line of the headline; where it is None only a marked line is near.
    """
    origin = headline or 0
    anchor = outline.lines[headline].node if headline is not None else None
    ranked = []
    for position, line in enumerate(outline.lines):
        if len(line.text) > _MAX_CHARACTERS:
            continue
        match = date_in(line.text)
        if match is None:
            continue
        distance = position - origin
        rank = distance if distance >= 0 else _BEFORE_PENALTY - distance
        if (outline.own_hints[line.node] | outline.own_hints[outline.parents[line.node]]) & _BYLINE:
            rank -= _MARK_LEAD
        if stands_elsewhere(outline, line.node, _ELSEWHERE, anchor):
            rank += _ELSEWHERE_PENALTY
        if _OTHER_DATE.search(line.text[: match.start()]):
            rank += _OTHER_PENALTY
        if len(line.text) > _MAX_DATELINE:
            rank += _SENTENCE_PENALTY
        ranked.append((rank, position, _GLUED.sub(r"\1 ", line.text[match.start() :])))
    ranked.sort()
    least = _NEAR if headline is not None else -_MARK_LEAD
    near = tuple(text for rank, _, text in ranked[:_MAX_LINES] if rank <= least)
    return ShownDates(near, tuple(text for _, _, text in ranked[len(near) : _MAX_LINES]))


def marked_times(outline: Outline) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Machine-readable times: those marked as the publication's, and other `time` elements."""
    marked: list[str] = []
    others: list[str] = []
    places = zip(outline.tags, outline.own_hints, strict=True)
    for index in [
        index for index, (tag, hints) in enumerate(places) if hints & _BYLINE or tag in _TIME_TAGS
    ]:
        tag = outline.tags[index]
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


@dataclass(frozen=True, slots=True)
class DateRequest:
    """Everything the decision needs beside the machine-readable values."""

    now: datetime
    zone: tzinfo = UTC  # of a date that names none: the publication's
    url: str = ""
    outline: Outline | None = None  # for what the page shows; None: that is not asked
    headline: int | None = None  # line of the headline in the outline
    html: str = ""  # for the last resort; empty: that is not asked


class ShownOnce:
    """What the page shows of dates, looked for at most once and only when it is asked."""

    def __init__(self, request: DateRequest) -> None:
        self._request = request
        self._dates: ShownDates | None = None
        self._times: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    @property
    def dates(self) -> ShownDates:
        """Dates in lines."""
        if self._dates is None:
            outline = self._request.outline
            self._dates = (
                visible_dates(outline, self._request.headline) if outline else ShownDates()
            )
        return self._dates

    @property
    def times(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Machine-readable times: marked as the publication's, and others."""
        if self._times is None:
            outline = self._request.outline
            self._times = marked_times(outline) if outline else ((), ())
        return self._times

    @property
    def likeliest(self) -> list[str]:
        """The few texts that most likely give the publication's day."""
        return [*self.times[0][:_MAX_SHOWN], *self.dates.near[:_MAX_SHOWN]]


def choose_published(
    declared: Sequence[tuple[str, str]], vague: Sequence[str], request: DateRequest
) -> DateChoice:
    """Publication date.

    Parameters
    ----------
    declared
        Pairs of source and text that are meant to be the publication's date, most trusted first.
    vague
        Texts of meta elements that may be another date.
    """
    shown = ShownOnce(request)
    found = _first_confirmed(declared, shown, request)
    if found.moment is None:
        found = _from_the_page(vague, shown, request)
    if found.moment is None:
        return last_resort(request.html, request.url, request.now) if request.html else found
    if found.moment.utcoffset():
        return found  # what the page shows need not be looked for
    texts = [*(text for _, text in declared), *vague]
    moment = in_local_zone(found.moment, texts, shown.likeliest)
    return DateChoice(on_shown_day(moment, shown.dates.near), found.source)


def _first_confirmed(
    declared: Sequence[tuple[str, str]], shown: ShownOnce, request: DateRequest
) -> DateChoice:
    """First declared date, unless the page shows the day of a later one, or of another reading."""
    readings = [
        DateChoice(moment, source)
        for source, text in declared
        if text
        for moment in _readings(text, request.zone)
        if is_plausible(moment, request.now)
    ]
    days = {reading.moment.date() for reading in readings if reading.moment}
    if len(days) > 1:
        seen = {
            moment.date()
            for text in shown.likeliest
            if (moment := parse_date(text, zone=request.zone)) is not None
        }
        if readings[0].moment and readings[0].moment.date() not in seen:
            for reading in readings:
                if reading.moment and reading.moment.date() in seen:
                    return reading
    return readings[0] if readings else DateChoice()


def _readings(text: str, zone: tzinfo) -> list[datetime]:
    """Moments a text may mean, day before month first: 03-09-2026 is 3 September or 9 March."""
    found = [parse_date(text, zone=zone, day_first=is_first) for is_first in (True, False)]
    return list(dict.fromkeys(moment for moment in found if moment is not None))


def _from_the_page(vague: Sequence[str], shown: ShownOnce, request: DateRequest) -> DateChoice:
    marked, times = shown.times
    sure = (*marked, *times, *vague)
    near, others = (_in_order_of(texts, sure) for texts in (shown.dates.near, shown.dates.others))
    return choose_date(
        [
            *(("microdata", value) for value in marked),
            ("url", url_date(request.url)),
            *(("page", value) for value in near),
            *(("meta", value) for value in vague),
            *(("microdata", value) for value in times),
            *(("page", value) for value in others),
        ],
        request.now,
        zone=request.zone,
    )


def _in_order_of(shown: Sequence[str], sure: Iterable[str]) -> list[str]:
    """Put the day before the month where the page writes it behind.

    A page writes the month first where one of its dates cannot be read otherwise, or where a date
    of ISO 8601, `sure`, is the day so read.
    """
    pairs = [match.groups() if (match := _TWO_WAYS.match(text)) else None for text in shown]
    if not any(pairs):
        return list(shown)
    days = {text[:_DAY_CHARACTERS] for text in sure if _ISO_DAY.match(text)}
    is_american = any(
        (int(second) > _MONTHS and int(first) <= _MONTHS)
        or (
            f"{year}-{first:0>2}-{second:0>2}" in days
            and f"{year}-{second:0>2}-{first:0>2}" not in days
        )
        for first, second, year in filter(None, pairs)
    )
    if not is_american:
        return list(shown)
    return [
        f"{pair[1]}/{pair[0]}/{pair[2]}{text[match.end() :]}"
        if pair and (match := _TWO_WAYS.match(text)) and int(pair[0]) <= _MONTHS
        else text
        for text, pair in zip(shown, pairs, strict=True)
    ]


def in_local_zone(moment: datetime, texts: Iterable[str], shown: Iterable[str]) -> datetime:
    """Give a moment written in UTC the zone in which another source writes it.

    Parameters
    ----------
    moment
        With a zone; one with an offset is returned as it is.
    texts
        Machine-readable dates: one that is the same moment with an offset gives the zone.
    shown
        Dates with a time that the page shows, without a zone: one that is the same minute a whole
        number of quarter hours away tells the zone of the place.

    Examples
    --------
    >>> at = datetime(2022, 5, 4, 0, 25, 56, tzinfo=UTC)
    >>> in_local_zone(at, [], ["3 May 2022 21:25"]).isoformat()
    '2022-05-03T21:25:56-03:00'
    """
    if moment.utcoffset() != timedelta():
        return moment
    for text in (*texts, *shown):
        other = parse_date(text) if text else None
        if other is not None and other.utcoffset() and abs(other - moment) < _ONE_MOMENT:
            return moment.astimezone(timezone(other.utcoffset() or timedelta()))
    for text in shown:
        other = parse_date(text)
        if other is None or other.utcoffset() or (other.hour, other.minute) == (0, 0):
            continue
        offset = other.replace(second=0) - moment.replace(second=0, microsecond=0)
        if offset and abs(offset) <= _LARGEST_OFFSET and not offset % _QUARTER:
            return moment.astimezone(timezone(offset))
    return moment


def on_shown_day(moment: datetime, shown: Sequence[str]) -> datetime:
    """Give a moment written in UTC the nearest zone in which it is of the day that the page shows.

    Parameters
    ----------
    moment
        With a zone; one with an offset, or at midnight, where the time may be unknown, is returned
        as it is.
    shown
        Dates by the headline, the likeliest first; where any is of the moment's day, that is right.

    Examples
    --------
    >>> on_shown_day(datetime(2025, 12, 19, 2, 41, tzinfo=UTC), ["December 18, 2025"]).isoformat()
    '2025-12-18T23:41:00-03:00'
    """
    if moment.utcoffset() != timedelta() or not (moment.hour or moment.minute):
        return moment
    days = [read.date() for text in shown[:_MAX_SHOWN] if (read := parse_date(text)) is not None]
    if not days or moment.date() in days:
        return moment
    hours = {-1: -moment.hour - 1, 1: _HOURS - moment.hour}.get((days[0] - moment.date()).days)
    if hours is None or not _LEAST_HOURS <= hours <= _MOST_HOURS:
        return moment
    return moment.astimezone(timezone(timedelta(hours=hours)))
