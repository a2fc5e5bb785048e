"""Texts of a crawl: the articles that its addresses have become, as a set of the index.

A crawl's addresses are rows of the database, and a page may belong to several crawls, so the set is
no column of the index. A process that has read it keeps it, adds what has come into the index
since, by the keys of new documents, and reads all of it again when it has rested `REST` times as
long as the reading took: what a crawl meets that was known before comes in then, for a small crawl
at once, for one of a million texts within a minute or two.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet

from feeds.models import CrawlAddress
from feeds.watching.tallies import LONGEST_REST, REST
from search.engine.index.documents import ARTICLE_KINDS, DocumentKind
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Memory
from search.engine.index.segments.columns import make_identities
from search.engine.query.filters import DocumentSet

_KEYS_A_QUERY = 500  # of the 999 values that SQLite's oldest versions take
# Reading as many by their keys takes as long as reading a large crawl whole.
_MOST_NEWCOMERS = 20_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """The texts of a crawl, the generation up to which they are whole, and when to read again."""

    texts: DocumentSet
    generation: int
    rests_until: float


_KEPT: Memory[tuple[str, int], _Kept] = Memory(8)  # 8 bytes a text


def texts_of_crawl(
    crawl_id: int, snapshot: Snapshot, clock: Callable[[], float] = perf_counter
) -> DocumentSet:
    """Give the articles of a crawl that a snapshot may have; its comments are not among them."""
    key = snapshot.identity, crawl_id
    kept, started = _KEPT.get(key), clock()
    if kept is not None and started < kept.rests_until:
        found = _with_newcomers(kept, crawl_id, snapshot)
        if found is not None:
            _KEPT.put(key, found)
            return found.texts
    texts = _set_of(_of_crawl(crawl_id).values_list("page__article", flat=True).iterator())
    seconds = clock() - started
    rest = min(REST * seconds, LONGEST_REST.total_seconds())
    _KEPT.put(key, _Kept(texts, snapshot.generation, started + rest))
    return texts


def _of_crawl(crawl_id: int) -> QuerySet[CrawlAddress]:
    return CrawlAddress.objects.filter(crawl=crawl_id, page__article__isnull=False).order_by()


def _with_newcomers(kept: _Kept, crawl_id: int, snapshot: Snapshot) -> _Kept | None:
    """Add what came into the index since, None where that is too much."""
    if snapshot.generation <= kept.generation:
        return kept
    new = np.concatenate([np.empty(0, np.int64), *_new_keys(snapshot, kept.generation)])
    if len(new) > _MOST_NEWCOMERS:
        return None
    found: list[int] = []
    for first in range(0, len(new), _KEYS_A_QUERY):
        keys = new[first : first + _KEYS_A_QUERY].tolist()
        rows = _of_crawl(crawl_id).filter(page__article__in=keys)
        found += rows.values_list("page__article", flat=True)
    return _Kept(kept.texts | _set_of(found), snapshot.generation, kept.rests_until)


def _new_keys(snapshot: Snapshot, generation: int) -> Iterator[npt.NDArray[np.int64]]:
    kinds = [int(kind) for kind in ARTICLE_KINDS]
    for view in snapshot.segments:
        columns = view.segment.documents
        rows = np.flatnonzero(columns.generation_in > generation)
        yield columns.key[rows[np.isin(columns.kind[rows], kinds)]]


def _set_of(articles: Iterable[int]) -> DocumentSet:
    keys = np.fromiter(articles, dtype=np.int64)
    kinds = np.full(len(keys), DocumentKind.ARTICLE, dtype=np.uint8)
    return DocumentSet.of_identities(make_identities(kinds, keys))
