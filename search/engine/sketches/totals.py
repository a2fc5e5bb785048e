"""Totals of the lists of a class: how often each collocate stands in a list with any word.

Input → output: a selection and lists → counts by key, exact when all its tokens have been looked
at, estimated from an even sample before that, and the share that was.

Every token is looked at, in stretches of whole sentences: a quarter of a second for a million. So
a small corpus is counted at once; of a large one each question counts a part, in an order that is
fixed and spread, and what is counted stays with the segment through later generations. An estimate
takes the rate of a segment's counted tokens for that of all of them (stratified sampling: Cochran
1977, *Sampling Techniques*, chapter 5). It matters little: in logDice a total of *n* stands beside
the frequency of the word, and its standard error is √(n ÷ share).
"""

import hashlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.recent import Memory
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask, Selection
from search.engine.shared_work import SharedWork
from search.engine.sketches.counting import Counts, Keys
from search.engine.sketches.fields import Conditions, StretchField
from search.engine.sketches.grammar import Grammar, SketchList
from search.engine.sketches.matches import Matches, join_matches, matches, shown_by_query
from search.engine.statistics.counting.in_parallel import in_parallel

I64 = npt.NDArray[np.int64]

STRETCH = 1 << 17  # tokens looked at together: what is tested of them stays in the cache
AT_ONCE = 1_500_000  # tokens looked at for one question: 0.4 s of one processor
A_BIT = STRETCH  # the same where the rest of the answer was kept
MOST_TOKENS = 20_000_000  # of a base; estimates from so many are as good as exact ones
KEPT_OF_SEGMENT = 8  # selections and classes whose counts stay with a segment: 2 MB each
Key = tuple[bytes, str, str]


class Scan:
    """Looks at every token of a stretch for all lists of a class."""

    def __init__(self, selection: Selection, lists: tuple[SketchList, ...]) -> None:
        self.keys = Keys(selection.snapshot.lexicon)
        self.lists = lists
        self._conditions = Conditions(selection.snapshot)
        self._reach = max((p.longest for each in lists for p, _ in each.sides), default=0)

    def matches(
        self, segment: Segment, mask: DocumentMask | None, stretch: tuple[int, int]
    ) -> list[Matches]:
        """Return the matches of each list, of pairs of any two words."""
        low, high = stretch
        field = StretchField(segment, low, high, self._reach, self._conditions)
        anchors = np.arange(high - low)
        if mask is not None:
            counted = np.ones(high - low, dtype=np.bool_)
            mask.cut(counted, low)
            anchors = np.flatnonzero(counted)
        return [
            join_matches([matches(field, p, label, anchors) for p, label in each.sides])
            for each in self.lists
        ]


def stretches(segment: Segment) -> list[tuple[int, int]]:
    """Cut a segment at starts of sentences into stretches of about `STRETCH` tokens.

    Returns
    -------
    list of (first position, one after the last)
        In a spread order, always the same for a segment.
    """
    starts, cut, low = segment.sentence_starts, [], 0
    while low < segment.n_tokens:
        at = int(np.searchsorted(starts, low + STRETCH))
        high = int(starts[at]) if at < len(starts) else segment.n_tokens
        cut.append((low, high))
        low = high
    order = np.random.default_rng(zlib.crc32(segment.name.encode())).permutation(len(cut))
    return [cut[i] for i in order.tolist()]


class _SegmentTotals:
    """What has been counted of one segment in the documents of a mask; safe between threads."""

    def __init__(self, segment: Segment, mask: DocumentMask | None, n_lists: int) -> None:
        self._left = stretches(segment)
        self._mask = mask
        self._counting = SharedWork()
        self.n_tokens = segment.n_tokens
        self.n_seen = 0
        nothing = np.empty(0, np.int64)
        self.counts = [Counts(nothing, nothing)] * n_lists

    @property
    def share(self) -> float:
        """How much of the segment was looked at."""
        return self.n_seen / self.n_tokens if self.n_tokens else 1.0

    def advance(self, scan: Scan, segment: Segment, n_tokens: int) -> int:
        """Look at about so many tokens more; returns how many."""
        with self._counting.alone():
            chosen, n = [], 0
            while self._left and n < n_tokens:
                chosen.append(self._left.pop())
                n += chosen[-1][1] - chosen[-1][0]
            found: list[list[I64]] = [[] for _ in self.counts]
            try:
                for keys in in_parallel(lambda each: self._keys(scan, segment, each), chosen):
                    for into, part in zip(found, keys, strict=True):
                        into.append(part)
            except BaseException:
                self._left += chosen  # a question that was ended: nothing is counted
                raise
            self.n_seen += n
            self.counts = [
                Counts.sum([known, Counts.of(more)])
                for known, more in zip(self.counts, found, strict=True)
            ]
            return n

    def _keys(self, scan: Scan, segment: Segment, stretch: tuple[int, int]) -> list[I64]:
        result = []
        for found in scan.matches(segment, self._mask, stretch):
            keys = scan.keys.collocates(found)
            result.append(keys[shown_by_query(found.starts, found.ends, keys)])
        return result


_kept: "WeakKeyDictionary[Segment, Memory[Key, _SegmentTotals]]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ListTotals:
    """Totals of the lists of a class, as far as they have been counted.

    ``parts`` are the counts of each list in each segment, with the share of it they are of.
    """

    parts: tuple[tuple[list[Counts], float], ...]
    share: float

    @property
    def is_exact(self) -> bool:
        """Whether every token was looked at."""
        return self.share >= 1

    def at(self, number: int, keys: I64) -> I64:
        """Return the totals of some keys in a list, each segment as if all of it had one rate."""
        total = np.zeros(len(keys))
        for counts, share in self.parts:
            if share:
                total += counts[number].at(keys) / share
        return np.rint(total).astype(np.int64)


def list_totals(
    selection: Selection, grammar: Grammar, word_class: str, *, at_once: int = AT_ONCE
) -> ListTotals:
    """Count the lists of a class a bit further, or to the end of a small corpus.

    Parameters
    ----------
    at_once : int
        Tokens to look at, or a few more.

    Raises
    ------
    KeyError
        If the grammar has no such class.
    """
    lists = grammar.lists_of(word_class)
    parts = list(_parts(selection, grammar, word_class, len(lists)))
    scan = Scan(selection, lists)
    n_tokens = sum(part.n_tokens for part, _ in parts)
    n_seen = sum(part.n_seen for part, _ in parts)
    left = min(at_once, max(0, MOST_TOKENS - n_seen))
    while left > 0 and n_seen < n_tokens:
        part, segment = min(parts, key=lambda each: each[0].share)
        n = part.advance(scan, segment, min(left, max(STRETCH, left // len(parts))))
        n_seen += n
        left -= max(n, 1)
    counted = tuple((part.counts, part.share) for part, _ in parts)
    return ListTotals(counted, n_seen / n_tokens if n_tokens else 1.0)


def _parts(
    selection: Selection, grammar: Grammar, word_class: str, n_lists: int
) -> Iterable[tuple[_SegmentTotals, Segment]]:
    masks = zip(
        selection.snapshot.segments, selection.document_masks, selection.is_empty_in, strict=True
    )
    for view, mask, is_empty in masks:
        if is_empty:
            continue
        documents = b"" if mask is None else np.packbits(mask.documents).tobytes()
        key = hashlib.sha256(documents).digest(), grammar.digest, word_class
        memory = _kept.setdefault(view.segment, Memory(KEPT_OF_SEGMENT))
        yield (
            memory.get_or(key, lambda: _SegmentTotals(view.segment, mask, n_lists)),  # noqa: B023 (called at once)
            view.segment,
        )
