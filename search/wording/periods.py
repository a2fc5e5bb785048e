"""Dates as the query form takes them: a day, a month, a year, or days back from today."""

import re
from calendar import monthrange
from datetime import date, timedelta

_BACK = re.compile(r"([0-9]{1,4})d")
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")


class PeriodError(ValueError):
    """A text that is no date; raised here, shown at its field."""


def first_day(text: str, today: date) -> date:
    """First day that `2026-09-24`, `2026-09`, `2026` or `7d` (today and six before) stands for.

    Examples
    --------
    >>> first_day("2026-09", date(2026, 11, 20)), first_day("7d", date(2026, 11, 20))
    (datetime.date(2026, 9, 1), datetime.date(2026, 11, 14))
    """
    year, month, day = _parts(text)
    if year is None:
        return _back(text, today)
    return _date(text, year, month or 1, day or 1)


def last_day(text: str, today: date) -> date:
    """Last day that the text stands for; `7d` is the day six days before today.

    Examples
    --------
    >>> last_day("2026-02", date(2026, 11, 20)), last_day("2025", date(2026, 11, 20))
    (datetime.date(2026, 2, 28), datetime.date(2025, 12, 31))
    """
    year, month, day = _parts(text)
    if year is None:
        return _back(text, today)
    month = month or 12
    if day is None:
        day = monthrange(_date(text, year, month, 1).year, month)[1]
    return _date(text, year, month, day)


def _parts(text: str) -> tuple[int | None, int | None, int | None]:
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None, None, None
    year, month, day = (int(part) if part else None for part in match.groups())
    return year, month, day


def _back(text: str, today: date) -> date:
    match = _BACK.fullmatch(text.strip())
    if match is None or int(match[1]) < 1:
        raise PeriodError(
            f"“{text}” is no date. Write 2026-09-24, a month 2026-09, a year 2026, or 7d."
        )
    return today - timedelta(days=int(match[1]) - 1)


def _date(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        unit = "month" if len(text) < len("2026-01-01") else "day"
        raise PeriodError(f"There is no {unit} {text} in the calendar.") from None
