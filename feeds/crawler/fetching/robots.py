"""What robots.txt permits (RFC 9309): parsed by protego, with the deciding line in the answer.

Body and status → policy → decision for a URL. A 4xx means that there are no rules; a 5xx, a 429 and
no answer at all mean that nothing may be fetched for now (RFC 9309, 2.3.1.3 and 2.3.1.4; 429 as the
largest search engine reads it). Of several groups the most specific counts, of several rules the
longest.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from protego import Protego

from feeds.crawler.fetching.exchange import MAX_ROBOTS_BYTES

_PARSED_POLICIES = 512  # a few kB each; a worker's batches see the same hosts again and again
# Parsed, a file takes thirty times its size: of those larger than nearly all, few are kept.
_LONG_CHARACTERS = 50_000
_LONG_POLICIES = 8
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# Of a refusal's explanation: 10 ms. Twenty thousand lines took 0.26 s of a fetcher's loop for each
# address that was refused.
_MOST_LINES_TRIED = 500
_MAX_LINE_SHOWN = 160  # with its words it fits the columns of reasons
# Of "User-agent: foo bar" the product token counts (RFC 9309, 2.2.1).
_AGENT_LINE = re.compile(
    r"^([ \t]*user[- ]?agent[ \t]*:[ \t]*)([a-z0-9_.-]+)[^#\r\n]*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class RobotsDecision:
    """Whether a URL may be fetched, and the line or the reason that decides."""

    allowed: bool
    reason: str = ""
    # False where nothing is known because robots.txt could not be read: ask again later.
    is_final: bool = True


class RobotsPolicy:
    """The rules of one host for one crawler; make it with `parse` or `unreachable`."""

    def __init__(self, text: str, agent: str, refusal: str = "") -> None:
        self._text = text
        self._agent = agent
        self._refusal = refusal
        self._rules = Protego.parse(_prepared(text))
        self._refusing_lines: list[str] | None = None

    @classmethod
    def parse(cls, body: bytes, status: int | None, agent: str) -> "RobotsPolicy":
        """Read an answer to a request for robots.txt.

        Parameters
        ----------
        body : bytes
            Decoded body; what lies beyond 512 kB is not read.
        status : int or None
            Status of the answer, None where none came.
        agent : str
            Product token that groups are looked up by, such as ``Broadsheet``.

        Returns
        -------
        RobotsPolicy
            Never fails; lines that are no rules are ignored.
        """
        if status is None:
            return cls.unreachable(agent, "robots.txt could not be read.")
        if status >= 500 or status == 429:
            return cls.unreachable(agent, f"robots.txt was answered with {status}.")
        if not 200 <= status < 300:
            return _policy("", agent)
        return _policy(decode_robots(body), agent)

    @classmethod
    def of_text(cls, text: str, agent: str) -> "RobotsPolicy":
        """Return the policy of a text that was stored; parsed texts are remembered."""
        return _policy(text, agent)

    @classmethod
    def unreachable(cls, agent: str, reason: str) -> "RobotsPolicy":
        """Return the policy of a host whose robots.txt cannot be read: nothing, for now."""
        return cls("", agent, reason)

    @property
    def text(self) -> str:
        """The decoded file: what `of_text` takes to make the same policy again."""
        return self._text

    @property
    def is_reachable(self) -> bool:
        return not self._refusal

    @property
    def crawl_delay(self) -> float | None:
        """Seconds between two requests, as our group asks for; None where it does not.

        A Request-rate says the same in other words and counts where it asks for more.
        """
        delay = self._rules.crawl_delay(self._agent)
        rate = self._rules.request_rate(self._agent)
        if rate is None:
            return delay
        return max(delay or 0.0, rate.seconds / rate.requests)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        return tuple(self._rules.sitemaps)

    def allows(self, url: str) -> RobotsDecision:
        """Decide about a URL.

        Parameters
        ----------
        url : str
            Absolute URL on this policy's host.

        Returns
        -------
        RobotsDecision
            With the deciding line of robots.txt where it forbids.
        """
        if self._refusal:
            return RobotsDecision(allowed=False, reason=self._refusal, is_final=False)
        if self._rules.can_fetch(url, self._agent):
            return RobotsDecision(allowed=True)
        return RobotsDecision(allowed=False, reason=self._deciding_line(url))

    def permits(self, url: str, agent: str) -> bool:
        """Say whether the file, as it stands, permits a URL to somebody else."""
        return self._rules.can_fetch(url, agent)

    def _deciding_line(self, url: str) -> str:
        """Find the longest rule that forbids, by asking the parser about each line alone.

        Slow, so lines that cannot be meant are left out, and of others that are many the last.
        """
        path = url.split("/", 3)[3:] or [""]
        likely = (line for line in self._own_lines() if _may_match(line, "/" + path[0]))
        for line in islice(likely, _MOST_LINES_TRIED):
            if not Protego.parse(f"User-agent: *\n{line}").can_fetch(url, self._agent):
                return f"robots.txt: “{line[:_MAX_LINE_SHOWN]}”"
        return "robots.txt forbids it."

    def _own_lines(self) -> list[str]:
        """List the lines of our groups that may forbid, the longest first; once."""
        if self._refusing_lines is None:
            groups = _disallow_lines(self._text)
            named = [
                (agents, lines) for agents, lines in groups if lines and self._is_named(agents)
            ]
            found = {line for _, lines in named or groups for line in lines}
            self._refusing_lines = sorted(found, key=lambda text: (-len(text), text))
        return self._refusing_lines

    def _is_named(self, agents: list[str]) -> bool:
        return any(agent != "*" and agent and agent in self._agent.lower() for agent in agents)


def product_token(user_agent: str) -> str:
    """Return the token that robots.txt groups are matched against (RFC 9309, 2.2.1).

    Examples
    --------
    >>> product_token("Broadsheet/0.1 (newspaper corpus)")
    'Broadsheet'
    """
    return user_agent.split("/", 1)[0].split(" ", 1)[0]


def decode_robots(body: bytes) -> str:
    r"""Decode robots.txt: UTF-8, UTF-16 where a mark says so; markup counts as no rules.

    Examples
    --------
    >>> decode_robots(b"\xef\xbb\xbfUser-agent: *")
    'User-agent: *'
    """
    body = body[:MAX_ROBOTS_BYTES]
    for mark, encoding in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            text = body[len(mark) :].decode(encoding, "replace")
            break
    else:
        text = body.decode("utf-8", "replace")
    if text.lstrip()[:200].lower().startswith(("<!doctype", "<html", "<head", "<?xml")):
        return ""
    return text.replace("\x00", "")


def _prepared(text: str) -> str:
    """Bring lines into the form of the RFC where the parser reads them otherwise.

    Unknown lines stay, and end a group of user agents: by the RFC they should not, but of 2,023
    real files three have `Noindex:` for everybody before a `Disallow: /` for one, and mean that.
    """
    return _AGENT_LINE.sub(r"\1\2", text)


def _policy(text: str, agent: str) -> RobotsPolicy:
    return (_long_policy if len(text) > _LONG_CHARACTERS else _short_policy)(text, agent)


@lru_cache(maxsize=_PARSED_POLICIES)
def _short_policy(text: str, agent: str) -> RobotsPolicy:
    return RobotsPolicy(text, agent)


@lru_cache(maxsize=_LONG_POLICIES)
def _long_policy(text: str, agent: str) -> RobotsPolicy:
    return RobotsPolicy(text, agent)


def _may_match(line: str, path: str) -> bool:
    """Say whether a line may forbid a path, in a microsecond; the parser knows.

    Escapes are the parser's to compare.

    Examples
    --------
    >>> [_may_match(f"Disallow: {rule}", "/a/b?c") for rule in ("/a", "/b", "*c$", "/a*d")]
    [True, False, True, False]
    """
    pattern = line.partition(":")[2].strip()
    if "%" in pattern or "%" in path or not (pattern + path).isascii():
        return True
    first, *others = pattern.removesuffix("$").split("*")
    return path.startswith(first) and all(piece in path for piece in others)


def _disallow_lines(text: str) -> list[tuple[list[str], list[str]]]:
    """List the groups with their agents (lower-case) and the lines that may forbid."""
    agents: list[str] = []
    lines: list[str] = []
    groups = [(agents, lines)]
    is_open = False
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        field, _, value = (part.strip() for part in line.partition(":"))
        name = field.lower().replace("-", "").replace(" ", "")
        if name == "useragent":
            if not is_open:
                agents, lines = [], []
                groups.append((agents, lines))
            agents.append(value.lower())
            is_open = True
        elif line and name not in {"sitemap", "host"}:
            is_open = False
            if name.startswith("dis") and value:
                lines.append(line)
    return groups
