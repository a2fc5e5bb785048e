"""No spelling and no detour leads the fetcher to an address that it may not use: the canary."""

import asyncio
import socket

import pytest
from integration.feeds.fetching import fetch_one
from integration.feeds.origin import Origin, page, redirect

from feeds.crawler.fetching import names
from feeds.crawler.fetching.exchange import FetchRequest, NetworkPolicy
from feeds.crawler.outcomes import Outcome

SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "127.0.0.1.",
    "①②⑦.⓪.⓪.①",
    "１２７.0.0.1",
    "127。0。0。1",
    "127%2e0%2e0%2e1",
    "0.0.0.0",  # noqa: S104 (nothing is bound)
    "0",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "x.localhost",
    "127.0.0.1.nip.localhost",
]
STRICT = NetworkPolicy(total_seconds=5, ports=frozenset(range(1, 65_536)))


@pytest.fixture
def canary():
    with Origin({"/": page("secret")}) as started:
        yield started


def fetch(url: str, policy: NetworkPolicy = STRICT):
    return asyncio.run(fetch_one(FetchRequest(url), policy))


@pytest.mark.parametrize("host", SPELLINGS)
def test_loopback_is_refused_in_every_spelling(canary, host):
    result = fetch(f"http://{host}:{canary.port}/")

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert canary.n_connections == 0


@pytest.mark.parametrize("status", [301, 307])
@pytest.mark.parametrize("host", SPELLINGS)
def test_redirect_to_loopback_is_refused_in_every_spelling(canary, host, status):
    with Origin() as proxy:
        proxy.routes["/"] = redirect(f"http://{host}:{canary.port}/", status)
        result = fetch(
            "http://paper.invalid/",
            NetworkPolicy(proxy_url=proxy.url, ports=STRICT.ports, total_seconds=5),
        )

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert (result.status, canary.n_connections) == (status, 0)


def answers(*addresses: str):
    """Make a name server that gives these addresses, one set after the other."""
    rest = list(addresses)

    def resolve(name: str, port: int, *_: object) -> list[names.ResolvedAddress]:
        texts = rest.pop(0) if len(rest) > 1 else rest[0]
        return [
            names.ResolvedAddress(text, port, socket.AF_INET6 if ":" in text else socket.AF_INET, 6)
            for text in texts.split()
        ]

    return resolve


@pytest.mark.parametrize(
    "found",
    ["127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "93.184.215.14 127.0.0.1"],
)
def test_name_with_a_private_address_is_refused(canary, monkeypatch, found):
    monkeypatch.setattr(names, "_addresses", answers(found))

    result = fetch(f"http://innocent.example:{canary.port}/")

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert canary.n_connections == 0


def test_name_with_a_private_address_is_refused_behind_a_proxy_too(canary, monkeypatch):
    monkeypatch.setattr(names, "_addresses", answers("127.0.0.1"))

    with Origin({"/": page()}) as proxy:
        result = fetch(
            f"http://innocent.example:{canary.port}/",
            NetworkPolicy(proxy_url=proxy.url, ports=STRICT.ports),
        )

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert (canary.n_connections, proxy.n_connections) == (0, 0)


def test_name_that_changes_its_answer_gains_nothing(canary, monkeypatch):
    # The first answer is public, so the look-up passes; the socket sees the address really used.
    monkeypatch.setattr(names, "_addresses", answers("93.184.215.14", "127.0.0.1"))
    policy = NetworkPolicy(connect_seconds=0.2, total_seconds=1, ports=STRICT.ports)

    first = fetch(f"http://rebinding.example:{canary.port}/", policy)
    second = fetch(f"http://rebinding.example:{canary.port}/", policy)

    assert first.outcome in {Outcome.TIMEOUT, Outcome.CONNECTION_ERROR}
    assert second.outcome is Outcome.PRIVATE_ADDRESS
    assert canary.n_connections == 0


def test_name_that_does_not_resolve_is_a_dns_error(monkeypatch):
    def fail(*_: object) -> list[names.ResolvedAddress]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(names, "_addresses", fail)

    result = fetch("http://no-such-paper.invalid/")

    assert (result.outcome, result.error) == (
        Outcome.DNS_ERROR,
        "The name no-such-paper.invalid does not resolve.",
    )


def test_port_outside_the_web_is_refused_for_a_public_name(monkeypatch):
    monkeypatch.setattr(names, "_addresses", answers("93.184.215.14"))

    result = fetch("http://paper.example:6379/", NetworkPolicy())

    assert result.outcome is Outcome.PRIVATE_ADDRESS
    assert result.error == "Port 6379 is not one of the web's."
