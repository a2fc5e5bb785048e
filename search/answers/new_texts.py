"""Which texts came in after a generation, and whether a query finds any of them.

Asking each of many saved queries for its new hits costs a selection of the whole corpus each.
Nearly all of them have none, and that is found on the new texts alone: their keys are taken out of
the index once for all queries, and only segments that hold one of them are searched.
"""

from dataclasses import replace

import numpy as np

from search.answers.answering import hits_of
from search.asking.request import SearchRequest
from search.engine.index.reader import Snapshot
from search.engine.query.filters import Copies, DocumentFilter, DocumentSet, Stories, select


def new_texts(snapshot: Snapshot, since: int) -> DocumentSet:
    """Return the texts of a snapshot that had no version up to a generation. O(documents)."""
    selection = select(snapshot, DocumentFilter(since=since))
    found = [np.empty(0, dtype=np.uint64)]
    for view, mask in zip(snapshot.segments, selection.masks, strict=True):
        identities = view.segment.documents.identities()
        found.append(identities if mask is None else identities[mask])
    return DocumentSet(np.unique(np.concatenate(found)).tobytes())


def may_have_new_hits(request: SearchRequest, texts: DocumentSet, snapshot: Snapshot) -> bool:
    """Tell whether a query has hits in these texts, copies and further tellings included.

    When it has none it has no new hits either; when it has some, they have to be asked for.

    Raises
    ------
    QueryError
    """
    if not len(texts):
        return False
    if request.texts.filter.documents is not None:
        return True  # a list of its own: rare, and searched as it is
    wanted = replace(
        request.texts.filter,
        since=None,
        copies=Copies.ALL,
        stories=Stories.ALL,
        documents=texts,
    )
    asked = replace(request, texts=replace(request.texts, filter=wanted))
    return hits_of(asked, snapshot).total > 0
