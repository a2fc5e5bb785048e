"""A proxy or a browser's name that was chosen for a host is given up when it does without.

Now and then one page is asked for plainly: if the site gives it, that way is gone on with. If not,
the page waits for the next turn, which goes the chosen way, and the next probe comes twice as late.
"""

from datetime import datetime, timedelta

from feeds.crawler.fetching.exchange import FetchResult
from feeds.models import BlockChoice, Host, HostDecision, Page, PageKind
from feeds.network import permits_browser, permits_proxy
from presentation.wording.times import span

# Guards that judge by rate let go within a day; one that does not is asked once a month in the end.
FIRST_PROBE = timedelta(days=1)
MOST_BETWEEN = timedelta(days=30)
_PROBED_KINDS = frozenset({PageKind.FEED, PageKind.ARTICLE})
_MAX_TEXT = 200  # what the columns hold


def is_due(host: Host, page: Page, now: datetime) -> bool:
    """Whether a page is to be asked for plainly first, though its host is asked another way."""
    if host.probe_at is None or host.probe_at > now or page.kind not in _PROBED_KINDS:
        return False
    by_proxy = host.proxy is not None and permits_proxy(host, page.publication)
    return by_proxy or (host.needs_browser_agent and permits_browser(host, page.publication))


def after(host: Host, probe: FetchResult | None, now: datetime) -> list[HostDecision]:
    """Set the columns of a host after a probe; returns what was decided, not saved yet."""
    if probe is None:
        return []
    way = chosen_way(host)
    if probe.outcome.is_answer:
        host.proxy, host.needs_browser_agent, host.probe_at = None, False, None
        sign, choice = f"Probe: the site answers without {way}.", BlockChoice.GIVE_UP
        reason = "It is asked plainly again."
    else:
        _wait_longer(host, now)
        words = probe.error or probe.outcome.value.replace("_", " ")
        sign, choice = f"Probe without {way}: {words}", BlockChoice.PROBE
        reason = f"Next probe in {span(host.probe_seconds or 0)}."
    return [HostDecision(host=host, at=now, sign=sign[:_MAX_TEXT], choice=choice, reason=reason)]


def plan(host: Host, now: datetime) -> None:
    """Set the first probe of a host for which another way was chosen.

    One that was given up and is needed again is probed later than the last time.
    """
    if host.probe_at is None and (host.proxy is not None or host.needs_browser_agent):
        _wait_longer(host, now)


def chosen_way(host: Host) -> str:
    """Name what was chosen for a host; empty where it is asked plainly."""
    ways = [f"the proxy {host.proxy}"] if host.proxy else []
    return " and ".join([*ways, *(["a browser’s name"] if host.needs_browser_agent else [])])


def _wait_longer(host: Host, now: datetime) -> None:
    before = host.probe_seconds or 0
    most = MOST_BETWEEN.total_seconds()
    host.probe_seconds = round(min(max(before * 2, FIRST_PROBE.total_seconds()), most))
    host.probe_at = now + timedelta(seconds=host.probe_seconds)
