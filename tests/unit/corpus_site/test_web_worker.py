"""Addresses that are too long are answered in words."""

import socket

from gunicorn.http.errors import LimitRequestLine

from corpus_site.web_worker import Worker, too_long


def test_an_address_that_is_too_long_gets_a_page():
    ours, theirs = socket.socketpair()
    worker = Worker.__new__(Worker)

    with ours, theirs:
        worker.handle_error(None, ours, ("127.0.0.1", 1), LimitRequestLine(9000, 8190))
        answer = theirs.recv(100_000)

    assert answer == too_long()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 414 ")
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"Back to the search" in body
