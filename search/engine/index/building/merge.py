"""Which segments to merge, and how a merge deals their documents out: tail → day → month.

Input → output: the segments of a generation → the group to merge next; the data of a group → new
segment data per (kind, month) partition. Doing it is the business of ``merging``.

- A *tail* takes up new documents and is rewritten whole at each commit until it is closed.
- Closed tails are *day* segments, of mixed kinds and months. When there are enough of them, their
  documents are dealt out to the *month* level: a segment by kind and month of publication for each
  month with many tokens, one mixed segment (kind 0) for the rest.
- Segments of one kind whose months overlap are put together when they are of comparable size or
  too many. Neighbouring months are put together while there are too many segments, so a crawl of
  ten years of archives stays below the limit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from search.engine.index.manifest import DAY_LEVEL, MIXED, MONTH_LEVEL, SegmentEntry
from search.engine.index.segments.segment import SegmentData

TAIL_TOKENS = 300_000  # rewriting this many costs about 10 ms of processor and a 3 MB write
DAY_SEGMENTS = 8  # fan-out: each token is rewritten about once per level
MAX_DAY_SEGMENTS = 16  # so many wait at most for a merge in the background
PARTITION_SEGMENTS = 4  # of a kind and month, merged even if that rewrites a large one
MAX_MONTH_SEGMENTS = 60  # with day segments and the tail this stays below 80
MIN_MONTH_SEGMENTS = 8  # left for the months when many segments are never merged
WORTH_REWRITING = 4  # new documents are merged into segments up to this many times their size
MAX_SEGMENT_TOKENS = 16_000_000  # a merge of so many takes 2 s of processor and 500 MB of memory
KIND_BITS = 4  # of a kind's number, as in the identities of documents
MIN_PARTITION_TOKENS = 1_000_000  # a month with less is not worth a file of its own: 0.1 ms a query


@dataclass(frozen=True, slots=True)
class Partition:
    """A kind and an inclusive range of months (months since January 1970)."""

    kind: int
    first_month: int
    last_month: int


def months_of_days(days: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the month number (0 is January 1970) of days since 1970-01-01."""
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def month_of_day(day: int) -> int:
    """Return the month number of one day."""
    return int(months_of_days(np.array([day], dtype=np.int32))[0])


def partition_of(entry: SegmentEntry) -> Partition:
    """Return the partition a month segment covers."""
    return Partition(entry.kind, month_of_day(entry.first_day), month_of_day(entry.last_day))


def next_merge(segments: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Choose the group to merge next; an empty list when nothing is due."""
    days = of_level(segments, DAY_LEVEL)
    return in_batches(days)[0] if len(days) >= DAY_SEGMENTS else next_month_merge(segments)


def in_batches(entries: Iterable[SegmentEntry]) -> list[list[SegmentEntry]]:
    """Cut segments into groups that a merge can hold in memory; at least one segment each."""
    batches: list[list[SegmentEntry]] = []
    room = 0
    for entry in entries:
        if not batches or entry.n_tokens > room:
            batches.append([])
            room = MAX_SEGMENT_TOKENS
        batches[-1].append(entry)
        room -= entry.n_tokens
    return batches


def is_overdue(segments: Sequence[SegmentEntry]) -> bool:
    """Say whether there are so many segments that a commit has to merge some itself."""
    days, months = of_level(segments, DAY_LEVEL), of_level(segments, MONTH_LEVEL)
    return len(days) >= MAX_DAY_SEGMENTS or len(months) > month_limit(segments)


def of_level(segments: Iterable[SegmentEntry], level: int) -> list[SegmentEntry]:
    """Return the segments of a level that may be merged."""
    return [e for e in segments if e.level == level and not e.keeps_order and not e.damage]


def month_limit(segments: Iterable[SegmentEntry]) -> int:
    """Return how many month segments there may be beside those that are never merged."""
    n_fixed = sum(entry.keeps_order or bool(entry.damage) for entry in segments)
    return max(MIN_MONTH_SEGMENTS, MAX_MONTH_SEGMENTS - n_fixed)


def deal_out(data: SegmentData, n_parts: int) -> list[tuple[int, SegmentData]]:
    """Split documents by (kind, month of publication), leaving small parts together.

    Parameters
    ----------
    n_parts : int
        How many parts there may be at most; the largest months get theirs.

    Returns
    -------
    list of (kind, SegmentData)
        Kind 0 for the mixture of small parts.
    """
    months = months_of_days(data.documents.day)
    labels, member_of = np.unique((months << KIND_BITS) + data.documents.kind, return_inverse=True)
    sizes = np.bincount(member_of, weights=data.documents.n_tokens, minlength=len(labels))
    largest_first = np.argsort(-sizes, kind="stable")[: max(0, n_parts - 1)]
    chosen = sorted(i for i in largest_first.tolist() if sizes[i] >= MIN_PARTITION_TOKENS)
    if len(labels) and not chosen:
        return [(MIXED, data)]  # as it is: a copy would take as much memory again
    kind_of = (1 << KIND_BITS) - 1
    parts = [(int(labels[i]) & kind_of, data.take(np.flatnonzero(member_of == i))) for i in chosen]
    rest = np.flatnonzero(~np.isin(member_of, chosen))
    if len(rest):
        parts.append((MIXED, data.take(rest)))
    return parts


def next_month_merge(segments: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Choose month segments to put together; an empty list when none need it.

    First those of one kind whose months overlap and whose sizes are comparable (or which are too
    many), then, while there are more than the limit, the two neighbours that are smallest together.
    """
    months = of_level(segments, MONTH_LEVEL)
    for group in _overlapping(months):
        chosen = _worth_merging(group)
        if chosen:
            return chosen
    if len(months) <= month_limit(segments):
        return []
    return _smallest_neighbours(months)


def _overlapping(entries: Iterable[SegmentEntry]) -> list[list[SegmentEntry]]:
    """Group segments of one kind whose ranges of months overlap."""
    groups: list[list[SegmentEntry]] = []
    end = None
    for entry in sorted(entries, key=lambda e: (e.kind, e.first_day)):
        partition = partition_of(entry)
        if end is not None and (partition.kind, partition.first_month) <= end:
            groups[-1].append(entry)
            end = max(end, (partition.kind, partition.last_month))
        else:
            groups.append([entry])
            end = (partition.kind, partition.last_month)
    return groups


def _worth_merging(group: list[SegmentEntry]) -> list[SegmentEntry]:
    """Choose from segments of one partition, smallest first."""
    if len(group) == 1:
        return []
    ordered = sorted(group, key=lambda entry: entry.n_tokens)
    chosen = [ordered[0]]
    total = ordered[0].n_tokens
    for entry in ordered[1:]:
        too_big = total + entry.n_tokens > MAX_SEGMENT_TOKENS
        crowded = len(group) - len(chosen) >= PARTITION_SEGMENTS
        if too_big or (entry.n_tokens > WORTH_REWRITING * total and not crowded):
            break
        chosen.append(entry)
        total += entry.n_tokens
    return chosen if len(chosen) > 1 else []


def _smallest_neighbours(entries: list[SegmentEntry]) -> list[SegmentEntry]:
    """Choose two neighbours in time, of one kind if there are such."""
    ordered = sorted(entries, key=lambda e: (e.kind, e.first_day))
    pairs = [[a, b] for a, b in pairwise(ordered) if a.kind == b.kind] or [
        [a, b] for a, b in pairwise(ordered)
    ]
    pairs.sort(key=lambda pair: pair[0].n_tokens + pair[1].n_tokens)
    return pairs[0] if pairs else []
