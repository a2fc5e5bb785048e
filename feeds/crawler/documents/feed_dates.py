"""Date of a feed entry, in any form → datetime with zone in UTC, or None.

RFC 822 and W3C dates are read by feedparser; this module reads what it cannot (dateutil), and the
zone names of Southern Africa, which feedparser takes for UTC. A date without a zone is UTC.
"""

import calendar
import re
import time
from datetime import UTC, datetime, timedelta, timezone

from dateutil import parser as dateutil_parser

FIRST_YEAR = 1991  # no web page is older: "0000-00-00", 1900 and 1970 mean "unknown"
_LAST_YEAR = 2100  # later ones are numbers that were taken for a year
_MAX_DATE_LENGTH = 80  # characters
_ZONE_HOURS = {"SAST": 2, "CAT": 2, "EAT": 3, "WAT": 1, "UTC": 0, "GMT": 0, "Z": 0}
_ZONES = {name: timezone(timedelta(hours=hours), name) for name, hours in _ZONE_HOURS.items()}
_AFRICAN_ZONE = re.compile(r"\d\s*(?:SAST|CAT|EAT|WAT)\b")
# Dates in Afrikaans are met in the feeds of Afrikaans papers; weekdays are left out of the text.
_AFRIKAANS = {
    "januarie": "January",
    "februarie": "February",
    "maart": "March",
    "mei": "May",
    "junie": "June",
    "julie": "July",
    "augustus": "August",
    "oktober": "October",
    "okt": "October",
    "desember": "December",
    "des": "December",
}
_AFRIKAANS_MONTH = re.compile(rf"\b(?:{'|'.join(_AFRIKAANS)})\b", re.IGNORECASE)
_AFRIKAANS_DAY = re.compile(
    r"\b(?:maandag|dinsdag|woensdag|donderdag|vrydag|saterdag|sondag),?", re.IGNORECASE
)


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
    >>> entry_date("20 Desember 2026 10:00").isoformat()
    '2026-12-20T10:00:00+00:00'
    >>> entry_date("yesterday") is None
    True
    """
    written = text.strip()[:_MAX_DATE_LENGTH] if isinstance(text, str) else ""
    if parsed is not None and not _AFRICAN_ZONE.search(written):
        return _from_struct(parsed)
    return _from_text(written) if written else None


def _from_struct(parsed: time.struct_time) -> datetime | None:
    try:
        moment = datetime.fromtimestamp(calendar.timegm(parsed), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if FIRST_YEAR <= moment.year <= _LAST_YEAR else None


def _from_text(text: str) -> datetime | None:
    text = _AFRIKAANS_MONTH.sub(lambda match: _AFRIKAANS[match[0].lower()], text)
    text = _AFRIKAANS_DAY.sub("", text)
    try:
        # Parts that the text leaves out come from the year 1, which is refused below.
        moment = dateutil_parser.parse(text, tzinfos=_zone, default=datetime(1, 1, 1, tzinfo=UTC))
        moment = moment.astimezone(UTC)
    except (ValueError, ArithmeticError, TypeError):
        return None
    return moment if FIRST_YEAR <= moment.year <= _LAST_YEAR else None


def _zone(name: str | None, offset_seconds: int | None) -> timezone | None:
    """Resolve a zone for dateutil; an unknown name is UTC, as for feedparser."""
    if name and name.upper() in _ZONES:
        return _ZONES[name.upper()]
    return timezone(timedelta(seconds=offset_seconds)) if offset_seconds is not None else UTC
