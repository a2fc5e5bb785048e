"""One log-in: the page of the form, the form filled in, and whether that has signed us in.

At most three requests, each through the fetcher with its checks of addresses and robots.txt, and
the host's pause between them. The password goes to one address alone: of the newspaper's own site,
over the scheme of its page, by POST, without following a redirect that would have it sent again.
What happened is told in sentences, none of which holds what was sent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode, urlsplit

from feeds.crawler.addressing.canonical import is_same_site
from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.cookies import CookieJar, names_of
from feeds.crawler.fetching.exchange import (
    REDIRECTS,
    Expectation,
    FetchRequest,
    FetchResult,
    FetchStoppedError,
)
from feeds.crawler.fetching.http import Fetcher, Gate
from feeds.crawler.outcomes import Outcome
from feeds.crawler.signing_in.forms import LogInForm, find_form, shows_log_in
from feeds.crawler.timing.conditional import header

# All of it; a turn's lease is a minute, and the page of the form is as quick as others.
LOG_IN_SECONDS = 40.0
_REFUSALS = frozenset({401, 403})
# 307 and 308 ask for the same once more: the password would go where the answer points.
_LANDINGS = REDIRECTS - {307, 308}

Rest = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LogInTerms:
    """What an editor has said of a log-in.

    `site` is the host of the newspaper's home page. `cookie` must be set, `absent_text` must not
    stand in the answer; without both, an answer without a log-in form that sets a cookie will do.
    """

    address: str
    site: str
    user: str = field(repr=False)
    password: str = field(repr=False)
    user_field: str = ""
    password_field: str = ""
    cookie: str = ""
    absent_text: str = ""
    user_agent: str = ""


@dataclass(frozen=True, slots=True)
class LogInReport:
    """What became of a log-in: `steps` tell it, the last of them whether we are in."""

    jar: CookieJar | None
    steps: tuple[str, ...]
    results: tuple[FetchResult, ...] = field(default=(), repr=False)

    @property
    def is_in(self) -> bool:
        return self.jar is not None


class _StoppedError(Exception):
    """Raised with the sentence that says why a log-in goes no further."""


@dataclass(slots=True)
class _Way:
    """What is used on the way, and what has happened so far."""

    fetcher: Fetcher
    terms: LogInTerms
    gate: Gate
    rest: Rest
    jar: CookieJar
    steps: list[str] = field(default_factory=list)
    results: list[FetchResult] = field(default_factory=list)

    async def ask(self, request: FetchRequest) -> FetchResult:
        """Send a request of this log-in, with what the site has set so far."""
        if self.results:
            await self.rest(urlsplit(request.url).netloc)
        agent = self.terms.user_agent or request.user_agent
        sent = replace(request, jar=self.jar, user_agent=agent, expects=Expectation.PAGE)
        result = await self.fetcher.fetch(sent, self.gate)
        self.results.append(result)
        return result


async def log_in(fetcher: Fetcher, terms: LogInTerms, gate: Gate, rest: Rest) -> LogInReport:
    """Log in at a newspaper; never raises for what the web does.

    Parameters
    ----------
    fetcher : Fetcher
        The batch's own.
    terms : LogInTerms
        Where, as whom, and how success is known.
    gate : callable
        robots.txt, asked before every request.
    rest : callable
        Waits as long as a host wants between two requests.
    """
    way = _Way(fetcher, terms, gate, rest, CookieJar(terms.site))
    try:
        async with asyncio.timeout(LOG_IN_SECONDS):
            form = await _read_form(way)
            await _send_form(way, form)
    except _StoppedError as stopped:
        steps = (*way.steps, str(stopped))
        return LogInReport(None, steps, tuple(way.results))
    except TimeoutError:
        words = f"It took longer than {LOG_IN_SECONDS:g} seconds: not signed in."
        return LogInReport(None, (*way.steps, words), tuple(way.results))
    way.steps.append(f"Signed in: the site has set {names_of(way.jar.names)}.")
    return LogInReport(way.jar, tuple(way.steps), tuple(way.results))


async def _read_form(way: _Way) -> LogInForm:
    """Ask for the page of the form, and find the form on it."""
    terms = way.terms
    result = await way.ask(FetchRequest(terms.address))
    if result.outcome is not Outcome.OK:
        raise _StoppedError(_no_page(result))
    _demand_own(result.final_url, terms, "The address of the log-in page leads to")
    way.steps.append(f"{_place(result.final_url)} was read ({result.status}).")
    names = (terms.user_field, terms.password_field)
    form = find_form(result.body, result.final_url, result.content_type, names)
    if form is None:
        raise _StoppedError(_no_form(names))
    _demand_own(form.action, terms, "The form would send the password to")
    is_open = urlsplit(form.action).scheme != "https"
    if is_open and urlsplit(result.final_url).scheme == "https":
        raise _StoppedError("The form would send the password over plain http: it was not sent.")
    if not form.is_post:
        raise _StoppedError("The form would write the password into an address: it was not sent.")
    return form


def _no_page(result: FetchResult) -> str:
    words = result.error or result.outcome.value.replace("_", " ")
    return f"The log-in page {_place(result.url)} could not be read: {words}"


def _no_form(names: tuple[str, str]) -> str:
    if any(names):
        wanted = " and ".join(f"“{name}”" for name in names if name)
        return f"The page has no form with the fields {wanted}."
    return (
        "The page has no form with one field for a password: a script may draw it, or its address "
        "is another one."
    )


async def _send_form(way: _Way, form: LogInForm) -> None:
    """Send the form, look where it leads, and judge whether somebody is signed in there."""
    terms = way.terms
    pairs = form.filled(terms.user, terms.password)
    result = await way.ask(FetchRequest(form.action, form=urlencode(pairs).encode()))
    n_more = len(pairs) - 2
    way.steps.append(
        f"Its fields “{form.user_field}” and “{form.password_field}” were filled in, {n_more} "
        f"more sent as they came; {_place(form.action)} answered {result.status or 'nothing'}."
    )
    if result.status in _REFUSALS:
        raise _StoppedError(f"The log-in was refused ({result.status}).")
    if result.status in REDIRECTS:
        result = await _land(way, result)
    elif result.outcome is not Outcome.OK:
        raise _StoppedError(f"The form was not taken: {result.error or result.outcome.value}")
    _judge(way, result)


async def _land(way: _Way, answer: FetchResult) -> FetchResult:
    """Follow where the answer to the form points, as a browser does: by GET."""
    if answer.status not in _LANDINGS:
        raise _StoppedError("The site wants the password sent a second time: it was not.")
    try:
        location = header(answer.headers, "location") or ""
        target = parse_target(location, base=answer.final_url).url
    except FetchStoppedError as problem:
        raise _StoppedError(f"The answer leads nowhere: {problem}") from problem
    if not is_same_site(urlsplit(target).hostname or "", way.terms.site):
        way.steps.append(f"It leads to {_place(target)}, another site: not asked.")
        return answer
    landed = await way.ask(FetchRequest(target))
    way.steps.append(f"It leads to {_place(landed.final_url)} ({landed.status or 'no answer'}).")
    return landed


def _judge(way: _Way, result: FetchResult) -> None:
    """Raise unless the last answer is one to somebody who is signed in."""
    terms = way.terms
    if terms.cookie and terms.cookie not in way.jar.names:
        sentence = f"The cookie “{terms.cookie}” was not set: the log-in was refused."
        raise _StoppedError(sentence)
    if is_signed_out(result, terms.absent_text):
        sentence = "The answer is that to somebody who is not signed in: the log-in was refused."
        raise _StoppedError(sentence)
    if not len(way.jar):
        raise _StoppedError("The site has set no cookie: nobody is signed in.")


def is_signed_out(result: FetchResult, absent_text: str = "") -> bool:
    """Whether an answer is one to somebody who is not signed in."""
    if result.status in _REFUSALS and result.outcome is Outcome.FORBIDDEN:
        return True
    if result.outcome is not Outcome.OK:
        return False
    if absent_text and absent_text.encode() in result.body:
        return True
    return shows_log_in(result.body, result.final_url, result.content_type)


def _demand_own(url: str, terms: LogInTerms, words: str) -> None:
    host = urlsplit(url).hostname or ""
    if not is_same_site(host, terms.site):
        raise _StoppedError(f"{words} {host}, which is not of this newspaper’s site: not sent.")


def _place(url: str) -> str:
    """Give an address without its query, which may hold a token."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"
