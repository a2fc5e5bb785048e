"""The cookies of one site: what its answers set, and what is sent back with a request.

RFC 6265, 5.2 to 5.4, and stricter than it: nothing is taken from or told to another site than the
one the jar was made for, and each goes back over the scheme that brought it. A jar never shows its
values where it is printed.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from feeds.crawler.addressing.canonical import is_same_site
from feeds.crawler.timing.conditional import Headers

# RFC 6265, 6.1 asks of browsers for 50 cookies a site of 4,096 bytes each.
MOST_COOKIES = 50
MAX_COOKIE_CHARS = 4_096
_REDACTED = "(not archived)"


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie; `domain` is its host where `is_host_only`, else it holds below it too."""

    name: str
    value: str = field(repr=False)
    scheme: str
    domain: str
    path: str = "/"
    is_host_only: bool = True
    is_secure: bool = False
    expires_at: float | None = None  # seconds since 1970; None: until the session ends


@dataclass(slots=True)
class CookieJar:
    """Cookies by name, domain and path.

    Parameters
    ----------
    site : str
        Host of the newspaper's home page: the jar is for it and what lies below it.
    """

    site: str
    _cookies: dict[tuple[str, str, str], Cookie] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self._cookies)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(cookie.name for cookie in self._cookies.values())

    def take(self, url: str, headers: Headers, now: datetime) -> None:
        """Take what an answer sets, if it came from this site."""
        if not self._is_ours(url):
            return
        for name, value in headers:
            cookie = read_cookie(value, url, now) if name.lower() == "set-cookie" else None
            if cookie is not None:
                self._put(cookie, now)

    def header(self, url: str, now: datetime) -> str:
        """Give the value of the Cookie header for an address; empty where there is none."""
        if not self._is_ours(url):
            return ""
        fitting = [cookie for cookie in self._cookies.values() if _fits(cookie, url, now)]
        fitting.sort(key=lambda cookie: -len(cookie.path))  # RFC 6265, 5.4
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in fitting)

    def to_text(self) -> str:
        """Write the jar as JSON; only ever kept sealed."""
        cookies = [asdict(cookie) for cookie in self._cookies.values()]
        return json.dumps({"site": self.site, "cookies": cookies})

    @classmethod
    def of_text(cls, text: str) -> "CookieJar":
        """Read what `to_text` has written."""
        kept = json.loads(text)
        jar = cls(kept["site"])
        for values in kept["cookies"]:
            cookie = Cookie(**values)
            jar._cookies[_key(cookie)] = cookie
        return jar

    def _is_ours(self, url: str) -> bool:
        return is_same_site(urlsplit(url).hostname or "", self.site)

    def _put(self, cookie: Cookie, now: datetime) -> None:
        if _is_over(cookie, now):
            self._cookies.pop(_key(cookie), None)
        elif _key(cookie) in self._cookies or len(self._cookies) < MOST_COOKIES:
            self._cookies[_key(cookie)] = cookie


def read_cookie(line: str, url: str, now: datetime) -> Cookie | None:
    """Read one Set-Cookie header; None for what no browser would keep.

    Examples
    --------
    >>> moment = datetime(2026, 11, 20, tzinfo=UTC)
    >>> read_cookie("sid=a; Domain=.a.example; Secure", "https://www.a.example/in", moment).domain
    'a.example'
    >>> read_cookie("sid=a; Domain=b.example", "https://www.a.example/in", moment) is None
    True
    """
    pair, *rest = line.split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not (equals and name and _is_sendable(name + value)):
        return None
    attributes = {key.strip().lower(): text.strip() for key, _, text in map(_halves, rest)}
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    domain = attributes.get("domain", "").lower().lstrip(".")
    if domain and not _is_below(host, domain):
        return None
    path = attributes.get("path", "")
    return Cookie(
        name=name,
        value=value,
        scheme=parts.scheme,
        domain=domain or host,
        path=path if path.startswith("/") else _default_path(parts.path),
        is_host_only=not domain,
        is_secure="secure" in attributes,
        expires_at=_expiry(attributes, now),
    )


def without_values(headers: Headers) -> Headers:
    """Give an answer's headers as they may be archived: without what its cookies are worth."""
    return tuple(
        (name, _blank(value) if name.lower() == "set-cookie" else value) for name, value in headers
    )


def _blank(line: str) -> str:
    pair, semicolon, rest = line.partition(";")
    return f"{pair.partition('=')[0]}={_REDACTED}{semicolon}{rest}"


def _halves(text: str) -> tuple[str, str, str]:
    return text.partition("=")


def _is_sendable(text: str) -> bool:
    return text.isascii() and text.isprintable() and len(text) <= MAX_COOKIE_CHARS


def _is_below(host: str, domain: str) -> bool:
    return host == domain or host.endswith("." + domain)


def _default_path(path: str) -> str:
    """Give the folder of an address (RFC 6265, 5.1.4)."""
    folder = path.rpartition("/")[0]
    return folder if folder.startswith("/") else "/"


def _expiry(attributes: dict[str, str], now: datetime) -> float | None:
    """Give when a cookie ends; Max-Age goes before Expires."""
    age = attributes.get("max-age", "")
    if age.lstrip("-").isdecimal():
        return (now + timedelta(seconds=min(int(age), 400 * 86_400))).timestamp()
    try:
        moment = parsedate_to_datetime(attributes["expires"].replace("-", " "))
    except (KeyError, ValueError, TypeError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _fits(cookie: Cookie, url: str, now: datetime) -> bool:
    parts = urlsplit(url)
    host, path = (parts.hostname or "").lower(), parts.path or "/"
    is_host = host == cookie.domain if cookie.is_host_only else _is_below(host, cookie.domain)
    folder = cookie.path if cookie.path.endswith("/") else cookie.path + "/"
    is_path = path == cookie.path or path.startswith(folder)
    is_safe = parts.scheme == cookie.scheme and (parts.scheme == "https" or not cookie.is_secure)
    return is_host and is_path and is_safe and not _is_over(cookie, now)


def _is_over(cookie: Cookie, now: datetime) -> bool:
    return cookie.expires_at is not None and cookie.expires_at <= now.timestamp()


def _key(cookie: Cookie) -> tuple[str, str, str]:
    return cookie.name, cookie.domain, cookie.path


def names_of(cookies: Iterable[str]) -> str:
    """Say which cookies there are, by their names alone."""
    return ", ".join(sorted(cookies)[:10])
