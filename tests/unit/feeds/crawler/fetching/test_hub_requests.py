"""Subscriptions, leases and signatures as WebSub has them."""

from datetime import timedelta

import pytest

from feeds.crawler.fetching.hub_requests import (
    LEAST_LEASE,
    MOST_LEASE,
    granted_lease,
    is_signed,
    subscription,
)

# RFC 2202 (SHA-1) and RFC 4231 (SHA-2), test case 2 of each.
KEY, DATA = "Jefe", b"what do ya want for nothing?"
SHA1 = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
SHA256 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"


@pytest.mark.parametrize(
    "header", [f"sha1={SHA1}", f"SHA256={SHA256}", f" sha256={SHA256.upper()} "]
)
def test_signature_of_who_knows_the_secret_holds(header):
    assert is_signed(header, KEY, [DATA[:9], DATA[9:]])


@pytest.mark.parametrize(
    "header", ["", SHA256, f"sha256={SHA1}", f"sha256={SHA256}0", f"md5={SHA1}", "sha256=é"]
)
def test_other_signatures_do_not_hold(header):
    assert not is_signed(header, KEY, [DATA[:9], DATA[9:]])
    assert not is_signed(f"sha256={SHA256}", KEY, [DATA, b"!"])


@pytest.mark.parametrize(
    ("given", "lease"),
    [
        ("864000", timedelta(days=10)),
        ("", LEAST_LEASE),
        ("-1", LEAST_LEASE),
        ("9" * 30, MOST_LEASE),
    ],
)
def test_lease_is_bounded(given, lease):
    assert granted_lease({"hub.lease_seconds": given}) == lease


def test_subscription_names_topic_callback_and_secret():
    form = subscription("https://a.example/feed", "https://us/h/1", "s")

    assert form == {
        "hub.mode": "subscribe",
        "hub.topic": "https://a.example/feed",
        "hub.callback": "https://us/h/1",
        "hub.secret": "s",
        "hub.lease_seconds": "864000",
    }
