"""Dates of an article: any written date → a moment; the sources of a page → its dates.

ISO 8601 first, then dateutil for whatever format, month names of the languages our publications use
put into English before. htmldate is asked only when the page's own marks say nothing. No date is
ever made up: a value without a day is refused.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from dateutil import parser as dateutil_parser

from extraction.html.fields.month_names import MONTHS_OF_FURTHER_LANGUAGES
from extraction.html.markup.parse import bounded_markup

# Before the first newspaper page on the web; after tomorrow there are only embargo mistakes.
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_FUTURE = timedelta(days=2)
_MAX_CHARACTERS = 120  # a longer text is a sentence with a date in it
_MAX_LAST_RESORT_CHARACTERS = 2_000_000  # htmldate parses the page anew
# It drops elements one by one, each in the time of the text before it: 24,000 took 1.8 s.
_MAX_LAST_RESORT_BRACKETS = 40_000
_ISO = re.compile(
    r"(\d{4})-?(\d{2})-?(\d{2})(?!\d)(?:[T\s]++(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*+(Z|UTC|"
    r"GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(
    r"(?<![\d.,])(?:(?P<year>(?:19|20)\d\d)\s?[./-]\s?(?P<month>\d{1,2})\s?[./-]\s?(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})\s?(?:[./-]|(?P<bar>\|))\s?(?P<second>\d{1,2})\s?(?(bar)\||[./-])\s?"
    r"(?P<end>(?:19|20)?\d\d))(?!\d)"
    r"(?:\D{0,12}(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?)?",
    re.IGNORECASE,
)
_MONTHS_IN_YEAR = 12
_CENTURY = 100
_CJK = re.compile(
    r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?(?:\D{0,12}(\d{1,2})[:時时](\d{1,2}))?"
)
# Month names by their first letters, in the languages of our publications and of the evaluation
# pages.
_MONTHS = (
    ("jan january januar januari janvier janeiro gennaio enero styczen styczeń stycznia января "
    "январь ianuarie ocak janúar jannewarie januarie januwari ujanuwari ιανουαριου ιανουάριος "
    "січня يناير"),
    ("feb february februar februari fevrier février fevereiro febbraio febrero luty lutego "
    "февраля февраль şubat febrúar februarie febhuwari ufebhuwari φεβρουαριου φεβρουάριος "
    "فبراير شباط"),
    ("mar march marz märz maart mars marco março marzo marzec marca марта март mart maret matshi "
    "umashi μαρτιου μάρτιος mrt مارس آذار"),
    ("apr april aprile avril abril kwiecien kwiecień kwietnia апреля апрель nisan apríl ephreli "
    "ipreli απριλιου απρίλιος أبريل ابريل نيسان"),
    "may mai maj mei maio maggio mayo maja мая май mayıs maí meyi umeyi μαιου μάιος mai مايو أيار",
    ("jun june juni juin junho giugno junio czerwiec czerwca июня июнь haziran júní junie juni "
    "ujuni ιουνιου ιούνιος يونيو حزيران"),
    ("jul july juli juillet julho luglio julio lipiec lipca июля июль temmuz júlí julie julayi "
    "ujulayi ιουλιου ιούλιος يوليو تموز"),
    ("aug august augustus aout août agosto sierpien sierpień sierpnia августа август ağustos "
    "ágúst augusti agasti uagasti αυγουστου αύγουστος أغسطس اغسطس آب"),
    ("sep sept september septembre setembro settembre septiembre wrzesien wrzesień września "
    "сентября сентябрь eylül septemba usepthemba σεπτεμβριου σεπτέμβριος سبتمبر أيلول"),
    ("oct october oktober octobre outubro ottobre octubre pazdziernik październik października "
    "октября октябрь ekim október okthoba uokthoba οκτωβριου οκτώβριος okt أكتوبر اكتوبر"),
    ("nov november novembre novembro noviembre listopad listopada ноября ноябрь kasım nóvember "
    "novemba unovemba νοεμβριου νοέμβριος نوفمبر"),
    ("dec december dezember decembre décembre dezembro dicembre diciembre grudzien grudzień "
    "grudnia декабря декабрь aralık desember disemba udisemba δεκεμβριου δεκέμβριος dez des "
    "ديسمبر"),
)  # fmt: skip
# Short forms in Romance languages.
_SHORT_MONTHS = (
    "ene gen", "fev fév févr", "", "abr avr", "mag", "giu", "lug juil", "ago aoû", "set", "out ott",
    "", "dic déc",
)  # fmt: skip
_MONTH_NUMBERS = {
    name: number
    for months in (MONTHS_OF_FURTHER_LANGUAGES, _SHORT_MONTHS, _MONTHS)
    for number, names in enumerate(months, start=1)
    for name in names.split()
}
_TEXT_DATE = re.compile(
    r"(?<!\d)(?:(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s*(?:de\s+|of\s+|"
    r"-)?(?P<month>[^\W\d_]{3,12})\.?,?\s*(?:de\s+|-)?(?P<year>\d{4})"
    r"|(?P<month2>[^\W\d_]{3,12})\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|"
    r"th)?,?\s+(?P<year2>\d{4}))(?!\d)"
    r"(?:[^\d]{0,20}?(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?::\d{2})?\s*(?P<half>[ap]\.?m\b)?)?",
    re.IGNORECASE,
)
_URL_DATE = re.compile(
    r"[/_-](20\d\d|199\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?=[/_.?-]|$|[a-z])"
)
_ZONE_AFTER = re.compile(r"\s?\(?(?:(?:GMT|UTC)?([+-]\d{2}:?\d{2})\b|([A-Z]{2,4})\b)")
# Zones that real pages write; dateutil leaves unknown names out.
_ZONES = {
    "SAST": 2, "CAT": 2, "EAT": 3, "WAT": 1, "GMT": 0, "UTC": 0, "BST": 1, "CET": 1, "CEST": 2,
    "EET": 2, "EEST": 3, "MSK": 3,
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "WIB": 7, "WITA": 8,
    "ET": -5, "PT": -8, "IST": 5.5, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11,
}  # fmt: skip
_ZONE_INFO: dict[str, tzinfo] = {
    name: timezone(timedelta(hours=hours)) for name, hours in _ZONES.items()
}


@dataclass(frozen=True, slots=True)
class DateChoice:
    """A moment and the source that won; empty when no source gives a day."""

    moment: datetime | None = None
    source: str = ""


def parse_date(text: str, *, zone: tzinfo = UTC, day_first: bool = True) -> datetime | None:
    """Read one written date.

    Parameters
    ----------
    text
        A date in any common form; surrounding words are allowed when the date is written out.
    zone
        Assumed where the text names none.
    day_first
        Reading of 03/04/2024 without other evidence; South African and European by default.

    Returns
    -------
    datetime or None
        With a zone; None when there is no complete calendar day in the text.

    Examples
    --------
    >>> parse_date("2024-03-04T10:30:00+02:00").isoformat()
    '2024-03-04T10:30:00+02:00'
    >>> parse_date("Posted on 4 Maart 2024").date().isoformat()
    '2024-03-04'
    >>> parse_date("yesterday") is None
    True
    """
    text = " ".join(text.split())[:_MAX_CHARACTERS]
    if not any(map(str.isdigit, text)):
        return None
    return _read(text, zone, day_first=day_first)


# A page's dates are read up to five times: to choose, to confirm, for the zone, to compare.
@lru_cache(maxsize=256)
def _read(text: str, zone: tzinfo, *, day_first: bool) -> datetime | None:
    for reader in (_read_iso, _read_cjk, _read_written):
        moment = reader(text, zone)
        if moment is not None:
            return moment
    return _read_numeric(text, zone, day_first=day_first) or _read_any(
        text, zone, day_first=day_first
    )


def choose_date(
    candidates: Iterable[tuple[str, str]], now: datetime, *, zone: tzinfo = UTC
) -> DateChoice:
    """First candidate (source, text) that gives a plausible day, most trusted first."""
    for source, text in candidates:
        moment = parse_date(text, zone=zone) if text else None
        if moment is not None and is_plausible(moment, now):
            return DateChoice(moment, source)
    return DateChoice()


def is_plausible(moment: datetime, now: datetime) -> bool:
    """Whether an article on the web can be of this date."""
    return moment >= EARLIEST and moment - _FUTURE <= now


def url_date(url: str) -> str:
    """Day written in an address, as YYYY-MM-DD, or an empty string.

    Examples
    --------
    >>> url_date("https://example.org/2024/03/04/fire.html")
    '2024-03-04'
    """
    match = _URL_DATE.search(url)
    return "-".join(match.groups()) if match else ""


def last_resort(html: str, url: str, now: datetime) -> DateChoice:
    """Ask htmldate about the marks in a page.

    Slow (it parses again) and fallible, so asked last and only for a day.
    """
    is_large = len(html) > _MAX_LAST_RESORT_CHARACTERS
    if is_large or html.count("<") > _MAX_LAST_RESORT_BRACKETS:
        return DateChoice()
    # Loading htmldate takes longer than an extraction, and most runs never need it.
    from htmldate import find_date  # noqa: PLC0415

    try:
        found = find_date(
            bounded_markup(html),
            original_date=True,
            url=url or None,
            max_date=now.date().isoformat(),
            extensive_search=False,
        )
    except Exception:  # noqa: BLE001 (a guess may fail in any way, it must not cost the article)
        return DateChoice()
    moment = _read_iso(found, UTC) if found else None
    if moment is None or not is_plausible(moment, now):
        return DateChoice()
    return DateChoice(moment, "htmldate")


def _read_iso(text: str, zone: tzinfo) -> datetime | None:
    match = _ISO.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, offset = match.groups()
    try:
        return datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0) % 24,
            int(minute or 0),
            min(int(second or 0), 59),
            tzinfo=_offset(offset) if offset else zone,
        )
    except ValueError:
        return None


def _offset(text: str) -> tzinfo:
    if text.upper() in {"Z", "UTC", "GMT"}:
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    delta = timedelta(hours=min(int(digits[:2]), 23), minutes=min(int(digits[2:]), 59))
    return timezone(-delta if text[0] == "-" else delta)


def _read_cjk(text: str, zone: tzinfo) -> datetime | None:
    match = _CJK.search(text)
    if match is None:
        return None
    try:
        return datetime(
            int(match[1]),
            int(match[2]),
            int(match[3]),
            int(match[4] or 0),
            int(match[5] or 0),
            tzinfo=zone,
        )
    except ValueError:
        return None


def _read_written(text: str, zone: tzinfo) -> datetime | None:
    for match in _TEXT_DATE.finditer(text):
        month = _MONTH_NUMBERS.get((match["month"] or match["month2"]).casefold())
        if month is None:
            continue
        hour, minute = int(match["hour"] or 0), int(match["minute"] or 0)
        half = (match["half"] or "").lower()[:1]
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour > 23 or minute > 59:
            hour = minute = 0
        try:
            moment = datetime(
                int(match["year"] or match["year2"]),
                month,
                int(match["day"] or match["day2"]),
                hour,
                minute,
                tzinfo=zone,
            )
        except ValueError:
            continue
        return moment.replace(tzinfo=_zone_after(text[match.end() :], zone))
    return None


def _zone_after(text: str, zone: tzinfo) -> tzinfo:
    """Zone that stands behind a time: an offset or a known name, else the assumed one."""
    match = _ZONE_AFTER.match(text)
    if match is None:
        return zone
    return _offset(match[1]) if match[1] else _ZONE_INFO.get(match[2], zone)


def _read_numeric(text: str, zone: tzinfo, *, day_first: bool) -> datetime | None:
    match = _NUMERIC.search(text)
    if match is None:
        return None
    if match["year"]:
        year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    else:
        first, second, year = int(match["first"]), int(match["second"]), int(match["end"])
        day, month = (first, second) if day_first else (second, first)
        if month > _MONTHS_IN_YEAR:
            day, month = month, day
        year += 2000 if year < _CENTURY else 0
    hour, minute = int(match["hour"] or 0), int(match["minute"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    if match["hour"]:
        zone = _zone_after(text[match.end() :], zone)
    try:
        return datetime(year, month, day, hour, minute, tzinfo=zone)
    except ValueError:
        return None


def _read_any(text: str, zone: tzinfo, *, day_first: bool) -> datetime | None:
    """Ask dateutil twice with different defaults: the answers agree only on a full date."""
    moments = []
    for default in (datetime(2001, 1, 1, tzinfo=zone), datetime(2002, 2, 2, tzinfo=zone)):
        try:
            moment = dateutil_parser.parse(
                text, default=default, dayfirst=day_first, tzinfos=_ZONE_INFO
            )
        except (ValueError, OverflowError, TypeError, AttributeError):
            return None
        moments.append(moment)
    first, second = moments
    return first if first.date() == second.date() else None
