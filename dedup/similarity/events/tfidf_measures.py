"""How two texts of a window agree, word by word → the measures that a decision weighs.

Shares and cosines over parts of the texts: all words, those of the openings, names, numbers, the
rest. Nothing grows with the window, so weights that were fitted in one hold in another.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dedup.similarity.events.tfidf import IN_OPENING, IS_NAME, Ints, WeighedTexts

Sums = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# In the order of the columns.
MEASURES = (
    "cosine", "n_specific", "openings", "opening_shared_less", "opening_shared_more",
    "opening_names_shared_less", "opening_names_shared_more", "names_shared", "n_names",
    "numbers_shared", "names", "plain_words", "rarest", "rare", "shorter", "longer",
)  # fmt: skip
# The rarest of the shared words speak of the event itself.
_N_RAREST = 3
# Share of the highest weight from which on a word counts as rare.
_RARE_FROM, _RARE_TIMES = 0.65, 7.0
_NUMBERS_PRIOR = 2.0


class _Parts(NamedTuple):
    """Which words belong to a part of their text, bool[n] each."""

    opening: Flags
    opening_word: Flags  # no number
    opening_name: Flags
    name: Flags
    number: Flags
    plain: Flags  # neither


@dataclass(frozen=True, slots=True)
class _Totals:
    """Of each text: lengths of its vector's parts, sums of its words' weights, float64[n]."""

    opening_norm: Sums
    name_norm: Sums
    plain_norm: Sums
    opening_word: Sums
    opening_name: Sums
    name: Sums
    n_numbers: Sums
    n_words: Sums


class WordAgreement:
    """Measures of pairs among the texts of a window."""

    def __init__(self, texts: WeighedTexts) -> None:
        self._texts = texts
        self._parts = _parts_of(texts.marks, texts.is_number[texts.words])
        self._totals = _totals_of(texts, self._parts)
        self._place_of = np.full(len(texts.idf), -1, np.int64)

    def measures(self, place: int, others: Ints) -> Sums:
        """Compare one text with some others.

        Parameters
        ----------
        place, others
            Places in the window; int64[n].

        Returns
        -------
        ndarray of shape (n, len(MEASURES))
            Symmetric in the two texts. A part that a text does not have is taken as half shared.

        Notes
        -----
        O(words of all these texts).
        """
        texts, totals, n = self._texts, self._totals, len(others)
        mine, theirs, at = self._shared(place, others)
        own, other = _taken(self._parts, mine), _taken(self._parts, theirs)
        word = texts.words[theirs]
        idf = texts.idf[word].astype(np.float64)
        product = texts.weights[mine].astype(np.float64) * texts.weights[theirs]
        is_specific = texts.is_specific[word]
        is_name = own.name | other.name

        def total(values: npt.NDArray[np.generic]) -> Sums:
            found: Sums = np.bincount(at, values, minlength=n).astype(np.float64)
            return found

        both_names = own.name & other.name
        both_openings = own.opening & other.opening
        shared_numbers = total(own.number)
        opening, opening_names = (
            _ends(
                _share(total(idf * shared), np.full(n, whole[place])),
                _share(total(idf * also_shared), whole[others]),
            )
            for shared, also_shared, whole in (
                (own.opening_word, other.opening_word, totals.opening_word),
                (own.opening_name, other.opening_name, totals.opening_name),
            )
        )
        all_names = totals.name[place] + totals.name[others] - total(idf * both_names)
        all_numbers = totals.n_numbers[place] + totals.n_numbers[others] - shared_numbers
        lengths = totals.n_words[place], totals.n_words[others]
        rarity = idf / texts.highest_idf * is_specific
        columns = (
            np.log(np.maximum(total(product), 1e-3)),
            np.log1p(total(is_specific)),
            _cosine(total(product * both_openings), totals.opening_norm, place, others),
            *opening,
            *opening_names,
            _part(total(idf * is_name), all_names),
            np.log1p(total(is_specific & is_name)),
            shared_numbers / (all_numbers + _NUMBERS_PRIOR),
            _cosine(total(product * both_names), totals.name_norm, place, others),
            _cosine(total(product * (own.plain & other.plain)), totals.plain_norm, place, others),
            _rarest(rarity, at, n),
            np.log1p(_RARE_TIMES * total(np.maximum(rarity - _RARE_FROM, 0))),
            np.log1p(np.minimum(*lengths)),
            np.log1p(np.maximum(*lengths)),
        )
        return np.stack(columns, axis=1)

    def _shared(self, place: int, others: Ints) -> tuple[Ints, Ints, Ints]:
        """Find the words that a text shares: where it has them, where the others do, and who."""
        texts = self._texts
        own = np.arange(texts.starts[place], texts.starts[place + 1])
        cells, lengths = texts.cells_of(others)
        self._place_of[texts.words[own]] = own
        found = self._place_of[texts.words[cells]]
        self._place_of[texts.words[own]] = -1
        is_shared = found >= 0
        at = np.repeat(np.arange(len(others)), lengths)[is_shared]
        return found[is_shared], cells[is_shared], at


def _parts_of(marks: npt.NDArray[np.uint8], is_number: Flags) -> _Parts:
    opening, name = (marks & IN_OPENING) > 0, (marks & IS_NAME) > 0
    return _Parts(
        opening, opening & ~is_number, opening & name, name, is_number, ~(name | is_number)
    )


def _taken(parts: _Parts, places: Ints) -> _Parts:
    return _Parts(*(part[places] for part in parts))


def _totals_of(texts: WeighedTexts, parts: _Parts) -> _Totals:
    n_texts = len(texts.starts) - 1
    owners = np.repeat(np.arange(n_texts), np.diff(texts.starts))
    squares = texts.weights.astype(np.float64) ** 2
    idf = texts.idf[texts.words].astype(np.float64)

    def total(values: npt.NDArray[np.generic]) -> Sums:
        found: Sums = np.bincount(owners, values, minlength=n_texts).astype(np.float64)
        return found

    return _Totals(
        np.sqrt(total(squares * parts.opening)),
        np.sqrt(total(squares * parts.name)),
        np.sqrt(total(squares * parts.plain)),
        total(idf * parts.opening_word),
        total(idf * parts.opening_name),
        total(idf * parts.name),
        total(parts.number),
        np.diff(texts.starts).astype(np.float64),
    )


def _share(sums: Sums, totals: Sums) -> Sums:
    """Divide by what a text has in all; half where it has nothing."""
    found: Sums = np.divide(sums, totals, out=np.full(len(sums), 0.5), where=totals > 0)
    return found


def _ends(own: Sums, other: Sums) -> tuple[Sums, Sums]:
    """Order the shares of two texts, the lower one first."""
    return np.minimum(own, other), np.maximum(own, other)


def _part(sums: Sums, totals: Sums) -> Sums:
    found: Sums = np.divide(sums, totals, out=np.zeros(len(sums)), where=totals > 0)
    return found


def _cosine(sums: Sums, norms: Sums, place: int, others: Ints) -> Sums:
    return _part(sums, norms[place] * norms[others])


def _rarest(rarity: Sums, at: Ints, n: int) -> Sums:
    """Average the rarest shared words of each pair; nothing counts for those that are missing."""
    order = np.lexsort((-rarity, at))
    first = np.searchsorted(at[order], np.arange(n))
    rank = np.arange(len(order)) - first[at[order]]
    is_rarest = rank < _N_RAREST
    sums = np.bincount(at[order][is_rarest], rarity[order][is_rarest], minlength=n)
    found: Sums = sums.astype(np.float64) / _N_RAREST
    return found
