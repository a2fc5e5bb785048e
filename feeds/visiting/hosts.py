"""What a turn teaches about a host: when it may be asked again and why, its robots.txt, its blocks.

The host's row is the one budget that every worker on every machine obeys, so whatever is known of
its wishes ends in `next_at` and `next_reason`. Each choice about a host that refuses us is a row of
its log, with the reason.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models.functions import Greatest

from feeds import comments
from feeds.archive.fetches import archive_result, fetch_row
from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.robots_book import FetchedRobots
from feeds.crawler.outcomes import HOST_REFUSALS, HOST_TROUBLES, Outcome
from feeds.crawler.timing.conditional import Headers, retry_after_seconds
from feeds.crawler.timing.politeness import (
    MAX_CRAWL_DELAY_SECONDS,
    HostRate,
    NextTurn,
    delay_seconds,
    next_turn,
    smoothed,
)
from feeds.crawler.timing.rate_limits import spent_seconds
from feeds.frontier import Turn, claim_turns, ensure_hosts
from feeds.models import BlockChoice, Fetch, Host, HostDecision, Proxy
from feeds.network import pause_seconds, permits_proxy
from feeds.parameters.values import value
from feeds.planning import ceiling, recovery
from feeds.rights import take_robots
from feeds.visiting import probes
from feeds.visiting.visited_pages import VisitedPage
from feeds.work.leases import Claim
from presentation.wording.figures import counted

# Waiting is what a host asks for with a 429; another address would only evade that.
_EVADABLE = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE})
# No request was made, so the host has said nothing.
_SILENT = frozenset({Outcome.ROBOTS_FORBID, Outcome.PRIVATE_ADDRESS, Outcome.BAD_URL})
# At the end of a lease nothing is asked for so long: a turn's last page begins at a quarter of it
# and may take half of it (30 of 60 s).
_UNASKED_SHARE = 1 / 4
_MAX_REASON = 200  # what the columns hold
_ROBOTS_FIELDS = ("robots_body", "robots_status", "robots_fetched_at", "crawl_delay_seconds")
# Columns that a turn writes.
HOST_FIELDS = (
    "next_at",
    "next_reason",
    "lease_until",
    "lease_owner",
    "delay_seconds",
    "failures",
    "blocked_since",
    "block_reason",
    "needs_browser_agent",
    "proxy",
    "latency_ms",
    "last_request_at",
    "troubled_since",
    "probe_at",
    "probe_seconds",
    "robots_asked_at",
    "troubled_by",
    "forbidden_since",
    "counted_on",
    "n_requests",
    "n_visits",
    "visits_from",
    *_ROBOTS_FIELDS,
)


def claim_polite_turns(n_hosts: int, pages_per_host: int, terms: Claim) -> list[Turn]:
    """Claim turns; hosts of long delays are leased for as long behind the work on them.

    A worker that dies may have asked its host at the end of its lease, and told nobody.
    """
    turns = claim_turns(n_hosts, pages_per_host, terms)
    for turn in turns:
        delay = timedelta(seconds=delay_seconds(_rate(turn)))
        if delay > terms.lease * _UNASKED_SHARE:
            Host.objects.filter(pk=turn.host.pk, lease_owner=terms.owner).update(
                lease_until=terms.until + delay
            )
    return turns


def after_turn(
    turn: Turn,
    visited: Sequence[VisitedPage],
    robots: FetchedRobots | None,
    now: datetime,
) -> list[HostDecision]:
    """Set the columns of a host after its turn; its row is written with the others'.

    Returns what was decided about its refusals, to be written with it.
    """
    host = turn.host
    host.failures = _failures(host.failures, visited)
    host.latency_ms = _latency_ms(host, visited)
    decisions = _answer_robots_wish(host, robots, now)
    _take_robots(host, robots, now)
    decisions += probes.after(host, turn.probe, now)
    moment = _next_turn(turn, visited, robots, now)
    host.lease_until, host.lease_owner = None, ""
    host.next_at, host.next_reason = moment.at, moment.reason[:_MAX_REASON]
    host.delay_seconds = (moment.at - now).total_seconds()
    requested = [item for item in visited if item.result.exchanges]
    if requested:
        host.last_request_at = requested[-1].result.started_at
    elif others := [*turn.log_in_results, *([turn.probe] if turn.probe else [])]:
        host.last_request_at = others[-1].started_at
    n_others = bool(turn.probe and not requested) + len(turn.log_in_results)
    ceiling.count(host, [*(item.page for item in requested), *turn.pages[:1] * n_others], now)
    _take_trouble(host, visited, now)
    decisions += _take_block(host, visited, now)
    wants_browser = any(item.may_try_browser for item in visited)
    if wants_browser and not host.needs_browser_agent:
        host.needs_browser_agent = True
        decisions.append(_browser_decision(host, now))
    probes.plan(host, now)
    return decisions


def keep_acts(turns: Sequence[Turn], owner: str, now: datetime) -> None:
    """Leave what editors have set since the claim of these turns; locks the hosts that are ours.

    Call it in the transaction that writes them, before it does.
    """
    rows = Host.objects.select_for_update(of=("self",)).filter(
        pk__in=[turn.host.pk for turn in turns], lease_owner=owner
    )
    by_host = {turn.host.pk: turn for turn in turns}
    for row in rows.order_by("pk"):
        turn, acted = by_host[row.pk], row.acted_fields or ()
        for name in acted:
            setattr(turn.host, name, getattr(row, name))
        if "next_at" in acted:
            soonest = now + timedelta(seconds=delay_seconds(_rate(turn)))
            turn.host.next_at = max(row.next_at, soonest)


def release_asked(turns: Iterable[Turn], owner: str, now: datetime) -> None:
    """Give hosts back whose turns cannot be recorded: each may have been asked, so it waits."""
    for turn in turns:
        at = now + timedelta(seconds=delay_seconds(_rate(turn)))
        Host.objects.filter(pk=turn.host.pk, lease_owner=owner).update(
            lease_owner="",
            lease_until=None,
            next_at=Greatest("next_at", at),
            next_reason="Its last turn could not be recorded.",
        )


def has_recovered(host: Host, visited: Sequence[VisitedPage]) -> bool:
    """Whether a host was in trouble that answers now; ask before `after_turn`.

    One page that fails among others that answer is no trouble of its host.
    """
    was_ill = host.troubled_since is not None and recovery.is_ill(host)
    return was_ill and _answers(visited)


def _answers(visited: Sequence[VisitedPage]) -> bool:
    return any(item.outcome.is_answer for item in visited)


def _take_trouble(host: Host, visited: Sequence[VisitedPage], now: datetime) -> None:
    """Note since when a host has given nothing, or its robots.txt has let nothing through."""
    if _answers(visited):
        host.troubled_since, host.troubled_by, host.forbidden_since = None, "", None
        return
    troubles = [item.outcome for item in visited if item.outcome in HOST_TROUBLES]
    if host.failures and host.troubled_since is None:
        host.troubled_since = now
    if troubles and host.failures:
        host.troubled_by = troubles[-1].value
    is_forbidden = any(item.outcome is Outcome.ROBOTS_FORBID for item in visited)
    if is_forbidden and host.forbidden_since is None:
        host.forbidden_since = now


def _next_turn(
    turn: Turn, visited: Sequence[VisitedPage], robots: FetchedRobots | None, now: datetime
) -> NextTurn:
    outcome = visited[-1].outcome if visited else Outcome.OK
    headers = _last_headers(visited, robots)
    if turn.probe and not visited:
        outcome, headers = turn.probe.outcome, turn.probe.headers
    retry_after = retry_after_seconds(headers, now)
    rate = replace(_rate(turn), spent_seconds=spent_seconds(headers, now))
    moment = next_turn(now, rate, outcome, turn.host.failures, retry_after)
    drawn = [result.rendering for result in turn.results if result.rendering]
    n_more = sum(rendering.n_of_host.get(turn.host.name, 0) for rendering in drawn)
    # Each has waited a Crawl-delay already; the rest of the host's pauses is made up for here.
    waited = min(rate.crawl_delay_seconds or 0.0, MAX_CRAWL_DELAY_SECONDS)
    rest = timedelta(seconds=n_more * (delay_seconds(rate) - waited))
    if not rest:
        return moment
    reason = f"Rest for {counted(n_more, 'request')} of scripts. {moment.reason}"
    return NextTurn(moment.at + rest, reason)


def _rate(turn: Turn) -> HostRate:
    host = turn.host
    pauses = [pause_seconds(host, page.publication) for page in turn.pages]
    return HostRate(
        min_delay_seconds=max(pauses, default=value("CRAWL_MIN_DELAY_SECONDS")),
        crawl_delay_seconds=host.crawl_delay_seconds or turn.crawl_delay_seconds,
        response_seconds=(host.latency_ms or 0) / 1000,
    )


def _answer_robots_wish(
    host: Host, robots: FetchedRobots | None, now: datetime
) -> list[HostDecision]:
    """End an editor's wish to read robots.txt again; say what came, before that is kept."""
    was_asked, host.robots_asked_at = host.robots_asked_at is not None, None
    if not was_asked or robots is None:
        return []
    if not robots.is_fresh:
        sign = f"robots.txt could not be read again: {robots.result.error or robots.result.status}"
        reason = "What was known of it holds." if host.robots_fetched_at else "Nothing is asked."
    else:
        is_same = robots.policy.text == host.robots_body
        sign = f"robots.txt was read again: it {'is the same' if is_same else 'has changed'}."
        reason = "It holds from now on, for a day."
    return [
        HostDecision(
            host=host, at=now, sign=sign[:_MAX_REASON], choice=BlockChoice.GO_ON, reason=reason
        )
    ]


def _take_robots(host: Host, robots: FetchedRobots | None, now: datetime) -> None:
    """Keep a robots.txt; one that could not be had leaves the old one in its place."""
    if robots is None or not robots.is_fresh:
        return
    before, was_known = host.robots_body, host.robots_fetched_at is not None
    host.robots_body = robots.policy.text
    host.robots_status = robots.result.status
    host.robots_fetched_at = now
    host.crawl_delay_seconds = robots.policy.crawl_delay
    if was_known:
        take_robots(host, before, now)


def record_robots(
    fetched: Sequence[FetchedRobots], leased: set[str], now: datetime
) -> dict[str, Fetch]:
    """Archive robots.txt files; returns their rows, not saved, by host.

    Hosts that are not in `leased` (redirects led there) are written at once, with their rows.
    """
    rows: dict[str, Fetch] = {}
    if not fetched:
        return rows
    ids = ensure_hosts((item.host for item in fetched), now)
    for item in fetched:
        row = fetch_row(item.result, ids[item.host], archive_result(item.result))
        rows[item.host] = row
        if item.host not in leased:
            row.save()
            host = Host.objects.get(pk=ids[item.host])
            changed = recovery.changed_robots(host, item)
            _take_robots(host, item, now)
            host.save(update_fields=_ROBOTS_FIELDS)
            recovery.bring_back_permitted(host, changed, now)
    return rows


def slow_down_others(turns: Sequence[Turn], now: datetime) -> None:
    """Count requests that redirects brought to other hosts against those hosts' budgets."""
    seconds = value("CRAWL_MIN_DELAY_SECONDS")
    for name, n_requests in _drawing_requests(turns).items():
        moment = now + timedelta(seconds=seconds * n_requests)
        Host.objects.filter(name=name, next_at__lt=moment).update(
            next_at=moment, next_reason="Scripts of a page of another host led here."
        )
    names = {
        name
        for turn in turns
        for result in (*turn.results, *turn.log_in_results)
        for name in (parse_target(url).netloc for url in (*result.hops, result.final_url))
        if name != turn.host.name and (result.hops or turn.log_in)
    }
    if names and seconds:
        moment = now + timedelta(seconds=seconds)
        Host.objects.filter(name__in=names, next_at__lt=moment).update(
            next_at=moment, next_reason="A redirect from another host led here."
        )


def _drawing_requests(turns: Sequence[Turn]) -> Counter[str]:
    """Count what drawn pages asked of other hosts than their own."""
    counts: Counter[str] = Counter()
    for turn in turns:
        for result in turn.results:
            asked = result.rendering.n_of_host if result.rendering else {}
            counts.update({name: n for name, n in asked.items() if name != turn.host.name})
    return counts


def _failures(count: int, visited: Sequence[VisitedPage]) -> int:
    for item in visited:
        if comments.is_refusal(item.page, item.outcome):
            continue  # it forbids an interface, not its pages
        if item.outcome in HOST_TROUBLES:
            count += 1
        elif item.outcome not in _SILENT:
            count = 0
    return count


def _latency_ms(host: Host, visited: Sequence[VisitedPage]) -> int | None:
    latency = float(host.latency_ms or 0)
    for item in visited:
        if item.result.exchanges:
            latency = smoothed(latency, item.result.elapsed_ms)
    return round(latency) if latency else host.latency_ms


def _last_headers(visited: Sequence[VisitedPage], robots: FetchedRobots | None) -> Headers:
    """Headers that may hold a Retry-After: of the last page, else of the robots.txt in its way."""
    if visited and visited[-1].result.exchanges:
        return visited[-1].result.headers
    return robots.result.headers if robots else ()


# --- A host begins, goes on or ceases to refuse us ------------------------------------------------


def _take_block(host: Host, visited: Sequence[VisitedPage], now: datetime) -> list[HostDecision]:
    """Set the columns of a host that tell of a block; returns the decisions, not saved yet.

    The choices in their order: as a browser, where the publication permits it (a decision of its
    own); another proxy of the pool, where it permits that; else to wait, longer each time.
    """
    if _answers(visited):
        return _end_block(host, now)
    if not visited or visited[-1].outcome not in HOST_REFUSALS:
        return []
    last = visited[-1]
    if comments.is_refusal(last.page, last.outcome):
        return []
    is_block = last.outcome is Outcome.CHALLENGE or host.failures >= recovery.BLOCK_AFTER
    if host.blocked_since is None and is_block:
        host.blocked_since, host.block_reason = now, last.result.error[:_MAX_REASON]
        return [_choose(host, last, now)]
    if host.blocked_since and host.failures % recovery.BLOCK_AFTER == 0:
        return [_choose(host, last, now)]
    return []


def _browser_decision(host: Host, now: datetime) -> HostDecision:
    return HostDecision(
        host=host,
        at=now,
        sign="The server answered 403 to our own name.",
        choice=BlockChoice.BROWSER,
        reason="It is permitted here." if host.browser_permit else "The publication permits it.",
    )


def _end_block(host: Host, now: datetime) -> list[HostDecision]:
    was_blocked = host.blocked_since is not None
    host.blocked_since, host.block_reason = None, ""
    if not was_blocked:
        return []
    way = f"through the proxy {host.proxy}" if host.proxy else "without a proxy"
    return [
        HostDecision(
            host=host,
            at=now,
            sign="The host answers again.",
            choice=BlockChoice.GO_ON,
            reason=f"It answered {way}.",
        )
    ]


def _choose(host: Host, last: VisitedPage, now: datetime) -> HostDecision:
    page, outcome = last.page, last.outcome
    sign = f"{outcome.value.replace('_', ' ')}, {host.failures} in a row: {host.block_reason}"
    choice, reason = BlockChoice.WAIT, ""
    if outcome not in _EVADABLE:
        reason = "The host asks for time, which is what it gets."
    elif not permits_proxy(host, page.publication):
        forbids = host.proxy_permit is False
        reason = (
            "No proxy is permitted here." if forbids else f"{page.publication} permits no proxy."
        )
    else:
        proxy = _other_proxy(host)
        if proxy is None:
            reason = "The pool has no other proxy."
        else:
            host.proxy = proxy
            permits = (
                "it is permitted here" if host.proxy_permit else f"{page.publication} permits it"
            )
            choice, reason = BlockChoice.PROXY, f"To {proxy}: {permits}."
    return HostDecision(
        host=host, at=now, sign=sign[:_MAX_REASON], choice=choice, reason=reason[:_MAX_REASON]
    )


def _other_proxy(host: Host) -> Proxy | None:
    """Give the proxy after the present one, from the first again after the last."""
    pool = list(Proxy.objects.filter(is_active=True).exclude(pk=host.proxy_id or 0))
    later = [proxy for proxy in pool if proxy.pk > (host.proxy_id or 0)]
    return next(iter([*later, *pool]), None)
