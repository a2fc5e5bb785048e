"""What is said to a hub, and what it says: subscriptions, verification, signed news.

Reference: WebSub (W3C Recommendation, 23 January 2018), sections 5 and 7. What a hub sends is a
hint alone: the feed is fetched from its own address then, as at any visit.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import timedelta

WANTED_LEASE = timedelta(days=10)  # hubs give what they like: Google's gives five days
LEAST_LEASE, MOST_LEASE = timedelta(hours=1), timedelta(days=90)
# Section 7.1. A hub chooses one; what is weaker than these proves nothing.
_METHODS = {
    "sha512": hashlib.sha512,
    "sha384": hashlib.sha384,
    "sha256": hashlib.sha256,
    "sha1": hashlib.sha1,
}


def subscription(topic: str, callback: str, secret: str) -> dict[str, str]:
    """Write the form that asks a hub to tell `callback` of a feed's news."""
    return {
        "hub.mode": "subscribe",
        "hub.topic": topic,
        "hub.callback": callback,
        "hub.secret": secret,
        "hub.lease_seconds": str(int(WANTED_LEASE.total_seconds())),
    }


def unsubscription(topic: str, callback: str) -> dict[str, str]:
    """Write the form that asks a hub to tell `callback` no more."""
    return {"hub.mode": "unsubscribe", "hub.topic": topic, "hub.callback": callback}


def granted_lease(parameters: Mapping[str, str]) -> timedelta:
    """Read for how long a hub will tell: a number of seconds, kept between an hour and 90 days.

    What is no number is an hour, so that the hub is asked again soon.

    Examples
    --------
    >>> granted_lease({"hub.lease_seconds": "432000"}).days
    5
    """
    try:
        seconds = int(parameters.get("hub.lease_seconds", ""))
    except ValueError:
        return LEAST_LEASE
    bounded = min(max(seconds, int(LEAST_LEASE.total_seconds())), int(MOST_LEASE.total_seconds()))
    return timedelta(seconds=bounded)


def is_signed(header: str, secret: str, chunks: Iterable[bytes]) -> bool:
    """Say whether `X-Hub-Signature` proves that who knows the secret sent the body.

    Nothing of the body is read where the header names no known method.

    Examples
    --------
    >>> is_signed("sha1=" + hmac.new(b"key", b"news", "sha1").hexdigest(), "key", [b"ne", b"ws"])
    True
    >>> is_signed("md5=" + hmac.new(b"key", b"news", "md5").hexdigest(), "key", [b"news"])
    False
    """
    method, _, given = header.strip().partition("=")
    digest = _METHODS.get(method.lower())
    if digest is None:
        return False
    made = hmac.new(secret.encode(), digestmod=digest)
    for chunk in chunks:
        made.update(chunk)
    return hmac.compare_digest(made.hexdigest().encode(), given.strip().lower().encode())
