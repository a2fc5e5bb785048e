"""Five thousand spellings of addresses that nobody may be sent to: no connection, no look-up.

The addresses are of the special blocks of IANA's registries (RFC 6890 and its successors); the
spellings those that browsers and C libraries read: numbers of any base and any count of parts,
digits and full stops of other scripts, escapes, addresses of version 4 inside those of version 6.
"""

import asyncio
import ipaddress
import random
import socket
from collections.abc import Iterator

import pytest
from integration.feeds.fetching import fetch_one
from integration.feeds.origin import Origin, page

from feeds.crawler.fetching.exchange import FetchRequest, NetworkPolicy
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.outcomes import Outcome

V4_BLOCKS = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
)  # fmt: skip
V6_BLOCKS = (
    "::/128", "::1/128", "100::/64", "2001:db8::/32", "fc00::/7", "fe80::/10", "fec0::/10",
    "ff00::/8", "3fff::/20", "5f00::/16",
)  # fmt: skip
# Those that attackers try first, besides the drawn ones.
KNOWN = ("127.0.0.1", "127.255.255.254", "169.254.169.254", "10.0.0.1", "0.0.0.0", "192.168.0.1")  # noqa: S104
A_BLOCK = 4  # addresses drawn of each block
SEED = 6890
ASIDES = ("{}", "{}:80", "{}:8080", "{}.", "user@{}", "user:secret@{}", "paper.example@{}")
PARTS = (str, "0{:o}".format, "0x{:x}".format, "0X{:X}".format, "000{:o}".format, "0x0{:x}".format)
DIGITS = ("0123456789", "０１２３４５６７８９", "⓪①②③④⑤⑥⑦⑧⑨", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
STOPS = (".", "。", "．", "｡", "%2e", "%E3%80%82")
PUBLIC = "2a00:1450:4001:81b"  # somebody's network of version 6


def v4_spellings(address: ipaddress.IPv4Address, drawn: random.Random) -> Iterator[str]:
    """Write an address of version 4 as those read it who are generous."""
    number = int(address)
    parts = list(address.packed)
    for write in PARTS:
        yield ".".join(map(write, parts))
        yield write(number)
        yield f"{write(parts[0])}.{write(number & 0xFFFFFF)}"
        yield f"{write(parts[0])}.{write(parts[1])}.{write(number & 0xFFFF)}"
    yield ".".join(drawn.choice(PARTS)(part) for part in parts)
    for digits in DIGITS[1:]:
        yield str(address).translate(str.maketrans(DIGITS[0], digits))
    for stop in STOPS[1:]:
        yield str(address).replace(".", stop)
    yield "".join(f"%{ord(character):02x}" for character in str(address))
    yield f"{str(address)[:1]}\t{str(address)[1:]}"


def v6_spellings(address: ipaddress.IPv6Address) -> Iterator[str]:
    """Write an address of version 6 short, long, and in capitals."""
    for text in {str(address), address.exploded, address.exploded.upper()}:
        yield f"[{text}]"
    yield f"[{address}%25eth0]"
    yield f"[{address}%eth0]"


def around(address: ipaddress.IPv4Address) -> Iterator[str]:
    """Put an address of version 4 into all that carries one in version 6."""
    number = int(address)
    high, low = f"{number >> 16:x}", f"{number & 0xFFFF:x}"
    inverted = number ^ 0xFFFFFFFF
    for prefix in ("::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::"):
        yield f"[{prefix}{address}]"
        yield f"[{prefix}{high}:{low}]"
    yield f"[2002:{high}:{low}::]"
    yield f"[2002:{high}:{low}::1]"
    yield f"[2001:0:808:808:0:0:{inverted >> 16:x}:{inverted & 0xFFFF:x}]"  # Teredo, RFC 4380
    yield f"[{PUBLIC}:0:5efe:{high}:{low}]"  # ISATAP, RFC 5214


def hosts() -> Iterator[str]:
    drawn = random.Random(SEED)
    v4 = [ipaddress.ip_address(text) for text in KNOWN]
    for block in map(ipaddress.ip_network, V4_BLOCKS):
        v4 += [block[drawn.randrange(block.num_addresses)] for _ in range(A_BLOCK)]
    for address in v4:
        yield from v4_spellings(address, drawn)
        yield from around(address)
    for block in map(ipaddress.ip_network, V6_BLOCKS):
        for _ in range(A_BLOCK):
            yield from v6_spellings(block[drawn.randrange(block.num_addresses)])


def cases() -> list[str]:
    """Give addresses of pages: each host in one of the ways in which it can stand there."""
    drawn = random.Random(SEED)
    made = {}
    for host in hosts():
        for aside in drawn.sample(ASIDES, 2):
            scheme = drawn.choice(("http", "https", "HTTP"))
            made[f"{scheme}://{aside.format(host)}/"] = None
    return list(made)


@pytest.fixture
def doors(monkeypatch) -> list[object]:
    """Collect the targets of all connections and look-ups."""
    seen: list[object] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connecting(self, target):
        seen.append(target)
        return connect(self, target)

    def looking_up(*arguments, **named):
        seen.append(arguments)
        return look_up(*arguments, **named)

    monkeypatch.setattr(socket.socket, "connect", connecting)
    monkeypatch.setattr(socket, "getaddrinfo", looking_up)
    return seen


async def outcomes(urls: list[str], policy: NetworkPolicy) -> list[Outcome]:
    async with Fetcher(policy) as fetcher:
        return [(await fetcher.fetch(FetchRequest(url))).outcome for url in urls]


@pytest.mark.parametrize("proxy", ["", "http://127.0.0.1:3128"])
def test_no_spelling_of_a_forbidden_address_is_connected_to(doors, proxy):
    urls = cases()
    ports = frozenset(range(1, 65_536))
    policy = NetworkPolicy(proxy_url=proxy, total_seconds=2, ports=ports)

    found = asyncio.run(outcomes(urls, policy))

    allowed = [
        url
        for url, outcome in zip(urls, found, strict=True)
        if outcome not in {Outcome.PRIVATE_ADDRESS, Outcome.BAD_URL}
    ]
    assert len(urls) >= 5_000
    assert sum(outcome is Outcome.PRIVATE_ADDRESS for outcome in found) >= len(urls) // 2
    assert (allowed, doors) == ([], [])


def test_a_connection_that_is_made_is_seen(doors):
    with Origin({"/": page()}) as origin:
        policy = NetworkPolicy(allowed_private_networks=(ipaddress.ip_network("127.0.0.0/8"),))
        result = asyncio.run(fetch_one(FetchRequest(origin.url + "/"), policy))

    assert result.outcome is Outcome.OK
    assert doors == [("127.0.0.1", origin.port)]
