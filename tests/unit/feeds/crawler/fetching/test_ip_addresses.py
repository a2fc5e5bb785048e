"""Which addresses are refused, whatever way they are written."""

import ipaddress

import pytest

from feeds.crawler.fetching.ip_addresses import (
    embedded_v4,
    host_refusal,
    is_allowed_explicitly,
    literal_address,
    refusal,
)

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0",  # noqa: S104 (nothing is bound)
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456:789a::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "4000::1",
    ],
)
def test_refusal_of_an_address_that_is_not_on_the_open_internet(text):
    assert refusal(ipaddress.ip_address(text)) is not None


@pytest.mark.parametrize("text", ["93.184.215.14", "8.8.8.8", "2606:2800:21f::1", "172.32.0.1"])
def test_refusal_of_a_public_address_is_none(text):
    assert refusal(ipaddress.ip_address(text)) is None


@pytest.mark.parametrize("text", ["127.0.0.1", "127.8.9.10", "::ffff:127.0.0.1"])
def test_refusal_of_an_allowed_network_is_none_however_written(text):
    assert refusal(ipaddress.ip_address(text), LOOPBACK) is None


@pytest.mark.parametrize("text", ["10.0.0.1", "::1", "64:ff9b::7f00:1", "2002:7f00:1::"])
def test_refusal_keeps_what_the_allowed_network_does_not_cover(text):
    assert refusal(ipaddress.ip_address(text), LOOPBACK) is not None


def test_refusal_of_a_tunnel_whose_prefix_is_allowed_still_judges_what_is_inside():
    prefix = (ipaddress.ip_network("64:ff9b::/96"),)

    assert refusal(ipaddress.ip_address("64:ff9b::808:808"), prefix) is None
    assert refusal(ipaddress.ip_address("64:ff9b::a00:1"), prefix) is not None


def test_refusal_of_our_own_public_address():
    own = (ipaddress.ip_network("93.184.215.14"),)

    sentence = refusal(ipaddress.ip_address("93.184.215.14"), refused=own)

    assert sentence == "The address 93.184.215.14 is this machine's own."


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("::1.2.3.4", "1.2.3.4"),
        ("2002:102:304::", "1.2.3.4"),
        ("64:ff9b::1.2.3.4", "1.2.3.4"),
        ("2001:0:4136:e378:8000:63bf:fefd:fcfb", "1.2.3.4"),
        ("2a00:1450:4001:81b:0:5efe:102:304", "1.2.3.4"),
        ("2a00:1450:4001:81b:200:5efe:102:304", "1.2.3.4"),
    ],
)
def test_embedded_v4_finds_the_address_inside(text, inner):
    assert embedded_v4(ipaddress.IPv6Address(text)) == ipaddress.IPv4Address(inner)


def test_embedded_v4_of_a_plain_address_is_none():
    assert embedded_v4(ipaddress.IPv6Address("2606:2800::1")) is None


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "ip6-loopback",
        "printer.local",
        "metadata.google.internal",
        "router.lan",
        "x.home.arpa",
        "[::1]",
        "10.0.0.1",
    ],
)
def test_host_refusal_of_a_local_spelling(host):
    assert host_refusal(host) is not None


def test_host_refusal_of_localhost_ends_where_loopback_is_allowed():
    assert host_refusal("localhost", LOOPBACK) is None
    assert host_refusal("10.0.0.1", LOOPBACK) is not None


def test_host_refusal_of_a_public_name_is_none():
    assert host_refusal("www.dailymaverick.co.za") is None


def test_literal_address_reads_brackets_and_refuses_names():
    assert literal_address("[2001:db8::1]") == ipaddress.IPv6Address("2001:db8::1")
    assert literal_address("example.com") is None


def test_is_allowed_explicitly_looks_through_a_mapped_address():
    assert is_allowed_explicitly(ipaddress.ip_address("::ffff:127.0.0.1"), LOOPBACK)
    assert not is_allowed_explicitly(ipaddress.ip_address("128.0.0.1"), LOOPBACK)
