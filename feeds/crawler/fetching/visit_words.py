"""What an outcome means to somebody who typed an address: what happened, and what to do.

FetchResult → sentences for the form of the wizard; the fetcher's own words stand between them.
"""

from urllib.parse import urlsplit

from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome

_LATER = "Try again in a few minutes."
_PUBLISHER = (
    "Ask the publisher to let this crawler in, or try the address of one of the paper's feeds."
)
_NETWORKS = (
    "A newspaper has a public address; networks of one's own are permitted by the setting "
    "CRAWL_ALLOWED_PRIVATE_NETWORKS."
)
_HOME = "Paste the address of the newspaper's home page."

# Outcome → what happened, what to do.
_WORDS = {
    Outcome.DNS_ERROR: (
        "The name of the host is not known (DNS).",
        "Check its spelling; open it in a browser to be sure.",
    ),
    Outcome.CONNECTION_ERROR: (
        "The host refuses the connection.",
        f"Check the address in a browser. {_LATER}",
    ),
    Outcome.TIMEOUT: ("The host did not answer in time.", _LATER),
    Outcome.NOT_FOUND: ("There is no such page (404).", _HOME),
    Outcome.GONE: ("The page is gone for good (410).", _HOME),
    Outcome.FORBIDDEN: ("The site forbids the visit (403).", _PUBLISHER),
    Outcome.RATE_LIMITED: ("The site asks to come back later (429).", _LATER),
    Outcome.CHALLENGE: ("A bot guard answered instead of the site.", _PUBLISHER),
    Outcome.ROBOTS_FORBID: ("robots.txt forbids the visit, so this stops here.", _PUBLISHER),
    Outcome.PRIVATE_ADDRESS: (
        "The address is private and is not visited.",
        _NETWORKS,
    ),
    Outcome.TOO_MANY_REDIRECTS: (
        "The address redirects in a loop or too often.",
        "Some sites do so to whoever keeps no cookies: try the address of one of its feeds.",
    ),
    Outcome.TOO_LARGE: (
        "The answer is too large.",
        "Paste the address of a section or of a feed instead.",
    ),
    Outcome.UNEXPECTED_TYPE: ("The address answers with a file, not a page.", _HOME),
    Outcome.BAD_ENCODING: ("The answer is broken (compression).", _LATER),
    Outcome.SERVER_ERROR: ("The server reports an error of its own.", _LATER),
    Outcome.CLIENT_ERROR: ("The server refuses the request.", _HOME),
}
_LOG_IN = (
    "The page asks for a name and a password (401).",
    "Pages behind a log-in are not read: paste the address of a public page.",
)
# After these the home page of the same host may answer all the same.
_HOME_MAY_ANSWER = frozenset(
    {
        Outcome.NOT_FOUND,
        Outcome.GONE,
        Outcome.UNEXPECTED_TYPE,
        Outcome.TOO_LARGE,
        Outcome.CLIENT_ERROR,
        Outcome.ROBOTS_FORBID,
    }
)


def visit_sentence(result: FetchResult) -> str:
    """Say in a line what became of a visit."""
    if result.outcome.is_answer:
        return f"answered ({result.status})."
    what, _ = _words(result)
    return " ".join(filter(None, (what, result.error)))


def advice(result: FetchResult) -> str:
    """Say what to do about a visit that brought nothing; empty where it brought something."""
    return "" if result.outcome.is_answer else _words(result)[1]


def home_instead(result: FetchResult) -> str:
    """Give the home page of a host that refused another of its pages; empty where it is that."""
    if result.outcome not in _HOME_MAY_ANSWER:
        return ""
    parts = urlsplit(result.final_url)
    home = f"{parts.scheme}://{parts.netloc}/"
    return "" if parts.path in {"", "/"} and not parts.query else home


def _words(result: FetchResult) -> tuple[str, str]:
    if result.status == 401:
        return _LOG_IN
    return _WORDS.get(result.outcome, ("", _LATER))
