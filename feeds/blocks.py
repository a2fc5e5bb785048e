"""A host begins, goes on or ceases to refuse us: what is done about it, and why (KWB-28).

The choices in their order: as a browser, where the publication permits it; another proxy of the
pool, where it permits that; else to wait, longer each time. Each choice is a row of the host's log.
"""

from collections.abc import Sequence
from datetime import datetime

from feeds.crawler.outcomes import Outcome
from feeds.models import BlockChoice, Host, HostDecision, Page, Proxy

# Refusals in a row after which a host counts as blocking us; a bot guard's page is plain at once.
BLOCK_AFTER = 3
REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE})
# Waiting is what a host asks for with a 429; another address would only evade that.
_EVADABLE = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE})
_MAX_TEXT = 200

# What a page's visit came to: the page, the outcome, the sentence of the fetcher.
Visit = tuple[Page, Outcome, str]


def take_block(host: Host, visits: Sequence[Visit], now: datetime) -> list[HostDecision]:
    """Set the columns of a host that tell of a block; returns the decisions, not saved yet."""
    if any(outcome.is_answer for _, outcome, _ in visits):
        return _end(host, now)
    if not visits:
        return []
    page, outcome, sentence = visits[-1]
    if outcome not in REFUSALS:
        return []
    is_block = outcome is Outcome.CHALLENGE or host.failures >= BLOCK_AFTER
    if host.blocked_since is None and is_block:
        host.blocked_since, host.block_reason = now, sentence[:_MAX_TEXT]
        return [_choose(host, page, outcome, now)]
    if host.blocked_since and host.failures % BLOCK_AFTER == 0:
        return [_choose(host, page, outcome, now)]
    return []


def browser_decision(host: Host, now: datetime) -> HostDecision:
    """Log the fallback of COR-70."""
    return HostDecision(
        host=host,
        at=now,
        sign="The server answered 403 to our own name.",
        choice=BlockChoice.BROWSER,
        reason="The publication permits it.",
    )


def _end(host: Host, now: datetime) -> list[HostDecision]:
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


def _choose(host: Host, page: Page, outcome: Outcome, now: datetime) -> HostDecision:
    sign = f"{outcome.value.replace('_', ' ')}, {host.failures} in a row: {host.block_reason}"
    choice, reason = BlockChoice.WAIT, ""
    if outcome not in _EVADABLE:
        reason = "The host asks for time, which is what it gets."
    elif not page.publication.allow_proxy:
        reason = f"{page.publication} permits no proxy."
    else:
        proxy = _other_proxy(host)
        if proxy is None:
            reason = "The pool has no other proxy."
        else:
            host.proxy = proxy
            choice, reason = BlockChoice.PROXY, f"To {proxy}: {page.publication} permits it."
    return HostDecision(
        host=host, at=now, sign=sign[:_MAX_TEXT], choice=choice, reason=reason[:_MAX_TEXT]
    )


def _other_proxy(host: Host) -> Proxy | None:
    """Give the proxy after the present one, from the first again after the last."""
    pool = list(Proxy.objects.filter(is_active=True).exclude(pk=host.proxy_id or 0))
    later = [proxy for proxy in pool if proxy.pk > (host.proxy_id or 0)]
    return next(iter([*later, *pool]), None)
