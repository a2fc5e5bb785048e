"""What headers say of a host's budget of requests: for how long nothing is left of it.

`X-RateLimit-Remaining` and `-Reset` as Mastodon sends them (docs.joinmastodon.org/api/rate-limits:
a moment in ISO 8601), `RateLimit-…` as Bluesky does (seconds since 1970), and as the IETF's draft
has it (seconds from now). Whatever a server writes wrongly counts as not written.
"""

import re
from datetime import UTC, datetime

from feeds.crawler.timing.conditional import Headers, header, http_date

_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_PREFIXES = ("x-ratelimit", "ratelimit")
# A larger number is a moment: it was passed in 2001, and no budget takes 30 years to fill.
_LEAST_MOMENT = 1e9


def spent_seconds(headers: Headers, now: datetime) -> float | None:
    """Return the seconds until a budget that is spent is full again; None where some is left.

    Parameters
    ----------
    headers : tuple of (name, value)
        Of any answer.
    now : datetime
        Moment of the answer; the server's own Date is taken where it gives one.

    Examples
    --------
    >>> moment = datetime(2026, 11, 20, 12, tzinfo=UTC)
    >>> left, reset = "X-RateLimit-Remaining", "X-RateLimit-Reset"
    >>> spent_seconds(((left, "0"), (reset, "2026-11-20T12:05:00.000000Z")), moment)
    300.0
    >>> spent_seconds(((left, "7"), (reset, "2026-11-20T12:05:00.000000Z")), moment)
    """
    for prefix in _PREFIXES:
        left = (header(headers, f"{prefix}-remaining") or "").strip()
        if _NUMBER.fullmatch(left) and float(left) < 1:
            reset = (header(headers, f"{prefix}-reset") or "").strip()
            return _until(reset, http_date(header(headers, "date") or "") or now)
    return None


def _until(reset: str, now: datetime) -> float | None:
    """Read when a budget is full again, in any of its three forms."""
    if _NUMBER.fullmatch(reset):
        seconds = float(reset)
        return max(seconds - now.timestamp(), 0.0) if seconds >= _LEAST_MOMENT else seconds
    try:
        moment = datetime.fromisoformat(reset)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((moment - now).total_seconds(), 0.0)
