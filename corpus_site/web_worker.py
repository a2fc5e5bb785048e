"""Gunicorn's worker for our pages: threads, rest, a page in words for addresses too long to read.

Input → output: a request line of more than 8,190 bytes (gunicorn's highest limit) → 414 with what
to do about it, instead of a bare heading. When nobody has asked for a while, free memory goes back.
"""

import socket
import time
from typing import Any

from gunicorn.http.errors import LimitRequestLine  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from corpus_site import memory

REST_AFTER_SECONDS = 20.0

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Query too long</title>
<link rel="stylesheet" href="/static/broadsheet.css"></head>
<body><main id="main"><div class="prose">
<h1>Query too long</h1>
<p>The query is part of the address, and this one is longer than an address may be: 8,190
characters, where a bracket or a quotation mark counts three.</p>
<p>Say the same in fewer words: one regular expression such as <code>[word="rain|snow|hail"]</code>
instead of many alternatives, or a repetition such as <code>[]{10}</code> written once. Longer
queries run on the terminal with <code>manage.py search</code>.</p>
<p><a href="/search/">Back to the search</a></p>
</div></main></body>
</html>
"""


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """The threaded worker with a page of its own for addresses that are too long."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._n_seen = 0  # requests answered when last looked at
        self._asked_at = time.monotonic()
        self._is_resting = True

    def run(self) -> None:
        """Answer requests, in a process that holds what it has loaded."""
        memory.settle()
        super().run()

    def notify(self) -> None:
        """Say that this process lives, as its loop does every second; rest when nobody asks."""
        super().notify()
        now = time.monotonic()
        if self.nr != self._n_seen:
            self._n_seen, self._asked_at, self._is_resting = self.nr, now, False
        elif not self._is_resting and now - self._asked_at > REST_AFTER_SECONDS:
            # Loaded here, since gunicorn's first process reads this module and stays small.
            from corpus_site.resting import rest  # noqa: PLC0415

            rest()
            self._is_resting = True

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        if not isinstance(exc, LimitRequestLine):
            super().handle_error(req, client, addr, exc)
            return
        write_nonblock(client, too_long())


def too_long() -> bytes:
    """Make the whole answer."""
    body = _PAGE.encode()
    head = (
        "HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n"
        "Content-Type: text/html; charset=utf-8\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'self'\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
