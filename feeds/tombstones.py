"""Addresses that may not come back: what was erased is known by digests alone.

The frontier refuses a page whose canonical key, or whose feed's name for it, has a tombstone. Who
knows an address can ask for it; nobody can read addresses out of the table.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.models import Tombstone

_DIGEST_BYTES = 32
# Below the variables that SQLite takes in a statement.
_ROWS_PER_INSERT = 5_000


def digest_of_key(key: str) -> str:
    """Return the digest of a page's canonical key."""
    return _digest(f"key:{key}")


def digest_of_guid(publication_id: int, guid: str) -> str:
    """Return the digest of a feed's name for an entry, by which it is known at other addresses."""
    return _digest(f"guid:{publication_id}:{guid}")


def digest_of_address(address: str) -> str:
    """Return the digest of a typed address; empty where it is none."""
    try:
        return digest_of_key(canonicalize(address).key)
    except BadUrl:
        return ""


def bury(digests: Iterable[str], now: datetime) -> None:
    """Let no page with these digests come back."""
    rows = [Tombstone(digest=digest, made_at=now) for digest in sorted(set(digests))]
    Tombstone.objects.bulk_create(rows, batch_size=_ROWS_PER_INSERT, ignore_conflicts=True)


def buried(digests: Iterable[str]) -> set[str]:
    """Choose the digests that have a tombstone."""
    found = Tombstone.objects.filter(digest__in=set(digests))
    return set(found.values_list("digest", flat=True))


def _digest(words: str) -> str:
    return hashlib.blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()
