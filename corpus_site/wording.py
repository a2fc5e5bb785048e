"""How the house writes figures, ages and dates (screens.md, section 3).

Plain functions: value in, text out. The template tags of `corpus_site.templatetags.house` wrap
them. Numbers are grouped by narrow no-break spaces, ages are words up to 48 hours.
"""

from datetime import datetime, timedelta

# U+202F: groups stay together at a line's end, as the mockups set them.
THIN = "\u202f"
MISSING = "–"
WORDS_UP_TO = timedelta(hours=48)

_MILLION = 1_000_000


def group_digits(value: float, decimals: int = 0) -> str:
    """Write a number with narrow spaces between its thousands.

    Examples
    --------
    >>> group_digits(3135).replace(THIN, "_")
    '3_135'
    >>> group_digits(-1234.56, 1).replace(THIN, "_")
    '−1_234.6'
    """
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN)
    return f"−{text}" if value < 0 else text


def compact(value: float) -> str:
    """Write a large number in millions, a smaller one in full.

    Examples
    --------
    >>> compact(203_912_000).replace(THIN, "_")
    '203.9_M'
    >>> compact(642_118).replace(THIN, "_")
    '642_118'
    """
    if abs(value) < _MILLION:
        return group_digits(value)
    return f"{group_digits(value / _MILLION, 1)}{THIN}M"


def per_million(count: float, base: float) -> str:
    """Hits per million tokens: one decimal, two below ten; a dash where the base is empty.

    Examples
    --------
    >>> per_million(3135, 32_400_000)
    '96.8'
    >>> per_million(3, 1_000_000)
    '3.00'
    >>> per_million(3, 0)
    '–'
    """
    if not base:
        return MISSING
    rate = count / base * _MILLION
    return group_digits(rate, 2 if rate < 10 else 1)


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
        return f"{minutes} min {rest} s" if rest and minutes < 5 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if hours and days < 7 else f"{days} d"


def stamp(moment: datetime) -> str:
    """`20 Nov 2026, 14:05`, in the moment's own zone."""
    return f"{day(moment)}, {moment:%H:%M}"


def day(moment: datetime) -> str:
    """`20 Nov 2026`, in the moment's own zone."""
    return f"{moment.day} {moment:%b %Y}"


def age(moment: datetime, now: datetime) -> str:
    """`38 s ago`, `in 24 min`, `now` within a second; beyond 48 hours the date and time."""
    passed = now - moment
    if abs(passed) < timedelta(seconds=1):
        return "now"
    if abs(passed) > WORDS_UP_TO:
        return stamp(moment)
    seconds = int(passed.total_seconds())
    return f"{span(seconds)} ago" if seconds >= 0 else f"in {span(-seconds)}"


def size(n_bytes: float) -> str:
    """Bytes in the largest decimal unit that fits.

    Examples
    --------
    >>> size(14_200), size(112_000_000_000)
    ('14 kB', '112 GB')
    >>> size(1_250_000)
    '1.2 MB'
    """
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            value = n_bytes / factor
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{n_bytes:.0f} B"
