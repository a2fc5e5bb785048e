"""Who may be connected to: the checks of a URL, of a resolved name and of the socket itself.

Three checks, because each sees what the others cannot: the URL (scheme, user-info, literal
addresses, local names) before anything happens; the resolver (all addresses of a name, with a clear
error); and the socket factory, which gets the address really used for every connection, so that a
name that changes its answer between two look-ups gains nothing.
"""

import socket
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ada_url
from aiohttp.abc import AbstractResolver, ResolveResult

from feeds.crawler.addressing.canonical import MAX_HOST_LENGTH, MAX_URL_LENGTH
from feeds.crawler.fetching.exchange import FetchStoppedError, NetworkPolicy
from feeds.crawler.fetching.ip_addresses import (
    ForbiddenAddressError,
    host_refusal,
    is_allowed_explicitly,
    literal_address,
    refusal,
)
from feeds.crawler.fetching.names import ResolvedAddress, look_up
from feeds.crawler.outcomes import Outcome

_SCHEME_PORTS = {"http:": 80, "https:": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that has passed the checks: WHATWG form without fragment, host, port, and host key."""

    url: str
    host: str
    port: int
    path: str

    @property
    def netloc(self) -> str:
        """Host with its port where it is not the usual one: the key of politeness and robots."""
        return self.host if self.port in _SCHEME_PORTS.values() else f"{self.host}:{self.port}"


@lru_cache(maxsize=2048)  # each URL is looked at by the fetcher, the gate and the host's books
def parse_target(url: str, base: str | None = None) -> Target:
    """Parse a URL as a browser would and refuse what no crawler should ask for.

    Parameters
    ----------
    url : str
        Absolute, or relative where `base` is given (a Location header).
    base : str, optional
        Absolute URL to join with.

    Returns
    -------
    Target
        The WHATWG form, without its fragment.

    Raises
    ------
    FetchStoppedError
        With `BAD_URL`: no URL, other scheme, user-info, over-long URL or host.

    Examples
    --------
    >>> parse_target("HTTP://Example.com:80/a b#c").url
    'http://example.com/a%20b'
    """
    try:
        parsed = ada_url.URL(url, base) if base else ada_url.URL(url)
    except (ValueError, UnicodeError) as error:
        raise FetchStoppedError(Outcome.BAD_URL, f"“{url[:200]}” is not a URL.") from error
    if parsed.protocol not in _SCHEME_PORTS:
        scheme = parsed.protocol.rstrip(":")
        raise FetchStoppedError(Outcome.BAD_URL, f"Only http and https are fetched, not {scheme}.")
    if parsed.username or parsed.password:
        raise FetchStoppedError(Outcome.BAD_URL, "The URL carries a user name or password.")
    parsed.hash = ""
    href = parsed.href
    if len(href) > MAX_URL_LENGTH:
        raise FetchStoppedError(
            Outcome.BAD_URL, f"The URL is longer than {MAX_URL_LENGTH} characters."
        )
    host = parsed.hostname
    if not host or len(host) > MAX_HOST_LENGTH:
        raise FetchStoppedError(Outcome.BAD_URL, "The URL has no usable host name.")
    port = int(parsed.port) if parsed.port else _SCHEME_PORTS[parsed.protocol]
    return Target(href, host, port, parsed.pathname + parsed.search)


def check_target(target: Target, policy: NetworkPolicy) -> None:
    """Refuse literal private addresses, local names and odd ports.

    Raises
    ------
    FetchStoppedError
        With `PRIVATE_ADDRESS`, or `BAD_URL` for the port.
    """
    allowed = policy.allowed_private_networks
    message = host_refusal(target.host, allowed)
    if message:
        raise FetchStoppedError(Outcome.PRIVATE_ADDRESS, message)
    address = literal_address(target.host)
    if address is not None:
        message = refusal(address, allowed, policy.refused_networks)
        if message:
            raise FetchStoppedError(Outcome.PRIVATE_ADDRESS, message)
        if is_allowed_explicitly(address, allowed):
            return
    # Without a proxy the ports of names are looked at together with their addresses.
    if (address is not None or policy.proxy_url) and target.port not in policy.ports:
        raise FetchStoppedError(Outcome.BAD_URL, f"Port {target.port} is not one of the web's.")


class AddressGuard:
    """Checks the addresses of connections under one policy.

    `exempt` holds the address of the configured proxy, host and port as they stand in its URL.
    """

    def __init__(self, policy: NetworkPolicy) -> None:
        self._policy = policy
        self._proxy = parse_target(policy.proxy_url) if policy.proxy_url else None
        self._exempt: set[tuple[str, int]] = set()
        if self._proxy:
            self._exempt.add((self._proxy.host.strip("[]"), self._proxy.port))

    def is_proxy(self, host: str, port: int) -> bool:
        return bool(self._proxy) and (host.strip("[]"), port) in self._exempt

    def exempt(self, address: str, port: int) -> None:
        """Remember an address that the proxy's name resolved to."""
        self._exempt.add((address, port))

    def check(self, address_text: str, port: int) -> None:
        """Raise `ForbiddenAddressError` for an address and port that may not be connected to."""
        if (address_text, port) not in self._exempt:
            self.check_of_target(address_text, port)

    def check_of_target(self, address_text: str, port: int) -> None:
        """Raise `ForbiddenAddressError` for what the proxy may not be asked for, itself included.

        That it is connected to is no reason to let pages be fetched from it.
        """
        address = literal_address(address_text)
        if address is None:
            raise ForbiddenAddressError(f"The address {address_text} is not one.")
        policy = self._policy
        message = refusal(address, policy.allowed_private_networks, policy.refused_networks)
        if message:
            raise ForbiddenAddressError(message)
        is_open = is_allowed_explicitly(address, policy.allowed_private_networks)
        if not is_open and port not in policy.ports:
            raise ForbiddenAddressError(f"Port {port} is not one of the web's.")

    def make_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """Create the socket of a connection after a look at its address (aiohttp's factory)."""
        family, kind, protocol, _, sockaddr = info
        self.check(str(sockaddr[0]), int(sockaddr[1]))
        made = socket.socket(family=family, type=kind, proto=protocol)
        made.settimeout(0)
        return made


class GuardedResolver(AbstractResolver):
    """Resolves names, and refuses a name if any of its addresses is refused."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        is_proxy = self._guard.is_proxy(host, port)
        found = []
        for answer in await look_up(host, port, family):
            if is_proxy:
                self._guard.exempt(answer.text, answer.port)
            else:
                self._guard.check(answer.text, answer.port)
            found.append(_as_result(host, answer))
        return found

    async def close(self) -> None:
        """Nothing to close."""


def _as_result(host: str, answer: ResolvedAddress) -> ResolveResult:
    return ResolveResult(
        hostname=host,
        host=answer.text,
        port=answer.port,
        family=answer.family,
        proto=answer.protocol,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )
