"""The values of fetching: what is asked for, under which limits, and what came back.

One `FetchRequest` becomes one `FetchResult`, made of as many `Exchange`s as there were redirects,
plus one. `raw_body` is what came over the wire (still compressed) and goes into the archive;
`body` is decoded under the caps.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from feeds.crawler.fetching.cookies import CookieJar
from feeds.crawler.fetching.ip_addresses import Network
from feeds.crawler.outcomes import Outcome
from feeds.crawler.release import PRODUCT
from feeds.crawler.timing.conditional import Headers, header

# Caps of the decoded body by what is asked for (10 MB takes all 1,700 stored newspaper pages; the
# largest is 4 MB). The sitemap protocol allows 50 MB, RFC 9309 asks for at least 500 KiB of
# robots.txt.
MAX_PAGE_BYTES = 10_000_000
MAX_SITEMAP_BYTES = 50_000_000
MAX_ROBOTS_BYTES = 512 * 1024
# A second of patience for each of the slowest answers seen is far below this.
TOTAL_SECONDS = 30.0
CONNECT_SECONDS = 10.0  # a third of all: what connects no sooner leaves no time to answer
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2 asks as many of robots.txt
# Text compresses 3 to 20 times; zlib can do 1,032. Below the free size no ratio is looked at.
MAX_RATIO = 200
RATIO_FREE_BYTES = 1_000_000
# Of the web, and its usual alternatives; on other ports other services listen.
DEFAULT_PORTS = frozenset({80, 443, 8080, 8443})
REDIRECTS = frozenset({301, 302, 303, 307, 308})  # those with a Location (RFC 9110, 15.4)
REPEATING_REDIRECTS = frozenset({307, 308})
MOVED_FOR_GOOD = frozenset({301, 308})
# Honest and short; the service passes the site's own, with a contact.
DEFAULT_USER_AGENT = f"{PRODUCT} (newspaper corpus)"


class Expectation(StrEnum):
    """What kind of document the answer should be; decides `Accept` and what is refused by type."""

    PAGE = "page"
    FEED = "feed"
    ANY = "any"


class FetchStoppedError(Exception):
    """A fetch that goes no further, with the outcome to store.

    Raised by the guards, the decoder and the robots book; caught by the fetcher alone.
    """

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One document to ask for, with the validators of the copy that is known."""

    url: str
    etag: str | None = None
    last_modified: str | None = None
    max_bytes: int = MAX_PAGE_BYTES
    user_agent: str = DEFAULT_USER_AGENT
    expects: Expectation = Expectation.ANY
    # Headers that sign in; sent to the first host alone and kept out of the archive.
    credentials: Headers = field(default=(), repr=False)
    # Part of a query that nobody may read: added on the way, never in a URL, a record or a log.
    secret_query: str = field(default="", repr=False)
    # JSON that is handed over by POST; None for a document that is asked for by GET.
    payload: bytes | None = field(default=None, repr=False)
    # Fields of a form with a secret, handed over by POST to this address alone: no redirect is
    # followed.
    form: bytes | None = field(default=None, repr=False)
    # Sent wherever it is for, and takes what answers set.
    jar: CookieJar | None = field(default=None, repr=False, compare=False)

    @property
    def is_signed_in(self) -> bool:
        """Whether an answer may hold what only we are to know."""
        return bool(self.credentials) or self.jar is not None

    @property
    def is_conditional(self) -> bool:
        return bool(self.etag or self.last_modified)

    @property
    def method(self) -> str:
        return "GET" if self.payload is None and self.form is None else "POST"

    @property
    def followed(self) -> frozenset[int]:
        """Redirects that repeat this request: the others would make a GET of a POST.

        A secret is not carried to where a redirect leads.
        """
        if self.secret_query or self.form is not None:
            return frozenset()
        return REDIRECTS if self.payload is None else REPEATING_REDIRECTS

    def sent_url(self, url: str) -> str:
        """Address as it goes over the wire: with what must not be read elsewhere."""
        if not self.secret_query:
            return url
        return f"{url}{'&' if '?' in url else '?'}{self.secret_query}"

    def hidden(self, words: str) -> str:
        """Take what must not be read out of what an answer or an error repeats of it."""
        return words.replace(self.secret_query, "") if self.secret_query else words

    def without_secret(self, headers: Headers) -> Headers:
        return tuple((name, self.hidden(value)) for name, value in headers)


@dataclass(frozen=True, slots=True)
class NetworkPolicy:
    """What the fetcher may connect to and how long it waits.

    `allowed_private_networks` are the operator's exceptions; on them any port may be used.
    `refused_networks` are public addresses that are ours all the same. The proxy's own address is
    exempt: only the operator can set it.
    """

    allowed_private_networks: tuple[Network, ...] = ()
    refused_networks: tuple[Network, ...] = ()
    proxy_url: str = ""
    connect_seconds: float = CONNECT_SECONDS
    total_seconds: float = TOTAL_SECONDS
    max_redirects: int = MAX_REDIRECTS
    max_ratio: int = MAX_RATIO
    ports: frozenset[int] = DEFAULT_PORTS
    n_connections: int = 64


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, redirects included; `truncated` says why a body is not whole.

    `truncated` uses the words of WARC-Truncated (WARC 1.1, 5.13): length, time, disconnect.
    """

    url: str
    request_headers: Headers
    status: int
    reason: str
    headers: Headers
    raw_body: bytes = field(repr=False)
    started_at: datetime
    address: str = ""
    truncated: str = ""


# Of what a browser drew: its document, written as HTML.
RENDERED_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a browser made of a page: its document in UTF-8, or a sentence that says why not.

    `measured` is the same with the places of its elements (`drawn_html`), where they could be had.
    `n_of_host` are the requests that left the machine for it, by host.
    """

    html: bytes = field(default=b"", repr=False)
    error: str = ""
    elapsed_ms: int = 0
    n_requests: int = 0
    n_of_host: Mapping[str, int] = field(default_factory=dict)
    measured: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class FetchResult:
    """What became of one request. `exchanges` is empty where no answer came at all."""

    url: str
    outcome: Outcome
    error: str
    started_at: datetime
    elapsed_ms: int
    exchanges: tuple[Exchange, ...] = ()
    body: bytes = field(default=b"", repr=False)
    user_agent: str = ""
    rendering: Rendering | None = None

    @property
    def document(self) -> bytes:
        """What is read of the answer: as a browser drew it, where one did, else as it was sent."""
        drawn = self.rendering.html if self.rendering else b""
        return drawn or self.body

    @property
    def document_type(self) -> str:
        """Content-Type of `document`."""
        is_drawn = self.rendering is not None and self.rendering.html
        return RENDERED_TYPE if is_drawn else self.content_type

    @property
    def last(self) -> Exchange | None:
        return self.exchanges[-1] if self.exchanges else None

    @property
    def final_url(self) -> str:
        """URL of the last exchange; the requested one where none took place."""
        return self.exchanges[-1].url if self.exchanges else self.url

    @property
    def hops(self) -> tuple[str, ...]:
        """URLs that answered with a redirect, in order."""
        return tuple(exchange.url for exchange in self.exchanges[:-1])

    @property
    def moved_to(self) -> str:
        """URL that is to be asked instead from now on, empty for none: 301 and 308 alone say so.

        RFC 9110, sections 15.4.2 and 15.4.9; one temporary redirect on the way makes all of it so.
        """
        statuses = {exchange.status for exchange in self.exchanges[:-1]}
        return self.final_url if statuses and statuses <= MOVED_FOR_GOOD else ""

    @property
    def status(self) -> int | None:
        return self.exchanges[-1].status if self.exchanges else None

    @property
    def headers(self) -> Headers:
        return self.exchanges[-1].headers if self.exchanges else ()

    @property
    def raw_body(self) -> bytes:
        return self.exchanges[-1].raw_body if self.exchanges else b""

    @property
    def request_headers(self) -> Headers:
        return self.exchanges[-1].request_headers if self.exchanges else ()

    @property
    def content_type(self) -> str:
        """Content-Type as it came, empty where there was none."""
        return header(self.headers, "content-type") or ""
