"""Addresses in a web archive: of the front page on a day, of a page as it was then, and back.

Archives in the manner of the Wayback Machine answer `…/web/20131231000000id_/http://paper/` with
the copy nearest to that moment, by a redirect to its own moment; `id_` asks for the page as it
came, without the archive's banner and rewritten links.
"""

import re
from datetime import UTC, date, datetime, timedelta

DEFAULT_ARCHIVE = "https://web.archive.org/web"
# Of a day its first moment is asked for: the last would find the next day's copies first.
_STAMP = "%Y%m%d%H%M%S"
_ARCHIVED = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/(https?:/{1,2}[^/].*)$")
_ONE_SLASH = re.compile(r"^(https?:)/(?=[^/])")
_DAY = timedelta(days=1)


def snapshot_address(archive: str, page_url: str, day: date) -> str:
    """Address of the copy of a page that is nearest to a day.

    Examples
    --------
    >>> snapshot_address("https://archive.example/web", "http://a.example/", date(2013, 12, 31))
    'https://archive.example/web/20131231000000id_/http://a.example/'
    """
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return archived_address(archive, page_url, moment)


def archived_address(archive: str, page_url: str, moment: datetime) -> str:
    """Address of the copy of a page that is nearest to a moment, as it came."""
    return f"{archive.rstrip('/')}/{moment.astimezone(UTC):{_STAMP}}id_/{page_url}"


def snapshot_moment(url: str) -> datetime | None:
    """When the copy at an address was made; None for any other address.

    Examples
    --------
    >>> snapshot_moment("https://archive.example/web/20131231104500id_/http://a.example/").day
    31
    """
    match = _ARCHIVED.search(url)
    if not match:
        return None
    try:
        return datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)
    except ValueError:  # the 31st of February
        return None


def original_address(url: str) -> str:
    """Give the page's own address for that of its copy; any other address as it is.

    Examples
    --------
    >>> original_address("https://archive.example/web/20131231104500id_/http://a.example/b?c=1")
    'http://a.example/b?c=1'
    >>> original_address("http://a.example/2013/")
    'http://a.example/2013/'
    """
    match = _ARCHIVED.search(url)
    if not match or snapshot_moment(url) is None:
        return url
    return _ONE_SLASH.sub(r"\1//", match[2])


def day_before(asked: date, found: datetime | None) -> date:
    """Give the day to ask for next: before the one that was asked for and the copy that came.

    The nearest copy may lie after the day; then the search steps back by one all the same. Where
    it lies before, no copy stands between both, so that days are left out.

    Examples
    --------
    >>> day_before(date(2013, 12, 31), datetime(2013, 12, 10, 8, tzinfo=UTC))
    datetime.date(2013, 12, 9)
    >>> day_before(date(2013, 12, 31), datetime(2014, 1, 4, tzinfo=UTC))
    datetime.date(2013, 12, 30)
    """
    day = min(asked, found.date()) if found else asked
    return day - _DAY
