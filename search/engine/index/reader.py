"""Readers: an immutable snapshot of one generation, renewed when the manifest changes.

Input → output: an index folder → ``Snapshot`` (lexicon and segments of one generation) and stored
documents by key. A snapshot keeps its files mapped, so a query that runs on it is never disturbed
by the writer; damaged segments are named and left out, the others are served.
"""

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.documents import (
    TEXT_KINDS,
    UNIX_EPOCH,
    DocumentInfo,
    DocumentKind,
    DocumentRights,
    IndexSize,
    IndexToken,
    StoredDocument,
)
from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.lexicon import Lexicon, LexiconView
from search.engine.index.lexicon.log import load_lexicon, read_log
from search.engine.index.manifest import (
    MANIFEST_NAME,
    Manifest,
    SegmentEntry,
    load_manifest,
    new_manifest,
)
from search.engine.index.segments.columns import make_identities
from search.engine.index.segments.removals import Removals
from search.engine.index.segments.segment import Segment
from search.engine.index.segments.withdrawals import Span, had_at, n_withdrawn_since, shown_at

Mask = npt.NDArray[np.bool_]


class SegmentView:
    """A segment as one generation sees it: the file and which documents went out since."""

    def __init__(self, segment: Segment, entry: SegmentEntry, out: npt.NDArray[np.uint32]) -> None:
        self.segment = segment
        self.entry = entry
        self.generation_out = out

    def alive(self, generation: int) -> Mask | None:
        """Return which documents belong to a generation, None if all do."""
        if self._newest_in <= generation and not self._has_gone_out:
            return None
        incoming = self.segment.documents.generation_in
        mask = shown_at(incoming, self.generation_out, generation)
        return None if bool(mask.all()) else mask

    def had(self, generation: int) -> Mask:
        """Return which documents a generation had, those that were withdrawn since too.

        What is counted of these must not show them.
        """
        return had_at(self.segment.documents.generation_in, self.generation_out, generation)

    @cached_property
    def _newest_in(self) -> int:
        return int(self.segment.documents.generation_in.max(initial=0))

    @cached_property
    def _has_gone_out(self) -> bool:
        return bool(self.generation_out.any())

    def current_row(self, kind: DocumentKind, key: int, generation: int) -> int | None:
        """Return the row of a document as of a generation, None if it is not here."""
        wanted = make_identities(np.array([kind], np.uint8), np.array([key], np.int64))
        rows = self.segment.rows_of(wanted)
        incoming = self.segment.documents.generation_in[rows]
        shown = rows[shown_at(incoming, self.generation_out[rows], generation)]
        return int(shown[0]) if len(shown) else None

    def n_withdrawn_since(self, generation: int) -> int:
        """Count the texts that a generation had and lacks by now, parts not among them."""
        is_text = np.isin(self.segment.documents.kind, list(TEXT_KINDS))
        incoming = self.segment.documents.generation_in[is_text]
        return n_withdrawn_since(incoming, self.generation_out[is_text], generation)


@dataclass(frozen=True)
class Snapshot:
    """One generation, open for reading.

    Generations before ``history_from`` may lack documents that had gone out when the index was last
    rebuilt; ``withdrawal`` is the last one that took texts out of older ones too, ``erased`` sums
    up those that are not in the files any more; ``damaged`` names the segments that are left out.
    ``text_id`` says how queries spell the key of a document; corpora of other tools have names for
    it. ``memories`` keeps what has been worked out of the snapshot, see `recent.Remembered`.
    """

    identity: str
    generation: int
    lexicon: LexiconView
    segments: tuple[SegmentView, ...]
    damaged: tuple[DamagedFileError, ...] = ()
    history_from: int = 0
    withdrawal: int = 0
    erased: tuple[Span, ...] = ()
    text_id: Callable[[int], str] = field(default=str, compare=False)
    memories: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def type_counts(self) -> npt.NDArray[np.int64]:
        """Frequency of each type over all segments, replaced and removed documents included."""
        counts = np.zeros(self.lexicon.size.n_types, dtype=np.int64)
        for view in self.segments:
            postings = view.segment.postings
            counts[postings.types] += postings.counts()
        return counts

    def count_from(self, before: "Snapshot") -> None:
        """Work out `type_counts` and `tag_counts` from an older snapshot's, if that has counted.

        Costs time in the tokens of segments that have come or gone, not of all.
        """
        known = before.__dict__.get("type_counts")
        if known is None or before.identity != self.identity or before.is_longer_than(self):
            return
        counts = np.zeros(self.lexicon.size.n_types, dtype=np.int64)
        counts[: len(known)] = known
        known_tags = before.tag_counts
        tags = np.zeros(self.lexicon.size.n_tags, dtype=np.int64)
        tags[: len(known_tags)] = known_tags
        ours, theirs = ({view.segment for view in s.segments} for s in (self, before))
        for sign, segments in ((1, ours - theirs), (-1, theirs - ours)):
            for segment in segments:
                types, more = segment.postings.types, sign * segment.postings.counts()
                counts[types] += more
                np.add.at(tags, self.lexicon.tags[types], more)
        self.__dict__["type_counts"] = counts
        self.__dict__["tag_counts"] = tags

    def is_longer_than(self, other: "Snapshot") -> bool:
        """Say whether the lexicon knows types that another snapshot's does not."""
        return self.lexicon.size.n_types > other.lexicon.size.n_types

    @cached_property
    def tag_counts(self) -> npt.NDArray[np.int64]:
        """Frequency of each tag over all segments, replaced and removed documents included."""
        size = self.lexicon.size
        sums = np.bincount(self.lexicon.tags, weights=self.type_counts, minlength=size.n_tags)
        return sums.astype(np.int64)

    def n_withdrawn_since(self, generation: int) -> int:
        """Count the documents that a generation had and that were withdrawn or erased since."""
        erased = sum(n for came, went, n in self.erased if came <= generation < went)
        return erased + sum(view.n_withdrawn_since(generation) for view in self.segments)

    @cached_property
    def n_tokens(self) -> int:
        """Number of positions in all segments, replaced and removed documents included."""
        return sum(view.segment.n_tokens for view in self.segments)

    def size(self) -> IndexSize:
        """Count current documents and tokens; O(documents)."""
        tokens = dict.fromkeys(sorted(TEXT_KINDS), 0)
        documents = dict.fromkeys(sorted(TEXT_KINDS), 0)
        for view in self.segments:
            columns = view.segment.documents
            mask = view.alive(self.generation)
            for kind in tokens:
                member = columns.kind == kind
                member = member if mask is None else member & mask
                documents[kind] += int(member.sum())
                tokens[kind] += int(columns.n_tokens[member].sum(dtype=np.int64))
        return IndexSize(
            generation=self.generation,
            n_tokens=sum(tokens[kind] for kind in TEXT_KINDS),
            n_documents=sum(documents[kind] for kind in TEXT_KINDS),
            n_types=self.lexicon.size.n_types,
            n_segments=len(self.segments),
            tokens_by_kind=tokens,
            documents_by_kind=documents,
        )

    def locate(
        self, kind: DocumentKind, key: int, generation: int | None = None
    ) -> tuple[SegmentView, int] | None:
        """Return the segment and row of a document, None if the generation does not have it."""
        at = self.generation if generation is None else generation
        for view in self.segments:
            row = view.current_row(kind, key, at)
            if row is not None:
                return view, row
        return None

    def document(
        self, kind: DocumentKind, key: int, generation: int | None = None
    ) -> StoredDocument | None:
        """Read a document back with its tokens, lemmas and tags; None if it is not there.

        Raises
        ------
        DamagedFileError
            If its tokens cannot be those that were written.
        """
        found = self.locate(kind, key, generation)
        if found is None:
            return None
        view, row = found
        segment = view.segment
        start, stop = int(segment.bounds[row]), int(segment.bounds[row + 1])
        try:
            tokens = self.tokens(segment.stream[start:stop])
        except IndexError as error:
            reason = "holds numbers that the lexicon does not know"
            raise DamagedFileError(segment.name, reason) from error
        return StoredDocument(
            info=self.document_info(view, row),
            tokens=tokens,
            sentence_starts=np.flatnonzero(segment.left[start:stop] == 0).tolist(),
            space_before=segment.space_before(start, stop).tolist(),
            blocks=segment.blocks_at(np.arange(start, stop)).tolist(),
        )

    def tokens(self, types: npt.NDArray[np.uint32]) -> list[IndexToken]:
        """Return word, lemma and tag of each type number."""
        lexicon = self.lexicon
        words = map(lexicon.form, lexicon.words[types].tolist())
        lemmas = map(lexicon.form, lexicon.lemmas[types].tolist())
        tags = map(lexicon.tag, lexicon.tags[types].tolist())
        return list(map(IndexToken, words, lemmas, tags))

    def document_info(self, view: SegmentView, row: int) -> DocumentInfo:
        """Return the columns of one document."""
        columns, value = view.segment.documents, self.lexicon.value
        return DocumentInfo(
            key=int(columns.key[row]),
            kind=DocumentKind(int(columns.kind[row])),
            publication=value(int(columns.publication[row])),
            section=value(int(columns.section[row])),
            author=value(int(columns.author[row])),
            language=value(int(columns.language[row])),
            published_seconds=int(columns.published[row]),
            ingested_seconds=int(columns.ingested[row]),
            day=UNIX_EPOCH + dt.timedelta(days=int(columns.day[row])),
            duplicate_cluster=int(columns.duplicate_cluster[row]),
            story_cluster=int(columns.story_cluster[row]),
            parent_key=int(columns.parent_key[row]),
            generation_in=int(columns.generation_in[row]),
            generation_out=int(view.generation_out[row]),
            n_tokens=int(columns.n_tokens[row]),
            is_changed=bool(columns.changed[row]),
            rights=DocumentRights(int(columns.rights[row])),
            is_undated=bool(columns.undated[row]),
        )


def corpus_offsets(snapshot: Snapshot) -> list[int]:
    """Return at which position of the corpus each segment of a snapshot starts."""
    lengths = [view.segment.n_tokens for view in snapshot.segments]
    return [sum(lengths[:i]) for i in range(len(lengths))]


class IndexReader:
    """Gives the newest snapshot of an index folder; one per process, safe between threads.

    Parameters
    ----------
    folder : Path
        May be missing or empty: then the snapshot is of an empty index, generation 0.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._manifest = new_manifest()
        self._lexicon = Lexicon()
        self._views: dict[tuple[str, str], SegmentView] = {}
        self._unsound: dict[str, DamagedFileError] = {}
        self._snapshot = Snapshot(self._manifest.identity, 0, self._lexicon.view(), ())
        self.refresh()

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the last refresh."""
        return self._snapshot

    @property
    def generation(self) -> int:
        """The generation of the last refresh."""
        return self._snapshot.generation

    def refresh(self) -> bool:
        """Open the current generation if the manifest has changed; says whether it had.

        Raises
        ------
        DamagedFileError
            If manifest or lexicon cannot be read; the old snapshot stays in use.
        """
        stamp = self._read_stamp()
        if stamp == self._stamp:
            return False
        with self._lock:
            while not self._try_to_open():
                pass  # a writer has published a newer generation and deleted the one just read
        return True

    def verify(self) -> list[DamagedFileError]:
        """Read every byte of the current generation; segments that have changed are left out.

        Returns
        -------
        list of DamagedFileError
            All that is wrong with its segments, known before or found now. Half a second per GB of
            index in memory; for an administrator, or after an answer that cannot be.
        """
        self.refresh()
        with self._lock:
            found = []
            for view in self._snapshot.segments:
                try:
                    view.segment.verify()
                except DamagedFileError as error:
                    found.append(error)
            names = {error.name for error in found}
            sound = tuple(v for v in self._snapshot.segments if v.entry.name not in names)
            self._unsound |= {error.name: error for error in found}
            self._snapshot = self._snapshot_of(self._manifest, sound, self._snapshot.damaged)
            return list(self._snapshot.damaged)

    def _try_to_open(self) -> bool:
        """Open the current generation; False if it went out of date on the way."""
        stamp = self._read_stamp()
        manifest = load_manifest(self._folder) or new_manifest()
        try:
            self._open(manifest)
        except FileNotFoundError as error:
            if self._read_stamp() != stamp:
                return False
            name = Path(str(error.filename)).name
            raise DamagedFileError(name, "is missing") from error
        self._stamp = stamp
        return True

    def _read_stamp(self) -> tuple[int, int, int] | None:
        try:
            status = (self._folder / MANIFEST_NAME).stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def _open(self, manifest: Manifest) -> None:
        lexicon = self._current_lexicon(manifest)
        damaged: list[DamagedFileError] = []
        views = []
        for entry in manifest.segments:
            view = self._views.get((entry.name, entry.removals))
            if view is None or manifest.identity != self._manifest.identity:
                try:
                    view = self._open_segment(entry)
                except DamagedFileError as error:
                    damaged.append(error)
                    continue
                except FileNotFoundError as error:
                    if load_manifest(self._folder) != manifest:
                        raise
                    name = Path(str(error.filename)).name
                    damaged.append(DamagedFileError(name, "is missing"))
                    continue
            views.append(view)
        self._views = {(view.entry.name, view.entry.removals): view for view in views}
        self._lexicon, self._manifest = lexicon, manifest
        before = self._snapshot
        self._snapshot = self._snapshot_of(manifest, tuple(views), tuple(damaged))
        self._snapshot.count_from(before)

    def _snapshot_of(
        self,
        manifest: Manifest,
        views: tuple[SegmentView, ...],
        damaged: tuple[DamagedFileError, ...],
    ) -> Snapshot:
        """Make a snapshot without the segments that were found to be unsound."""
        unsound = [self._unsound[e.name] for e in manifest.segments if e.name in self._unsound]
        known = {error.name for error in damaged}
        return Snapshot(
            manifest.identity,
            manifest.generation,
            self._lexicon.view(manifest.lexicon.size),
            tuple(view for view in views if view.entry.name not in self._unsound),
            (*damaged, *(error for error in unsound if error.name not in known)),
            manifest.history_from,
            manifest.withdrawal,
            manifest.erased,
        )

    def _current_lexicon(self, manifest: Manifest) -> Lexicon:
        """Read only what was added when the same files have grown, else everything."""
        known, wanted = self._manifest.lexicon, manifest.lexicon
        if self._manifest.identity != manifest.identity or known.epoch != wanted.epoch:
            return load_lexicon(self._folder, wanted)
        for block in read_log(self._folder, wanted, known.log_bytes):
            self._lexicon.extend(block)
        return self._lexicon

    def _open_segment(self, entry: SegmentEntry) -> SegmentView:
        if entry.damage:
            raise DamagedFileError(entry.name, entry.damage)
        known = next((v for k, v in self._views.items() if k[0] == entry.name), None)
        segment = known.segment if known else Segment.open(self._folder / entry.name)
        out = segment.documents.generation_out
        if entry.removals:
            out = Removals.read(self._folder / entry.removals).applied_to(segment)
        return SegmentView(segment, entry, out)
