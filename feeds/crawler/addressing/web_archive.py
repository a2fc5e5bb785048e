"""Addresses in a web archive: of the front page on a day, of a page as it was then, and back.

Archives in the manner of the Wayback Machine answer `…/web/20131231000000id_/http://paper/` with
the copy nearest to that moment: by a redirect to its own moment, or at once, with headers that name
it (RFC 7089, Memento). `id_` asks for the page as it came, without the archive's banner and
rewritten links; OpenWayback and pywb take the same addresses below another root, the latter's with
the name of a collection.
"""

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

Headers = tuple[tuple[str, str], ...]

DEFAULT_ARCHIVE = "https://web.archive.org/web"
# Of a day its first moment is asked for: the last would find the next day's copies first.
_STAMP = "%Y%m%d%H%M%S"
# Modifiers that archives write behind the moment: id_, mp_, im_, js_, cs_, if_ …
_ARCHIVED = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/(https?:/{1,2}[^/].*)$")
_ONE_SLASH = re.compile(r"^(https?:)/(?=[^/])")
_DAY = timedelta(days=1)
# Of a Link header (RFC 8288): where a link goes, what it is, and of which moment.
_LINK = re.compile(r"<([^<>]*)>([^<>]*)")
_RELATION = re.compile(r'\brel="?([^";]*)')
_MOMENT = re.compile(r'\bdatetime="([^"]*)"')
# The copy itself among the mementos that a Link header lists; it may be the only one there is.
_ITSELF = ({"memento"}, {"first", "last", "memento"})


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
    """Which moment the address of a copy names; None for any other address.

    Examples
    --------
    >>> snapshot_moment("https://archive.example/web/20131231104500id_/http://a.example/").day
    31
    """
    match = _ARCHIVED.search(url)
    return moment_of_stamp(match[1]) if match else None


def moment_of_stamp(stamp: str) -> datetime | None:
    """Read fourteen digits as archives write a moment; None for the 31st of February."""
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def copy_moment(url: str, headers: Headers) -> datetime | None:
    """When the copy was made that came from an address; None where it is no copy's.

    The address itself may only say which moment was asked for, so that headers come first:
    Memento-Datetime, Content-Location, and the link to the copy itself (RFC 7089, 2.1 and 2.2).

    Examples
    --------
    >>> url = "https://archive.example/web/20131231000000id_/http://a.example/"
    >>> copy_moment(url, (("Memento-Datetime", "Fri, 20 Dec 2013 08:00:00 GMT"),)).day
    20
    """
    asked = snapshot_moment(url)
    if asked is None:
        return None
    said = {name.lower(): value for name, value in headers}
    return (
        _http_date(said.get("memento-datetime", ""))
        or snapshot_moment(said.get("content-location", ""))
        or _linked_moment(said.get("link", ""))
        or asked
    )


def _http_date(words: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(words)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):  # the latter where the year is none in UTC, or endless
        return None


def _linked_moment(links: str) -> datetime | None:
    for _, parameters in _LINK.findall(links):
        relation, moment = _RELATION.search(parameters), _MOMENT.search(parameters)
        if relation and moment and set(relation[1].split()) in _ITSELF:
            return _http_date(moment[1])
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


def redirect_in_archive(url: str, location: str) -> str:
    """Give the address that a redirect leads to, in the archive where it is that of a copy.

    Any other Location comes back as it is. Some archives give the one that the page itself gave
    then: followed, it would bring the page of today. It is asked of the archive, at that moment.

    Examples
    --------
    >>> copy = "https://archive.example/web/20131231104500id_/http://a.example/b"
    >>> redirect_in_archive(copy, "/c")
    'https://archive.example/web/20131231104500id_/http://a.example/c'
    >>> redirect_in_archive(copy, "/web/20131220000000id_/http://a.example/b")
    '/web/20131220000000id_/http://a.example/b'
    """
    match = _ARCHIVED.search(url)
    if match is None or snapshot_moment(urljoin(url, location)) is not None:
        return location
    return url[: match.start(2)] + urljoin(original_address(url), location)


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
    return max(day, date.min + _DAY) - _DAY  # a hostile archive may name the year 1
