"""A segment: an immutable file with some documents, their tokens and the postings of these.

Input → output: ``SegmentData`` (arrays in memory) → file → ``Segment`` (arrays mapped from it).
Documents stand in order of (publication time, kind, key, generation), so positions run in time and
"newest first" is reading from the end. Layout in FORMAT.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.codec import FORMAT_VERSION, Container, write_container
from search.engine.index.errors import DamagedFileError
from search.engine.index.segments.attributes import TokenColumns, join_tokens
from search.engine.index.segments.columns import (
    ORDER_SECTION,
    DocumentColumns,
    StoredColumns,
    column_sections,
    join_columns,
)
from search.engine.index.segments.postings import Postings, build_postings
from search.engine.index.segments.sentences import LeftDistances, pack_starts, unpack_starts
from search.engine.index.segments.text_blocks import (
    block_ends,
    blocks_at,
    pack_blocks,
    unpack_blocks,
)
from search.engine.index.set_bits import bits_at

SEGMENT_MAGIC = b"BSSEGMNT"


@dataclass(frozen=True, slots=True)
class SegmentData:
    """Documents and tokens in memory, in the same order."""

    documents: DocumentColumns
    tokens: TokenColumns

    def in_time_order(self) -> "SegmentData":
        """Return the documents sorted as a segment keeps them."""
        order = time_order(self.documents)
        if bool((order[1:] > order[:-1]).all()):
            return self
        return self.take(order)

    def take(self, order: npt.NDArray[np.intp]) -> "SegmentData":
        """Return some documents with their tokens, in the order given."""
        lengths = self.documents.n_tokens.astype(np.int64)
        starts = np.cumsum(lengths) - lengths
        tokens = self.tokens.take_texts(starts[order], lengths[order])
        return SegmentData(self.documents.take(order), tokens)


def time_order(documents: DocumentColumns) -> npt.NDArray[np.intp]:
    """Return the rows of documents by (published, kind, key, generation_in), oldest first."""
    keys = (documents.generation_in, documents.key, documents.kind, documents.published)
    return np.lexsort(keys)


def concatenate(parts: Sequence[SegmentData]) -> SegmentData:
    """Put several parts one after the other as they are."""
    if len(parts) == 1:
        return parts[0]
    return SegmentData(
        join_columns([part.documents for part in parts]),
        join_tokens([part.tokens for part in parts]),
    )


def join_segments(parts: Sequence[SegmentData]) -> SegmentData:
    """Put several parts into one, in time order: ``merge(a, b)`` equals ``index(a + b)``.

    Each token is written to its place at once: of nothing but the result is there a copy.
    """
    documents = join_columns([part.documents for part in parts])
    order = time_order(documents)
    lengths = documents.n_tokens.astype(np.int64)
    starts = np.empty(len(lengths), np.int64)
    starts[order] = np.cumsum(lengths[order]) - lengths[order]
    tokens = parts[0].tokens.blank(int(lengths.sum()))
    first = 0
    for part in parts:
        own = slice(first, first + len(part.documents))
        tokens.put_texts(part.tokens, starts[own], lengths[own])
        first = own.stop
    return SegmentData(documents.take(order), tokens)


def write_segment(path: Path, data: SegmentData) -> int:
    """Build postings and write the file.

    Returns
    -------
    int
        Size of the file in bytes.
    """
    return write_container(path, SEGMENT_MAGIC, _sections(data))


def _sections(data: SegmentData) -> dict[str, npt.NDArray[Any]]:
    """Build the postings and lay everything out by the names of FORMAT.md."""
    postings = build_postings(data.tokens.types)
    block_starts, block_kinds = pack_blocks(data.tokens.blocks)
    arrays: dict[str, npt.NDArray[Any]] = {
        "stream": data.tokens.types,
        "tag": data.tokens.tags,
        "right": data.tokens.right,
        "sentence_bits": pack_starts(data.tokens.starts),
        "space": np.packbits(data.tokens.space),
        "post_types": postings.types,
        "post_starts": postings.starts,
        "post_positions": postings.positions,
        **column_sections(data.documents),
    }
    if len(block_starts):
        arrays |= {"block_starts": block_starts, "block_kinds": block_kinds}
    return arrays


class Segment:
    """An open segment. All arrays are read-only views of the file.

    ``sentence_bits`` has bit ``i % 64`` of word ``i // 64`` set where token i starts a sentence,
    ``packed_space`` says for eight tokens an octet, the first one highest, before which white space
    stood.
    """

    def __init__(self, container: Container) -> None:
        self.name = container.name
        self.stream: npt.NDArray[np.uint32] = container["stream"]
        self.tags: npt.NDArray[np.uint8] = container["tag"]
        self.right: npt.NDArray[np.uint8] = container["right"]
        self.sentence_bits = _sentence_bits(container)
        self.left = LeftDistances(self.sentence_bits, len(self.stream))
        self.documents = DocumentColumns(StoredColumns(container))
        self.postings = Postings(
            container["post_types"], container["post_starts"], container["post_positions"]
        )
        self.packed_space = container["space"]
        self._block_starts = container.arrays.get("block_starts", np.empty(0, np.uint32))
        self._block_kinds = container.arrays.get("block_kinds", np.empty(0, np.uint8))
        self._identity_order = container[ORDER_SECTION]
        self._container = container
        self._check()

    @classmethod
    def open(cls, path: Path) -> "Segment":
        """Map a segment file.

        Raises
        ------
        FileNotFoundError, DamagedFileError
        """
        return cls(Container.open(path, SEGMENT_MAGIC))

    @classmethod
    def in_memory(cls, name: str, data: SegmentData) -> "Segment":
        """Make a segment that has no file."""
        return cls(Container(name, FORMAT_VERSION, _sections(data), {}))

    @property
    def n_tokens(self) -> int:
        """Number of positions."""
        return len(self.stream)

    @property
    def n_documents(self) -> int:
        """Number of documents, replaced and removed ones included."""
        return len(self.documents)

    @cached_property
    def bounds(self) -> npt.NDArray[np.int64]:
        """Positions at which documents start, and the end: shape (n_documents + 1,)."""
        return np.concatenate([[0], np.cumsum(self.documents.n_tokens, dtype=np.int64)])

    @cached_property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return int(np.bitwise_count(self.sentence_bits).sum(dtype=np.int64))

    @cached_property
    def sentence_edges(self) -> npt.NDArray[np.int64]:
        """Positions at which sentences start, and the end of the last one."""
        return np.append(bits_at(self.sentence_bits), self.n_tokens)

    @property
    def sentence_starts(self) -> npt.NDArray[np.int64]:
        """Positions at which sentences start."""
        return self.sentence_edges[:-1]

    @cached_property
    def published_range(self) -> tuple[int, int]:
        """When its oldest and its newest document were published, in seconds."""
        published = self.documents.published
        return int(published.min()), int(published.max())

    @cached_property
    def in_time_order(self) -> bool:
        """Whether its documents stand in order of time; those of a bulk build keep their own."""
        order = self.rows_in_time
        return bool((order[1:] > order[:-1]).all())

    @cached_property
    def rows_in_time(self) -> npt.NDArray[np.intp]:
        """Rows of the documents, oldest first."""
        return time_order(self.documents)

    @cached_property
    def _sorted_identities(self) -> npt.NDArray[np.uint64]:
        return self.documents.identities()[self._identity_order]

    def document_of(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        """Return the row of the document each position lies in.

        O(positions) where they are many and ascending, else log(documents) times as much.
        """
        if len(positions) <= len(self.bounds) or bool((positions[1:] < positions[:-1]).any()):
            return self.bounds.searchsorted(positions, side="right") - 1
        at = np.searchsorted(positions, self.bounds.astype(positions.dtype))
        lengths = np.diff(at, prepend=0, append=len(positions))
        return np.repeat(np.arange(-1, len(self.bounds)), lengths)

    def rows_of(self, identities: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
        """Return the rows of all versions of these documents that the segment holds."""
        known = self._sorted_identities
        low = np.searchsorted(known, identities, side="left")
        high = np.searchsorted(known, identities, side="right")
        hits = np.flatnonzero(high > low)
        found = [self._identity_order[low[i] : high[i]] for i in hits]
        return np.concatenate(found).astype(np.intp) if found else np.empty(0, dtype=np.intp)

    def space_before(self, start: int, stop: int) -> npt.NDArray[np.bool_]:
        """Return for a stretch of positions whether white space stood before each token."""
        first = start // 8
        packed = self.packed_space[first : (stop + 7) // 8]
        return np.unpackbits(packed)[start - first * 8 : stop - first * 8].astype(np.bool_)

    def spaces_at(self, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return 1 where white space stood before a token, else 0."""
        bytes_at = self.packed_space[positions >> 3]
        result: npt.NDArray[np.uint8] = bytes_at >> (7 - (positions & 7)).astype(np.uint8) & 1
        return result

    def blocks_at(self, positions: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
        """Return the kind of the block each position stands in, a number of ``TextBlock``."""
        return blocks_at(self._block_starts, self._block_kinds, positions)

    def block_ends(self, positions: npt.NDArray[np.int64], kind: int) -> npt.NDArray[np.int64]:
        """Return where the blocks of a kind end that positions stand in; others end at once.

        Blocks of a kind that follow one another are one; the end of the text is not looked at.
        """
        return block_ends(self._block_starts, self._block_kinds, positions, kind)

    def data(self) -> SegmentData:
        """Return everything but the postings, for merging."""
        space = np.unpackbits(self.packed_space, count=self.n_tokens).astype(np.bool_)
        blocks = unpack_blocks(self._block_starts, self._block_kinds, self.n_tokens)
        tokens = TokenColumns(self.stream, self.tags, self._starts(), self.right, space, blocks)
        return SegmentData(self.documents, tokens)

    def texts(self, first: int, stop: int) -> SegmentData:
        """Return some documents with their tokens, by their rows."""
        low, high = int(self.bounds[first]), int(self.bounds[stop])
        stretch = slice(low, high)
        tokens = TokenColumns(
            self.stream[stretch],
            self.tags[stretch],
            self.left[stretch] == 0,
            self.right[stretch],
            self.space_before(low, high),
            self.blocks_at(np.arange(low, high)),
        )
        return SegmentData(self.documents.take(np.arange(first, stop)), tokens)

    def verify(self) -> None:
        """Compare all bytes with their checksums; raises DamagedFileError."""
        self._container.verify()

    def _starts(self) -> npt.NDArray[np.bool_]:
        return unpack_starts(self.sentence_bits, self.n_tokens)

    def _check(self) -> None:
        """Refuse sections that do not fit together."""
        postings = self.postings
        sizes = {len(self.tags), len(self.right), len(postings.positions)}
        if sizes != {self.n_tokens} or int(self.bounds[-1]) != self.n_tokens:
            raise DamagedFileError(self.name, "its sections have different lengths")
        if len(postings.starts) != len(postings.types) + 1:
            raise DamagedFileError(self.name, "its postings have different lengths")
        if len(self.sentence_bits) * 64 < self.n_tokens:
            raise DamagedFileError(self.name, "its sentences are cut short")
        if len(self._block_starts) != len(self._block_kinds):
            raise DamagedFileError(self.name, "its blocks have different lengths")
        if len(self.packed_space) * 8 < self.n_tokens:
            raise DamagedFileError(self.name, "its white space is cut short")


def _sentence_bits(container: Container) -> npt.NDArray[np.uint64]:
    """Return where sentences start; version 1 had a byte a token that counts from the start."""
    if container.version > 1:
        return container["sentence_bits"]
    return pack_starts(container["left"] == 0)
