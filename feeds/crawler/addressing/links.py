"""Which links of a publication are followed: editors' patterns, and advertising that never is.

Address → accepted or the reason why not: of 1,200 links on one front page most were click links of
advertisers. Editors' patterns, one set a publication, are RE2, which is linear in time whatever
they write; they are searched anywhere in the address, upper and lower case alike.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import re2

from feeds.crawler.addressing.canonical import BadUrl, canonicalize

MAX_PATTERN_LENGTH = 500  # characters
_MAX_PATTERN_MEMORY = 4 << 20  # bytes for one compiled pattern; RE2 refuses what needs more

# Hosts that count clicks or show advertising. Only what cannot be a newspaper's own host.
_ADVERTISING_HOST = re.compile(
    r"(?:^|\.)(?:doubleclick\.net|googleadservices\.com|googlesyndication\.com|adnxs\.com"
    r"|outbrain\.com|taboola\.com|mgid\.com|revcontent\.com|criteo\.(?:com|net)|adclick\.g\.[a-z.]+"
    r"|ad\.[a-z0-9\-]+\.[a-z.]+|ads\.[a-z0-9\-]+\.[a-z.]+|adserver\.[a-z0-9.\-]+)$"
)
# "CLINK" is what the old IOL wrote; the others are the forms of the common ad servers.
_CLICK_PATH = re.compile(
    r"(?:^|/)(?:clink|adclick|adclk|adserver|ad_click|click-?through|clickthru|click\.php|ck\.php"
    r"|go\.php|redirect\.aspx|ads?/click|aclk)(?:[/.?]|$)",
    re.IGNORECASE,
)
_CLICK_QUERY = re.compile(r"(?:^|&)(?:clink|adurl|clickurl|oadest|bannerid)=", re.IGNORECASE)
_TARGET_PARAMETERS = ("adurl", "url", "u", "q", "dest", "redirect", "link", "clickurl")
_REDIRECTOR = re.compile(
    r"^(?:www\.)?(?:google\.[a-z.]+/url|news\.google\.com/news/url|facebook\.com/l\.php"
    r"|l\.facebook\.com/l\.php|bing\.com/news/apiclick\.aspx|r\.search\.yahoo\.com/)"
)


class BadPattern(ValueError):  # noqa: N818 - the sentence is what counts
    """Raised by `LinkFilter.compile`; the form shows the sentence beside the field."""


@dataclass(frozen=True, slots=True)
class LinkDecision:
    """Whether a link is followed, and the reason in words where it is not."""

    accepted: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Patterns of one publication, compiled; empty lists accept everything."""

    include: tuple[tuple[str, re.Pattern[str]], ...] = ()
    exclude: tuple[tuple[str, re.Pattern[str]], ...] = ()

    @classmethod
    def compile(cls, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> "LinkFilter":
        """Compile editors' patterns.

        Parameters
        ----------
        include, exclude
            RE2 patterns; blank ones are left out.

        Raises
        ------
        BadPattern
            With a sentence naming the pattern and RE2's reason.
        """
        return cls(_compiled(include), _compiled(exclude))

    @classmethod
    def of_stored(cls, include: str, exclude: str) -> "LinkFilter":
        """Compile stored patterns; one that RE2 no longer takes lets everything in."""
        try:
            return cls.compile([include], [exclude])
        except BadPattern:
            return cls()

    def decide(self, url: str) -> LinkDecision:
        """Decide about one absolute address; exclusion wins."""
        if is_click_through(url):
            return LinkDecision(accepted=False, reason="a click link of an advertiser")
        for source, pattern in self.exclude:
            if pattern.search(url):
                return LinkDecision(accepted=False, reason=f"left out by the pattern “{source}”")
        if self.include and not any(pattern.search(url) for _, pattern in self.include):
            sources = "”, “".join(source for source, _ in self.include)
            return LinkDecision(accepted=False, reason=f"matches no pattern of “{sources}”")
        return LinkDecision(accepted=True)


def _compiled(sources: Sequence[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((source, _compile(source)) for source in map(str.strip, sources) if source)


def _compile(source: str) -> re.Pattern[str]:
    if len(source) > MAX_PATTERN_LENGTH:
        raise BadPattern(f"The pattern is longer than {MAX_PATTERN_LENGTH} characters.")
    options = re2.Options()
    options.max_mem = _MAX_PATTERN_MEMORY
    options.case_sensitive = False
    options.log_errors = False
    try:
        compiled: re.Pattern[str] = re2.compile(source, options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise BadPattern(f"“{source}” is not a pattern: {reason}.") from error
    return compiled


def is_click_through(url: str) -> bool:
    """Tell whether an address counts a click for an advertiser instead of naming a page.

    Examples
    --------
    >>> is_click_through("http://ads.example.com/clink?adurl=x"), is_click_through("http://a.za/b")
    (True, False)
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    return bool(
        _ADVERTISING_HOST.search(host)
        or _CLICK_PATH.search(parts.path)
        or _CLICK_QUERY.search(parts.query)
    )


def unwrap(url: str) -> str:
    """Give the page behind a redirector that carries it as a parameter, else the address itself.

    Examples
    --------
    >>> unwrap("https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fb&sa=D")
    'https://a.example/b'
    """
    parts = urlsplit(url)
    if not _REDIRECTOR.match(f"{parts.netloc.lower()}{parts.path}"):
        return url
    query = parse_qs(parts.query)
    for name in _TARGET_PARAMETERS:
        for target in query.get(name, ()):
            if target.startswith(("http://", "https://")):
                try:
                    return canonicalize(target).url
                except BadUrl:
                    continue
    return url
