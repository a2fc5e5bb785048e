"""URLs that may not be asked for, and sockets that are not made."""

import ipaddress
import socket

import pytest

from feeds.crawler.fetching.connections import AddressGuard, check_target, parse_target
from feeds.crawler.fetching.exchange import FetchStoppedError, NetworkPolicy
from feeds.crawler.fetching.ip_addresses import ForbiddenAddressError
from feeds.crawler.outcomes import Outcome

OPEN = NetworkPolicy(allowed_private_networks=(ipaddress.ip_network("127.0.0.0/8"),))


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("HTTP://Example.com:80/a b#c", None, "http://example.com/a%20b"),
        ("https://bücher.example/ä", None, "https://xn--bcher-kva.example/%C3%A4"),
        ("../b?x=1", "https://paper.example/news/a", "https://paper.example/b?x=1"),
        ("//other.example/x", "https://paper.example/", "https://other.example/x"),
        ("http://0x7f.1/", None, "http://127.0.0.1/"),
        ("http://①②⑦.0.0.1/", None, "http://127.0.0.1/"),
        ("http://2130706433/", None, "http://127.0.0.1/"),
        ("http:\\\\paper.example\\x", None, "http://paper.example/x"),
    ],
)
def test_parse_target_reads_urls_as_browsers_do(url, base, expected):
    assert parse_target(url, base).url == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "paper.example",
        "http://",
        "http:///",
        "ftp://paper.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://user:secret@paper.example/",
        "http://user@paper.example/",
        "http://exa mple/",
        "http://paper.example:99999/",
        "http://[::1",
        "http://paper.example/" + "x" * 3000,
        "http://" + "a." * 200 + "example/",
        "http://\ud800/",
    ],
)
def test_parse_target_refuses_what_is_no_page(url):
    with pytest.raises(FetchStoppedError) as stopped:
        parse_target(url)

    assert stopped.value.outcome is Outcome.BAD_URL


def test_netloc_has_a_port_only_where_it_is_not_the_usual_one():
    assert parse_target("https://paper.example:443/").netloc == "paper.example"
    assert parse_target("http://paper.example:8080/").netloc == "paper.example:8080"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://localhost/",
        "http://localhost./",
        "http://a.localhost/",
        "http://0.0.0.0/",
        "http://0/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
    ],
)
@pytest.mark.parametrize("proxy", ["", "http://127.0.0.1:3128"])
def test_check_target_refuses_private_spellings_with_and_without_proxy(url, proxy):
    with pytest.raises(FetchStoppedError) as stopped:
        check_target(parse_target(url), NetworkPolicy(proxy_url=proxy))

    assert stopped.value.outcome is Outcome.PRIVATE_ADDRESS


def test_check_target_lets_an_allowed_network_use_any_port():
    check_target(parse_target("http://127.0.0.1:41234/"), OPEN)


@pytest.mark.parametrize("url", ["http://93.184.215.14:22/", "http://93.184.215.14:6379/"])
def test_check_target_refuses_ports_that_are_not_the_webs(url):
    with pytest.raises(FetchStoppedError, match="not one of the web's"):
        check_target(parse_target(url), NetworkPolicy())


def test_check_target_behind_a_proxy_looks_at_the_port_of_a_name():
    with pytest.raises(FetchStoppedError, match="Port 25"):
        check_target(
            parse_target("http://paper.example:25/"),
            NetworkPolicy(proxy_url="http://proxy.example:3128"),
        )


@pytest.mark.parametrize(
    ("address", "port"),
    [("127.0.0.1", 80), ("10.0.0.1", 80), ("::1", 80), ("93.184.215.14", 22), ("name", 80)],
)
def test_guard_makes_no_socket_to_a_refused_address(address, port):
    guard = AddressGuard(NetworkPolicy())
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))

    with pytest.raises(ForbiddenAddressError):
        guard.make_socket(info)


def test_guard_exempts_the_proxy_and_nothing_beside_it():
    guard = AddressGuard(NetworkPolicy(proxy_url="http://127.0.0.1:3128"))

    guard.check("127.0.0.1", 3128)
    with pytest.raises(ForbiddenAddressError):
        guard.check("127.0.0.1", 80)


def test_proxy_is_no_target():
    guard = AddressGuard(NetworkPolicy(proxy_url="http://127.0.0.1:8080"))

    guard.check("127.0.0.1", 8080)
    with pytest.raises(ForbiddenAddressError):
        guard.check_of_target("127.0.0.1", 8080)


def test_guard_makes_a_socket_that_does_not_block():
    guard = AddressGuard(OPEN)

    made = guard.make_socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 9)))

    with made:
        assert made.getblocking() is False
