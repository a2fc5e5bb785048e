"""Stems and ASCII forms of word forms, as attributes of the lexicon: nothing is indexed for them.

Input → output: forms by number → stem number of each form, stem by number. Worked out when first
asked for, then only for forms that have come in since. Stems (11 us a form) are kept in a file
beside the lexicon so that the next process need not (layout in FORMAT.md).

Stems are those of Porter's English stemmer ("Porter2"), of the lower-case form, whatever the
language of the document a form stands in: the lexicon does not know it. A form that is not made of
letters alone is its own stem. ASCII forms are of the lower-case form too, and are not kept: a
million forms take three seconds.

References
----------
M. F. Porter, "Snowball: A language for stemming algorithms", 2001,
https://snowballstem.org/algorithms/english/stemmer.html
"""

import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from search.engine.index.codec import Container, write_container
from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.folding import lower
from search.engine.index.lexicon.growing import GrowingArray
from search.engine.index.lexicon.strings import StringTable, encode_strings

STEMS_MAGIC = b"BSSTEMS\0"
WORTH_KEEPING = 20_000  # forms stemmed anew, a quarter of a second, before they are written
Array = npt.NDArray[Any]
U32 = npt.NDArray[np.uint32]


class FormTable:
    """What the forms of a lexicon become by a rule, numbered from 0 in order of forms.

    Parameters
    ----------
    rule : callable
        Form in lower case → its stem or ASCII form.
    path : Path or None
        Where the results are kept between processes.
    """

    def __init__(self, rule: Callable[[str], str], path: Path | None = None) -> None:
        self.strings = StringTable()
        self._rule = rule
        self._path = path
        self._numbers: GrowingArray[np.uint32] = GrowingArray(np.uint32)
        self._n_kept: int | None = None
        self._lock = threading.Lock()

    def numbers(self, forms: StringTable, n_forms: int) -> U32:
        """Return the number of what each of the first forms becomes: shape (n_forms,)."""
        with self._lock:
            if self._n_kept is None:
                self._n_kept = self._load(len(forms))
            if len(self._numbers) < n_forms:
                self._grow(forms, n_forms)
                if n_forms - self._n_kept >= WORTH_KEEPING:
                    self._keep()
            return self._numbers.view(n_forms)

    def keep_at(self, path: Path, forms: StringTable) -> None:
        """Write what all forms become to another file."""
        numbers = self.numbers(forms, len(forms))
        blob = b"".join(chunk.blob for chunk in self.strings.chunks())
        write_container(path, STEMS_MAGIC, _sections(numbers, blob))

    def _grow(self, forms: StringTable, n_forms: int) -> None:
        """Apply the rule to the forms from the last known one on."""
        known = {string: i for i, string in enumerate(self.strings.all())}
        n_before, n_done = len(known), len(self._numbers)
        numbers = []
        number_of: dict[str, int] = {}
        for form in forms.all(n_done)[: n_forms - n_done]:
            small = lower(form)
            number = number_of.get(small)
            if number is None:
                number = number_of[small] = known.setdefault(self._rule(small), len(known))
            numbers.append(number)
        self.strings.extend(encode_strings(list(known)[n_before:]))
        self._numbers.extend(np.array(numbers, dtype=np.uint32))

    def _load(self, n_forms: int) -> int:
        """Read what is kept; a file that is damaged or of other forms is worked out anew."""
        if self._path is None:
            return 0
        try:
            container = Container.open(self._path, STEMS_MAGIC)
            container.verify()
            numbers, strings = container["numbers"], container["stems"]
        except (OSError, DamagedFileError):
            return 0
        if len(numbers) > n_forms:
            return 0
        self._numbers.extend(numbers)
        self.strings.extend(strings.tobytes())
        return len(numbers)

    def _keep(self) -> None:
        """Write them, under a name of this process first; a folder not to write to is fine."""
        if self._path is None:
            return
        own = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        blob = b"".join(chunk.blob for chunk in self.strings.chunks())
        try:
            write_container(own, STEMS_MAGIC, _sections(self._numbers.view(), blob))
            own.replace(self._path)
        except OSError:
            return
        self._n_kept = len(self._numbers)


def _sections(numbers: U32, blob: bytes) -> dict[str, Array]:
    return {"numbers": numbers, "stems": np.frombuffer(blob, np.uint8)}


@cache
def _stemmer() -> Callable[[str], str]:
    """Return the stemmer, made when first needed: importing it takes half a second."""
    from nltk.stem.snowball import EnglishStemmer  # noqa: PLC0415 (see above)

    stem: Callable[[str], str] = EnglishStemmer().stem
    return stem


def stem_of(word: str) -> str:
    """Return the stem of one word: the rule of the table of stems.

    Examples
    --------
    >>> stem_of("Happiness"), stem_of("raining"), stem_of("3rd")
    ('happi', 'rain', '3rd')
    """
    small = lower(word)
    return _stemmer()(small) if small.isalpha() else small
