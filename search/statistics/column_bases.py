"""How many tokens the selected texts of each publication, section, month, … hold.

Input → output: ``Selection`` and names of columns → tokens by tuple of their values. A count by
publication is normalized by the tokens of that publication, not by those of the corpus.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from search.index.selection import Selection
from search.statistics.hit_values import column_values

I64 = npt.NDArray[np.int64]
ColumnBases = dict[tuple[int, ...], int]


def tokens_by_columns(selection: Selection, names: Sequence[str]) -> ColumnBases:
    """Count the selected tokens by the values of one or more document columns.

    Parameters
    ----------
    selection : Selection
    names : sequence of str
        Columns as in `search.statistics.hit_values.COLUMNS`; at least one.

    Returns
    -------
    dict
        Tokens by tuple of value numbers (as `column_values` gives them). Values sum to
        ``selection.base.n_tokens``. O(documents log documents).
    """
    bases: ColumnBases = {}
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        columns = np.stack([column_values(documents, name) for name in names], axis=1)
        n_tokens: npt.NDArray[np.integer] = documents.n_tokens
        if mask is not None:
            columns, n_tokens = columns[mask], n_tokens[mask]
        distinct, numbers = np.unique(columns, axis=0, return_inverse=True)
        sums = np.bincount(numbers.reshape(-1), weights=n_tokens, minlength=len(distinct))
        for values, n in zip(distinct.tolist(), sums.tolist(), strict=True):
            bases[tuple(values)] = bases.get(tuple(values), 0) + int(n)
    return bases
