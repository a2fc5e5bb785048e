"""Requests and answers of the newsstand as values, with conditional GET and gzip (RFC 9110)."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import parse_qsl, unquote, urlsplit

HTML = "text/html; charset=utf-8"
_MIN_GZIP_BYTES = 200  # below it packing saves next to nothing


@dataclass(frozen=True, slots=True)
class PaperRequest:
    """One GET or HEAD; header names are in lower case."""

    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"

    @property
    def path(self) -> str:
        """The path, decoded."""
        return unquote(urlsplit(self.target).path) or "/"

    @property
    def query(self) -> dict[str, str]:
        """The parameters; of several with one name the last."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def agent(self) -> str:
        """Who asks."""
        return self.headers.get("user-agent", "")


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """One answer before it is made conditional and packed; the body is not yet compressed."""

    body: bytes = b""
    content_type: str = HTML
    status: int = 200
    modified_at: datetime | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def page(text: str, status: int = 200) -> PaperAnswer:
    """Answer with an HTML page in UTF-8."""
    return PaperAnswer(text.encode(), status=status)


def redirect(path: str) -> PaperAnswer:
    """Answer that what was asked for is found elsewhere for now."""
    return PaperAnswer(status=302, headers={"Location": path})


def finish(answer: PaperAnswer, request: PaperRequest) -> PaperAnswer:
    """Add validators, answer 304 where they match, and compress for those who accept it."""
    headers = dict(answer.headers) | {"Content-Type": answer.content_type}
    if answer.status == 200:
        headers["ETag"] = f'"{hashlib.blake2b(answer.body, digest_size=8).hexdigest()}"'
        headers["Vary"] = "Accept-Encoding"
        if answer.modified_at is not None:
            modified_at = answer.modified_at.astimezone(UTC)
            headers["Last-Modified"] = format_datetime(modified_at, usegmt=True)
        if _is_unchanged(request, headers):
            del headers["Content-Type"]
            return replace(answer, body=b"", status=304, headers=headers)
    body = answer.body
    if "gzip" in request.headers.get("accept-encoding", "") and len(body) >= _MIN_GZIP_BYTES:
        body = gzip.compress(body, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return replace(answer, body=body, headers=headers)


def _is_unchanged(request: PaperRequest, headers: Mapping[str, str]) -> bool:
    """Compare the validators; If-None-Match counts alone when it is there (RFC 9110, 13.2.2)."""
    if known := request.headers.get("if-none-match"):
        return headers["ETag"] in {tag.strip().removeprefix("W/") for tag in known.split(",")}
    since = request.headers.get("if-modified-since")
    if since is None or "Last-Modified" not in headers:
        return False
    try:
        return parsedate_to_datetime(headers["Last-Modified"]) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False
