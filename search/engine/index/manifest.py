"""The manifest: which files make up the index at a generation, and who may write the next one.

Input → output: ``Manifest`` ↔ ``manifest.json``, replaced by rename after everything it names is on
disk. Whoever reads it sees one whole generation, the one before or the one after, never a mixture.
Files of the folder that are not the index's own are never touched.
"""

import fcntl
import json
import os
import re
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from search.engine.index.errors import DamagedFileError, IndexLockedError
from search.engine.index.lexicon.lexicon import LexiconSize
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.segments.withdrawals import Span

MANIFEST_NAME = "manifest.json"
MANIFEST_VERSION = 2
TAIL_LEVEL = 0
DAY_LEVEL = 1
MONTH_LEVEL = 2
MIXED = 0  # the kind of a segment that holds several
INLINE = "inline"  # how the names of a commit's unfinished merges begin
OWN_FILE = re.compile(
    r"(?:(?P<number>\d{8})\.(?:segment|removals)"
    r"|inline-\d+\.(?:segment|base)"
    r"|lexicon-(?P<epoch>\d{6})\.(?:base|log|stems(?:\.\d+)?))(?:\.tmp)?"
)
LOCK_NAME = "writer.lock"
FOLLOWER_LOCK_NAME = "follower.lock"  # in folders that follow another machine's index
POLL_SECONDS = 0.01  # a commit takes 10 to 20 ms
LOCK_TIMEOUT_SECONDS = 30.0  # whoever holds the lock longer does more than commit


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """One segment of a generation.

    ``kind`` is 0 for a mixture; ``first_day`` and ``last_day`` bound the days of publication of its
    documents. ``removals`` names the file of documents replaced or removed since it was written.
    ``keeps_order`` says that its documents stand in the order they were given in and that it is
    never merged. ``damage`` says what was found wrong with its files: it is not served then, but
    kept for the day they are put back.
    """

    name: str
    level: int
    kind: int
    n_tokens: int
    n_documents: int
    first_day: int
    last_day: int
    removals: str = ""
    keeps_order: bool = False
    damage: str = ""


@dataclass(frozen=True, slots=True)
class LexiconFiles:
    """The lexicon of a generation: the number of its base file, how much of the log, its size.

    ``log_origin`` is how many bytes of older logs have gone into the base, so that a process that
    knows the lexicon up to some byte can read on when the base is written anew. It cannot when
    ``n_fadings`` has changed: entries have lost their names then.
    """

    epoch: int = 0
    log_bytes: int = 0
    size: LexiconSize = field(default_factory=LexiconSize)
    log_origin: int = 0
    n_fadings: int = 0

    @property
    def base_name(self) -> str:
        """File name of the base; epoch 0 has none."""
        return f"lexicon-{self.epoch:06d}.base"

    @property
    def stems_name(self) -> str:
        """File name of the stems; there may be none yet."""
        return f"lexicon-{self.epoch:06d}.stems"

    @property
    def log_name(self) -> str:
        """File name of the log."""
        return f"lexicon-{self.epoch:06d}.log"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation of the index.

    ``identity`` is drawn when an index is first made, so that a reader notices when a folder has
    been replaced by another index; ``next_file`` numbers new files. Generations before
    ``history_from`` may lack documents that had gone out when the index was last rebuilt.
    ``withdrawal`` is the last generation that took documents out of older ones too, ``erased`` sums
    up those of them that are not in the files any more; ``holds_erased_words`` says that the
    lexicon may still name words of these.
    """

    identity: str
    generation: int = 0
    next_file: int = 1
    lexicon: LexiconFiles = field(default_factory=LexiconFiles)
    segments: tuple[SegmentEntry, ...] = ()
    history_from: int = 0
    withdrawal: int = 0
    erased: tuple[Span, ...] = ()
    holds_erased_words: bool = False

    def file_names(self) -> set[str]:
        """Return the names of all files this generation may use."""
        names = {segment.name for segment in self.segments}
        names |= {segment.removals for segment in self.segments if segment.removals}
        names |= {MANIFEST_NAME, self.lexicon.log_name, self.lexicon.stems_name}
        if self.lexicon.epoch:
            names.add(self.lexicon.base_name)
        return names

    def with_segments(self, segments: list[SegmentEntry]) -> "Manifest":
        """Return the manifest with other segments."""
        return replace(self, segments=tuple(segments))


def describe(name: str, place: tuple[int, int], documents: DocumentColumns) -> SegmentEntry:
    """Return the entry of a segment with these documents (at least one); place: level, kind."""
    level, kind = place
    return SegmentEntry(
        name=name,
        level=level,
        kind=kind,
        n_tokens=int(documents.n_tokens.sum(dtype=np.int64)),
        n_documents=len(documents),
        first_day=int(documents.day.min()),
        last_day=int(documents.day.max()),
    )


def new_manifest() -> Manifest:
    """Return the manifest of an empty index."""
    return Manifest(identity=os.urandom(8).hex())


def load_manifest(folder: Path) -> Manifest | None:
    """Read the current generation, None if the folder holds no index.

    Raises
    ------
    DamagedFileError
        If the file is not a manifest this program can read.
    """
    try:
        text = (folder / MANIFEST_NAME).read_bytes()
    except FileNotFoundError:
        return None
    try:
        return manifest_of(json.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(MANIFEST_NAME, f"is not readable: {error}") from error


def store_manifest(folder: Path, manifest: Manifest) -> None:
    """Make a generation the current one; everything it names must be on disk already."""
    temporary = folder / f"{MANIFEST_NAME}.tmp"
    plain = {"version": MANIFEST_VERSION, **asdict(manifest)}
    with temporary.open("wb") as file:
        file.write(json.dumps(plain, separators=(",", ":")).encode())
        file.flush()
        os.fsync(file.fileno())
    sync_folder(folder)  # the names of the new files, before the manifest that uses them
    temporary.replace(folder / MANIFEST_NAME)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def manifest_of(plain: dict[str, Any]) -> Manifest:
    """Make a manifest of what its file says.

    Raises
    ------
    ValueError, KeyError, TypeError
        If that is none, or of a newer version.
    """
    version = plain["version"]
    if version > MANIFEST_VERSION:
        raise ValueError(f"version {version} is newer than {MANIFEST_VERSION}")
    lexicon = plain["lexicon"]
    return Manifest(
        identity=plain["identity"],
        generation=plain["generation"],
        next_file=plain["next_file"],
        lexicon=LexiconFiles(
            lexicon["epoch"],
            lexicon["log_bytes"],
            LexiconSize(**lexicon["size"]),
            lexicon.get("log_origin", 0),
            lexicon.get("n_fadings", 0),
        ),
        segments=tuple(SegmentEntry(**segment) for segment in plain["segments"]),
        history_from=plain.get("history_from", 0),
        withdrawal=plain.get("withdrawal", 0),
        erased=tuple((came, went, n) for came, went, n in plain.get("erased", ())),
        holds_erased_words=plain.get("holds_erased_words", False),
    )


def delete_unused(folder: Path, used: set[str]) -> None:
    """Delete the index's own files that are not named.

    Readers that still map a deleted file keep it; one that has read an older manifest but not
    opened its files yet finds them missing and reads the manifest again.
    """
    for path in folder.iterdir():
        if path.name not in used and OWN_FILE.fullmatch(path.name):
            path.unlink(missing_ok=True)


def manifest_to_follow(folder: Path) -> Manifest:
    """Return the manifest to count on from, judged by the file names if it cannot be read."""
    try:
        manifest = load_manifest(folder)
    except DamagedFileError:
        manifest = None
    found = manifest or new_manifest()
    matches = [match for path in folder.iterdir() if (match := OWN_FILE.match(path.name))]
    numbers = [int(match["number"]) + 1 for match in matches if match["number"]]
    epochs = [int(match["epoch"]) for match in matches if match["epoch"]]
    return replace(
        found,
        next_file=max([found.next_file, *numbers]),
        lexicon=replace(found.lexicon, epoch=max([found.lexicon.epoch, *epochs])),
    )


def is_following(folder: Path) -> bool:
    """Say whether a folder follows another machine's index: only its follower writes there."""
    return (folder / FOLLOWER_LOCK_NAME).exists()


class WriterLock:
    """An exclusive lock on an index folder, or on one kind of work in it.

    The kernel drops it when its process ends, however it ends, so there is nothing to clean up. A
    folder that follows another machine's index has no writer but its follower, whose
    lock's file says so.
    """

    def __init__(self, folder: Path, name: str = LOCK_NAME) -> None:
        self._path = folder / name
        self._descriptor: int | None = None

    @property
    def is_held(self) -> bool:
        """True between acquire and release."""
        return self._descriptor is not None

    def acquire(self, timeout_seconds: float) -> None:
        """Take the lock, waiting for another holder up to a limit.

        Raises
        ------
        IndexLockedError
            If it was not free in time, or the folder follows another machine's index.
        """
        if self._path.name != FOLLOWER_LOCK_NAME and is_following(self._path.parent):
            raise IndexLockedError(f"{self._path.parent} follows another machine's index")
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        deadline = time.monotonic() + timeout_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    raise IndexLockedError(f"{self._path} is held by another process") from None
                time.sleep(POLL_SECONDS)
            else:
                self._descriptor = descriptor
                return

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
