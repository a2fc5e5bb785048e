"""What the tagger keeps of word types: (form, case flag) in, rows of scores and products out.

The weights of a type are summed once for each of five places, and the networks' first layer is
multiplied out; both are kept until the table is full. Then the half that was used least goes, and
the others move up: a copy would take half of the table's memory again.
"""

from collections.abc import Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from search.engine.annotation.decoding import Scores
from search.engine.annotation.features import (
    HERE,
    N_PLACES,
    CaseFlag,
    UInt32,
    case_flags,
    type_attributes,
)
from search.engine.annotation.model import TaggerModel
from search.engine.annotation.tagset import CLOSED_TAGS
from search.engine.annotation.word_vectors import Floats

# Types kept with their scores: 20,000 x 5 places x (49 tags + 256 hidden units) x 4 bytes are
# 122 MB; a thousand articles have 26,000 types, in batches of a hundred most are met again.
MAX_TYPES = 20_000
# Added to a closed-class tag of a word never seen in training: it cannot win.
FORBIDDEN = np.float32(-1e4)

BOUNDARY = 0  # the number of what lies beyond a sentence
_BOUNDARY_TYPE = ("", CaseFlag.NORMAL)
_FIRST_SIZE = 256  # rows; there are more when they are full
# Types whose rows are computed together: ten thousand would take 150 MB meanwhile. A multiple of
# the rows that the networks multiply together.
_COMPUTED_AT_ONCE = 1_000
_Item = TypeVar("_Item", bound=np.generic)


class TypeTable:
    """Rows of the types met, by number; number 0 is what lies beyond a sentence.

    `scores` (types, places, tags), `products` (types, places, hidden units), `folded` the hashes of
    the folded forms. Not for two threads at once.
    """

    scores: Scores
    products: Floats
    folded: UInt32

    def __init__(self, model: TaggerModel, max_types: int = MAX_TYPES) -> None:
        self._model = model
        self._max_types = max_types
        self._closed = np.flatnonzero([tag in CLOSED_TAGS for tag in model.tags])
        self._ids: dict[tuple[str, CaseFlag], int] = {_BOUNDARY_TYPE: BOUNDARY}
        self._new: list[tuple[str, CaseFlag]] = [_BOUNDARY_TYPE]
        shape = (_FIRST_SIZE, N_PLACES)
        self.scores = np.zeros((*shape, len(model.tags)), dtype=np.float32)
        self.products = np.zeros((*shape, model.networks.n_hidden), dtype=np.float32)
        self.folded = np.zeros(_FIRST_SIZE, dtype=np.uint32)
        self._uses = np.zeros(_FIRST_SIZE, dtype=np.int64)
        self._fill()

    def __len__(self) -> int:
        return len(self._ids)

    def numbers(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        """Give the types of sentences numbers, whose rows can be read until the next call."""
        types = [self._type_ids(sentence) for sentence in sentences]
        if len(self._ids) > self._max_types:
            self._make_room()
            types = [self._type_ids(sentence) for sentence in sentences]
        self._fill()
        used = np.fromiter(chain.from_iterable(types), dtype=np.int64)
        self._uses += np.bincount(used, minlength=len(self._uses))
        return types

    def keep(self, n_types: int) -> None:
        """Keep the types that were used most, the boundary among them, and their memory alone."""
        kept = self._forget_all_but(n_types)
        self.scores = self.scores[kept]
        self.products = self.products[kept]
        self.folded = self.folded[kept]
        self._uses = self._uses[kept]

    def _make_room(self) -> None:
        """Keep the half that was used most, in the memory that there is."""
        kept = self._forget_all_but(self._max_types // 2)
        for rows in (self.scores, self.products, self.folded, self._uses):
            _move_up(rows, kept)
        self._uses[len(kept) :] = 0

    def _forget_all_but(self, n_types: int) -> npt.NDArray[np.int64]:
        """Give the types that were used most new numbers; returns their former ones, in order."""
        n_known = len(self._ids) - len(self._new)
        self._uses[BOUNDARY] = np.iinfo(np.int64).max
        kept = np.sort(np.argsort(-self._uses[:n_known], kind="stable")[:n_types])
        types = list(self._ids)
        self._ids = {types[old]: number for number, old in enumerate(kept.tolist())}
        self._new = []
        # Old merits fade, so that last month's names make room for this month's.
        self._uses //= 2
        return kept

    def _type_ids(self, sentence: Sequence[str]) -> list[int]:
        ids = self._ids
        found = []
        for word, flag in zip(sentence, case_flags(sentence), strict=True):
            key = (word, flag)
            number = ids.get(key)
            if number is None:
                number = ids[key] = len(ids)
                self._new.append(key)
            found.append(number)
        return found

    def _fill(self) -> None:
        """Compute the scores of the types met since the last call."""
        if not self._new:
            return
        n_types = len(self._ids)
        first = n_types - len(self._new)
        if n_types > len(self.scores):
            # The system gives memory to the rows that are written, no sooner.
            size = max(n_types, self._max_types)
            self.scores = _longer(self.scores, size)
            self.products = _longer(self.products, size)
            self.folded = _longer(self.folded, size)
            self._uses = _longer(self._uses, size)
        for start in range(0, len(self._new), _COMPUTED_AT_ONCE):
            self._compute(self._new[start : start + _COMPUTED_AT_ONCE], first + start)
        self._new = []

    def _compute(self, new: Sequence[tuple[str, CaseFlag]], first: int) -> None:
        """Compute the rows of new types, from row `first` on."""
        attributes = type_attributes(new, self._model.word_classes)
        rows_of_new = slice(first, first + len(new))
        self.folded[rows_of_new] = attributes.folded
        for place, values in enumerate(attributes.by_place):
            rows = self._model.single.rows_of(values)
            groups = np.broadcast_to(np.arange(len(values))[:, None], values.shape)
            has_weights = rows >= 0
            self.scores[rows_of_new, place] = self._model.single.add_up(
                rows[has_weights], groups[has_weights], (len(values), len(self._model.tags))
            )
        products, direct = self._model.networks.tabulate(
            attributes.columns, attributes.folded, len(self._model.tags)
        )
        self.products[rows_of_new] = products.transpose(1, 0, 2)
        self.scores[rows_of_new, HERE] += direct
        self._forbid_closed_classes(new, attributes.folded, first)

    def _forbid_closed_classes(
        self, new: Sequence[tuple[str, CaseFlag]], folded: UInt32, first: int
    ) -> None:
        """Words never seen in training are not pronouns, determiners, conjunctions ("maas")."""
        known = self._model.words
        places = np.searchsorted(known, folded).clip(max=len(known) - 1)
        is_unseen = (known[places] != folded) & np.array(
            [form.isalpha() for form, _ in new], dtype=np.bool_
        )
        rows = first + np.flatnonzero(is_unseen)
        self.scores[rows[:, None], HERE, self._closed] = FORBIDDEN


def _move_up(array: npt.NDArray[_Item], kept: npt.NDArray[np.int64]) -> None:
    """Put some rows first, which are in ascending order: none is written before it is read."""
    for start in range(0, len(kept), _COMPUTED_AT_ONCE):
        some = kept[start : start + _COMPUTED_AT_ONCE]
        array[start : start + len(some)] = array[some]


def _longer(array: npt.NDArray[_Item], size: int) -> npt.NDArray[_Item]:
    """Copy of an array with more rows, the new ones zero."""
    longer = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
