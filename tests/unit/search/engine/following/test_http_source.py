"""Whatever answers on the other side, a follower gets bytes or a sentence, and soon."""

import socket
import threading
import time

import pytest

from search.engine.following import http_source
from search.engine.following.follower import MovedOnError, SourceError
from search.engine.following.http_source import HttpSource
from search.engine.following.listing import ListedFile, ListingError

FILE = ListedFile("00000001.segment", 100, "0" * 16)
TOKEN = "secret-word"


def answering(act):
    """A server that reads one request and acts on its socket; gives address, thread, requests."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = []

    def serve():
        connection, _ = listener.accept()
        with connection, listener:
            seen.append(connection.recv(65_536))
            try:
                act(connection)
            except OSError:
                return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/corpus/", thread, seen


def says(text):
    return lambda connection: connection.sendall(text.encode())


def drips(connection):
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.02)


def floods(connection):
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65_536)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(http_source, "_SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(http_source, "_ANSWER_SECONDS", 0.3)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (says(""), "does not answer"),
        (says("nonsense"), "does not answer"),
        (says("HTTP/1.0 301 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n"), "answers with 301"),
        (says("HTTP/1.0 401 No\r\n\r\n"), "INDEX_TOKEN"),
        (says("HTTP/1.0 500 Oh\r\n\r\n"), "answers with 500"),
        (lambda _: time.sleep(0.6), "does not answer"),
        (drips, "too slow"),
        (floods, "more than was asked for"),
    ],
    ids=["nothing", "nonsense", "moved", "token", "fault", "silent", "drips", "floods"],
)
def test_answer_that_is_none_is_told(act, words):
    address, thread, seen = answering(act)
    with pytest.raises(SourceError, match=words):
        HttpSource(address, TOKEN).read(FILE, 0, 100)
    thread.join(5)
    assert len(seen) == 1


def test_file_that_is_gone_sends_the_follower_to_a_new_listing():
    address, _, seen = answering(says("HTTP/1.0 404 Gone\r\n\r\n"))
    with pytest.raises(MovedOnError):
        HttpSource(address, TOKEN).read(FILE, 5, 20)
    request = seen[0].decode()
    assert request.startswith(
        "GET /corpus/index-files/00000001.segment?from=5&length=20&digest=0000000000000000 "
    )
    assert "Authorization: Bearer secret-word" in request


def test_page_instead_of_a_listing_is_none():
    address, _, _ = answering(says("HTTP/1.0 200 OK\r\n\r\n<html>Welcome</html>"))
    with pytest.raises(ListingError):
        HttpSource(address, TOKEN).listing()


def test_machine_that_is_away_is_told():
    with pytest.raises(SourceError, match="does not answer"):
        HttpSource("http://127.0.0.1:9", TOKEN).listing()
