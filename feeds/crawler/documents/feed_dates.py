"""Date of a feed entry, in any form → datetime with zone in UTC, or None.

RFC 822 and W3C dates are read by feedparser; this module reads what it cannot (dateutil): names of
months in the languages of `calendar_names`, zones by name of place or of time, seconds since 1970.
A date without a zone is UTC.
"""

import calendar
import re
import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from dateutil import parser as dateutil_parser

from feeds.crawler.documents.calendar_names import in_english

FIRST_YEAR = 1991  # no web page is older: "0000-00-00", 1900 and 1970 mean "unknown"
_LAST_YEAR = 2100  # later ones are numbers that were taken for a year
_MAX_DATE_LENGTH = 80  # characters
# Names that feedparser takes for UTC; those of two zones ("IST", "CST" of China) are not here.
_ZONE_HOURS = {
    "SAST": 2, "CAT": 2, "EAT": 3, "WAT": 1, "WAST": 2, "CET": 1, "CEST": 2, "MET": 1, "MEZ": 1,
    "MESZ": 2, "EET": 2, "EEST": 3, "WET": 0, "WEST": 1, "BST": 1, "MSK": 3, "JST": 9, "KST": 9,
    "HKT": 8, "SGT": 8, "AWST": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
_ZONES = {name: timezone(timedelta(hours=hours), name) for name, hours in _ZONE_HOURS.items()}
_OFFSET = re.compile(
    r"\d\s{0,3}(?:GMT|UTC)?[+-]\d{1,2}(?::?\d\d)?(?:\s{0,3}\([^()]{0,60}\))?\s{0,3}$"
)
_ZONE_NAME = re.compile(rf"(?<=[\d\s(])(?:{'|'.join(_ZONES)})\b")
_PLACE = re.compile(r"\b[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+){1,2}")
_COMMENT = re.compile(r"\([^()]{0,60}\)")  # RFC 5322 section 3.2.2: "+0200 (SAST)"
_NAMED_OFFSET = re.compile(r"\b(?:GMT|UTC)(?=\s*[+-]\d)")  # which dateutil turns round
_TIME = re.compile(r"\d:\d\d|\d[Tt]\d|\d\s*[ap]\.?m\b", re.IGNORECASE)
_UTC_NAME = re.compile(r"\b(?:GMT|UTC|Z)\b")
_HOURS_OF_FRANCE = re.compile(r"\b(\d{1,2})\s?[hH](\d\d)\b")
_MIDNIGHT = re.compile(r"\b24:00(?::00)?\b")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]|$)")
_SECONDS = re.compile(r"\d{9,10}|\d{12,13}")  # the longer ones count thousandths
_LONGEST_SECONDS = 10


@lru_cache
def _places() -> frozenset[str]:
    return frozenset(available_timezones())


def entry_date(text: object, parsed: time.struct_time | None = None) -> datetime | None:
    """Give the moment that a feed means.

    Parameters
    ----------
    text
        The date as it stands in the document.
    parsed
        What feedparser made of it, in UTC, if it could.

    Examples
    --------
    >>> entry_date("Fri, 20 Nov 2026 10:00:00 SAST").isoformat()
    '2026-11-20T08:00:00+00:00'
    >>> entry_date("2026-11-20 10:00 Africa/Johannesburg").isoformat()
    '2026-11-20T08:00:00+00:00'
    >>> entry_date("20 Desember 2026 10:00").isoformat()
    '2026-12-20T10:00:00+00:00'
    >>> entry_date("yesterday") is None
    True
    """
    written = text.strip()[:_MAX_DATE_LENGTH] if isinstance(text, str) else ""
    if _ISO.match(written):
        moment = _from_iso(written)
        if moment is not None:
            return moment
    if _SECONDS.fullmatch(written):
        return _from_seconds(written)
    zone, rest = _zone_by_name(written)
    if parsed is not None and zone is None:
        return _from_struct(parsed)
    return _from_text(rest, zone or UTC) if written else None


def _from_iso(text: str) -> datetime | None:
    """Read W3C dates at once: a sitemap holds 50,000, and dateutil needs 0.1 ms for each."""
    try:
        moment = datetime.fromisoformat(text)
        return _in_range(moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _from_seconds(digits: str) -> datetime | None:
    seconds = int(digits) if len(digits) <= _LONGEST_SECONDS else int(digits) // 1_000
    return _in_range(datetime.fromtimestamp(seconds, UTC))


def _from_struct(parsed: time.struct_time) -> datetime | None:
    try:
        return _in_range(datetime.fromtimestamp(calendar.timegm(parsed), UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _zone_by_name(text: str) -> tuple[tzinfo | None, str]:
    """Find the zone that a date names and give the date without it; an offset counts before."""
    if _OFFSET.search(text):
        return None, text
    place = _PLACE.search(text)
    if place and place[0] in _places():
        return ZoneInfo(place[0]), text.replace(place[0], " ", 1)
    name = _ZONE_NAME.search(text)
    return (_ZONES[name[0]], text.replace(name[0], " ", 1)) if name else (None, text)


def _from_text(text: str, zone: tzinfo) -> datetime | None:
    text = _NAMED_OFFSET.sub("", _COMMENT.sub(" ", text))
    if not _TIME.search(text):
        text = _UTC_NAME.sub("", text)  # a zone without a time, which dateutil refuses
    text, n_midnights = _MIDNIGHT.subn("00:00", text)  # ISO 8601: the end of the day
    text = _HOURS_OF_FRANCE.sub(r"\1:\2", in_english(text))

    def offset(_name: str | None, seconds: int | None) -> tzinfo:
        """Resolve dateutil's zone; an unknown name is UTC, as for feedparser."""
        return zone if seconds is None else timezone(timedelta(seconds=seconds))

    try:
        # Parts that the text leaves out come from the year 1, which is refused below.
        moment = dateutil_parser.parse(text, tzinfos=offset, default=datetime(1, 1, 1, tzinfo=zone))
        return _in_range((moment + timedelta(days=bool(n_midnights))).astimezone(UTC))
    except (ValueError, ArithmeticError, TypeError):
        return None


def _in_range(moment: datetime) -> datetime | None:
    return moment if FIRST_YEAR <= moment.year <= _LAST_YEAR else None
