"""The gate between a search in its event loop and the leases of hosts in the database.

The search waits here for a host; sync code, between steps of the loop, looks who waits and lets
them through.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from feeds.sources.host_rests import HostWait

# How often those are tried again who wait for a host that somebody else holds.
TICK_SECONDS = 0.25


class HostRefusedError(Exception):
    """Raised by `HostGate.admit` for a host that rests too long; a search makes it a result."""


@dataclass(slots=True)
class HostGate:
    """Who waits for which host, in one event loop."""

    waiting: dict[str, asyncio.Future[HostWait]] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def admit(self, host: str) -> float:
        """Wait for a host's lease, once for all that ask; gives the seconds that it rests still."""
        if host not in self.waiting:
            self.waiting[host] = asyncio.get_running_loop().create_future()
            self.news.set()
        wait = await asyncio.shield(self.waiting[host])
        if wait.is_too_long:
            raise HostRefusedError(wait.sentence)
        return wait.seconds

    def serve(self, take: Callable[[str], HostWait | None]) -> None:
        """Let those through whose host `take` gives."""
        for host, future in self.waiting.items():
            if not future.done():
                wait = take(host)
                if wait is not None:
                    future.set_result(wait)

    async def step(self, task: "asyncio.Task[object]") -> None:
        """Let the search run until it ends, or something is to be done outside of the loop."""
        news = asyncio.ensure_future(self.news.wait())
        await asyncio.wait({task, news}, timeout=TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        self.news.clear()
