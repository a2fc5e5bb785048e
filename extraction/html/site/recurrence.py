"""Counters of keys over the articles of a site, bounded in size: what is rare falls out.

A table is a few sorted arrays, so it is stored as it stands, looked up in O(log n) a key and takes
up a page in one merge. Sums beside the counts are optional.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.float32]

# A key seen on several articles outlives one seen once by this many turns an article.
_TURNS_AN_ARTICLE = 30
_MOST_ARTICLES = 10
# Room is made for several pages at once.
_FILL = 7 / 8


@dataclass(slots=True)
class RecurrenceTable:
    """Keys, ascending, with the number of articles each stands on and its last turn."""

    capacity: int
    n_sums: int = 0
    keys: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    counts: npt.NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    seen: npt.NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    sums: Sums = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    def __post_init__(self) -> None:
        if self.sums.shape[1] != self.n_sums:
            self.sums = np.zeros((len(self.keys), self.n_sums), np.float32)

    def find(self, keys: Keys) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Find rows of keys, and which of them are there (the row of others means nothing)."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
        rows = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return rows, self.keys[rows] == keys

    def counts_of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Count the articles on which each key stands; 0 for unknown ones."""
        rows, known = self.find(keys)
        if not known.any():
            return np.zeros(len(keys), np.int64)
        return np.where(known, self.counts[rows], 0).astype(np.int64)

    def sums_of(self, keys: Keys) -> Sums:
        """Look up the sums of each key, shape (n_keys, n_sums); 0 for unknown ones."""
        found = np.zeros((len(keys), self.n_sums), np.float32)
        rows, known = self.find(keys)
        found[known] = self.sums[rows[known]]
        return found

    def add(self, keys: Keys, turn: int, sums: Sums | None = None) -> None:
        """Count one article.

        Parameters
        ----------
        keys : ndarray of shape (n_keys,)
            Distinct keys of the article.
        turn
            Running number of the page.
        sums : ndarray of shape (n_keys, n_sums)
            What to add beside the counts.
        """
        added = np.zeros((len(keys), self.n_sums), np.float32) if sums is None else sums
        rows, known = self.find(keys)
        rows = rows[known]
        self.counts[rows] += np.uint16(1)
        self.seen[rows] = turn
        self.sums[rows] += added[known]
        n_new = int((~known).sum())
        if n_new:
            self._merge(
                keys[~known],
                np.ones(n_new, np.uint16),
                np.full(n_new, turn, np.uint32),
                added[~known],
            )
        if len(self.keys) > self.capacity:
            self._make_room()

    def touch(self, keys: Keys, turn: int) -> None:
        """Mark keys as seen without counting them."""
        rows, known = self.find(keys)
        self.seen[rows[known]] = turn

    def halve(self) -> None:
        """Let half of all evidence go, so that the present outweighs the past."""
        self.counts = self.counts // np.uint16(2)
        self.sums = self.sums / np.float32(2)
        self._keep(self.counts > 0)

    def common(self, least: float) -> Keys:
        """Keys that stand on at least this many articles."""
        found: Keys = self.keys[self.counts >= least]
        return found

    def _merge(
        self,
        keys: Keys,
        counts: npt.NDArray[np.uint16],
        seen: npt.NDArray[np.uint32],
        sums: Sums,
    ) -> None:
        all_keys = np.concatenate([self.keys, keys])
        order = np.argsort(all_keys, kind="stable")
        self.keys = all_keys[order]
        self.counts = np.concatenate([self.counts, counts])[order]
        self.seen = np.concatenate([self.seen, seen])[order]
        self.sums = np.concatenate([self.sums, sums])[order]

    def _make_room(self) -> None:
        lives = np.minimum(self.counts, _MOST_ARTICLES).astype(np.int64) * _TURNS_AN_ARTICLE
        worth = self.seen.astype(np.int64) + lives
        n_kept = int(self.capacity * _FILL)
        kept = np.zeros(len(self.keys), np.bool_)
        # Of equal worth the smaller keys stay: nothing depends on the order of arrival.
        kept[np.argsort(-worth, kind="stable")[:n_kept]] = True
        self._keep(kept)

    def _keep(self, kept: npt.NDArray[np.bool_]) -> None:
        self.keys, self.counts = self.keys[kept], self.counts[kept]
        self.seen, self.sums = self.seen[kept], self.sums[kept]
