"""What the headers of an answer say about asking again: validators, freshness, Retry-After.

Headers in → values out. RFC 9110 (validators 8.8, conditional requests 13.1, Retry-After 10.2.3,
HTTP-date 5.6.7) and RFC 9111 (freshness 4.2, Cache-Control 5.2, Expires 5.3). Whatever a server
writes wrongly counts as not written.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from feeds.crawler.outcomes import Outcome

Headers = tuple[tuple[str, str], ...]

# A server that answers "not modified" for ever is asked for the whole document once a week.
WHOLE_EVERY = timedelta(days=7)
# Longer validators are sent by no sane server and would only fill the table.
MAX_VALIDATOR_LENGTH = 512
# RFC 9110, 8.8.3.
_ETAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_DIRECTIVE = re.compile(r'([a-zA-Z-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s,]*))?')


@dataclass(frozen=True, slots=True)
class Validators:
    """What a conditional request sends back: ETag and Last-Modified as they came, or empty."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long the server calls its answer fresh.

    `seconds` is None where nothing was said, 0 for no-cache, no-store, must-revalidate-by-zero and
    a past Expires.
    """

    seconds: float | None
    source: str = ""


def header(headers: Headers, name: str) -> str | None:
    """Return the first value of a header, whatever the case of its name; None if absent."""
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None


def validators(headers: Headers) -> Validators:
    """Return what to remember of an answer for the next conditional request.

    Examples
    --------
    >>> validators((("ETag", 'W/"a1"'), ("Last-Modified", "never")))
    Validators(etag='W/"a1"', last_modified='')
    """
    etag = (header(headers, "etag") or "").strip()
    if len(etag) > MAX_VALIDATOR_LENGTH or not _ETAG.fullmatch(etag):
        etag = ""
    modified = (header(headers, "last-modified") or "").strip()
    if len(modified) > MAX_VALIDATOR_LENGTH or http_date(modified) is None:
        modified = ""
    return Validators(etag, modified)


def request_headers(known: Validators) -> Headers:
    """Return the headers of a conditional request.

    Both may be sent; the server lets the tag decide (RFC 9110, 13.1.2 and 13.1.3).
    """
    pairs = []
    if known.etag:
        pairs.append(("If-None-Match", known.etag))
    if known.last_modified:
        pairs.append(("If-Modified-Since", known.last_modified))
    return tuple(pairs)


def may_be_conditional(whole_at: datetime | None, now: datetime) -> bool:
    """Whether an answer "not modified" is enough: a whole document came within a week."""
    return whole_at is not None and now - whole_at < WHOLE_EVERY


def http_date(text: str) -> datetime | None:
    """Read an HTTP-date in any of its three forms (RFC 9110, 5.6.7); None when it is none.

    Examples
    --------
    >>> http_date("Sun, 06 Nov 1994 08:49:37 GMT")
    datetime.datetime(1994, 11, 6, 8, 49, 37, tzinfo=datetime.timezone.utc)
    """
    try:
        moment = parsedate_to_datetime(text.strip())
    except (TypeError, ValueError, IndexError, OverflowError):
        return _asctime(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _asctime(text: str) -> datetime | None:
    """Read the obsolete asctime form, `Sun Nov  6 08:49:37 1994`."""
    try:
        return datetime.strptime(" ".join(text.split()), "%a %b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def retry_after_seconds(headers: Headers, now: datetime) -> float | None:
    """Return the wait a server asks for, from seconds or from a date; None where it asks for none.

    Parameters
    ----------
    headers : tuple of (name, value)
        Headers of a 429 or 503 (RFC 9110, 10.2.3).
    now : datetime
        Moment of the answer; a date is measured against the server's own Date where it gives one,
        so that a wrong clock on either side does no harm.

    Returns
    -------
    float or None
        Seconds, never negative.

    Examples
    --------
    >>> retry_after_seconds((("Retry-After", "120"),), datetime(2026, 1, 1, tzinfo=UTC))
    120.0
    """
    text = (header(headers, "retry-after") or "").strip()
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]+)?", text):
        return float(text)
    moment = http_date(text)
    if moment is None:
        return None
    server_now = http_date(header(headers, "date") or "") or now
    return max((moment - server_now).total_seconds(), 0.0)


def freshness(headers: Headers, now: datetime) -> Freshness:
    """Return how long an answer stays fresh; max-age wins over Expires (RFC 9111, 5.3).

    Examples
    --------
    >>> freshness((("Cache-Control", "public, max-age=300"),), datetime(2026, 1, 1, tzinfo=UTC))
    Freshness(seconds=300.0, source='max-age')
    """
    directives = cache_directives(headers)
    for name in ("no-store", "no-cache"):
        if name in directives:
            return Freshness(0.0, name)
    age = directives.get("max-age", "")
    if re.fullmatch(r"[0-9]{1,12}", age):
        return Freshness(float(age), "max-age")
    expires = header(headers, "expires")
    if expires is None:
        return Freshness(None)
    moment = http_date(expires)
    if moment is None:  # "0" and other non-dates mean "already expired" (RFC 9111, 5.3)
        return Freshness(0.0, "Expires")
    server_now = http_date(header(headers, "date") or "") or now
    return Freshness(max((moment - server_now).total_seconds(), 0.0), "Expires")


def cache_directives(headers: Headers) -> dict[str, str]:
    """Return Cache-Control's directives, lower-case, first wins; values without their quotes."""
    found: dict[str, str] = {}
    for name, value in headers:
        if name.lower() != "cache-control":
            continue
        for match in _DIRECTIVE.finditer(value):
            found.setdefault(match[1].lower(), (match[2] or "").strip('"'))
    return found


def outcome_of_status(status: int, is_conditional: bool) -> Outcome:
    """Return the outcome that a status code alone stands for (RFC 9110, 15), redirects apart.

    Parameters
    ----------
    status : int
        Three digits.
    is_conditional : bool
        Whether the request carried a validator: a 304 to any other request is a fault of the
        server.
    """
    if 200 <= status < 300:
        return Outcome.OK
    if status == 304:
        return Outcome.NOT_MODIFIED if is_conditional else Outcome.SERVER_ERROR
    named = {
        401: Outcome.FORBIDDEN,
        403: Outcome.FORBIDDEN,
        404: Outcome.NOT_FOUND,
        407: Outcome.CONNECTION_ERROR,  # our own proxy wants a password
        408: Outcome.TIMEOUT,
        410: Outcome.GONE,
        429: Outcome.RATE_LIMITED,
        451: Outcome.FORBIDDEN,
    }
    if status in named:
        return named[status]
    return Outcome.SERVER_ERROR if status >= 500 else Outcome.CLIENT_ERROR
