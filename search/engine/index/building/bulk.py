"""Building an index at one go from texts that are tokenized already, in the order they come.

Input → output: documents with the lines of a vertical file (or with tokens) → segments, lexicon and
one generation. The documents keep their order, so a position in the corpus is the number of tokens
in the segments before plus the position in the segment (``corpus_offsets``). Such segments are
never merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from search.engine.index.building.encoding import row_of
from search.engine.index.building.line_numbers import (
    LineMark,
    LineNumbers,
    Parse,
    n_lines_in,
    parse_vertical_line,
)
from search.engine.index.building.marked_lines import NumberedDocument, read_lines
from search.engine.index.building.merge import MAX_SEGMENT_TOKENS
from search.engine.index.documents import IndexDocument
from search.engine.index.errors import TokenLineError, TooManyTagsError
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.lexicon.log import write_base
from search.engine.index.manifest import (
    LOCK_TIMEOUT_SECONDS,
    MIXED,
    MONTH_LEVEL,
    LexiconFiles,
    Manifest,
    SegmentEntry,
    WriterLock,
    delete_unused,
    describe,
    manifest_to_follow,
    new_manifest,
    store_manifest,
)
from search.engine.index.segments.segment import SegmentData, concatenate, write_segment

TOKENS_PER_SEGMENT = 12_000_000  # nine at 100 M tokens; 600 MB of memory while they are built
LINES_PER_BLOCK = 1 << 19  # taken at once when sentences and white space are worked out
BYTES_PER_BLOCK = 6 << 20  # the same in bytes of lines
# Nothing is merged here: after 32 segments of one size every eight double it, so that queries visit
# tens of segments and not thousands.
SEGMENTS_OF_ONE_SIZE = 32
SEGMENTS_PER_DOUBLING = 8


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a bulk build came to."""

    n_documents: int
    n_tokens: int
    n_types: int
    n_segments: int
    n_bytes: int
    generation: int


@dataclass(frozen=True, slots=True)
class _Text:
    """A document whose lines have not been looked at: its row of columns, lines, first line."""

    row: tuple[int, ...]
    lines: bytes
    first_line: int

    @property
    def n_lines(self) -> int:
        return n_lines_in(self.lines)


def _in_its_text(texts: Sequence[_Text], error: TokenLineError) -> TokenLineError:
    """Name a line by its number in the file; so far it is counted from the first text's first."""
    line = error.line
    for text in texts:
        if line < text.n_lines:
            if isinstance(error, TooManyTagsError):
                return TooManyTagsError(text.first_line - 1, error.reason)
            return TokenLineError(text.first_line + line, error.reason)
        line -= text.n_lines
    return error


class BulkBuilder:
    r"""Builds an index in a folder, in place of the one that may be there; a context manager.

    Parameters
    ----------
    folder : Path
        Made if it does not exist. What it serves changes with ``publish``, at once; without it
        everything written is deleted when the block ends.
    tokens_per_segment : int
        A segment closes with the document that reaches this many tokens; after 32 segments each
        eight have twice as many, up to the most that a merge makes, so that few remain.
    parse : callable
        Reads a line, see ``parse_vertical_line``; called once for each line that differs.
    lock_timeout_seconds : float
        How long to wait for another writer.

    Examples
    --------
    >>> import tempfile
    >>> from search.engine.index.documents import DocumentKind
    >>> lines = b"<s>\nRain\train\tNN\nfalls\tfall\tVBZ\n</s>\n"
    >>> with (
    ...     tempfile.TemporaryDirectory() as folder,
    ...     BulkBuilder(Path(folder)) as builder,
    ... ):
    ...     builder.add_lines(IndexDocument(1, DocumentKind.ARTICLE, ()), lines)
    ...     builder.publish().n_tokens
    2
    """

    def __init__(
        self,
        folder: Path,
        *,
        tokens_per_segment: int = TOKENS_PER_SEGMENT,
        parse: Parse = parse_vertical_line,
        lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
    ) -> None:
        self._folder = folder
        self._lock = WriterLock(folder)
        self._lock_timeout_seconds = lock_timeout_seconds
        self._tokens_per_segment = tokens_per_segment
        self._builder = LexiconBuilder(Lexicon())
        self._lines = LineNumbers(self._builder, parse)
        self._unread: list[_Text] = []
        self._n_unread = 0
        self._pending: list[NumberedDocument] = []
        self._n_pending = 0
        self._blocks: list[SegmentData] = []
        self._entries: list[SegmentEntry] = []
        self._identities: list[npt.NDArray[np.uint64]] = []
        self._n_bytes = 0
        self._manifest = new_manifest()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(self._lock_timeout_seconds)
        self._manifest = manifest_to_follow(self._folder)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for entry in self._entries:
            (self._folder / entry.name).unlink(missing_ok=True)
        self._entries = []
        self._lock.release()

    def add_lines(self, document: IndexDocument, lines: bytes, first_line: int = 1) -> None:
        """Add a document whose tokens are lines of a vertical file.

        Parameters
        ----------
        document : IndexDocument
            Its columns; tokens and sentences are taken from the lines.
        lines : bytes
            Everything between ``<text …>`` and ``</text>``, each line with its line feed, in UTF-8
            without NUL bytes.
        first_line : int
            Number of the first of them in the file.

        Raises
        ------
        TokenLineError
            For a line that is no token and no tag; for sentences in sentences and unclosed ones;
            perhaps only when later documents are added, at ``read_pending`` or at ``publish``.
        """
        self._unread.append(_Text(self._row(document), lines, first_line))
        self._n_unread += len(lines)
        if self._n_unread >= min(BYTES_PER_BLOCK, self._tokens_per_segment):
            self.read_pending()

    def add(self, document: IndexDocument) -> None:
        """Add a document with its tokens, sentences and white space."""
        if self._unread:
            self._number_lines()
        types = np.array(self._builder.types(document.tokens), dtype=np.uint32)
        starts = [start for start in document.sentence_starts if 0 < start < len(types)]
        numbers = np.insert(types, starts, np.uint32(LineMark.BREAK))
        space = document.space_before
        self._pending.append(NumberedDocument(self._row(document), numbers, 1, space))
        self._n_pending += len(numbers)
        if self._n_pending >= min(LINES_PER_BLOCK, self._tokens_per_segment):
            self.read_pending()

    def publish(self) -> BuildReport:
        """Write what is left and make the index the folder's current one, in one step.

        Raises
        ------
        TokenLineError
            As above.
        ValueError
            If two documents have the same kind and key.
        """
        self.read_pending()
        self._close_segment()
        self._check_identities()
        manifest = self._write_manifest()
        report = BuildReport(
            n_documents=sum(entry.n_documents for entry in self._entries),
            n_tokens=sum(entry.n_tokens for entry in self._entries),
            n_types=manifest.lexicon.size.n_types,
            n_segments=len(self._entries),
            n_bytes=self._n_bytes,
            generation=manifest.generation,
        )
        self._entries = []
        return report

    def _row(self, document: IndexDocument) -> tuple[int, ...]:
        return row_of(document, 0, self._builder, self._manifest.generation + 1)

    def _number_lines(self) -> None:
        """Give numbers to the lines of the texts that wait for it."""
        texts, self._unread, self._n_unread = self._unread, [], 0
        data = b"".join(text.lines for text in texts)
        try:
            numbers = self._lines.of(data)
        except TokenLineError as error:
            raise _in_its_text(texts, error) from error
        edges = np.cumsum([text.n_lines for text in texts])
        for text, own in zip(texts, np.split(numbers, edges[:-1]), strict=True):
            self._pending.append(NumberedDocument(text.row, own, text.first_line))

    def read_pending(self) -> None:
        """Turn lines into token columns, and close the segment if it is full.

        Raises
        ------
        TokenLineError
            For the first line that is at fault.
        """
        if self._unread:
            self._number_lines()
        if not self._pending:
            return
        self._blocks.append(read_lines(self._pending, self._builder))
        self._pending, self._n_pending = [], 0
        if sum(len(block.tokens) for block in self._blocks) >= self._full():
            self._close_segment()

    def _full(self) -> int:
        doublings = max(0, len(self._entries) - SEGMENTS_OF_ONE_SIZE) // SEGMENTS_PER_DOUBLING
        return min(self._tokens_per_segment << doublings, MAX_SEGMENT_TOKENS)

    def _close_segment(self) -> None:
        if not self._blocks:
            return
        data = concatenate(self._blocks)
        self._blocks = []
        name = f"{self._manifest.next_file:08d}.segment"
        self._manifest = replace(self._manifest, next_file=self._manifest.next_file + 1)
        kinds = np.unique(data.documents.kind)
        kind = int(kinds[0]) if len(kinds) == 1 else MIXED
        entry = describe(name, (MONTH_LEVEL, kind), data.documents)
        self._entries.append(replace(entry, keeps_order=True))
        self._n_bytes += write_segment(self._folder / name, data)
        self._identities.append(data.documents.identities())

    def _check_identities(self) -> None:
        identities = np.sort(np.concatenate([np.empty(0, np.uint64), *self._identities]))
        twice = np.flatnonzero(identities[1:] == identities[:-1])
        if len(twice):
            kind, key = divmod(int(identities[twice[0]]), 1 << 60)
            raise ValueError(f"two documents of kind {kind} have the key {key}")

    def _write_manifest(self) -> Manifest:
        """Write the lexicon, then the manifest; delete what the older one does not name."""
        old = self._manifest
        lexicon = Lexicon()
        block = self._builder.take_block()
        if block is not None:
            lexicon.extend(block)
        entry = LexiconFiles(old.lexicon.epoch + 1, 0, lexicon.size)
        self._n_bytes += write_base(self._folder / entry.base_name, lexicon)
        (self._folder / entry.log_name).touch()
        manifest = Manifest(
            identity=new_manifest().identity,
            generation=old.generation + 1,
            next_file=old.next_file,
            lexicon=entry,
            segments=tuple(self._entries),
        )
        store_manifest(self._folder, manifest)
        delete_unused(self._folder, manifest.file_names() | old.file_names())
        return manifest
