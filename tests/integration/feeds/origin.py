"""A small origin for tests of the fetcher: paths with answers of any kind, and a list of requests.

It speaks HTTP/1.1 by hand, so that it can also break it.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Self

Answer = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    host: str
    target: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass
class Origin:
    """Serves `routes` on a free port of 127.0.0.1 from a thread of its own.

    A route is a path, or a host and a path (asked as a proxy); the latter comes first.
    """

    routes: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    n_connections: int = 0
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [request.target for request in self.requests]

    def asked(self, host: str) -> list[str]:
        return [request.target for request in self.requests if request.host == host]

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *exception: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.n_connections += 1
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                request = _parse(head)
                length = int(request.headers.get("content-length", 0))
                if length:
                    request = replace(request, body=await reader.readexactly(length))
                self.requests.append(request)
                by_path = self.routes.get(request.path, not_found)
                answer = self.routes.get(request.host + request.path, by_path)
                await answer(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def _parse(head: bytes) -> Request:
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    if "://" in target:  # asked as a proxy
        target = "/" + target.split("://", 1)[1].partition("/")[2]
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Request(method, headers.get("host", ""), target, headers)


def answer(
    body: bytes = b"", status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> Answer:
    """Answer with a body of known length."""

    async def give(request: Request, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    return give


def page(text: str = "<p>Maas is sour milk.</p>", **headers: str) -> Answer:
    """Answer with an HTML page; header names are given with underscores."""
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return answer(text.encode(), 200, (("Content-Type", "text/html; charset=utf-8"), *pairs))


def redirect(location: str, status: int = 302) -> Answer:
    return answer(b"moved", status, (("Location", location),))


def raw(data: bytes, *, is_reset: bool = False) -> Answer:
    """Answer with these bytes and close, or reset, the connection."""

    async def give(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        if is_reset:
            writer.transport.abort()
        raise ConnectionResetError

    return give


def drip(head: bytes, piece: bytes, pause_seconds: float) -> Answer:
    """Answer with a piece now and then, for ever."""

    async def give(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_seconds)

    return give


not_found = answer(b"<h1>Not found</h1>", 404, (("Content-Type", "text/html"),))
