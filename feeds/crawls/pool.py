"""The pool of a crawl: what its pages lead to gets in once, by the digest of its canonical key.

All that a slice has found is looked up and written at once. The caller holds the transaction.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection

from feeds.crawls.links import FoundAddress
from feeds.models import Crawl, CrawlAddress, CrawlKind
from feeds.work.row_inserts import insert_new_rows

# The pool of one crawl: some domain of a country, seen to its end.
MAX_ADDRESSES = 10_000_000
# Digests of one question, below the 32,766 values that SQLite takes.
_DIGESTS_AT_ONCE = 10_000
# 160 bits of SHA-256: among 10,000,000 addresses two are alike by chance once in 10^34 crawls, and
# nobody can make two that are, which takes 2^80 trials.
_DIGEST_BYTES = 20
_COLUMNS = ("url", "digest", "host", "role", "seed", "depth", "found_on", "snapshot_at")


@dataclass(frozen=True, slots=True)
class Finds:
    """An address whose page has come, with what it leads to."""

    address: CrawlAddress
    found: Sequence[FoundAddress]


def digest_of(key: str) -> bytes:
    """Give what an address is known by in a pool.

    Examples
    --------
    >>> digest_of("karoo.example/news").hex()
    'c37349fb870a860e3d4fca3f1f2f59994ea46991'
    """
    return hashlib.sha256(key.encode()).digest()[:_DIGEST_BYTES]


def add_found(crawl: Crawl, finds: Sequence[Finds], now: datetime) -> list[int]:
    """Put what pages lead to into the pool, up to its limit; returns how many are new of each.

    What several of the pages name is new of the first one.
    """
    by_digest = [{digest_of(item.address.key): item for item in one.found} for one in finds]
    taken = _known_digests(crawl, {digest for items in by_digest for digest in items})
    n_before = n_known(crawl) if any(by_digest) else 0
    rows: list[tuple[Any, ...]] = []
    n_new = []
    for one, items in zip(finds, by_digest, strict=True):
        fresh = ((digest, item) for digest, item in items.items() if digest not in taken)
        fresh_rows = list(
            islice(_rows(one.address, fresh), max(MAX_ADDRESSES - n_before - len(rows), 0))
        )
        rows += fresh_rows
        taken |= items.keys()
        n_new.append(len(fresh_rows))
    insert_new_rows(CrawlAddress, {"crawl": crawl.pk, "found_at": now}, _COLUMNS, rows)
    if rows:
        crawl.n_known = n_before + len(rows)
    return n_new


def _known_digests(crawl: Crawl, digests: Iterable[bytes]) -> set[bytes]:
    wanted = sorted(digests)
    pool = CrawlAddress.objects.filter(crawl=crawl).order_by()
    known: set[bytes] = set()
    for start in range(0, len(wanted), _DIGESTS_AT_ONCE):
        some = wanted[start : start + _DIGESTS_AT_ONCE]
        known |= set(map(bytes, pool.filter(digest__in=some).values_list("digest", flat=True)))
    return known


def _rows(
    address: CrawlAddress, found: Iterable[tuple[bytes, FoundAddress]]
) -> Iterator[tuple[Any, ...]]:
    """Give the values of rows of what an address leads to, in the order of `_COLUMNS`."""
    moment = connection.ops.adapt_datetimefield_value(address.snapshot_at)
    own = (address.seed, address.depth + 1, address.url, moment)
    for digest, item in found:
        yield (item.address.url, digest, item.address.host, item.role.value, *own)


def n_known(crawl: Crawl) -> int:
    """Give the size of the pool, counted once; that of an archive is small and grows elsewhere."""
    if crawl.n_known is None or crawl.kind == CrawlKind.ARCHIVE:
        crawl.n_known = CrawlAddress.objects.filter(crawl=crawl).count()
    return crawl.n_known
