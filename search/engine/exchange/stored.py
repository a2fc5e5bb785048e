"""Texts of an index, as corpus files hold them.

Input → output: a snapshot and which of its texts → ``CorpusText`` values, one after the other.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from search.engine.exchange.texts import CorpusText, TextColumns
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.joined_names import parted_names
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.selection import Selection

NameOf = Callable[[DocumentKind, int], str]


def stored_texts(
    selection: Selection, name_of: NameOf, *, by_time: bool = False
) -> Iterator[CorpusText]:
    """Read selected texts back.

    Parameters
    ----------
    name_of : callable
        Kind and key → the text's id in the file.
    by_time : bool
        In order of publication instead of corpus order.
    """
    snapshot = selection.snapshot
    for part, row in _rows(selection, by_time=by_time):
        view = snapshot.segments[part]
        yield _text(snapshot, view, row, name_of)


def _rows(selection: Selection, *, by_time: bool) -> Iterator[tuple[int, int]]:
    """Yield segment number and row of each selected document."""
    views = selection.snapshot.segments
    rows = [
        np.arange(view.segment.n_documents) if mask is None else np.flatnonzero(mask)
        for view, mask in zip(views, selection.masks, strict=True)
    ]
    parts = np.repeat(np.arange(len(views)), [len(found) for found in rows])
    joined = _joined(rows)
    order = np.arange(len(joined))
    if by_time:
        columns = [view.segment.documents for view in views]
        pairs = list(zip(columns, rows, strict=True))
        published = _joined([c.published[found] for c, found in pairs])
        kind = _joined([c.kind[found].astype(np.int64) for c, found in pairs])
        key = _joined([c.key[found] for c, found in pairs])
        order = np.lexsort((key, kind, published))
    for place in order.tolist():
        yield int(parts[place]), int(joined[place])


def _joined(arrays: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays])


def _text(snapshot: Snapshot, view: SegmentView, row: int, name_of: NameOf) -> CorpusText:
    segment = view.segment
    start, stop = segment.bounds[row : row + 2].tolist()
    spaces = segment.space_before(start, stop).tolist()
    return CorpusText(
        columns=columns_of_info(snapshot.document_info(view, row), name_of),
        tokens=snapshot.tokens(segment.stream[start:stop]),
        sentence_starts=np.flatnonzero(segment.left[start:stop] == 0).tolist(),
        space_before=[False, *spaces[1:]] if spaces else spaces,
    )


def columns_of_info(info: DocumentInfo, name_of: NameOf) -> TextColumns:
    """Return the columns of a stored text; its original and parent by their ids."""
    authors, agencies = parted_names(info.author, info.kind)
    has_original = info.duplicate_cluster not in (0, info.key)
    return TextColumns(
        name=name_of(info.kind, info.key),
        kind=info.kind,
        publication=info.publication,
        section=info.section,
        author=authors,
        agency=agencies,
        language=info.language,
        day=None if info.is_undated else info.day,
        published_seconds=None if info.is_undated else info.published_seconds,
        ingested_seconds=info.ingested_seconds or None,
        original=name_of(info.kind, info.duplicate_cluster) if has_original else "",
        story=str(info.story_cluster) if info.story_cluster else "",
        parent=name_of(DocumentKind.ARTICLE, info.parent_key) if info.parent_key else "",
        is_changed=info.is_changed,
        rights=info.rights,
    )
