"""Which words are one slip of the keyboard away from a frequent word.

Input → output: frequent words, rare words → the frequent word each rare one may stand for: one
letter left out, put in, changed, or two neighbours exchanged.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

SHORTEST_WORD = 4  # nearly every shorter string is a letter away from some word

Letters = npt.NDArray[np.uint32]
Comparison = Callable[[Letters, Letters], npt.NDArray[np.bool_]]


class FrequentWords:
    """Frequent words as one table of letters for each length.

    Parameters
    ----------
    words : sequence of str
        Most frequent first: the first that fits is taken.
    """

    def __init__(self, words: Sequence[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for word in words:
            by_length.setdefault(len(word), []).append(word)
        self._words = by_length
        self._tables = {length: _table(same) for length, same in by_length.items()}

    def near(self, word: str) -> str | None:
        """Return a frequent word one slip away from a word, None if there is none.

        Notes
        -----
        One slip is distance 1 of Damerau and Levenshtein: F. J. Damerau, A technique for computer
        detection and correction of spelling errors, Communications of the ACM 7 (1964), who found
        more than four fifths of misspellings to be one.

        Examples
        --------
        >>> words = FrequentWords(["because", "government"])
        >>> words.near("becuase"), words.near("goverment"), words.near("braai")
        ('because', 'government', None)
        """
        if len(word) < SHORTEST_WORD:
            return None
        letters = _letters(word)
        return (
            self._first(len(word), letters, _same_length)
            or self._first(len(word) + 1, letters, _one_longer)
            or self._first(len(word) - 1, letters, _one_shorter)
        )

    def _first(self, length: int, letters: Letters, is_near: Comparison) -> str | None:
        table = self._tables.get(length)
        if table is None:
            return None
        found = np.flatnonzero(is_near(table, letters))
        return self._words[length][int(found[0])] if len(found) else None


def _letters(word: str) -> Letters:
    return np.array(list(map(ord, word)), dtype=np.uint32)


def _table(words: Iterable[str]) -> Letters:
    return np.stack([_letters(word) for word in words])


def _same_length(table: Letters, letters: Letters) -> npt.NDArray[np.bool_]:
    """Tell where one letter is changed, or two neighbours are exchanged."""
    differs = table != letters
    n_different = differs.sum(axis=1)
    swapped = (table[:, 1:] == letters[:-1]) & (table[:, :-1] == letters[1:])
    both = differs[:, 1:] & differs[:, :-1]
    is_swap = (n_different == 2) & (swapped & both).any(axis=1)
    return np.asarray((n_different == 1) | is_swap)


def _one_longer(table: Letters, letters: Letters) -> npt.NDArray[np.bool_]:
    """Tell where the word lacks a letter of the frequent one."""
    return _lacks_one(table[:, :-1] == letters, table[:, 1:] == letters)


def _one_shorter(table: Letters, letters: Letters) -> npt.NDArray[np.bool_]:
    """Tell where the word has a letter too many."""
    return _lacks_one(table == letters[:-1], table == letters[1:])


def _lacks_one(
    before: npt.NDArray[np.bool_], after: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Tell where letters agree up to some place, and from there on when shifted by one."""
    n_before = np.logical_and.accumulate(before, axis=1).sum(axis=1)
    n_after = np.logical_and.accumulate(after[:, ::-1], axis=1).sum(axis=1)
    return np.asarray(n_before + n_after >= before.shape[1])
