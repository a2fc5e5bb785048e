"""What editors do to a host: try it now, forget or permit a way round, its delay, its robots.txt.

Each act is a row of the host's log with who did it and why, and holds although a worker has the
host in hand: the columns are named on its row, and the turn leaves them. Crawl-delay and the delay
between two requests are never shortened by asking sooner.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from django.conf import settings
from django.db import transaction

from feeds.acts import MAX_REASON, Act, ActRefusedError
from feeds.crawler.timing.politeness import MAX_CRAWL_DELAY_SECONDS, HostRate, delay_seconds
from feeds.models import BlockChoice, Host, HostDecision, Page, PublicationState
from feeds.network import pause_seconds
from feeds.planning.recovery import bring_back
from presentation.wording.times import span

# Below a second a page of ours would cost a small site more than its readers do; a longer pause
# than a day is what switching its feeds off is for.
LEAST_DELAY_SECONDS, MOST_DELAY_SECONDS = 1.0, 86_400.0


class Means(Enum):
    """A way round a refusal: the column of its permission, and its name."""

    PROXY = ("proxy_permit", "A proxy of the pool")
    BROWSER = ("browser_permit", "A browser’s name")

    @property
    def column(self) -> str:
        return self.value[0]

    @property
    def words(self) -> str:
        return self.value[1]


@transaction.atomic
def try_now(host: Host, act: Act) -> str:
    """Ask a host for one page before the time that its refusal or wish set; returns what happens.

    Raises
    ------
    ActRefusedError
        When the host has no page that could be asked for.
    """
    page = _page_to_try(host)
    if page is None:
        sentence = (
            "No page of this host waits, and none of its feeds is on: there is nothing to ask."
        )
        raise ActRefusedError(sentence)
    overridden = wish_overridden(host, act.at)
    Page.objects.filter(pk=page.pk).reschedule(
        act.at, due_reason="tried now by an editor", quarantined_at=None, attempts=0
    )
    at = _soonest(host, page, act.at)
    _log(host, act, BlockChoice.TRY_NOW, overridden or "The host was free.")
    _set(host, next_at=at, next_reason="An editor tries it now.")
    when = "now" if at <= act.at else f"in {span((at - act.at).total_seconds())}"
    if overridden:
        return f"{page.url} is asked for {when}, once. That overrides: {overridden}"
    return f"{page.url} is asked for {when}."


def wish_overridden(host: Host, now: datetime) -> str:
    """Say which wait of a host would be cut short now; empty where it is free."""
    left = (host.next_at - now).total_seconds()
    if left <= 0:
        return ""
    return f"{host.next_reason or 'It rests.'} {span(left)} of it were left."


@transaction.atomic
def forget_block(host: Host, act: Act) -> str:
    """Take a host for well: it is asked again, and what was put aside meanwhile comes back.

    Raises
    ------
    ActRefusedError
        When it is neither blocked nor failing.
    """
    if host.blocked_since is None and not host.failures:
        raise ActRefusedError("This host refuses nothing: there is no block to forget.")
    n_back = 0
    if host.troubled_since:
        n_back = bring_back([host], act.at)
    sign = f"Blocked: {host.block_reason}" if host.blocked_since else f"{host.failures} in a row."
    _log(host, act, BlockChoice.FORGET, sign)
    _set(
        host,
        blocked_since=None,
        block_reason="",
        failures=0,
        next_at=_soonest(host, None, act.at),
        next_reason="An editor forgot its block.",
    )
    pages = f" {n_back} pages that were put aside come back." if n_back else ""
    return f"The block is forgotten; {host} is asked again.{pages}"


@transaction.atomic
def forget_proxy(host: Host, act: Act) -> str:
    """Ask a host without the proxy that was chosen for it."""
    if host.proxy is None:
        raise ActRefusedError("This host is asked without a proxy of the pool.")
    _log(host, act, BlockChoice.FORGET, f"It is asked through the proxy {host.proxy}.")
    _set(host, proxy=None, **_without_probe(host.needs_browser_agent))
    return f"{host} is asked without a proxy of the pool again."


@transaction.atomic
def forget_browser(host: Host, act: Act) -> str:
    """Ask a host under our own name again."""
    if not host.needs_browser_agent:
        raise ActRefusedError("This host is asked under our own name.")
    _log(host, act, BlockChoice.FORGET, "It is asked under a browser’s name.")
    _set(host, needs_browser_agent=False, **_without_probe(host.proxy is not None))
    return f"{host} is asked under our own name again."


@transaction.atomic
def permit(host: Host, means: Means, *, is_permitted: bool | None, act: Act) -> str:
    """Permit or forbid a way round for one host; None: as its publications say.

    What is forbidden is given up at once.

    Raises
    ------
    ActRefusedError
        When that is what holds already.
    """
    before: bool | None = getattr(host, means.column)
    if before is is_permitted:
        raise ActRefusedError(f"{means.words}: {_permit_words(before)} already.")
    choices = {True: BlockChoice.PERMIT, False: BlockChoice.FORBID, None: BlockChoice.BY_PAPER}
    _log(host, act, choices[is_permitted], f"{means.words}: {_permit_words(before)}.")
    changes: dict[str, Any] = {means.column: is_permitted}
    if is_permitted is False and means is Means.PROXY:
        changes |= {"proxy": None, **_without_probe(host.needs_browser_agent)}
    elif is_permitted is False:
        changes |= {"needs_browser_agent": False, **_without_probe(host.proxy is not None)}
    _set(host, **changes)
    return f"{means.words}: {_permit_words(is_permitted)} from now on."


@transaction.atomic
def set_delay(host: Host, seconds: float | None, act: Act) -> str:
    """Set the delay between two requests to a host; None: as its publications say.

    A longer Crawl-delay wins, which the answer says.

    Raises
    ------
    ActRefusedError
        When the seconds are out of bounds, or hold already.
    """
    if seconds is not None and not LEAST_DELAY_SECONDS <= seconds <= MOST_DELAY_SECONDS:
        bounds = f"{span(LEAST_DELAY_SECONDS)} and {span(MOST_DELAY_SECONDS)}"
        raise ActRefusedError(f"A delay is between {bounds}.")
    if seconds == host.editor_delay_seconds:
        raise ActRefusedError("This delay holds already.")
    before, after = _delay_words(host, host.editor_delay_seconds), _delay_words(host, seconds)
    _log(host, act, BlockChoice.DELAY, f"{before}. From now on {after}.")
    _set(host, editor_delay_seconds=seconds)
    wish = min(host.crawl_delay_seconds or 0.0, MAX_CRAWL_DELAY_SECONDS)
    if seconds is not None and wish > seconds:
        return f"The delay of {after} is kept, but robots.txt asks for {span(wish)}, which holds."
    return f"The delay between two requests to {host} is {after} from its next turn on."


@transaction.atomic
def ask_robots(host: Host, act: Act) -> str:
    """Have robots.txt read again with the host's next turn, though it is not a day old."""
    known = host.robots_fetched_at
    sign = f"Read {span((act.at - known).total_seconds())} ago." if known else "Never read."
    _log(host, act, BlockChoice.ROBOTS, sign)
    _set(host, robots_asked_at=act.at, idle_until=None)
    left = (host.next_at - act.at).total_seconds()
    when = f", in {span(left)}; Try now goes first" if left > 0 else ""
    return f"robots.txt is read again with the next turn of {host}{when}."


def _page_to_try(host: Host) -> Page | None:
    """Choose the page whose answer says most: a feed, else what waits, else what was put aside."""
    pages = Page.objects.filter(
        host=host, publication__state=PublicationState.ACTIVE
    ).select_related("publication")
    feeds = pages.filter(feed__is_active=True).order_by("-visited_at", "pk")
    return (
        feeds.exclude(visited_at=None).first()
        or feeds.first()
        or pages.waiting().order_by("due_at", "pk").first()
        or pages.quarantined().order_by("-quarantined_at", "-pk").first()
    )


def _soonest(host: Host, page: Page | None, now: datetime) -> datetime:
    """Give the moment when the delay between two requests permits the next one."""
    floor = pause_seconds(host, page.publication) if page else settings.CRAWL_MIN_DELAY_SECONDS
    delay = delay_seconds(HostRate(floor, host.crawl_delay_seconds))
    last = host.last_request_at
    return max(now, last + timedelta(seconds=delay)) if last else now


def _without_probe(is_needed: bool) -> dict[str, Any]:
    """Give the columns of the probe where it has nothing to probe any more."""
    return {} if is_needed else {"probe_at": None, "probe_seconds": None}


def _permit_words(said: bool | None) -> str:
    words = {True: "permitted here", False: "forbidden here", None: "as its publications say"}
    return words[said]


def _delay_words(host: Host, seconds: float | None) -> str:
    if seconds is not None:
        return span(seconds)
    page = Page.objects.filter(host=host).select_related("publication").order_by("pk").first()
    usual = pause_seconds(Host(), page.publication) if page else settings.CRAWL_MIN_DELAY_SECONDS
    return f"{span(usual)}, as its publications say"


def _log(host: Host, act: Act, choice: BlockChoice, sign: str) -> None:
    HostDecision.objects.create(
        host=host,
        at=act.at,
        sign=sign[:MAX_REASON],
        choice=choice,
        reason=act.reason[:MAX_REASON],
        made_by_id=act.made_by,
    )


def _set(host: Host, **changes: Any) -> None:
    """Write columns of a host; pages are locked before hosts, as turns do it."""
    row = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    row.acted_fields = sorted({*(row.acted_fields or ()), *changes})
    for name, value in changes.items():
        setattr(row, name, value)
        setattr(host, name, value)
    row.save(update_fields=["acted_fields", *changes])
