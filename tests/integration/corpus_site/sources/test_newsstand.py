"""The newsstand over real sockets: every address of every paper, twice over one connection."""

import gzip
import http.client
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import lxml.html
import pytest

from corpus_site.newsstand.papers import PAPER_KEYS
from corpus_site.newsstand.server import Newsstand, StandAddress, StandVisit, start

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
GZIP = {"Accept-Encoding": "gzip", "User-Agent": "test/1"}


@pytest.fixture
def newsstand():
    running = start(lambda: NOW)
    yield running
    running.stop()


@pytest.fixture
def connect():
    """Connections that are closed at the end."""
    opened = []

    def connection(url):
        opened.append(http.client.HTTPConnection(urlsplit(url).netloc, timeout=10))
        return opened[-1]

    yield connection
    for one in opened:
        one.close()


def ask(connection, target, method="GET", headers=GZIP):
    connection.request(method, target, headers=headers)
    response = connection.getresponse()
    body = response.read()
    packed = response.headers["Content-Encoding"] == "gzip"
    return response, gzip.decompress(body) if packed else body


def links(body, home_url):
    """Paths on the same site that a page leads to."""
    page = lxml.html.document_fromstring(body)
    found = {urlsplit(link[2]) for link in page.iterlinks()}
    return {part.path for part in found if part.netloc in {"", urlsplit(home_url).netloc}}


def test_every_address_answers(newsstand, connect):
    statuses = {}
    for home_url in newsstand.home_urls:
        connection = connect(home_url)
        waiting, seen = ["/"], {"/"}
        while waiting:
            path = waiting.pop()
            response, body = ask(connection, path)
            statuses[home_url, path] = response.status
            if response.status == 200 and "html" in response.headers["Content-Type"]:
                new = {p for p in links(body, home_url) if p.startswith("/")} - seen
                seen |= new
                waiting += new

    assert len(statuses) > 100
    assert sorted((path, s) for (_, path), s in statuses.items() if s != 200) == [
        ("/premium/night-sky-hotel-20600", 403),
        ("/sport/2026/11/atletiek-baan.html", 302),
    ]


def test_connection_is_kept_and_bodies_are_packed(newsstand, connect):
    connection = connect(newsstand.home_urls[0])

    first, body = ask(connection, "/")
    second, _ = ask(connection, "/", headers=GZIP | {"If-None-Match": first.headers["ETag"]})

    assert first.headers["Content-Encoding"] == "gzip"
    assert b"Load-shedding returns" in body
    assert (second.status, second.headers["Content-Length"]) == (304, None)
    assert list(newsstand.visits) == [
        StandVisit("karoo-courier", "/", 200, "test/1"),
        StandVisit("karoo-courier", "/", 304, "test/1"),
    ]


def test_head_has_no_body_and_post_is_refused(newsstand, connect):
    connection = connect(newsstand.home_urls[1])

    head, body = ask(connection, "/", "HEAD", {})
    post, _ = ask(connection, "/", "POST", {})

    assert (head.status, body, int(head.headers["Content-Length"]) > 500) == (200, b"", True)
    assert post.status == 405


def test_nonsense_is_a_bad_request(newsstand, connect):
    connection = connect(newsstand.home_urls[0])
    connection.connect()
    connection.sock.sendall(b"HELLO\r\n\r\n")

    assert connection.sock.recv(100).startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_comments_stand_on_a_server_of_their_own(newsstand, connect):
    home, body = newsstand.home_urls[0], b""
    connection = connect(home)
    _, front = ask(connection, "/")
    for path in links(front, home):
        if "ostrich" in path:
            _, body = ask(connection, path)

    assert f"{newsstand.comments_url}embed.js".encode() in body
    _, loader = ask(connect(newsstand.comments_url), "/embed.js")
    assert b"disqus_config" in loader


def test_clock_decides_what_is_out(connect):
    moment = [NOW]
    running = start(lambda: moment[0])
    try:
        connection = connect(running.home_urls[2])
        sizes = []
        for minutes in (0, 1, 10):
            moment[0] = NOW + timedelta(minutes=minutes)
            sizes.append(len(json.loads(ask(connection, "/feed.json")[1])["items"]))
    finally:
        running.stop()

    assert sizes == [9, 10, 12]


def test_taken_port_is_an_error_and_holds_no_other(newsstand):
    free = start(lambda: NOW)
    ports = [*free.ports[:3], newsstand.ports[3]]
    free.stop()

    with pytest.raises(OSError, match="in use"):
        Newsstand(lambda: NOW, address=StandAddress(ports))

    again = start(lambda: NOW, [*free.ports[:3], 0])
    again.stop()
    assert again.ports[:3] == free.ports[:3]


def test_command_prints_addresses_and_keeps_them(tmp_path):
    keep = tmp_path / "newsstand.json"
    command = [sys.executable, "-m", "corpus_site.newsstand", "--keep", str(keep)]

    def run_once():
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            lines = [process.stdout.readline().split(maxsplit=1) for _ in range(4)]
            process.terminate()
        return lines

    first, kept = run_once(), json.loads(keep.read_text())
    second = run_once()

    assert [name.strip() for _, name in first] == [
        "Karoo Courier",
        "Die Vlaktenuus",
        "Isibani",
        "comments",
    ]
    assert second == first
    assert json.loads(keep.read_text()) == kept
    assert len(PAPER_KEYS) == len(kept["ports"]) - 1
