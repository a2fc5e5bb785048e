"""Addresses that are too long are answered in words; a web process that nobody asks rests."""

import io
import logging
import socket
import time
from types import SimpleNamespace

import pytest
from gunicorn.http.errors import InvalidRequestLine, LimitRequestHeaders, LimitRequestLine

from corpus_site.middleware.headers import HEADERS
from corpus_site.running.memory import FreeMemory
from corpus_site.running.web_worker import (
    BODY_GRACE_SECONDS,
    HEADER_SECONDS,
    MOST_SLOW,
    REST_AFTER_SECONDS,
    SLOW_FROM_SECONDS,
    WebWorker,
    _Body,
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
    worker._bodies = {}
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

    def __init__(self, sock, peer="", *, initialized=True):
        self.sock, self.client, self.initialized = sock, (peer, 1), initialized


def test_clients_that_never_end_their_headers_are_sent_away_and_others_are_not():
    pairs = [socket.socketpair() for _ in range(2)]
    worker = WebWorker.__new__(WebWorker)
    slow, quick = (Slow(ours) for ours, _ in pairs)
    worker._bodies = {}
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


def body_of(sock, n_bytes, since=100.0):
    """A body of which the reader has read nothing."""
    unreader = SimpleNamespace(buf=io.BytesIO())
    return _Body(sock, SimpleNamespace(length=n_bytes, unreader=unreader), n_bytes, since)


@pytest.fixture
def pairs():
    made = [socket.socketpair() for _ in range(MOST_SLOW + 4)]
    yield made
    for ours, theirs in made:
        ours.close()
        theirs.close()


def is_open(pair):
    try:
        pair[0].sendall(b"x")
    except OSError:
        return False
    return pair[1].recv(1) == b"x"


def test_of_one_peer_few_are_read_for_long_and_what_has_come_whole_is_not_slow(pairs):
    worker = WebWorker.__new__(WebWorker)
    conns = [Slow(ours, "198.51.100.1") for ours, _ in pairs]
    conns[0].client = ("198.51.100.2", 1)
    conns[1].initialized = False
    pairs[2][1].sendall(b"0123456789")
    worker._reading = {conns[0]: 100.0, conns[1]: 100.0}
    worker._bodies = {
        conn: body_of(conn.sock, 10, 100.0 + number / 1_000)
        for number, conn in enumerate(conns)
        if number >= 2
    }
    now = 100.0 + SLOW_FROM_SECONDS + 1

    n_slow = worker.n_slow("198.51.100.1", now)
    worker.send_away(now)

    assert n_slow == MOST_SLOW + 1
    assert [is_open(pair) for pair in pairs] == [True] * (MOST_SLOW + 3) + [False]


def test_a_body_that_comes_byte_by_byte_is_not_waited_for(pairs):
    worker = WebWorker.__new__(WebWorker)
    slow, quick = (Slow(ours, "198.51.100.1") for ours, _ in pairs[:2])
    worker._reading = {}
    worker._bodies = {slow: body_of(slow.sock, 100_000), quick: body_of(quick.sock, 100_000)}
    pairs[0][1].sendall(b"a" * 5)
    pairs[1][1].sendall(b"a" * 50_000)

    worker.send_away(100.0 + BODY_GRACE_SECONDS + 4)

    assert [is_open(pair) for pair in pairs[:2]] == [False, True]
