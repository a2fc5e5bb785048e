"""Lists of hits that permanent links name: their hash, and what became of them since.

Input → output: a request, or a link's address and numbers → `Numbers` to keep, `SameToday`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import perf_counter

from search.answers.answering import FOREVER, SoFar, answer, counts_of, forget, hits_of
from search.asking.request import SearchRequest
from search.asking.saving import Numbers
from search.engine.concordance.hit_list import hits_digest
from search.engine.concordance.list_changes import ListChanges, changes_of
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.models import SavedQuery
from search.opened_index import current_snapshot

# A page names the hash of up to so many hits, 0.1 to 0.4 s of work; a manifest that of any list.
HASHED_HITS = 100_000

_DIGESTS: Remembered[None, str] = Remembered()


class Check(Enum):
    """Whether the list of then can be had again, by its hash."""

    WHOLE = "whole"  # hash and number are those of the link
    WITHDRAWN = "withdrawn"  # they were, and texts of the list were withdrawn since
    OTHER = "other"
    UNKNOWN = "unknown"  # the link has no hash


@dataclass(frozen=True, slots=True)
class SameToday:
    """A kept list beside that of today.

    ``n_then`` is the number of the link, or what the generation has by now where there is none;
    ``n_lost`` hits of then are in no text that the index still holds.
    """

    generation: int
    newest: int
    n_then: int
    n_now: int
    n_lost: int
    digest: str
    check: Check
    changes: ListChanges

    @property
    def is_same(self) -> bool:
        return not (self.changes.n_came or self.changes.n_gone or self.n_lost)


def digest_of(hits: Hits) -> str:
    """Return the hash of a list, empty where a page would keep its reader waiting."""
    if hits.total > HASHED_HITS:
        return ""
    return whole_digest_of(hits)


def whole_digest_of(hits: Hits) -> str:
    """Return the hash of a list of any length, worked out once: 1 s for a million hits."""
    return _DIGESTS.of(hits).get_or(None, lambda: hits_digest(hits))


def numbers_to_keep(request: SearchRequest) -> Numbers:
    """Count what a request finds, and hash it.

    Raises
    ------
    QueryError
    """
    hits = hits_of(request)
    counts = counts_of(hits)
    return Numbers(counts.generation, counts.total, digest_of(hits))


@dataclass(frozen=True, slots=True)
class Searching:
    """How far the searches of a comparison have come, in parts of the corpus."""

    n_done: int
    n_segments: int


def same_today(
    then: SearchRequest, today: SearchRequest, link: SavedQuery | None, patience: float = FOREVER
) -> SameToday | Searching:
    """Compare the hits of the generation that a request names with those of today.

    Parameters
    ----------
    patience : float
        Seconds after which to say how far the searches have come; ask again to go on.

    Raises
    ------
    QueryError
    """
    snapshot = current_snapshot()
    found = _found((then, _with_withdrawn(then), today), patience, snapshot)
    if not all(each.is_done for each in found):
        return Searching(sum(e.n_done for e in found), sum(e.n_segments for e in found))
    visible, before, now = (each.hits for each in found)
    check, before = _checked(before, visible, link.digest if link else "")
    n_then = link.n_hits if link else before.total
    return SameToday(
        generation=visible.generation,
        newest=snapshot.generation,
        n_then=n_then,
        n_now=now.total,
        n_lost=max(0, n_then - before.total),
        digest=link.digest if link and link.digest else digest_of(visible),
        check=check,
        changes=changes_of(before, now),
    )


def _checked(before: Hits, visible: Hits, digest: str) -> tuple[Check, Hits]:
    """Compare with the hash of a link; returns the list that has it, else the first one.

    A link that was made of an older generation lacks what had been withdrawn before it.
    """
    if not digest:
        return Check.UNKNOWN, before
    if whole_digest_of(visible) == digest:
        return Check.WHOLE, visible
    if whole_digest_of(before) == digest:
        return Check.WITHDRAWN, before
    return Check.OTHER, before


def _found(requests: Sequence[SearchRequest], patience: float, snapshot: Snapshot) -> list[SoFar]:
    """Search for all in turn, each for what the ones before have left of the time.

    A search of an older generation that somebody began before the corpus moved on has its hits on
    the snapshot of then; it is begun anew.
    """
    ends, found = perf_counter() + patience, []
    for one in requests:
        so_far = answer(one, max(0.0, ends - perf_counter()), snapshot)
        if so_far.hits.snapshot is not snapshot:
            forget(snapshot, one.query, one.texts.filter)
            so_far = answer(one, max(0.0, ends - perf_counter()), snapshot)
        found.append(so_far)
    return found


def _with_withdrawn(request: SearchRequest) -> SearchRequest:
    wanted = replace(request.texts.filter, has_withdrawn=True)
    return replace(request, texts=replace(request.texts, filter=wanted))
