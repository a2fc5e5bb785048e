"""The tags of the selected texts: how often each stands there, and words that have it most often.

Input → output: selection → a row a tag, the most frequent first; remembered with the selection.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.statistics.counting.type_counts import type_counts, value_counts

I64 = npt.NDArray[np.int64]

N_EXAMPLES = 5
_TYPES_A_FORM = 4  # a form has several types: "saw" of see and of saw


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag, its tokens, and its most frequent words in lower case."""

    tag: str
    hits: int
    words: tuple[str, ...]


_TAGS: Remembered[None, tuple[TagRow, ...]] = Remembered()


def tag_list(selection: Selection) -> tuple[TagRow, ...]:
    """List the tags that tokens of the selection have.

    Returns
    -------
    tuple of TagRow
        ``hits`` sum to the tokens of the selection. O(types) behind `type_counts`.
    """
    return _TAGS.of(selection).get_or(None, lambda: _tag_list(selection))


def _tag_list(selection: Selection) -> tuple[TagRow, ...]:
    lexicon = selection.snapshot.lexicon
    by_type, by_tag = type_counts(selection), value_counts(selection, "pos")
    types = np.flatnonzero(by_type)
    tags = lexicon.tags[types]
    order = np.argsort(tags, kind="stable")  # of small numbers: a radix sort, linear
    bounds = np.searchsorted(tags[order], np.arange(len(by_tag) + 1))
    rows = []
    for number in np.flatnonzero(by_tag).tolist():
        of_tag = types[order[bounds[number] : bounds[number + 1]]]
        top = _most_frequent(of_tag, by_type)
        words = lexicon.forms_of(lexicon.lower[lexicon.words[top]])
        distinct = tuple(dict.fromkeys(words))[:N_EXAMPLES]
        rows.append(TagRow(lexicon.tag(number), int(by_tag[number]), distinct))
    return tuple(sorted(rows, key=lambda row: (-row.hits, row.tag)))


def _most_frequent(types: I64, counts: I64) -> I64:
    """Return a few of some types in order of frequency. O(types)."""
    n = min(len(types), N_EXAMPLES * _TYPES_A_FORM)
    top = types[np.argpartition(-counts[types], n - 1)[:n]]
    return top[np.lexsort((top, -counts[top]))]
