"""Dates as files of texts write them: a moment or a day → a moment with a zone."""

from datetime import datetime, tzinfo
from email.utils import parsedate_to_datetime

# What charts and calendars can hold: from the first newspapers on.
FIRST_YEAR, LAST_YEAR = 1600, 2100
_PARTIAL = ("%Y", "%Y-%m", "%Y%m%d", "%d.%m.%Y", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y")


def moment_of(words: str, zone: tzinfo) -> datetime | None:
    """Read a date; of a month or year its first day. None where it is none that is known.

    Days and months in figures alone are read as ISO 8601 or with points (20.11.2026); what may be
    either of two days, such as 3/4/2026, is not guessed at.

    Examples
    --------
    >>> from datetime import UTC
    >>> moment_of("2026-11", UTC).isoformat()
    '2026-11-01T00:00:00+00:00'
    >>> moment_of("3/4/2026", UTC)
    """
    found = _read(words.strip())
    if found is None or not FIRST_YEAR <= found.year <= LAST_YEAR:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)


def _read(words: str) -> datetime | None:
    try:
        return datetime.fromisoformat(words)  # most, and faster than any other
    except ValueError:
        pass
    for form in _PARTIAL:
        try:
            return datetime.strptime(words, form)  # noqa: DTZ007 (a zone is given below)
        except ValueError:
            continue
    try:
        return parsedate_to_datetime(words)
    except (ValueError, OverflowError):  # the latter of numbers with dozens of digits
        return None
