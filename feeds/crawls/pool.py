"""The pool of a crawl: what its pages lead to gets in once, by the canonical key.

All that a slice has found is looked up and written at once. The caller holds the transaction.
"""

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
# Keys of one question, below the 32,766 values that SQLite takes.
_KEYS_AT_ONCE = 10_000
_COLUMNS = ("url", "key", "host", "role", "seed", "depth", "found_on", "snapshot_at")


@dataclass(frozen=True, slots=True)
class Finds:
    """An address whose page has come, with what it leads to."""

    address: CrawlAddress
    found: Sequence[FoundAddress]


def add_found(crawl: Crawl, finds: Sequence[Finds], now: datetime) -> list[int]:
    """Put what pages lead to into the pool, up to its limit; returns how many are new of each.

    What several of the pages name is new of the first one.
    """
    by_key = [{item.address.key: item for item in one.found} for one in finds]
    taken = _known_keys(crawl, {key for items in by_key for key in items})
    n_before = n_known(crawl) if any(by_key) else 0
    rows: list[tuple[Any, ...]] = []
    n_new = []
    for one, items in zip(finds, by_key, strict=True):
        fresh = (item for key, item in items.items() if key not in taken)
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


def _known_keys(crawl: Crawl, keys: Iterable[str]) -> set[str]:
    wanted = sorted(keys)
    pool = CrawlAddress.objects.filter(crawl=crawl).order_by()
    known: set[str] = set()
    for start in range(0, len(wanted), _KEYS_AT_ONCE):
        some = wanted[start : start + _KEYS_AT_ONCE]
        known |= set(pool.filter(key__in=some).values_list("key", flat=True))
    return known


def _rows(address: CrawlAddress, found: Iterable[FoundAddress]) -> Iterator[tuple[Any, ...]]:
    """Give the values of rows of what an address leads to, in the order of `_COLUMNS`."""
    moment = connection.ops.adapt_datetimefield_value(address.snapshot_at)
    own = (address.seed, address.depth + 1, address.url, moment)
    for item in found:
        yield (item.address.url, item.address.key, item.address.host, item.role.value, *own)


def n_known(crawl: Crawl) -> int:
    """Give the size of the pool, counted once; that of an archive is small and grows elsewhere."""
    if crawl.n_known is None or crawl.kind == CrawlKind.ARCHIVE:
        crawl.n_known = CrawlAddress.objects.filter(crawl=crawl).count()
    return crawl.n_known
