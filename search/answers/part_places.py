"""Hits in parts of articles: their names in addresses, and where they stand in the body.

A part that is taken from the body holds the body's tokens of one kind of block, in their order; so
the n-th token of the part is the n-th of that kind in the body.
"""

import numpy as np

from search.engine.index.documents import ARTICLE_KINDS, IN_BODY, DocumentKind
from search.engine.index.reader import Snapshot
from search.engine.index.text_names import named_text, text_name


def hit_name(kind: DocumentKind, key: int, position: int) -> str:
    """Name a hit: `12-7`, `c12-7` in a comment, `q12-7` in the quotes of article 12."""
    return f"{text_name(kind, key)}-{position}"


def split_hit(hit: str) -> tuple[DocumentKind, int, int]:
    """Read the name of a hit: kind and key of the text, number of the token."""
    name, _, position = hit.partition("-")
    return *named_text(name), int(position)


def place_in_body(snapshot: Snapshot, kind: DocumentKind, key: int, position: int) -> int | None:
    """Return where a token of a part stands in its body, counted from 0; None if it does not."""
    bodies = (snapshot.locate(body, key) for body in sorted(ARTICLE_KINDS))
    found = next((body for body in bodies if body is not None), None)
    if found is None or kind not in IN_BODY:
        return None
    view, row = found
    start, stop = view.segment.bounds[row : row + 2].tolist()
    blocks = view.segment.blocks_at(np.arange(start, stop))
    places = np.flatnonzero(blocks == IN_BODY[kind])
    return int(places[position]) if position < len(places) else None
