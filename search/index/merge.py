"""Which segments to merge, and merging them: tail → day → month.

Input → output: the segments of a generation → groups to merge; the data of a group → new segment
data per (kind, month) partition.

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

from search.index.segment import SegmentData
from search.index.snapshot import DAY_LEVEL, MIXED, MONTH_LEVEL, SegmentEntry

TAIL_TOKENS = 300_000  # rewriting this many costs about 10 ms of processor and a 3 MB write
DAY_SEGMENTS = 8  # fan-out: each token is rewritten about once per level
PARTITION_SEGMENTS = 4
MAX_MONTH_SEGMENTS = 60  # with day segments and the tail this stays below 80
WORTH_REWRITING = 4  # new documents are merged into segments up to this many times their size
MAX_SEGMENT_TOKENS = 64_000_000  # bounds the memory of a merge to about 2 GB
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


def is_day_merge_due(segments: Iterable[SegmentEntry]) -> bool:
    """Say whether enough closed tails wait to be dealt out to the months."""
    return sum(entry.level == DAY_LEVEL for entry in segments) >= DAY_SEGMENTS


def deal_out(data: SegmentData) -> list[tuple[int, SegmentData]]:
    """Split documents by (kind, month of publication), leaving small parts together.

    Returns
    -------
    list of (kind, SegmentData)
        Kind 0 for the mixture of small parts.
    """
    months = months_of_days(data.documents.day)
    labels = (months << 2) + data.documents.kind
    lengths = data.documents.n_tokens
    parts = []
    rest = np.ones(len(labels), dtype=np.bool_)
    for label in np.unique(labels).tolist():
        member = labels == label
        if int(lengths[member].sum()) >= MIN_PARTITION_TOKENS:
            parts.append((label & 3, data.take(np.flatnonzero(member))))
            rest &= ~member
    if rest.any():
        parts.append((MIXED, data.take(np.flatnonzero(rest))))
    return parts


def next_month_merge(segments: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Choose month segments to put together; an empty list when none need it.

    First those of one kind whose months overlap and whose sizes are comparable (or which are too
    many), then, while there are more than the limit, the two neighbours that are smallest together.
    """
    month_level = [e for e in segments if e.level == MONTH_LEVEL and not e.keeps_order]
    for group in _overlapping(month_level):
        chosen = _worth_merging(group)
        if chosen:
            return chosen
    if len(month_level) <= MAX_MONTH_SEGMENTS:
        return []
    return _smallest_neighbours(month_level)


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
    ordered = sorted(entries, key=lambda e: (e.kind, e.first_day))
    pairs = [[a, b] for a, b in pairwise(ordered) if a.kind == b.kind]
    pairs.sort(key=lambda pair: pair[0].n_tokens + pair[1].n_tokens)
    return pairs[0] if pairs else []
