"""Gunicorn's worker for our pages: threads, rest, a page in words for addresses too long to read.

Input → output: a request line of more than 8,190 bytes (gunicorn's highest limit) → 414 with what
to do about it, instead of a bare heading. When nobody has asked for a while, free memory goes back.
A client that does not come to the end of its headers is sent away: each holds one of a few threads.
"""

import contextlib
import fcntl
import socket
import struct
import sys
import termios
import time
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from gunicorn.http.errors import LimitRequestLine  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from corpus_site.running import memory

REST_AFTER_SECONDS = 20.0
# A browser sends its headers at once; this is for the slowest line, and for peers that are gone.
HEADER_SECONDS = 10.0
# Between two pieces of a body.
BODY_SECONDS = 20
# A body may take so long, and from then on comes as fast as by the slowest line: sixty clients that
# sent a byte every three seconds held all threads for as long as they liked.
BODY_GRACE_SECONDS = 20.0
LEAST_BYTES_A_SECOND = 10_000
# So many of one peer may be read for longer than this at a time; others are sent away at once. A
# proxy gives whole requests.
SLOW_FROM_SECONDS = 1.0
MOST_SLOW = 8

# Of every answer (corpus_site.middleware.headers), where Django has no part in it.
_HEADERS = (
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    "Permissions-Policy: camera=(), microphone=(), geolocation=(), interest-cohort=()\r\n"
    "Referrer-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
)
_POLICY = "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'\r\n"

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Query too long</title>
<link rel="stylesheet" href="/static/broadsheet.css"></head>
<body><main id="main"><div class="prose">
<h1>Query too long</h1>
<p>The query is part of the address, and this one is longer than an address may be: 8&#8239;190
characters, where a bracket or a quotation mark counts three. Your browser's <em>Back</em> has it
still.</p>
<p>Say the same in fewer words: one regular expression such as <code>[word="rain|snow|hail"]</code>
instead of many alternatives, or a repetition such as <code>[]{10}</code> written once. Longer
queries run on the terminal with <code>manage.py search</code>.</p>
<p><a href="/search/">Back to the search</a></p>
</div></main></body>
</html>
"""


class WebWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """The threaded worker with a page of its own for addresses that are too long."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._n_seen = 0  # requests answered when last looked at
        self._asked_at = time.monotonic()
        self._is_resting = True
        self._memory = memory.FreeMemory()
        self._reading: dict[Any, float] = {}  # connections whose headers are being read, since when
        self._bodies: dict[Any, _Body] = {}  # what follows the headers of a request at work

    def run(self) -> None:
        """Answer requests, in a process that holds what it has loaded."""
        memory.settle()
        super().run()

    def notify(self) -> None:
        """Say that this process lives, as its loop does every second; rest when nobody asks."""
        super().notify()
        now = time.monotonic()
        self.send_away(now)
        self._memory.give_back()
        if self.nr != self._n_seen:
            self._n_seen, self._asked_at, self._is_resting = self.nr, now, False
        elif not self._is_resting and now - self._asked_at > REST_AFTER_SECONDS:
            # Loaded here, since gunicorn's first process reads this module and stays small.
            from corpus_site.running.resting import rest  # noqa: PLC0415

            rest()
            self._is_resting = True

    def handle(self, conn: Any) -> Any:
        """Read a request and answer it, in a thread of its own."""
        with contextlib.suppress(OSError):  # the client has gone; the parser finds out
            limit_waiting(conn.sock, BODY_SECONDS)
        now = time.monotonic()
        if self.n_slow(_peer(conn), now) >= MOST_SLOW:
            with contextlib.suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
        self._reading[conn] = now
        try:
            return super().handle(conn)
        finally:
            self._reading.pop(conn, None)
            self._bodies.pop(conn, None)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request whose headers have come; from here on it may take its time."""
        self._reading.pop(conn, None)
        reader = req.body.reader
        if getattr(reader, "length", 0):
            self._bodies[conn] = _Body(conn.sock, reader, reader.length, time.monotonic())
        return super().handle_request(req, conn)

    def n_slow(self, peer: str, now: float) -> int:
        """Count the connections of a peer that are being read for longer than others."""
        return len(self._slow(now).get(peer, []))

    def _slow(self, now: float) -> dict[str, list[Any]]:
        """Name by their peer the connections that are being read for long, the oldest first."""
        bodies = [(one.since, conn) for conn, one in list(self._bodies.items()) if one.n_missing]
        # Browsers open connections ahead, and send nothing: those are not initialized.
        heads = [(at, conn) for conn, at in list(self._reading.items()) if conn.initialized]
        found: dict[str, list[Any]] = {}
        for at, conn in sorted(heads + bodies, key=itemgetter(0)):
            if now - at > SLOW_FROM_SECONDS and _peer(conn):
                found.setdefault(_peer(conn), []).append(conn)
        return found

    def send_away(self, now: float) -> None:
        """End the reading of clients that have sent headers for too long."""
        for conn, since in list(self._reading.items()):
            if now - since > HEADER_SECONDS:
                with contextlib.suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)
        late = [conn for conn, body in list(self._bodies.items()) if body.is_late(now)]
        for conn in late + [
            conn for conns in self._slow(now).values() for conn in conns[MOST_SLOW:]
        ]:
            with contextlib.suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        if not isinstance(exc, LimitRequestLine):
            super().handle_error(req, _WithHeaders(client), addr, exc)
            return
        write_nonblock(client, too_long())


@dataclass(frozen=True, slots=True)
class _Body:
    """A body on its way: its socket and reader, its bytes, and since when it comes."""

    sock: socket.socket
    reader: Any
    n_bytes: int
    since: float

    @property
    def n_missing(self) -> int:
        """How many bytes have not come; those that have may wait for who reads them."""
        try:
            kept = fcntl.ioctl(self.sock, termios.FIONREAD, bytes(4))
        except (OSError, ValueError):  # it is closed
            return 0
        n_kept: int = int.from_bytes(kept, sys.byteorder) + self.reader.unreader.buf.tell()
        return max(0, int(self.reader.length) - n_kept)

    def is_late(self, now: float) -> bool:
        """Whether much less has come than by a slow line."""
        seconds = now - self.since - BODY_GRACE_SECONDS
        n_missing = self.n_missing
        n_come = self.n_bytes - n_missing
        return n_missing > 0 and n_come < seconds * LEAST_BYTES_A_SECOND


def _peer(conn: Any) -> str:
    """Name the machine at the other end; empty for sockets without one."""
    client = conn.client
    return str(client[0]) if isinstance(client, tuple) and client else ""


class _WithHeaders:
    """A client to whom gunicorn says what is wrong with its request: our headers come with it."""

    def __init__(self, client: socket.socket) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, answer: bytes) -> None:
        """Send a whole answer."""
        head, _, rest = answer.partition(b"\r\n")
        self._client.sendall(head + b"\r\n" + (_POLICY + _HEADERS).encode() + rest)


def limit_waiting(client: socket.socket, seconds: float) -> None:
    """Let nothing wait longer for a client that neither sends nor reads: it holds a thread.

    Reading, and sending an answer larger than the kernel's buffers, raise BlockingIOError then.
    """
    whole, rest = divmod(round(seconds * 1_000_000), 1_000_000)
    patience = struct.pack("ll", whole, rest)
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # not settimeout(): gunicorn undoes it
        client.setsockopt(socket.SOL_SOCKET, option, patience)


def too_long() -> bytes:
    """Make the whole answer."""
    body = _PAGE.encode()
    head = (
        "HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n"
        "Content-Type: text/html; charset=utf-8\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'self'\r\n"
        f"{_HEADERS}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
