"""The fetcher against a server that does everything a server may do to it."""

import asyncio
import gzip
import ipaddress
import zlib
from datetime import UTC, datetime

import pytest
from integration.feeds.fetching import fetch_many, fetch_one
from integration.feeds.origin import Origin, answer, drip, page, raw, redirect

from feeds.crawler.fetching.exchange import Expectation, FetchRequest, FetchResult, NetworkPolicy
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.robots import RobotsDecision
from feeds.crawler.outcomes import Outcome

POLICY = NetworkPolicy(
    allowed_private_networks=(ipaddress.ip_network("127.0.0.0/8"),), total_seconds=5
)
OK_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.fixture
def origin():
    with Origin() as started:
        yield started


def fetch(url: str, policy: NetworkPolicy = POLICY, **request: object) -> FetchResult:
    return asyncio.run(fetch_one(FetchRequest(url, **request), policy))


def test_fetch_gives_body_headers_and_what_was_sent(origin):
    origin.routes["/a"] = page("<p>Brontë</p>", ETag='"1"')

    result = fetch(f"{origin.url}/a", user_agent="Broadsheet/0.1 (test)")

    assert (result.outcome, result.status, result.error) == (Outcome.OK, 200, "")
    assert result.body == "<p>Brontë</p>".encode()
    assert dict(result.headers)["ETag"] == '"1"'
    assert (result.final_url, result.hops) == (f"{origin.url}/a", ())
    sent = origin.requests[0].headers
    assert sent["user-agent"] == "Broadsheet/0.1 (test)"
    assert sent["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in sent
    assert {name.lower(): value for name, value in result.request_headers}.items() <= sent.items()


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_fetch_keeps_the_wire_bytes_beside_the_decoded_body(origin, encoding, pack):
    packed = pack(b"<p>text</p>" * 100)
    origin.routes["/a"] = answer(packed, headers=(("Content-Encoding", encoding),))

    result = fetch(f"{origin.url}/a")

    assert (result.outcome, result.body) == (Outcome.OK, b"<p>text</p>" * 100)
    assert result.raw_body == packed


def test_fetch_reads_chunks(origin):
    origin.routes["/a"] = raw(
        OK_HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n4\r\ntext\r\n0\r\n\r\n"
    )

    assert fetch(f"{origin.url}/a").body == b"<p>text"


def test_fetch_with_validators_may_be_told_that_nothing_changed(origin):
    origin.routes["/a"] = answer(b"", 304)

    result = fetch(f"{origin.url}/a", etag='"1"', last_modified="Sun, 06 Nov 1994 08:49:37 GMT")

    assert result.outcome is Outcome.NOT_MODIFIED
    assert origin.requests[0].headers["if-none-match"] == '"1"'
    assert origin.requests[0].headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_fetch_follows_redirects_and_keeps_each_hop(origin, status):
    origin.routes |= {"/a": redirect("/b?x=1", status), "/b": redirect("c"), "/c": page()}

    result = fetch(f"{origin.url}/a", etag='"1"')

    assert (result.outcome, result.final_url) == (Outcome.OK, f"{origin.url}/c")
    assert result.hops == (f"{origin.url}/a", f"{origin.url}/b?x=1")
    assert [exchange.status for exchange in result.exchanges] == [status, 302, 200]
    # The validator belongs to the first address only.
    assert [("if-none-match" in request.headers) for request in origin.requests] == [
        True,
        False,
        False,
    ]


def test_fetch_reads_a_location_of_plain_utf8(origin):
    async def moved(request, writer):
        writer.write(b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: /caf\xc3\xa9\r\n\r\n")

    origin.routes |= {"/a": moved, "/caf%C3%A9": page()}

    assert fetch(f"{origin.url}/a").outcome is Outcome.OK


def test_fetch_stops_at_a_loop(origin):
    origin.routes |= {"/a": redirect("/b"), "/b": redirect("/a")}

    result = fetch(f"{origin.url}/a")

    assert result.outcome is Outcome.TOO_MANY_REDIRECTS
    assert "loop" in result.error
    assert origin.paths == ["/a", "/b"]


def test_fetch_follows_five_redirects_and_no_sixth(origin):
    origin.routes |= {f"/{n}": redirect(f"/{n + 1}") for n in range(9)} | {"/9": page()}

    assert fetch(f"{origin.url}/4").outcome is Outcome.OK
    assert fetch(f"{origin.url}/3").outcome is Outcome.TOO_MANY_REDIRECTS


def test_fetch_of_a_redirect_without_address_is_an_error_of_the_server(origin):
    origin.routes["/a"] = answer(b"", 302)

    assert fetch(f"{origin.url}/a").outcome is Outcome.CLIENT_ERROR


@pytest.mark.parametrize(
    "location", ["ftp://x/", "http://", "javascript:alert(1)", "http://u:p@x.example/"]
)
def test_fetch_refuses_a_redirect_to_what_is_no_page(origin, location):
    origin.routes["/a"] = redirect(location)

    result = fetch(f"{origin.url}/a")

    assert result.outcome is Outcome.BAD_URL
    assert result.status == 302


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (404, Outcome.NOT_FOUND),
        (410, Outcome.GONE),
        (403, Outcome.FORBIDDEN),
        (429, Outcome.RATE_LIMITED),
        (400, Outcome.CLIENT_ERROR),
        (500, Outcome.SERVER_ERROR),
        (304, Outcome.SERVER_ERROR),
    ],
)
def test_fetch_names_what_a_status_means(origin, status, outcome):
    origin.routes["/a"] = answer(b"", status)

    result = fetch(f"{origin.url}/a")

    assert (result.outcome, result.status) == (outcome, status)
    assert result.error


def test_fetch_recognizes_a_bot_guard_on_a_200(origin):
    origin.routes["/a"] = page("<title>Just a moment...</title><script>window._cf_chl_opt=1")

    result = fetch(f"{origin.url}/a")

    assert result.outcome is Outcome.CHALLENGE
    assert result.error == "Cloudflare answered instead of the site (200)."


def test_fetch_stops_a_bomb_at_the_cap(origin):
    bomb = gzip.compress(bytes(100_000_000))
    origin.routes["/a"] = answer(bomb, headers=(("Content-Encoding", "gzip"),))

    result = fetch(f"{origin.url}/a", max_bytes=2_000_000)

    assert result.outcome in {Outcome.TOO_LARGE, Outcome.BAD_ENCODING}
    assert len(result.body) <= 2_000_000
    assert result.last.truncated == "length"


def test_fetch_stops_an_endless_body_at_the_cap(origin):
    origin.routes["/a"] = drip(OK_HEAD + b"Connection: close\r\n\r\n", b"<p>replay" * 9000, 0)

    result = fetch(f"{origin.url}/a", max_bytes=500_000)

    assert result.outcome is Outcome.TOO_LARGE
    assert len(result.body) == 500_000
    assert result.error == "The body is larger than 500\u202f000 bytes."


def test_fetch_ends_a_drip_at_its_deadline_and_keeps_what_came(origin):
    origin.routes["/a"] = drip(OK_HEAD + b"Content-Length: 9999\r\n\r\n", b"x", 0.05)
    policy = NetworkPolicy(POLICY.allowed_private_networks, total_seconds=0.3)

    result = fetch(f"{origin.url}/a", policy)

    assert result.outcome is Outcome.TIMEOUT
    assert 250 <= result.elapsed_ms < 3000
    assert result.last.truncated == "time"
    assert result.raw_body.startswith(b"x")


def test_fetch_ends_a_silent_connection_at_its_deadline(origin):
    async def silent(request, writer):
        await asyncio.Event().wait()

    origin.routes["/a"] = silent
    policy = NetworkPolicy(POLICY.allowed_private_networks, total_seconds=0.2)

    result = fetch(f"{origin.url}/a", policy)

    assert (result.outcome, result.exchanges) == (Outcome.TIMEOUT, ())


@pytest.mark.parametrize(
    ("data", "outcome"),
    [
        (OK_HEAD + b"Content-Length: 500\r\n\r\n<p>half", Outcome.CONNECTION_ERROR),
        (
            OK_HEAD + b"Transfer-Encoding: chunked\r\n\r\n40\r\n<p>half",
            Outcome.CONNECTION_ERROR,
        ),
        (b"", Outcome.CONNECTION_ERROR),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", Outcome.CONNECTION_ERROR),
        (b"HTTP/1.1 banana\r\n\r\n", Outcome.CONNECTION_ERROR),
        (
            b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(50_000)) + b"\r\n",
            Outcome.CONNECTION_ERROR,
        ),
        (
            OK_HEAD + b"Content-Encoding: gzip\r\nContent-Length: 14\r\n\r\nnot gzip at al",
            Outcome.BAD_ENCODING,
        ),
        (
            OK_HEAD + b"Content-Encoding: br\r\nContent-Length: 5\r\n\r\nxxxxx",
            Outcome.BAD_ENCODING,
        ),
    ],
)
def test_fetch_of_a_broken_answer_is_an_outcome(origin, data, outcome):
    origin.routes["/a"] = raw(data)

    result = fetch(f"{origin.url}/a")

    assert result.outcome is outcome
    assert result.error.endswith(".")


def test_fetch_of_a_reset_connection_is_an_outcome(origin):
    origin.routes["/a"] = raw(OK_HEAD + b"Content-Length: 50\r\n\r\nx", is_reset=True)

    assert fetch(f"{origin.url}/a").outcome is Outcome.CONNECTION_ERROR


def test_fetch_of_half_a_body_keeps_the_half(origin):
    origin.routes["/a"] = raw(OK_HEAD + b"Content-Length: 500\r\n\r\n<p>half")

    result = fetch(f"{origin.url}/a")

    assert (result.raw_body, result.last.truncated) == (b"<p>half", "disconnect")
    assert result.error == "The body ended early."


def test_fetch_of_a_closed_port_says_so():
    with Origin() as gone:
        url = gone.url

    result = fetch(url + "/")

    assert (result.outcome, result.exchanges) == (Outcome.CONNECTION_ERROR, ())
    assert "refused" in result.error


def test_fetch_leaves_an_image_after_its_first_bytes(origin):
    body = b"\xff\xd8\xff\xe0" + bytes(3_000_000)
    origin.routes["/a"] = answer(body, headers=(("Content-Type", "image/jpeg"),))

    result = fetch(f"{origin.url}/a", expects=Expectation.PAGE)

    assert result.outcome is Outcome.UNEXPECTED_TYPE
    assert len(result.raw_body) < 3_000_000


def test_fetch_accepts_large_headers_of_newspapers(origin):
    origin.routes["/a"] = page(Content_Security_Policy="x" * 20_000)

    assert fetch(f"{origin.url}/a").outcome is Outcome.OK


def test_fetch_does_not_ask_again_at_once_where_a_server_hangs_up(origin):
    origin.routes["/a"] = raw(b"")

    fetch(f"{origin.url}/a")

    assert origin.paths == ["/a"]


def test_fetch_asks_again_where_a_kept_connection_has_closed(origin):
    n_asked = 0

    async def closing(request, writer):
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            raise ConnectionResetError
        await page()(request, writer)

    origin.routes |= {"/a": page(), "/b": closing}

    turn = [[FetchRequest(f"{origin.url}/a"), FetchRequest(f"{origin.url}/b")]]
    results = asyncio.run(fetch_many(turn, POLICY))

    assert [result.outcome for result in results[0]] == [Outcome.OK, Outcome.OK]
    assert origin.paths == ["/a", "/b", "/b"]


def test_fetch_notes_the_address_of_a_long_answer(origin):
    async def slowly(request, writer):
        writer.write(OK_HEAD + b"Content-Length: 4\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)
        writer.write(b"text")

    origin.routes["/a"] = slowly

    assert fetch(f"{origin.url}/a").last.address == "127.0.0.1"


def test_fetch_uses_the_clock_it_is_given(origin):
    moment = datetime(2001, 2, 3, tzinfo=UTC)
    origin.routes["/a"] = page()

    results = asyncio.run(
        fetch_many([[FetchRequest(f"{origin.url}/a")]], POLICY, clock=lambda: moment)
    )

    assert results[0][0].started_at == moment
    assert results[0][0].last.started_at == moment


def test_fetch_many_runs_turns_at_once_and_requests_of_a_turn_in_order(origin):
    running, most = 0, 0
    all_run = asyncio.Event()

    async def slow(request, writer):
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == len(turns):
            all_run.set()
        await all_run.wait()  # for ever, should turns wait for each other
        running -= 1
        await page()(request, writer)

    origin.routes |= {f"/{n}": slow for n in range(6)}
    turns = [[FetchRequest(f"{origin.url}/{n}") for n in pair] for pair in ((0, 1), (2, 3), (4, 5))]

    results = asyncio.run(fetch_many(turns, POLICY))

    assert [[result.outcome for result in turn] for turn in results] == [[Outcome.OK] * 2] * 3
    assert most == 3
    assert [origin.paths.index(f"/{n}") < origin.paths.index(f"/{n + 1}") for n in (0, 2, 4)] == [
        True
    ] * 3


def test_fetch_asks_the_gate_before_every_hop(origin):
    origin.routes |= {"/a": redirect("/private"), "/private": page()}
    asked = []

    async def gate(url: str) -> RobotsDecision:
        asked.append(url)
        return RobotsDecision(
            allowed="private" not in url, reason="robots.txt: “Disallow: /private”"
        )

    async def run() -> FetchResult:
        async with Fetcher(POLICY) as fetcher:
            return await fetcher.fetch(FetchRequest(f"{origin.url}/a"), gate)

    result = asyncio.run(run())

    assert asked == [f"{origin.url}/a", f"{origin.url}/private"]
    assert (result.outcome, result.error) == (
        Outcome.ROBOTS_FORBID,
        "robots.txt: “Disallow: /private”",
    )
    assert origin.paths == ["/a"]


def test_fetch_through_a_proxy_sends_names_that_nobody_here_knows(origin):
    origin.routes["/story"] = page("<p>by proxy</p>")
    policy = NetworkPolicy(proxy_url=origin.url)

    result = fetch("http://no-such-paper.invalid/story", policy)

    assert (result.outcome, result.body) == (Outcome.OK, b"<p>by proxy</p>")


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/"])
def test_fetch_through_a_proxy_still_refuses_private_targets(origin, url):
    result = fetch(url, NetworkPolicy(proxy_url=origin.url))

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert origin.n_connections == 0


def test_fetch_through_a_proxy_that_is_away_says_so():
    with Origin() as gone:
        proxy_url = gone.url

    result = fetch("http://no-such-paper.invalid/", NetworkPolicy(proxy_url=proxy_url))

    assert result.outcome is Outcome.CONNECTION_ERROR
    assert result.error.startswith("The proxy cannot be reached")


def test_fetch_ignores_proxies_of_the_environment(origin, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    origin.routes["/a"] = page()

    assert fetch(f"{origin.url}/a").outcome is Outcome.OK


def test_redirects_within_a_host_keep_its_pace(origin):
    origin.routes |= {"/a": redirect("/b"), "/b": redirect("/c"), "/c": page()}
    policy = NetworkPolicy(POLICY.allowed_private_networks, total_seconds=0.3)

    async def follow() -> FetchResult:
        async with Fetcher(policy) as fetcher:
            return await fetcher.fetch(FetchRequest(f"{origin.url}/a"), pace=lambda _: 0.25)

    result = asyncio.run(follow())

    assert (result.outcome, len(result.hops)) == (Outcome.OK, 2)
    assert result.elapsed_ms >= 500


def test_secret_query_is_sent_and_stands_nowhere_else(origin):
    async def repeats(request, writer):
        head = f"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: {request.target}&again=1\r\n\r\n"
        writer.write(head.encode())

    origin.routes["/api"] = repeats

    result = fetch(f"{origin.url}/api?forum=karoo", secret_query="api_key=canary")

    assert origin.paths == ["/api?forum=karoo&api_key=canary"]
    assert "canary" not in repr(result)
