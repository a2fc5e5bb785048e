"""A table of short lines: many lines are looked up in it at a time.

Input → output: lines as rows of four 64-bit words, padded with zero bytes (no line holds any, so
equal rows are equal lines) → their numbers. Open addressing with linear probing: all rows are
hashed and compared by a few passes of numpy, 50 ns a line in all, where a dictionary of strings
takes 200 with the strings.
"""

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

N_WORDS = 4  # of 64 bits
LINE_BYTES = 8 * N_WORDS  # of a line that fits; of a hundred lines of text one or two are longer
FIRST_BITS = 12  # of the number of slots
GROWTH_BITS = 2  # a full table becomes four times as large
# Odd constants with bits all over, from the digits of pi (they have no other meaning).
MULTIPLIERS = np.array(
    [0x243F6A8885A308D3, 0x13198A2E03707345, 0xA4093822299F31D1, 0x082EFA98EC4E6C89],
    dtype=np.uint64,
)
FOLD_BITS = np.uint64(32)


class LineTable:
    """Rows of words with a number each."""

    def __init__(self) -> None:
        self._bits = FIRST_BITS
        # The first entry is none: nothing stands behind the end of a line.
        self._rows: U64 = np.array([[0, 1, 0, 0]], dtype=np.uint64)
        self._numbers: U32 = np.zeros(1, dtype=np.uint32)
        self._n = 1
        self._slots: U32 = np.zeros(1 << self._bits, dtype=np.uint32)

    def find(self, rows: U64) -> tuple[U32, I64]:
        """Look rows up.

        Parameters
        ----------
        rows : ndarray of shape (n, N_WORDS)
            C-contiguous.

        Returns
        -------
        numbers : ndarray of shape (n,)
        unknown : ndarray
            Places of the rows that are not in the table, ascending; their numbers mean nothing.
        """
        slots = self._home(rows)
        entries = self._slots.take(slots)
        wrong = np.flatnonzero(self._differ(rows, entries))
        unknown = [wrong[entries[wrong] == 0]]
        wrong = wrong[entries[wrong] != 0]
        while len(wrong):
            slots[wrong] = (slots[wrong] + 1) & (len(self._slots) - 1)
            found = entries[wrong] = self._slots[slots[wrong]]
            unknown.append(wrong[found == 0])
            wrong = wrong[found != 0]
            wrong = wrong[self._differ(rows[wrong], entries[wrong])]
        return self._numbers.take(entries), np.sort(np.concatenate(unknown))

    def add(self, rows: U64, numbers: U32) -> None:
        """Add rows that differ from one another and from all in the table."""
        before, self._n = self._n, self._n + len(rows)
        if self._n > len(self._numbers):
            self._rows = _longer(self._rows, 2 * self._n)
            self._numbers = _longer(self._numbers, 2 * self._n)
        self._rows[before : self._n] = rows
        self._numbers[before : self._n] = numbers
        if 2 * self._n > len(self._slots):
            while 2 * self._n > 1 << self._bits:
                self._bits += GROWTH_BITS
            self._slots = np.zeros(1 << self._bits, dtype=np.uint32)
            before = 1
        self._place(np.arange(before, self._n, dtype=np.uint32))

    def _place(self, entries: U32) -> None:
        """Give each entry the first free slot from its home on."""
        slots = self._home(self._rows[entries])
        while len(entries):
            free = self._slots[slots] == 0
            self._slots[slots[free]] = entries[free]  # of several for one slot the last one stays
            homeless = self._slots[slots] != entries
            entries = entries[homeless]
            slots = (slots[homeless] + 1) & (len(self._slots) - 1)

    def _home(self, rows: U64) -> I64:
        hashed = rows[:, 0] * MULTIPLIERS[0]
        for i in range(1, N_WORDS):
            hashed += rows[:, i] * MULTIPLIERS[i]
        hashed ^= hashed >> FOLD_BITS
        hashed *= MULTIPLIERS[0]
        hashed >>= np.uint64(64 - self._bits)
        slots: I64 = hashed.view(np.int64)
        return slots

    def _differ(self, rows: U64, entries: U32) -> Mask:
        known = self._rows.view(f"V{LINE_BYTES}").reshape(-1)[entries]
        different = known.view(np.uint64).reshape(-1, N_WORDS) ^ rows
        either = different[:, 0]
        for i in range(1, N_WORDS):
            either |= different[:, i]
        result: Mask = either != 0
        return result


def _longer(array: npt.NDArray[np.unsignedinteger], n: int) -> npt.NDArray[np.unsignedinteger]:
    longer = np.zeros((n, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
