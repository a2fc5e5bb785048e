"""The newsstand on the loopback interface: a port for each paper and one for the comments.

HTTP/1.1 with keep-alive, GET and HEAD only: as much of a server as the demo and the tests need.
"""

import asyncio
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from http import HTTPStatus
from types import TracebackType
from typing import Protocol, Self

from corpus_site.newsstand.disqus import Disqus
from corpus_site.newsstand.edition import Edition
from corpus_site.newsstand.exchange import PaperAnswer, PaperRequest, finish
from corpus_site.newsstand.pages import Roots
from corpus_site.newsstand.papers import PAPER_KEYS
from corpus_site.newsstand.site import Site

HOST = "127.0.0.1"
COMMENTS = "comments"
# The papers in the order of PAPER_KEYS, then the comments; 0 takes any free port.
SERVER_KEYS = (*PAPER_KEYS, COMMENTS)
ANY_PORTS = (0,) * len(SERVER_KEYS)

_HEAD_LIMIT_BYTES = 16_384  # as common servers take
_IDLE_SECONDS = 30  # longer than a polite crawler waits between two requests
_VISITS_KEPT = 10_000  # all of a test, and no leak in a demo that runs for days

Clock = Callable[[], datetime]


class Answering(Protocol):
    """A paper's site, or the comment server."""

    def answer(self, request: PaperRequest, now: datetime) -> PaperAnswer:
        """Answer one request at a moment."""


@dataclass(frozen=True, slots=True)
class StandAddress:
    """Where to listen; `ports` in the order of `SERVER_KEYS`."""

    ports: Sequence[int] = ANY_PORTS
    host: str = HOST


@dataclass(frozen=True, slots=True)
class StandVisit:
    """One request as a server saw it."""

    server: str
    target: str
    status: int
    agent: str


class Newsstand:
    """All servers of the demo newspapers, bound to their ports and not yet answering.

    Parameters
    ----------
    now
        The clock: what is out, and how old everything is, follows from it.
    opened_at
        The moment from which the pieces are dated; the present one if None.
    address
        Interface and ports.
    hurry
        How many times as fast revisions follow.

    Raises
    ------
    OSError
        When a port is taken; none is then held.
    """

    def __init__(
        self,
        now: Clock,
        opened_at: datetime | None = None,
        address: StandAddress | None = None,
        hurry: float = 1.0,
    ) -> None:
        self._now = now
        self.opened_at = opened_at or now()
        address = address or StandAddress()
        self._sockets = _bind(address)
        self.ports = tuple(int(bound.getsockname()[1]) for bound in self._sockets)
        roots = {
            key: f"http://{address.host}:{port}"
            for key, port in zip(SERVER_KEYS, self.ports, strict=True)
        }
        editions = {key: Edition(key, self.opened_at, hurry) for key in PAPER_KEYS}
        self._servers: dict[str, Answering] = {
            key: Site(edition, Roots(roots[key], roots[COMMENTS]))
            for key, edition in editions.items()
        }
        self._servers[COMMENTS] = Disqus(editions, roots)
        self.names = {key: edition.paper.name for key, edition in editions.items()}
        self.home_urls = tuple(f"{roots[key]}/" for key in PAPER_KEYS)
        self.comments_url = f"{roots[COMMENTS]}/"
        self.visits: deque[StandVisit] = deque(maxlen=_VISITS_KEPT)
        self._stop = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_ready = threading.Event()

    async def serve(self) -> None:
        """Answer until `stop` or cancellation, then close every connection."""
        self._loop = asyncio.get_running_loop()
        talks: set[asyncio.Task[None]] = set()
        servers = [
            await asyncio.start_server(
                partial(self._welcome, key, talks), sock=bound, limit=_HEAD_LIMIT_BYTES
            )
            for key, bound in zip(SERVER_KEYS, self._sockets, strict=True)
        ]
        self._is_ready.set()
        try:
            await self._stop.wait()
        finally:
            for server in servers:
                server.close()
            for talk in talks:
                talk.cancel()
            await asyncio.gather(*talks, return_exceptions=True)

    async def _welcome(
        self,
        key: str,
        talks: set[asyncio.Task[None]],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Answer one connection's requests, remembered so that it can be closed at the end."""
        task = asyncio.current_task()
        if task is not None:
            talks.add(task)
            task.add_done_callback(talks.discard)
        try:
            with suppress(ConnectionError, TimeoutError, asyncio.CancelledError):
                while await self._turn(key, reader, writer):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _turn(
        self, key: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Read one request and answer it; whether the connection goes on."""
        try:
            async with asyncio.timeout(_IDLE_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return False
        request = _parse_head(head)
        answer = self._answer(key, request)
        goes_on = request is not None and request.headers.get("connection", "") != "close"
        writer.write(_wire(answer, request, goes_on=goes_on))
        await writer.drain()
        return goes_on

    def _answer(self, key: str, request: PaperRequest | None) -> PaperAnswer:
        if request is None:
            return PaperAnswer(b"Bad request\n", "text/plain", status=400)
        if request.method not in {"GET", "HEAD"}:
            return PaperAnswer(b"GET and HEAD only\n", "text/plain", status=405)
        answer = finish(self._servers[key].answer(request, self._now()), request)
        self.visits.append(StandVisit(key, request.target, answer.status, request.agent))
        return answer

    # ---------------------------------------------------------------- in a thread, for tests

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=asyncio.run, args=(self.serve(),), daemon=True)
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the servers and wait until their connections are closed."""
        if self._loop is not None and self._thread is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()


def start(now: Clock, ports: Sequence[int] = ANY_PORTS) -> Newsstand:
    """Start the newsstand in a thread; the caller ends it with `stop`."""
    return Newsstand(now, address=StandAddress(ports)).__enter__()


def _bind(address: StandAddress) -> list[socket.socket]:
    with ExitStack() as bound:
        sockets = [
            bound.enter_context(socket.create_server((address.host, port)))
            for port in address.ports
        ]
        bound.pop_all()
    return sockets


def _parse_head(head: bytes) -> PaperRequest | None:
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[1].startswith("/"):
        return None
    headers = (line.partition(":")[::2] for line in lines)
    return PaperRequest(
        target=parts[1],
        headers={name.strip().lower(): value.strip() for name, value in headers},
        method=parts[0],
    )


def _wire(answer: PaperAnswer, request: PaperRequest | None, *, goes_on: bool) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    if answer.status != HTTPStatus.NOT_MODIFIED:
        lines.append(f"Content-Length: {len(answer.body)}")
    lines.append(f"Connection: {'keep-alive' if goes_on else 'close'}")
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    has_body = request is None or request.method != "HEAD"
    return head + answer.body if has_body else head
