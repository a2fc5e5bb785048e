"""Reference lists: reading one that is given, keeping it, and its words for keyness.

The writer of `ReferenceList`.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from search.asking.values import as_stored
from search.engine.given.lines import Line
from search.engine.given.texts import Problem
from search.engine.statistics.counted_words import CountedWords
from search.models import ReferenceList

MAX_WORDS = 500_000  # the whole of a large dictionary; looking each up takes half a second
MAX_TOKENS = 10**12
MARK = "list:"  # before the name of a list in `ref` of keyness
_MAX_WORD = 200
_SHOWN_FAULTS = 10
_PARTS = re.compile(r"[\t;,]| (?=[0-9])")
_COUNT = re.compile(r"[0-9]+")
# "1,234,567" and its like with points, blanks and narrow ones.
_GROUPED = re.compile(r"[0-9]{1,3}(?:[,.\u00a0\u202f' ][0-9]{3})+")
_SIGNS = re.compile(r"[^0-9]")


@dataclass(frozen=True, slots=True)
class ReadList:
    """Words of a file with their frequencies, and which lines could not be read."""

    counts: dict[str, int]
    n_faults: int
    faults: tuple[str, ...]

    @property
    def n_tokens(self) -> int:
        return sum(self.counts.values())


def read_list(lines: Iterable[Line]) -> ReadList:
    """Read a word and its frequency a line, with a tab, semicolon, comma or blank between them.

    A first line without a number names the columns. What stands twice is added up.

    Raises
    ------
    ValueError
        With a sentence, where there are too many words.
    """
    counts: dict[str, int] = {}
    faults: list[str] = []
    n_faults = 0
    for number, line in lines:
        if isinstance(line, str) and not line.strip():
            continue
        found = line if isinstance(line, Problem) else _entry(line)
        if isinstance(found, tuple):
            word, count = found
            counts[word] = counts.get(word, 0) + count
            if len(counts) > MAX_WORDS:
                raise ValueError(f"A list has at most {MAX_WORDS:,} words: cut it at a frequency.")
        elif number > 1:
            n_faults += 1
            words = found.words if isinstance(found, Problem) else "no word and its frequency"
            faults += [f"Line {number}: {words}."] if len(faults) < _SHOWN_FAULTS else []
    return ReadList(counts, n_faults, tuple(faults))


def _entry(line: str) -> tuple[str, int] | None:
    """Give the first word of a line that is no number, and the whole number behind it."""
    cells = [cell.strip() for cell in (line.split("\t") if "\t" in line else _PARTS.split(line))]
    place = next((i for i, cell in enumerate(cells) if cell and not _COUNT.fullmatch(cell)), None)
    if place is None:
        return None
    word = as_stored(cells[place])[:_MAX_WORD]
    for cell in cells[place + 1 :]:
        if _COUNT.fullmatch(cell) or _GROUPED.fullmatch(cell):
            count = int(_SIGNS.sub("", cell))
            return (word, count) if 0 < count <= MAX_TOKENS else None
    return None


def keep_reference(row: ReferenceList, found: ReadList, owner: Any) -> None:
    """Store a list under its name; `n_tokens` of the row is what was said, or the sum."""
    ordered = sorted(found.counts.items(), key=lambda item: (-item[1], item[0]))
    text = "".join(f"{word}\t{count}\n" for word, count in ordered)
    row.owner, row.n_words = owner, len(ordered)
    row.n_tokens = max(row.n_tokens or 0, found.n_tokens)
    row.body = zlib.compress(text.encode())
    row.save()


def remove_reference(row: ReferenceList) -> None:
    """Delete a list; an address that names it says so from then on."""
    row.delete()


def reference_named(ref: str) -> ReferenceList | None:
    """Find the list that `ref` names, without its words; None where it names none.

    Raises
    ------
    ValueError
        With a sentence, where there is no such list.
    """
    if not ref.startswith(MARK):
        return None
    name = ref.removeprefix(MARK)
    row = ReferenceList.objects.defer("body").filter(name=name.replace("\0", "")).first()
    if row is None:
        raise ValueError(f"There is no reference list “{name}”.")
    return row


def words_of(row: ReferenceList) -> CountedWords:
    """Give the words of a list; those of the last ones are kept."""
    return _words(row.pk, row.n_tokens)


@lru_cache(maxsize=4)
def _words(pk: int, n_tokens: int) -> CountedWords:
    body = ReferenceList.objects.values_list("body", flat=True).get(pk=pk)
    entries = list(_entries(zlib.decompress(bytes(body)).decode()))
    words, counts = zip(*entries, strict=True)
    return CountedWords(str(pk), tuple(words), tuple(counts), n_tokens)


def _entries(text: str) -> Iterator[tuple[str, int]]:
    for line in text.splitlines():
        word, _, count = line.rpartition("\t")
        yield word, int(count)
