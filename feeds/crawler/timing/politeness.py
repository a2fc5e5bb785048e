"""When a host may be asked again: the delay between two requests, and the pause after trouble.

Pure functions of `now`; nothing here reads a clock. Delay = the greatest of our floor, robots.txt's
Crawl-delay (capped) and what the server's own slowness asks for; pause = Retry-After where one was
given (RFC 9110, 10.2.3; capped at a day, since 88 hours were met in the wild), else growing with
the failures in a row. After Media Cloud's story-indexer and Heritrix.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from feeds.crawler.outcomes import Outcome
from presentation.wording.times import span

# Some sites ask for hours between two requests; that would be a way of saying no, for which
# robots.txt has other words.
MAX_CRAWL_DELAY_SECONDS = 300.0
# Media Cloud caps Retry-After at a day after having met 88 hours.
MAX_RETRY_AFTER_SECONDS = 86_400.0
# Heritrix waits 5 × the fetch time, between 3 s and 30 s; story-indexer a quarter. One fetch time
# is between both and leaves our floor in charge of all but the slowest servers.
SLOWNESS_FACTOR = 1.0
MAX_SLOWNESS_SECONDS = 30.0  # Heritrix's
# First pause of a host that limits, fails or does not answer (story-indexer: 30 s after a 429, 600
# s after a connection failure).
PAUSE_SECONDS = {
    Outcome.RATE_LIMITED: 60.0,
    Outcome.CHALLENGE: 600.0,
    Outcome.SERVER_ERROR: 30.0,
    Outcome.TIMEOUT: 60.0,
    Outcome.CONNECTION_ERROR: 60.0,
    Outcome.DNS_ERROR: 300.0,
}
MAX_PAUSE_SECONDS = 21_600.0  # a quarter of a day: a host that is mended is found the same day
# Back-off of one page between its attempts: 1, 5, 25 minutes … with the host's own pause on top.
PAGE_RETRY_SECONDS = 60.0
PAGE_RETRY_FACTOR = 5.0
MAX_PAGE_RETRY_SECONDS = 86_400.0  # later the page is no news


@dataclass(frozen=True, slots=True)
class HostRate:
    """What is known of a host's wishes; all values in seconds."""

    min_delay_seconds: float
    crawl_delay_seconds: float | None = None
    response_seconds: float = 0.0
    spent_seconds: float | None = (
        None  # until its budget of requests is full again; None: some left
    )


@dataclass(frozen=True, slots=True)
class NextTurn:
    """Earliest moment of the next request to a host, and the reason in plain words."""

    at: datetime
    reason: str


def delay_seconds(rate: HostRate) -> float:
    """Return the seconds between two requests to a host.

    Parameters
    ----------
    rate : HostRate
        Floor, robots.txt's Crawl-delay and the smoothed time of an answer. A floor of 0 switches
        slowness off (benchmarks, tests), but never a Crawl-delay.

    Returns
    -------
    float
        Seconds, at least the floor.

    Examples
    --------
    >>> delay_seconds(
    ...     HostRate(min_delay_seconds=5.0, crawl_delay_seconds=10.0, response_seconds=0.4)
    ... )
    10.0
    """
    slowness = (
        min(rate.response_seconds * SLOWNESS_FACTOR, MAX_SLOWNESS_SECONDS)
        if rate.min_delay_seconds > 0
        else 0.0
    )
    crawl_delay = min(rate.crawl_delay_seconds or 0.0, MAX_CRAWL_DELAY_SECONDS)
    return max(rate.min_delay_seconds, crawl_delay, slowness)


def next_turn(
    now: datetime,
    rate: HostRate,
    outcome: Outcome,
    n_failures: int = 0,
    retry_after_seconds: float | None = None,
) -> NextTurn:
    """Return when a host may be asked again after an exchange.

    Parameters
    ----------
    now : datetime
        End of the exchange.
    rate : HostRate
        The host's wishes.
    outcome : Outcome
        What became of the exchange.
    n_failures : int
        Failures of the host in a row, this one included; 0 after a success.
    retry_after_seconds : float, optional
        The server's own wish, from `conditional.retry_after_seconds`.

    Returns
    -------
    NextTurn
        Moment and reason.

    Notes
    -----
    The pause doubles with each failure in a row up to six hours; it ends by itself, a host is never
    given up.
    """
    delay = delay_seconds(rate)
    # A 503 whose body breaks off or does not unpack is another failure, with the same wish.
    if retry_after_seconds is not None and not outcome.is_answer:
        wait = min(retry_after_seconds, MAX_RETRY_AFTER_SECONDS)
        if wait >= delay:
            return _after(now, wait, f"The server asked for {span(wait)} (Retry-After).")
    if rate.spent_seconds is not None and rate.spent_seconds >= delay:
        wait = min(rate.spent_seconds, MAX_RETRY_AFTER_SECONDS)
        return _after(now, wait, f"The server’s budget of requests is spent for {span(wait)}.")
    first = PAUSE_SECONDS.get(outcome)
    if first is not None and retry_after_seconds is None:
        pause = min(first * 2 ** max(n_failures - 1, 0), MAX_PAUSE_SECONDS)
        words = outcome.value.replace("_", " ")
        return _after(now, max(pause, delay), f"Pause after {words}, {n_failures or 1} in a row.")
    if rate.crawl_delay_seconds and delay > rate.min_delay_seconds:
        return _after(now, delay, f"Crawl-delay of {span(delay)} in robots.txt.")
    return _after(now, delay, f"Delay of {span(delay)} between two requests.")


def page_retry_at(now: datetime, n_attempts: int) -> datetime:
    """Return when a failed page is due again: 1, 5, 25 minutes after an attempt, at most a day."""
    wait = PAGE_RETRY_SECONDS * PAGE_RETRY_FACTOR ** max(n_attempts - 1, 0)
    return now + timedelta(seconds=min(wait, MAX_PAGE_RETRY_SECONDS))


def smoothed(before_seconds: float, sample_seconds: float, weight: float = 0.25) -> float:
    """Return the running mean of a host's answer time (weight 0.25, as in story-indexer)."""
    if before_seconds <= 0:
        return sample_seconds
    return before_seconds * (1 - weight) + sample_seconds * weight


def _after(now: datetime, seconds: float, reason: str) -> NextTurn:
    return NextTurn(now + timedelta(seconds=seconds), reason)
