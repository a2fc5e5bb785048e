"""Moments, days and lengths of time in words; ages are words up to 48 hours, dates beyond."""

from datetime import date, datetime, timedelta

# Spelt here, since `strftime` follows the locale of the machine.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WORDS_UP_TO = timedelta(hours=48)
# From here on the second unit is not worth its room: seconds beside minutes, hours beside days.
_MINUTES_ALONE, _DAYS_ALONE = 5, 7


def span(seconds: float) -> str:
    """Write a length of time in its two largest units, below ten seconds with one decimal.

    Examples
    --------
    >>> span(38), span(300), span(13_200), span(200_000)
    ('38 s', '5 min', '3 h 40 min', '2 d 7 h')
    >>> span(0.24), span(5)
    ('0.2 s', '5 s')
    """
    if 0 < seconds < 0.05:
        return "under 0.1 s"
    if 0 < seconds < 9.95 and seconds != int(seconds):
        return f"{seconds:.1f} s"
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    if minutes < 60:
        rest = whole % 60
        return f"{minutes} min {rest} s" if rest and minutes < _MINUTES_ALONE else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if hours and days < _DAYS_ALONE else f"{days} d"


def stamp(moment: datetime) -> str:
    """`20 Nov 2026, 14:05`, in the moment's own zone."""
    return f"{day(moment)}, {moment:%H:%M}"


def exact_stamp(moment: datetime) -> str:
    """`20 Nov 2026, 14:05:31`, in the moment's own zone."""
    return f"{day(moment)}, {clock(moment)}"


def clock(moment: datetime) -> str:
    """`14:05:31`, in the moment's own zone."""
    return f"{moment:%H:%M:%S}"


def day(moment: date) -> str:
    """`20 Nov 2026`; a moment's day is that of its own zone."""
    return f"{day_of_year(moment)} {moment.year}"


def day_of_year(moment: date) -> str:
    """`20 Nov`, where the year is known."""
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def short_day(moment: date, today: date) -> str:
    """`20 Nov` of this year, `20 Nov 2024` of another."""
    return day_of_year(moment) if moment.year == today.year else day(moment)


def days(first: date, last: date) -> str:
    """Write a stretch of days.

    Examples
    --------
    >>> days(date(2026, 9, 1), date(2026, 9, 30)), days(date(2025, 9, 1), date(2026, 9, 30))
    ('1 Sep to 30 Sep 2026', '1 Sep 2025 to 30 Sep 2026')
    >>> days(date(2026, 9, 1), date(2026, 9, 1))
    '1 Sep 2026'
    """
    return day(last) if first == last else f"{short_day(first, last)} to {day(last)}"


def month(moment: date) -> str:
    """`Nov 2026`."""
    return f"{_MONTHS[moment.month - 1]} {moment.year}"


def named_month(text: str) -> str:
    """Write a month of the index: `2026-11` → `Nov 2026`."""
    return month(date.fromisoformat(f"{text}-01"))


def age(moment: datetime, now: datetime) -> str:
    """`38 s ago`, `in 24 min`, `now` within a second; beyond 48 hours the date and time."""
    passed = now - moment
    if abs(passed) < timedelta(seconds=1):
        return "now"
    if abs(passed) > WORDS_UP_TO:
        return stamp(moment)
    seconds = int(passed.total_seconds())
    return f"{span(seconds)} ago" if seconds >= 0 else f"in {span(-seconds)}"
