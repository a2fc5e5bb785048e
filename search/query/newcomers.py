"""Documents that came into the corpus after a generation: what a standing query has not seen.

Input → output: masks of documents and a generation → the masks without documents that the corpus
had at that generation or before, in whatever version.
"""

import numpy as np
import numpy.typing as npt

from search.index.reader import Snapshot

Mask = npt.NDArray[np.bool_]


def newcomers(snapshot: Snapshot, masks: list[Mask], generation: int) -> list[Mask]:
    """Keep the documents of masks that had no version up to a generation.

    A text that was read or tagged anew since then is no newcomer. O(documents).
    """
    columns = [view.segment.documents for view in snapshot.segments]
    later = [
        mask & (documents.generation_in > generation)
        for documents, mask in zip(columns, masks, strict=True)
    ]
    found = [documents.identities()[mask] for documents, mask in zip(columns, later, strict=True)]
    wanted = np.unique(np.concatenate([np.empty(0, dtype=np.uint64), *found]))
    if not len(wanted):
        return later
    earlier = [
        documents.identities()[documents.generation_in <= generation] for documents in columns
    ]
    known = np.intersect1d(wanted, np.concatenate(earlier))
    return [
        mask & ~np.isin(documents.identities(), known)
        for documents, mask in zip(columns, later, strict=True)
    ]
