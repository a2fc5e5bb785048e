"""Lists of hits that permanent links name: their hash, and what became of them since.

Input → output: a request, or a link's address and numbers → `Numbers` to keep, `SameToday`.
"""

from dataclasses import dataclass, replace
from enum import Enum

from search.answers.answering import counts_of, hits_of
from search.asking.request import SearchRequest
from search.asking.saving import Numbers
from search.engine.concordance.hit_list import hits_digest
from search.engine.concordance.list_changes import ListChanges, changes_of
from search.engine.index.hits import Hits
from search.engine.index.recent import Remembered
from search.models import SavedQuery
from search.opened_index import current_snapshot

# A page names the hash of up to so many hits, 0.1 to 0.4 s of work; a manifest that of any list.
HASHED_HITS = 100_000

_DIGESTS: Remembered[None, str] = Remembered()


class Check(Enum):
    """Whether the list of then can be had again, by its hash."""

    WHOLE = "whole"  # hash and number are those of the link
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
    return _remembered_digest(hits)


def _remembered_digest(hits: Hits) -> str:
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


def same_today(then: SearchRequest, today: SearchRequest, link: SavedQuery | None) -> SameToday:
    """Compare the hits of the generation that a request names with those of today.

    Raises
    ------
    QueryError
    """
    snapshot = current_snapshot()
    visible = hits_of(then, snapshot)
    before = hits_of(_with_withdrawn(then, visible.generation), snapshot)
    check, before = _checked(before, visible, link.digest if link else "")
    now = hits_of(today, snapshot)
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
    for hits in (before, visible):
        if _remembered_digest(hits) == digest:
            return Check.WHOLE, hits
    return Check.OTHER, before


def _with_withdrawn(request: SearchRequest, generation: int) -> SearchRequest:
    wanted = replace(request.texts.filter, generation=generation, has_withdrawn=True)
    return replace(request, texts=replace(request.texts, filter=wanted))
