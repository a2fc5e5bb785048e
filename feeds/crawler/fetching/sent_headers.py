"""Headers and address of a request as it is sent, and which headers of its answer are archived."""

from datetime import datetime

from feeds.crawler.fetching.connections import Target, parse_target
from feeds.crawler.fetching.cookies import without_values
from feeds.crawler.fetching.exchange import FetchRequest
from feeds.crawler.fetching.media_types import ACCEPT
from feeds.crawler.timing.conditional import Headers, Validators, request_headers

_ACCEPT_ENCODING = "gzip, deflate"
_PAYLOAD_TYPE = (("Content-Type", "application/json"),)
_FORM_TYPE = (("Content-Type", "application/x-www-form-urlencoded"),)


def headers_of(request: FetchRequest, *, is_first: bool) -> Headers:
    """Headers of one request; validators belong to the first URL only."""
    known = Validators(request.etag or "", request.last_modified or "")
    conditions = request_headers(known) if is_first else ()
    return (
        ("User-Agent", request.user_agent),
        ("Accept", ACCEPT[request.expects]),
        ("Accept-Encoding", _ACCEPT_ENCODING),
        *conditions,
        *(() if request.payload is None else _PAYLOAD_TYPE),
        *(() if request.form is None else _FORM_TYPE),
    )


def credentials_of(request: FetchRequest, target: Target, now: datetime) -> Headers:
    """Headers that sign in: for the host that was asked for, not for where it leads.

    A cookie of https is not told to plain http. A jar knows itself what it is for.
    """
    if request.jar is not None:
        cookies = request.jar.header(target.url, now)
        return (("Cookie", cookies),) if cookies else ()
    if not request.credentials:
        return ()
    first = parse_target(request.url)
    is_downgraded = first.url.startswith("https:") and not target.url.startswith("https:")
    return request.credentials if target.netloc == first.netloc and not is_downgraded else ()


def archived_headers(request: FetchRequest, received: Headers) -> Headers:
    """Give an answer's headers without a secret it repeats, or what signs us in from now on."""
    kept = without_values(received) if request.is_signed_in else received
    return request.without_secret(kept)


def host_header(target: Target) -> str:
    """Host with its port where it is not the usual one."""
    default = 443 if target.url.startswith("https:") else 80
    return target.host if target.port == default else f"{target.host}:{target.port}"
