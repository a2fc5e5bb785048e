"""Hits in parts of articles: their names in addresses, and where they stand in the body.

A part that is taken from the body holds the body's tokens of one kind of block, in their order; so
the n-th token of the part is the n-th of that kind in the body.
"""

import numpy as np

from search.engine.index.documents import IN_BODY, DocumentKind
from search.engine.index.reader import Snapshot

# What stands before the number of a text in the name of a hit; articles have nothing there.
LETTERS = {
    DocumentKind.COMMENT: "c",
    DocumentKind.HEADLINE: "h",
    DocumentKind.STANDFIRST: "s",
    DocumentKind.HEADING: "t",
    DocumentKind.QUOTE: "q",
    DocumentKind.LIST_ITEM: "l",
    DocumentKind.CAPTION: "p",
}
_KINDS = {letter: kind for kind, letter in LETTERS.items()}


def hit_name(kind: DocumentKind, key: int, position: int) -> str:
    """Name a hit: `12-7`, `c12-7` in a comment, `q12-7` in the quotes of article 12."""
    return f"{LETTERS.get(kind, '')}{key}-{position}"


def split_hit(hit: str) -> tuple[DocumentKind, int, int]:
    """Read the name of a hit: kind and key of the text, number of the token."""
    key, _, position = hit.partition("-")
    kind = _KINDS.get(key[0], DocumentKind.ARTICLE)
    return kind, int(key.lstrip("".join(_KINDS))), int(position)


def place_in_body(snapshot: Snapshot, kind: DocumentKind, key: int, position: int) -> int | None:
    """Return where a token of a part stands in its body, counted from 0; None if it does not."""
    found = snapshot.locate(DocumentKind.ARTICLE, key)
    if found is None or kind not in IN_BODY:
        return None
    view, row = found
    start, stop = view.segment.bounds[row : row + 2].tolist()
    blocks = view.segment.blocks_at(np.arange(start, stop))
    places = np.flatnonzero(blocks == IN_BODY[kind])
    return int(places[position]) if position < len(places) else None
