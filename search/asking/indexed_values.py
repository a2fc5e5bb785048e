"""Values of a column that the texts of the index have, for filters: not all that could be.

Counting a column of numbers takes a few milliseconds for a million texts, once a generation.
"""

import numpy as np

from extraction.own_fields import newest_field, values_there
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.engine.query.filters import EVERY_TEXT, select

_COUNTS: Remembered[str, dict[str, int]] = Remembered()
_OWN: Remembered[int, dict[str, int]] = Remembered(1)


def indexed_languages(snapshot: Snapshot) -> tuple[str, ...]:
    """Give the codes of the languages of a snapshot's texts, most texts first."""
    return tuple(code for code in texts_by_value(snapshot, "language") if code)


def texts_by_value(snapshot: Snapshot, column: str) -> dict[str, int]:
    """Count the texts of the newest generation by a column, comments too; most texts first."""
    return _COUNTS.of(snapshot).get_or(column, lambda: _counted(snapshot, column))


def own_values(snapshot: Snapshot) -> dict[str, int]:
    """Count the given texts by each column of their files and its value: `register:letter`.

    Counted once a generation, and when columns were written since.
    """
    newest = newest_field()
    if newest is None:
        return {}
    return _OWN.of(snapshot).get_or(
        newest, lambda: {f"{name}:{value}": n for name, value, n in values_there()}
    )


def _counted(snapshot: Snapshot, column: str) -> dict[str, int]:
    n_texts = np.zeros(snapshot.lexicon.size.n_values, dtype=np.int64)
    selection = select(snapshot, EVERY_TEXT)
    for view, mask in zip(snapshot.segments, selection.masks, strict=True):
        numbers = getattr(view.segment.documents, column)
        chosen = numbers if mask is None else numbers[mask]
        n_texts += np.bincount(chosen, minlength=len(n_texts))
    there = np.flatnonzero(n_texts)
    ordered = there[np.lexsort((there, -n_texts[there]))]
    return {snapshot.lexicon.value(number): int(n_texts[number]) for number in ordered.tolist()}
