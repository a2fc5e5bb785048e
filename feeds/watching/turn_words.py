"""When a host is really asked, in words: at once, or what it waits for and what overrides that."""

from collections.abc import Sequence
from datetime import datetime

from feeds.models import Feed, Host
from presentation.wording.figures import counted
from presentation.wording.times import span

# A wait up to here is the delay between two requests, which nothing overrides.
SHORT_SECONDS = 60


def of_host(host: Host, now: datetime) -> str:
    """Say when a host is asked: "now.", or "in 28 min: …" with the reason and the way round."""
    left = (host.next_at - now).total_seconds()
    if left <= 0:
        return "now, with the next free worker."
    words = f"in {span(left)}: {host.next_reason or 'its host rests until then.'}"
    if left <= SHORT_SECONDS:
        return words
    return f"{words} “Try now” on the page of {host} overrides that."


def of_feeds(feeds: Sequence[Feed], now: datetime) -> str:
    """Say of several feeds when the hosts that wait are asked."""
    hosts = {feed.page.host.pk: feed.page.host for feed in feeds}
    waiting = [host for host in hosts.values() if host.next_at > now]
    if not waiting:
        return "They are visited now, one after the other at each host."
    last = max(waiting, key=lambda host: host.next_at)
    what = "Their host is" if len(hosts) == 1 else f"{counted(len(waiting), 'host', 'hosts')} wait;"
    which = "" if len(hosts) == 1 else f" {last} is"
    return f"{what}{which} asked {of_host(last, now)}"
