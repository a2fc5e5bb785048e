"""The lexicon: every distinct (word, lemma, tag) ever seen, numbered in order of arrival.

A *type* is such a triple. A query about single tokens is answered on the lexicon alone: it becomes
a set of types. Words and lemmas share one table of *forms*; each form knows its lower-case and its
unaccented variants, so case and accents can be ignored without another index. Numbers are global
to the index, only ever appended, and valid in every segment.

Input → output: blocks of new entries (see ``log``) → columns by type and by form.
"""

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.folding import near_ascii
from search.engine.index.lexicon.growing import GrowingArray
from search.engine.index.lexicon.stems import FormTable, stem_of
from search.engine.index.lexicon.strings import StringTable

U32 = npt.NDArray[np.uint32]
TAG_LIMIT = 255  # the tag column of a segment has one byte


@dataclass(frozen=True, slots=True)
class LexiconBlock:
    """New entries of one commit, or the whole lexicon when it is written as a base.

    Parameters
    ----------
    forms, values, tags : bytes
        Line-feed-terminated UTF-8 strings.
    variants : ndarray of shape (3 * n_forms,)
        Per form the numbers of its lower-case, unaccented, and lower-case unaccented forms.
    types : ndarray of shape (3 * n_types,)
        Per type the numbers of word form, lemma form and tag.
    order : ndarray of shape (n_forms,) or None
        Form numbers in code-point order; only in a base.
    """

    forms: bytes
    variants: U32
    types: U32
    values: bytes
    tags: bytes
    order: U32 | None = None


@dataclass(frozen=True, slots=True)
class LexiconSize:
    """How many entries of the lexicon a snapshot may see."""

    n_forms: int = 0
    n_types: int = 0
    n_values: int = 0
    n_tags: int = 0


class Lexicon:
    """The growing lexicon of one process; snapshots take views of fixed length.

    Parameters
    ----------
    stems_path : Path or None
        Where the stems of its forms are kept.
    """

    def __init__(self, stems_path: Path | None = None) -> None:
        self.forms = StringTable()
        self.values = StringTable()
        self.tags = StringTable()
        self.stems = FormTable(stem_of, stems_path)
        self.ascii = FormTable(near_ascii)
        self._variants = tuple(GrowingArray(np.uint32) for _ in range(3))
        self._types = tuple(GrowingArray(np.uint32) for _ in range(3))
        self.lock = threading.Lock()

    @property
    def size(self) -> LexiconSize:
        """Number of entries loaded so far."""
        return LexiconSize(len(self.forms), len(self._types[0]), len(self.values), len(self.tags))

    def extend(self, block: LexiconBlock) -> None:
        """Append a block (call with ``lock`` held when other threads read)."""
        self.forms.extend(block.forms, block.order)
        self.values.extend(block.values)
        self.tags.extend(block.tags)
        for i in range(3):
            self._variants[i].extend(block.variants[i::3])
            self._types[i].extend(block.types[i::3])

    def view(self, size: LexiconSize | None = None) -> "LexiconView":
        """Return columns cut to a snapshot's size (all by default)."""
        size = size or self.size
        variants = [column.view(size.n_forms) for column in self._variants]
        types = [column.view(size.n_types) for column in self._types]
        return LexiconView(self, size, *variants, *types)

    def as_block(self) -> LexiconBlock:
        """Return the whole lexicon as one block with its sort order."""
        blob = b"".join(chunk.blob for chunk in self.forms.chunks())
        encoded = blob.split(b"\n")[:-1]
        order = np.array(sorted(range(len(encoded)), key=encoded.__getitem__), dtype=np.uint32)
        return LexiconBlock(
            forms=blob,
            variants=_interleave([column.view() for column in self._variants]),
            types=_interleave([column.view() for column in self._types]),
            values=b"".join(chunk.blob for chunk in self.values.chunks()),
            tags=b"".join(chunk.blob for chunk in self.tags.chunks()),
            order=order,
        )


@dataclass(frozen=True, slots=True)
class LexiconView:
    """The lexicon as one snapshot sees it.

    ``lower``, ``plain`` and ``folded`` are indexed by form number (lower case, without accents,
    both) and hold form numbers; ``words``, ``lemmas`` and ``tags`` are indexed by type number.
    """

    lexicon: Lexicon
    size: LexiconSize
    lower: U32
    plain: U32
    folded: U32
    words: U32
    lemmas: U32
    tags: U32

    def form(self, number: int) -> str:
        """Return a word form or lemma."""
        return self.lexicon.forms.get(number)

    def forms_of(self, numbers: npt.NDArray[np.integer]) -> list[str]:
        """Return word forms or lemmas by their numbers."""
        return self.lexicon.forms.get_all(numbers)

    def find_form(self, form: str) -> int | None:
        """Return the number of a form if this snapshot knows it."""
        return _within(self.lexicon.forms.find(form), self.size.n_forms)

    def value(self, number: int) -> str:
        """Return a value of a document column."""
        return self.lexicon.values.get(number)

    def find_value(self, value: str) -> int | None:
        """Return the number of a document value if this snapshot knows it."""
        return _within(self.lexicon.values.find(value), self.size.n_values)

    @property
    def stems(self) -> U32:
        """Stem number of each form: shape (n_forms,); numbers of their own, see ``stem``."""
        return self.lexicon.stems.numbers(self.lexicon.forms, self.size.n_forms)

    def stem(self, number: int) -> str:
        """Return a stem (after ``stems`` was asked for)."""
        return self.lexicon.stems.strings.get(number)

    @property
    def ascii(self) -> U32:
        """Number of each form's ASCII form, in lower case: shape (n_forms,); see ``ascii_form``."""
        return self.lexicon.ascii.numbers(self.lexicon.forms, self.size.n_forms)

    def ascii_form(self, number: int) -> str:
        """Return an ASCII form (after ``ascii`` was asked for)."""
        return self.lexicon.ascii.strings.get(number)

    def find_stem(self, stem: str) -> int | None:
        """Return the number of a stem if this snapshot knows it."""
        known = self.stems
        number = self.lexicon.stems.strings.find(stem)
        return number if number is not None and bool((known == number).any()) else None

    def tag(self, number: int) -> str:
        """Return a tag."""
        return self.lexicon.tags.get(number)

    def tag_names(self) -> list[str]:
        """Return all tags in order of number."""
        return [self.lexicon.tags.get(i) for i in range(self.size.n_tags)]


def _within(number: int | None, limit: int) -> int | None:
    return number if number is not None and number < limit else None


def _interleave(columns: list[U32]) -> U32:
    return np.stack(columns, axis=1).reshape(-1) if len(columns[0]) else columns[0]
