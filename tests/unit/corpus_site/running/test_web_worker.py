"""Addresses that are too long are answered in words; a web process that nobody asks rests."""

import logging
import socket
import time
from types import SimpleNamespace

import pytest
from gunicorn.http.errors import InvalidRequestLine, LimitRequestHeaders, LimitRequestLine

from corpus_site.middleware.headers import HEADERS
from corpus_site.running.memory import FreeMemory
from corpus_site.running.web_worker import (
    HEADER_SECONDS,
    REST_AFTER_SECONDS,
    WebWorker,
    limit_waiting,
    too_long,
)
from dedup.stage.texts import signature_of


def test_an_address_that_is_too_long_gets_a_page():
    ours, theirs = socket.socketpair()
    worker = WebWorker.__new__(WebWorker)

    with ours, theirs:
        worker.handle_error(None, ours, ("127.0.0.1", 1), LimitRequestLine(9000, 8190))
        answer = theirs.recv(100_000)

    assert answer == too_long()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 414 ")
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"Back to the search" in body


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidRequestLine("BREW"), "400 Bad Request"),
        (LimitRequestHeaders("many"), "431 Request Header Fields Too Large"),
        (RuntimeError("ours"), "500 Internal Server Error"),
    ],
)
def test_what_gunicorn_answers_itself_has_the_headers_of_every_answer(error, status):
    ours, theirs = socket.socketpair()
    worker = WebWorker.__new__(WebWorker)
    worker.log = logging.getLogger("test")

    with ours, theirs:
        worker.handle_error(None, ours, ("127.0.0.1", 1), error)
        head, _, body = theirs.recv(100_000).decode().partition("\r\n\r\n")

    first, *lines = head.split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert first == f"HTTP/1.1 {status}"
    assert headers.items() >= HEADERS.items()
    assert int(headers["Content-Length"]) == len(body)


def test_web_process_rests_once_when_nobody_has_asked_for_a_while():
    worker = WebWorker.__new__(WebWorker)
    worker.tmp = SimpleNamespace(notify=lambda: None)
    worker.nr, worker._n_seen, worker._is_resting, worker._reading = 3, 0, True, {}
    worker._memory = FreeMemory()
    signature = signature_of("The sangoma drank maas.")

    worker.notify()
    is_kept = signature_of("The sangoma drank maas.") is signature
    worker._asked_at = time.monotonic() - REST_AFTER_SECONDS - 1
    worker.notify()

    assert is_kept
    assert worker._is_resting
    assert signature_of("The sangoma drank maas.") is not signature


class Slow:
    """A connection as the worker's loop knows it."""

    def __init__(self, sock):
        self.sock = sock


def test_clients_that_never_end_their_headers_are_sent_away_and_others_are_not():
    pairs = [socket.socketpair() for _ in range(2)]
    worker = WebWorker.__new__(WebWorker)
    slow, quick = (Slow(ours) for ours, _ in pairs)
    worker._reading = {slow: 100.0, quick: 100.0 + HEADER_SECONDS}

    worker.send_away(100.0 + HEADER_SECONDS + 1)

    assert pairs[0][1].recv(1) == b""
    pairs[1][0].sendall(b"x")
    assert pairs[1][1].recv(1) == b"x"
    for ours, theirs in pairs:
        ours.close()
        theirs.close()


def test_client_that_neither_sends_nor_reads_is_not_waited_for():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        limit_waiting(ours, 0.05)

        with pytest.raises(BlockingIOError):
            ours.recv(1)
        with pytest.raises(BlockingIOError):
            ours.sendall(bytes(50_000_000))
