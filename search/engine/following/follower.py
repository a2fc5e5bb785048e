"""Following: the folder of an index is brought to the generation that a source lists.

Input → output: a folder and a source → the same folder at the source's generation. New files are
fetched part by part beside the index, each is checked whole, and the manifest comes last, by one
rename: whoever reads sees the generation before or the one after. A kill at any byte leaves the one
before, and what has been fetched is gone on with. What the new generation does not name is deleted
with the swap, so texts and words that were erased at the source leave this disk too.

Older generations are in the same files: whatever the source can count "as of", its followers can.
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from search.engine.following.listing import (
    LOG_SUFFIX,
    ListedFile,
    Listing,
    digest_of,
    log_digest,
)
from search.engine.index.errors import CorpusIndexError, DamagedFileError
from search.engine.index.lexicon.log import decode_blocks, read_base
from search.engine.index.manifest import (
    FOLLOWER_LOCK_NAME,
    MANIFEST_NAME,
    Manifest,
    WriterLock,
    delete_unused,
    is_following,
    load_manifest,
    store_manifest,
    sync_folder,
)
from search.engine.index.segments.removals import Removals
from search.engine.index.segments.segment import Segment

INCOMING = "incoming"  # folder of what is being fetched
PART_BYTES = 4 << 20  # of one request: 16 s by a line of 2 Mbit/s


class SourceError(CorpusIndexError):
    """Raised when a source is away or says what cannot be; the next look tries again."""


class MovedOnError(CorpusIndexError):
    """Raised when a source has a newer generation by now: list it anew and go on."""


class NotAFollowerError(CorpusIndexError):
    """Raised for a folder whose index this machine has written; its sentence is shown."""


class Source(Protocol):
    """Where an index is followed from."""

    def listing(self) -> Listing:
        """Return the newest listing; SourceError, ListingError."""

    def read(self, file: ListedFile, offset: int, length: int) -> bytes:
        """Return bytes of a file, as many as asked for; MovedOnError if it is gone, SourceError."""


class Follower:
    """The one process that writes to a folder which follows another machine's index.

    Parameters
    ----------
    folder : Path
        Empty, or one that has followed before.
    source : Source
    min_free_bytes : int
        What is left free on the disk.
    on_progress : callable
        Is told how many bytes are still to be fetched, before each request.
    """

    def __init__(
        self,
        folder: Path,
        source: Source,
        min_free_bytes: int = 0,
        on_progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._incoming = folder / INCOMING
        self._source = source
        self._min_free_bytes = min_free_bytes
        self._on_progress = on_progress

    @property
    def generation(self) -> int:
        """The generation that is served here."""
        manifest = load_manifest(self._folder)
        return manifest.generation if manifest else 0

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the folder: others neither follow nor write while this lasts.

        Raises
        ------
        NotAFollowerError
            If an index lies there that was written by this machine.
        IndexLockedError
            If another process follows.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        if not is_following(self._folder) and (self._folder / MANIFEST_NAME).exists():
            raise NotAFollowerError(
                f"{self._folder} holds an index that was written on this machine. Choose an empty "
                "INDEX_DIR to follow another machine's."
            )
        lock = WriterLock(self._folder, FOLLOWER_LOCK_NAME)
        lock.acquire(0.0)
        try:
            yield
        finally:
            lock.release()

    def follow(self, listing: Listing, *, is_thorough: bool = False) -> bool:
        """Bring the folder to a listing's generation; says whether anything had changed.

        Parameters
        ----------
        listing : Listing
            Of the source.
        is_thorough : bool
            Whether all bytes that lie here are compared with their checksums first.

        Raises
        ------
        MovedOnError, SourceError, OSError
            What was fetched by then is kept for the next call.
        """
        here = _own_manifest(self._folder)
        present = {file.name for file in listing.files if self._has(file, is_thorough)}
        missing = [file for file in listing.files if file.name not in present]
        self._tidy(missing)
        if not missing and _is_same(here, listing.manifest):
            return False
        self._demand_room(missing)
        grown = [file for file in missing if file.name.endswith(LOG_SUFFIX)]
        containers = [file for file in missing if file not in grown]
        left = sum(file.n_bytes - self._size_fetched(file) for file in missing)
        for file in containers:
            left = self._fetch(file, left)
        logs = {file.name: self._new_log(file) for file in grown}
        self._swap(listing.manifest, containers, logs)
        return True

    def _has(self, file: ListedFile, is_thorough: bool) -> bool:
        path = self._folder / file.name
        try:
            if digest_of(path, file.n_bytes) != file.digest:
                return False
            if is_thorough:
                _check(path)
        except (FileNotFoundError, DamagedFileError):
            return False
        return True

    def _tidy(self, wanted: list[ListedFile]) -> None:
        """Delete what was fetched for a listing that is none any more."""
        self._incoming.mkdir(exist_ok=True)
        names = {file.object_name for file in wanted}
        for path in self._incoming.iterdir():
            if path.name not in names:
                path.unlink(missing_ok=True)

    def _demand_room(self, missing: list[ListedFile]) -> None:
        wanted = sum(file.n_bytes - self._size_fetched(file) for file in missing)
        free = shutil.disk_usage(self._folder).free - self._min_free_bytes
        if missing and wanted > free:
            raise SourceError(
                f"The index needs {wanted} more bytes on the disk, {free} may be used."
            )

    def _size_fetched(self, file: ListedFile) -> int:
        try:
            return min((self._incoming / file.object_name).stat().st_size, file.n_bytes)
        except FileNotFoundError:
            return 0

    def _fetch(self, file: ListedFile, left: int) -> int:
        """Fetch a container to its end and check it; returns how many bytes are left of all."""
        path = self._incoming / file.object_name
        with path.open("ab") as target:
            if target.tell() > file.n_bytes:
                target.truncate(0)
            while (at := os.fstat(target.fileno()).st_size) < file.n_bytes:
                self._on_progress(left)
                data = self._part(file, at, min(PART_BYTES, file.n_bytes - at))
                target.write(data)
                target.flush()
                left -= len(data)
            os.fsync(target.fileno())
        self._believe(path, file)
        return left

    def _believe(self, path: Path, file: ListedFile) -> None:
        """Check a container that was fetched to its end; one that is not as listed is deleted."""
        reason: object = f"{file.name} is not what was listed"
        try:
            if digest_of(path, file.n_bytes) == file.digest:
                _check(path, file.name)
                return
        except DamagedFileError as error:
            reason = error
        path.unlink()
        raise SourceError(f"The source sent a damaged file: {reason}.")

    def _part(self, file: ListedFile, offset: int, length: int) -> bytes:
        data = self._source.read(file, offset, length)
        if len(data) != length:
            raise SourceError(f"The source sent {len(data)} of {length} bytes of {file.name}.")
        return data

    def _new_log(self, file: ListedFile) -> tuple[int, bytes]:
        """Fetch what is new of the lexicon's log; returns how much of the old one stays, and it."""
        try:
            known = (self._folder / file.name).read_bytes()[: file.n_bytes]
        except FileNotFoundError:
            known = b""
        for start in dict.fromkeys((len(known), 0)):
            rest = b"".join(
                self._part(file, at, min(PART_BYTES, file.n_bytes - at))
                for at in range(start, file.n_bytes, PART_BYTES)
            )
            if log_digest(known[:start] + rest) == file.digest:
                return start, rest
        raise SourceError(f"The source sent a damaged file. {file.name} has changed bytes.")

    def _swap(
        self,
        manifest: Manifest,
        containers: list[ListedFile],
        logs: dict[str, tuple[int, bytes]],
    ) -> None:
        """Put files in place, then the manifest, and delete what it does not name."""
        replaced = {file.name for file in containers if (self._folder / file.name).exists()}
        for file in containers:
            (self._incoming / file.object_name).replace(self._folder / file.name)
        for name, (start, rest) in logs.items():
            path = self._folder / name
            if start or not path.exists():
                _append(path, start, rest)
            else:
                replaced.add(name)
                _write_anew(path, self._incoming / name, rest)
        if not manifest.lexicon.log_bytes:
            (self._folder / manifest.lexicon.log_name).touch()
        sync_folder(self._folder)
        if replaced:
            # Other bytes under known names: the source was put back from a backup. Readers that
            # have the old files open must not take them for the new ones.
            manifest = replace(manifest, identity=secrets.token_hex(8))
            (self._folder / manifest.lexicon.stems_name).unlink(missing_ok=True)
        store_manifest(self._folder, manifest)
        delete_unused(self._folder, manifest.file_names())


def _own_manifest(folder: Path) -> Manifest | None:
    """Return the manifest here; one that cannot be read is replaced by the next one."""
    try:
        return load_manifest(folder)
    except DamagedFileError:
        return None


def _is_same(here: Manifest | None, there: Manifest) -> bool:
    return here is not None and replace(here, identity=there.identity) == there


def _append(path: Path, start: int, rest: bytes) -> None:
    """Go on with a log behind what readers of the present manifest know of it."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.seek(start)
        file.write(rest)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _write_anew(path: Path, draft: Path, data: bytes) -> None:
    draft.write_bytes(data)
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)


def _check(path: Path, name: str = "") -> None:
    """Read every byte of a file and compare checksums; DamagedFileError."""
    suffix = Path(name or path.name).suffix
    if suffix == ".segment":
        segment = Segment.open(path)
        segment.verify()
    elif suffix == ".removals":
        Removals.read(path)
    elif suffix == ".base":
        read_base(path)
    else:
        list(decode_blocks(path.name, path.read_bytes()))
