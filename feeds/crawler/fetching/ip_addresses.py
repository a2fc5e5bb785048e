"""Which addresses the crawler may connect to: the guard against server-side request forgery.

Addresses and host names → a reason for refusal, or none. The ranges stand here as a list because
`ipaddress.is_global` of Python 3.11 calls several of them global (64:ff9b::/96, 64:ff9b:1::/48,
fec0::/10, 2002::/16, 5f00::/16, 192.0.0.0/24, 192.88.99.0/24, multicast). Sources: IANA IPv4 and
IPv6 Special-Purpose Address Registries (RFC 6890), RFC 4291 (mapped), RFC 3056 (6to4), RFC 6052
(NAT64), RFC 4380 (Teredo), RFC 6761 (special names).
"""

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_REFUSED_V4 = {
    "0.0.0.0/8": "“this network”",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "shared by a provider",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "reserved for protocols",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "6to4 relay",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
}
_REFUSED_V6 = {
    "::/96": "loopback or unspecified",
    "64:ff9b::/96": "NAT64",
    "64:ff9b:1::/48": "local NAT64",
    "100::/64": "discard-only",
    "2001::/23": "reserved for protocols",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "3fff::/20": "documentation",
    "5f00::/16": "segment routing",
    "fc00::/7": "private",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
}
_NETWORKS: dict[int, list[tuple[Network, str]]] = {
    4: [(ipaddress.ip_network(text), kind) for text, kind in _REFUSED_V4.items()],
    6: [(ipaddress.ip_network(text), kind) for text, kind in _REFUSED_V6.items()],
}
# All that IANA has given out for hosts on the internet; whatever lies outside is refused without
# being named.
_GLOBAL_UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
# Ranges that hold an IPv4 address in their last 32 bits (RFC 6052; RFC 4291, 2.5.5.1).
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
# Bits 64 to 95 of an ISATAP address (RFC 5214, 6.1), without those that say local or group.
_ISATAP, _ISATAP_BITS = 0x5EFE, 0xFCFFFFFF

# Names that mean this machine or its network by RFC 6761, RFC 6762 and RFC 8375, or by the custom
# of hosts files and clouds.
_LOCAL_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "broadcasthost"}
)
_LOCAL_SUFFIXES = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa", ".lan")
_LOOPBACK = ipaddress.IPv4Address("127.0.0.1")


class ForbiddenAddressError(OSError):
    """Raised where a connection would go to a refused address; the fetcher catches it.

    An `OSError`, because that is what a socket factory may raise inside asyncio's connecting code.
    """


def literal_address(host: str) -> IpAddress | None:
    """Read a host as an address, where it is one.

    Parameters
    ----------
    host : str
        Host of a URL after WHATWG parsing (so 0x7f.1 and 2130706433 are already dotted); IPv6 with
        or without brackets.

    Returns
    -------
    IPv4Address, IPv6Address or None
        None for a name.

    Examples
    --------
    >>> literal_address("[::1]")
    IPv6Address('::1')
    >>> literal_address("example.com") is None
    True
    """
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def embedded_v4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address carries, or None.

    Read are mapped, compatible, 6to4, NAT64, Teredo and ISATAP addresses.

    Examples
    --------
    >>> embedded_v4(ipaddress.IPv6Address("2002:7f00:1::"))
    IPv4Address('127.0.0.1')
    """
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    is_isatap = int(address) >> 32 & _ISATAP_BITS == _ISATAP
    if is_isatap or address in _NAT64 or address in _COMPATIBLE:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


@lru_cache(maxsize=4096)
def _kind_of(address: IpAddress) -> str:
    """Return the kind of a refused address, empty for one on the open internet."""
    for network, kind in _NETWORKS[address.version]:
        if address in network:
            return kind
    if address.version == 6 and address not in _GLOBAL_UNICAST_V6:
        return "reserved"
    return ""


def refusal(
    address: IpAddress,
    allowed: Sequence[Network] = (),
    refused: Sequence[Network] = (),
) -> str | None:
    """Say why the crawler may not connect to an address.

    Parameters
    ----------
    address : IPv4Address or IPv6Address
        The address a connection would be made to.
    allowed : sequence of networks
        Private networks the operator has opened (`CRAWL_ALLOWED_PRIVATE_NETWORKS`).
    refused : sequence of networks
        Further networks to refuse although they are public, such as this machine's own addresses.

    Returns
    -------
    str or None
        A sentence for an editor, or None when the address may be used.

    Notes
    -----
    An address that carries an IPv4 address inside is judged by both: a tunnel's prefix may be
    allowed without opening what lies behind it. A mapped address (::ffff:a.b.c.d) *is* the IPv4
    address and is judged as that alone.

    Examples
    --------
    >>> refusal(ipaddress.ip_address("169.254.169.254"))
    'The address 169.254.169.254 is link-local.'
    >>> refusal(ipaddress.ip_address("93.184.215.14")) is None
    True
    """
    forms: list[IpAddress] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        inner = embedded_v4(address)
        if address.ipv4_mapped is not None:
            forms = [address.ipv4_mapped]
        elif inner is not None and address not in _COMPATIBLE:
            forms.append(inner)
    for form in forms:
        if any(form in network for network in allowed if network.version == form.version):
            continue
        kind = _kind_of(form)
        if kind:
            return f"The address {address} is {kind}."
        if any(form in network for network in refused if network.version == form.version):
            return f"The address {address} is this machine's own."
    return None


def is_allowed_explicitly(address: IpAddress, allowed: Sequence[Network]) -> bool:
    """Whether the operator has opened the network of this address by name."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    form = mapped or address
    return any(form in network for network in allowed if network.version == form.version)


def host_refusal(host: str, allowed: Sequence[Network] = ()) -> str | None:
    """Say why a host may not be asked, as far as its spelling tells.

    Parameters
    ----------
    host : str
        Host of a URL after WHATWG parsing.
    allowed : sequence of networks
        Private networks the operator has opened; they open local names only when loopback is among
        them.

    Returns
    -------
    str or None
        A sentence, or None when nothing speaks against the spelling. Names still have to be
        resolved and checked.

    Examples
    --------
    >>> host_refusal("printer.local")
    'The name printer.local belongs to a local network.'
    """
    address = literal_address(host)
    if address is not None:
        return refusal(address, allowed)
    name = host.rstrip(".").lower()
    is_local = name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES)
    if is_local and not is_allowed_explicitly(_LOOPBACK, allowed):
        return f"The name {name} belongs to a local network."
    return None
