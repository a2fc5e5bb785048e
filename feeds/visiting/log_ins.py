"""Log-ins by the forms of newspapers: when one is due, who does it, what it leaves behind.

A log-in is a turn of its own: it asks the form's page, sends the form, and the pages that wait for
it come with the next turn. It is counted on the account's row before it is tried, at most
`MOST_A_DAY` times, and after a refusal the wait grows, so that no account is locked by us. While
nobody can be signed in, pages are asked for as by anybody. What a session is worth is kept sealed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Case, F, Q, When
from django.utils import timezone

from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.robots_book import RobotsBook
from feeds.crawler.signing_in.log_in import (
    LOG_IN_SECONDS,
    LogInReport,
    LogInTerms,
    is_signed_out,
    log_in,
)
from feeds.frontier import LogInTurn, Turn
from feeds.models import Account, AccountKind, Host, Page, PageKind
from feeds.network import PROXY_LOOKUP, account_of, min_delay_seconds, network_policy, user_agent
from feeds.secrets_at_rest import SealBrokenError, seal
from feeds.sources.host_rests import HostKeeper, HostRest

# Sites end sessions after some hours or weeks; a reader signs in a few times a day at most.
MOST_A_DAY = 4
LEAST_BETWEEN = timedelta(hours=1)
# Three wrong passwords in a row lock accounts at some sites: the second try comes after four
# hours, the third after sixteen, and then once a day until somebody looks.
REFUSED_FACTOR = 4
MOST_BETWEEN = timedelta(days=1)
# As long as a turn's lease: nobody else logs in meanwhile.
HELD = timedelta(seconds=60)
# Feeds and the rest are for everybody, and do with a session or without.
_WANTED = frozenset({PageKind.ARTICLE, PageKind.SAMPLE})


class LogInBusyError(Exception):
    """Raised where somebody is logging in with an account already, or its host has to rest."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a log-in by hand has come to, step by step."""

    is_in: bool
    steps: tuple[str, ...]


def begin(turns: Sequence[Turn], now: datetime) -> list[Turn]:
    """Turn into log-ins those turns whose page is wanted from an account that is signed out."""
    return [_begun(turn, now) for turn in turns]


def _begun(turn: Turn, now: datetime) -> Turn:
    account = _form_account(turn.host, turn.pages[0]) if turn.pages else None
    if account is None or account.session is not None:
        return turn
    is_held = account.log_in_until is not None and account.log_in_until > now
    if not is_held and not may_log_in(account, now):
        return turn
    if is_held or not _take(account, now):  # another turn is at it: this one waits
        return replace(turn, log_in=LogInTurn(account))
    try:
        terms = terms_of(account, user_agent(turn.host, turn.pages[0].publication))
    except SealBrokenError as error:
        _refuse(account, (str(error),), now)
        return turn
    return replace(turn, log_in=LogInTurn(account, terms))


def _form_account(host: Host, page: Page) -> Account | None:
    """Give the account with a form that a page is wanted from."""
    account = account_of(host, page) if page.kind in _WANTED else None
    return account if account and account.kind == AccountKind.FORM else None


def may_log_in(account: Account, now: datetime) -> bool:
    """Whether a log-in is due once nobody is signed in."""
    n_today = account.n_log_ins if account.counted_on == _day(now) else 0
    is_time = account.next_log_in_at is None or account.next_log_in_at <= now
    return is_time and n_today < MOST_A_DAY


def ended_session(host: Host, page: Page, result: FetchResult, now: datetime) -> Account | None:
    """Give the account whose session has ended, as the answer for a page shows.

    None too while no other log-in may follow: then the page is taken as it came.
    """
    account = _form_account(host, page)
    if account is None or not account.sealed_session or not may_log_in(account, now):
        return None
    return account if is_signed_out(result, account.absent_text) else None


def terms_of(account: Account, agent: str) -> LogInTerms:
    """Give what a log-in needs to know.

    Raises
    ------
    SealBrokenError
    """
    return LogInTerms(
        address=account.log_in_address,
        site=urlsplit(account.publication.home_url).hostname or "",
        user=account.user_name,
        password=account.secret,
        user_field=account.user_field,
        password_field=account.password_field,
        cookie=account.success_cookie,
        absent_text=account.absent_text,
        user_agent=agent,
    )


def record(turns: Sequence[Turn], now: datetime) -> None:
    """Write what has become of accounts; within the transaction of their turns."""
    for turn in turns:
        if turn.log_in and turn.log_in.signed_out:
            _end_session(turn.log_in.account)
        elif turn.log_in and turn.log_in.report:
            _keep(turn.log_in.account, turn.log_in.report, now)


def try_now(account: Account, now: datetime) -> Tried:
    """Log in at once, for somebody who watches; takes a minute at most.

    It counts, but is held up by nothing else than whoever is logging in just now.

    Raises
    ------
    LogInBusyError, SealBrokenError
    """
    agent = settings.CRAWL_USER_AGENT
    terms = terms_of(account, agent)
    host = urlsplit(terms.address).netloc.lower()
    keeper = HostKeeper(LOG_IN_SECONDS)
    wait = keeper.take(host, now)
    if wait is None:
        raise LogInBusyError(f"{host} is being asked just now. Try again in a moment.")
    if wait.is_too_long:
        raise LogInBusyError(wait.sentence)
    asked: dict[str, HostRest] = {}
    try:
        if not _take(account, now):
            raise LogInBusyError("Somebody is logging in with this account just now.")
        pause = max(min_delay_seconds(account.publication), wait.seconds)
        asked = {host: HostRest(pause)}
        report, pauses = asyncio.run(_try(terms, pause, wait.seconds))
        asked = {host: HostRest(max(pauses, pause))}
    finally:
        keeper.give_back(asked)
    _keep(account, report, timezone.now())
    return Tried(report.is_in, report.steps)


async def _try(terms: LogInTerms, pause: float, wait_seconds: float) -> tuple[LogInReport, float]:
    """Give what came of it, and the pause that the host wants."""
    await asyncio.sleep(wait_seconds)
    async with Fetcher(network_policy(), lookup=PROXY_LOOKUP) as fetcher:
        book = RobotsBook(fetcher, settings.CRAWL_USER_AGENT)

        async def wait(host: str) -> None:
            await asyncio.sleep(min(max(pause, book.crawl_delay(host) or 0.0), LOG_IN_SECONDS / 4))

        try:
            report = await log_in(fetcher, terms, book.decide, wait)
        finally:
            await book.close()
        return report, book.crawl_delay(urlsplit(terms.address).netloc.lower()) or 0.0


# --- The row of an account ------------------------------------------------------------------------


def _take(account: Account, now: datetime) -> bool:
    """Take an account for one log-in, which counts from now on; False where another was quicker."""
    free = Q(log_in_until=None) | Q(log_in_until__lte=now)
    today = _day(now)
    n_today = Case(When(counted_on=today, then=F("n_log_ins") + 1), default=1)
    return bool(
        Account.objects.filter(free, pk=account.pk).update(
            log_in_until=now + HELD,
            n_log_ins=n_today,
            counted_on=today,
        )
    )


def _keep(account: Account, report: LogInReport, now: datetime) -> None:
    if report.jar is None:
        _refuse(account, report.steps, now)
        return
    Account.objects.filter(pk=account.pk, changed_at=account.changed_at).update(
        sealed_session=seal(report.jar.to_text()),
        session_at=now,
        log_in_until=None,
        next_log_in_at=now + LEAST_BETWEEN,
        n_refused=0,
        refused_since=None,
        log_in_said="\n".join(report.steps),
    )


def _refuse(account: Account, steps: Sequence[str], now: datetime) -> None:
    """Note that a log-in came to nothing, and wait longer for the next each time."""
    n_before = Account.objects.values_list("n_refused", flat=True).get(pk=account.pk)
    wait = min(LEAST_BETWEEN * REFUSED_FACTOR ** min(n_before + 1, 9), MOST_BETWEEN)
    Account.objects.filter(pk=account.pk, changed_at=account.changed_at).update(
        log_in_until=None,
        next_log_in_at=now + wait,
        n_refused=n_before + 1,
        log_in_said="\n".join(steps),
        refused_since=Case(When(refused_since=None, then=now), default=F("refused_since")),
        sealed_session="",
    )


def _end_session(account: Account) -> None:
    """Forget a session that the site no longer knows, unless there is a newer one."""
    Account.objects.filter(pk=account.pk, sealed_session=account.sealed_session).update(
        sealed_session=""
    )


def begin_anew(account: Account) -> None:
    """Forget what log-ins have come to: something about the account was changed."""
    account.sealed_session, account.session_at = "", None
    account.log_in_until, account.next_log_in_at = None, None
    account.n_refused, account.refused_since, account.log_in_said = 0, None, ""


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()
