"""Values of document columns as queries spell them.

Input → output: a column's name and documents of a segment → strings.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from search.engine.arrays import Array, Index
from search.engine.index.documents import WORDED_COLUMNS, DocumentKind
from search.engine.index.joined_names import AGENCY, parted_names
from search.engine.index.reader import Snapshot
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.segments.segment import Segment

MONTHS_A_YEAR = 12
# Telling agencies from people takes 4 µs a value of authors, in each segment that has it.
_MOST_KEPT_AUTHORS = 1 << 16

NO_DATE = np.iinfo(np.int64).min  # of texts of which nobody knows the date; spelled as ""


def _days(columns: DocumentColumns) -> npt.NDArray[np.integer]:
    return np.where(columns.dated, columns.day.astype(np.int64), NO_DATE)


def _months(columns: DocumentColumns) -> npt.NDArray[np.integer]:
    months = columns.day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return np.where(columns.dated, months, NO_DATE)


def _years(columns: DocumentColumns) -> npt.NDArray[np.integer]:
    return np.where(columns.dated, _months(columns) // MONTHS_A_YEAR, NO_DATE)


def _date_speller(unit: Literal["D", "M", "Y"]) -> Callable[[int], str]:
    return lambda value: "" if value == NO_DATE else str(np.datetime64(value, unit))


# Columns that are no strings in the index: their numbers, and how a number is spelled.
SPELLED: dict[
    str, tuple[Callable[[DocumentColumns], npt.NDArray[np.integer]], Callable[[int], str]]
] = {
    "kind": (lambda c: c.kind, WORDED_COLUMNS["kind"].__getitem__),
    "changed": (lambda c: c.changed, WORDED_COLUMNS["changed"].__getitem__),
    "rights": (lambda c: c.rights, WORDED_COLUMNS["rights"].__getitem__),
    "undated": (lambda c: c.undated, WORDED_COLUMNS["undated"].__getitem__),
    "day": (_days, _date_speller("D")),
    "month": (_months, _date_speller("M")),
    "year": (_years, _date_speller("Y")),
    "key": (lambda c: c.key, str),  # or the name the text has in its own corpus
}


def column_values(snapshot: Snapshot, segment: Segment, column: str, rows: Index) -> Array:
    """Return a column of some documents as strings: an object array of the shape of ``rows``."""
    numbers, names = column_spellings(snapshot, segment, column)
    return names[numbers[rows]]


def column_spellings(snapshot: Snapshot, segment: Segment, column: str) -> tuple[Index, Array]:
    """Return the number of each document's value, and the different values as strings.

    Names stand joined in one, see `search.engine.index.joined_names`.
    """
    if column == AGENCY:
        return _agency_spellings(snapshot, segment)
    spelled = SPELLED.get(column)
    if spelled is None:
        unique, inverse = np.unique(getattr(segment.documents, column), return_inverse=True)
        names = [snapshot.lexicon.value(int(number)) for number in unique.tolist()]
    else:
        unique, inverse = np.unique(spelled[0](segment.documents), return_inverse=True)
        spell = snapshot.text_id if column == "key" else spelled[1]
        names = [spell(int(number)) for number in unique.tolist()]
    result = np.empty(len(names), dtype=object)
    result[:] = names
    return inverse, result


def _agency_spellings(snapshot: Snapshot, segment: Segment) -> tuple[Index, Array]:
    """Spell what signs beside the authors; nothing does in comments."""
    numbers, authors = column_spellings(snapshot, segment, "author")
    agencies = [_agencies_in(value) for value in authors.tolist()]
    result = np.empty(len(agencies) + 1, dtype=object)
    result[:] = [*agencies, ""]
    return np.where(segment.documents.kind == DocumentKind.COMMENT, len(agencies), numbers), result


@lru_cache(maxsize=_MOST_KEPT_AUTHORS)
def _agencies_in(authors: str) -> str:
    return parted_names(authors, DocumentKind.ARTICLE)[1]
