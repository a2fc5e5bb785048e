"""Looking names up without being held up by them: name → addresses, in threads nobody waits for.

asyncio's own look-ups share six threads and are waited for at the end of a loop, so a few name
servers that do not answer (5 s and more each) stall a whole batch. Here each look-up has a daemon
thread; a deadline ends the waiting, and the thread ends by itself, if the resolver ever answers: so
a process has a bounded number of them.
"""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from feeds.crawler.fetching.ip_addresses import ForbiddenAddressError

# Of a process at a time: five batches' hosts. More are only there where a resolver hangs for good.
MOST_LOOK_UPS = 256
# Behind a proxy the look-up is a second guard, not the way: it may not hold a request up.
PROXY_LOOKUP_SECONDS = 1.0
# How long a name is not looked up again behind a proxy after its look-up hung.
_QUIET_SECONDS = 300.0
# How long a verdict holds: a name may lead elsewhere in a minute, and short-lived answers do.
_VERDICT_SECONDS = 60.0
_MAX_VERDICTS = 10_000  # some megabytes; a batch asks for 50 hosts


@dataclass(frozen=True, slots=True)
class ResolvedAddress:
    """One answer to a look-up."""

    text: str
    port: int
    family: socket.AddressFamily
    protocol: int


async def look_up(
    name: str, port: int, family: socket.AddressFamily = socket.AF_UNSPEC
) -> list[ResolvedAddress]:
    """Return the addresses of a name.

    Raises
    ------
    OSError
        As `socket.getaddrinfo` does. Names that cannot be encoded count as unknown; where too many
        look-ups hang already, the name is to be tried again (`EAI_AGAIN`).
    """
    counter = _under_way
    counter.begin()
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[ResolvedAddress]] = loop.create_future()

    def settle(found: list[ResolvedAddress], error: OSError | None) -> None:
        if future.done():
            return
        if error:
            future.set_exception(error)
        else:
            future.set_result(found)

    def work() -> None:
        found: list[ResolvedAddress] = []
        failure: OSError | None = None
        try:
            found = _addresses(name, port, family)
        except UnicodeError as error:
            failure = socket.gaierror(socket.EAI_NONAME, str(error))
        except OSError as error:
            failure = error
        finally:
            counter.end()
        with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
            loop.call_soon_threadsafe(settle, found, failure)

    threading.Thread(target=work, daemon=True, name=f"look-up {name[:40]}").start()
    return await future


class _UnderWay:
    """Counts look-ups whose thread has not ended."""

    def __init__(self) -> None:
        self._n = 0
        self._lock = threading.Lock()

    def begin(self) -> None:
        with self._lock:
            if self._n >= MOST_LOOK_UPS:
                words = f"{self._n} look-ups of names are waiting for an answer"
                raise socket.gaierror(socket.EAI_AGAIN, words)
            self._n += 1

    def end(self) -> None:
        with self._lock:
            self._n -= 1


_under_way = _UnderWay()


def _addresses(name: str, port: int, family: socket.AddressFamily) -> list[ResolvedAddress]:
    answers = socket.getaddrinfo(
        name, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
    )
    return [
        ResolvedAddress(str(sockaddr[0]), int(sockaddr[1]), kind, protocol)
        for kind, _, protocol, _, sockaddr in answers
    ]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Why a name is refused on a port, empty for none; until when that holds."""

    refusal: str
    until: float


class ProxyLookup:
    """Checks the addresses of a target's name although the proxy will resolve it again.

    A name that does not resolve here is let through: behind a proxy there may be no name server at
    all; so is one whose look-up hangs, which is then not tried again for five minutes. Keep one
    for each process.

    A second guard only: name and proxy may get different answers, so the proxy itself has to
    refuse private addresses.
    """

    def __init__(
        self,
        patience_seconds: float = PROXY_LOOKUP_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._verdicts: dict[tuple[str, int], _Verdict] = {}

    async def refusal(self, name: str, port: int, check: Callable[[str, int], None]) -> str:
        """Say why a name may not be asked for; empty where nothing speaks against it.

        `check` raises `ForbiddenAddressError` for an address and a port that may not be used.
        """
        known = self._verdicts.get((name, port))
        if known is None or known.until <= self._clock():
            known = await self._look(name, port, check)
            self._keep((name, port), known)
        return known.refusal

    def _keep(self, place: tuple[str, int], verdict: _Verdict) -> None:
        if len(self._verdicts) >= _MAX_VERDICTS:
            now = self._clock()
            alive = {at: one for at, one in self._verdicts.items() if one.until > now}
            self._verdicts = alive if len(alive) < _MAX_VERDICTS else {}
        self._verdicts[place] = verdict

    async def _look(self, name: str, port: int, check: Callable[[str, int], None]) -> _Verdict:
        refusal, seconds = "", _VERDICT_SECONDS
        try:
            async with asyncio.timeout(self._patience_seconds):
                answers = await look_up(name, port)
            for answer in answers:
                check(answer.text, port)
        except TimeoutError:
            seconds = _QUIET_SECONDS
        except ForbiddenAddressError as error:
            refusal = str(error)
        except OSError:
            pass
        return _Verdict(refusal, self._clock() + seconds)
