"""What names a list of hits: a hash that anybody can work out again from an export.

Input → output: hits → SHA-256 in hexadecimal digits of lines ``text, tab, position, tab, node``,
each closed by a line feed, in UTF-8. ``text`` is ``article-12``, position is the number of the
node's first token in its text, the node is written as concordances show it. Lines stand in order of
kind of text by its letters, number of the text, position, number of tokens. So the hash is the same
whatever the lines are sorted by, and survives rebuilt indexes and texts that were read anew.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from search.engine.concordance.places import Places
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.segments.attributes import positions_in_order

Index = npt.NDArray[np.intp]
I64 = npt.NDArray[np.int64]

HITS_AT_A_TIME = 50_000  # some 20 MB of words and numbers
_LABELS = sorted(kind.label for kind in DocumentKind)
_RANKS = np.zeros(256, dtype=np.int64)
for _kind in DocumentKind:
    _RANKS[_kind] = _LABELS.index(_kind.label)
_SPACES = np.array(["", " "], dtype=object)


def hits_digest(hits: Hits) -> str:
    """Return the hash of all hits; O(hits), in memory that does not grow with them."""
    found = hashlib.sha256()
    for places in _in_order(hits):
        found.update(_written(hits, places))
    return found.hexdigest()


def lines_digest(hits: Hits, places: Places) -> str:
    """Return the hash of some of the hits, in any order."""
    found = hashlib.sha256()
    ordered = _sorted(hits, places)
    for first in range(0, len(ordered), HITS_AT_A_TIME):
        some = np.arange(first, min(first + HITS_AT_A_TIME, len(ordered)))
        found.update(_written(hits, ordered.take(some)))
    return found.hexdigest()


def places_in(hits: Hits, part: Index, row: Index) -> Places:
    """Return the hits in some documents, part after part."""
    found = []
    for number in np.unique(part).tolist():
        rows, spans = hits.parts[number].spans_of(row[part == number])
        found.append(Places(np.full(len(rows), number), rows, spans.starts, spans.ends))
    return Places.joined(found)


def nodes(hits: Hits, places: Places) -> list[str]:
    """Return the words of hits with the white space between them."""
    found: list[str] = [""] * len(places)
    lexicon = hits.snapshot.lexicon
    for number in np.unique(places.part).tolist():
        segment = hits.parts[number].view.segment
        members = np.flatnonzero(places.part == number)
        starts, lengths = places.start[members], (places.end - places.start)[members]
        at = positions_in_order(starts, lengths)
        words = lexicon.forms_of(lexicon.words[segment.stream[at]])
        gaps = _SPACES[segment.spaces_at(at)]
        gaps[np.cumsum(lengths) - lengths] = "\n"
        pieces: list[str] = [""] * (2 * len(words))
        pieces[::2], pieces[1::2] = gaps.tolist(), words
        for member, node in zip(members.tolist(), "".join(pieces).split("\n")[1:], strict=True):
            found[member] = node
    return found


def columns_of(hits: Hits, places: Places) -> tuple[I64, I64, I64]:
    """Return kind and key of the text of each hit, and the position in it."""
    kind, key = names_of(hits, places.part, places.row)
    position = places.start.copy()
    for number in np.unique(places.part).tolist():
        member = places.part == number
        position[member] -= hits.parts[number].view.segment.bounds[places.row[member]]
    return kind, key, position


def names_of(hits: Hits, part: Index, row: Index) -> tuple[I64, I64]:
    """Return kind and key of documents."""
    kind, key = np.zeros(len(part), dtype=np.int64), np.zeros(len(part), dtype=np.int64)
    for number in np.unique(part).tolist():
        member, columns = part == number, hits.parts[number].view.segment.documents
        kind[member], key[member] = columns.kind[row[member]], columns.key[row[member]]
    return kind, key


def _in_order(hits: Hits) -> Iterator[Places]:
    """Go through all hits in the order of the hash, some whole documents at a time."""
    documents = hits.documents
    kind, key = names_of(hits, documents.part, documents.row)
    order = np.lexsort((key, _RANKS[kind]))
    batch = np.cumsum(documents.count[order]) // HITS_AT_A_TIME
    edges = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(order)]
    for low, high in pairwise(edges):
        some = order[low:high]
        yield _sorted(hits, places_in(hits, documents.part[some], documents.row[some]))


def _sorted(hits: Hits, places: Places) -> Places:
    kind, key, position = columns_of(hits, places)
    return places.take(np.lexsort((places.end, position, key, _RANKS[kind])))


def _written(hits: Hits, places: Places) -> bytes:
    kind, key, position = columns_of(hits, places)
    labels = [_LABELS[rank] for rank in _RANKS[kind].tolist()]
    rows = zip(labels, key.tolist(), position.tolist(), nodes(hits, places), strict=True)
    return "".join([f"{label}-{k}\t{at}\t{node}\n" for label, k, at, node in rows]).encode()
