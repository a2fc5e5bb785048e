"""Copies of files and of a whole index folder, while others go on writing to them.

Source and target folder, and an earlier copy → a copy in which what has not changed since the
earlier one is a hard link to it: each copy is whole by itself and costs only what is new. Files of
the archive only ever grow and files of the index never change, so size and time tell.
"""

import os
import shutil
from pathlib import Path

from search.engine.annotation.own_languages import MANIFEST as LANGUAGE_MANIFEST
from search.engine.index.manifest import MANIFEST_NAME, Manifest, load_manifest

# A merge takes files away while they are copied; what is copied by then stays, so each try is
# shorter than the one before.
TRIES = 50


class IndexInMotionError(Exception):
    """Raised by `copy_index`, shown by the backup: files vanished at every try."""


def copy_file(source: Path, target: Path, earlier: Path | None = None) -> bool:
    """Copy a file durably, or link to an equal earlier copy; returns whether it was copied.

    Permissions and time are kept, by which the next copy sees whether it is still equal.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if earlier is not None and _is_same(source, earlier):
        try:
            target.hardlink_to(earlier)
        except OSError:
            pass  # another disk, or one without links
        else:
            return False
    shutil.copy2(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())
    return True


def copy_files(source: Path, target: Path, earlier: Path | None, pattern: str = "*") -> int:
    """Copy the plain files of a folder; returns how many bytes were copied and not linked."""
    target.mkdir(parents=True, exist_ok=True)
    n_bytes = 0
    for path in sorted(source.glob(pattern)):
        if path.is_file():
            copy = target / path.name
            if copy_file(path, copy, earlier / path.name if earlier else None):
                n_bytes += copy.stat().st_size
    return n_bytes


def copy_languages(source: Path, target: Path, earlier: Path | None = None) -> None:
    """Copy the languages that were learnt here; one may be learnt anew meanwhile.

    The manifest comes first: the files that it names stay until it was replaced twice.
    """
    for manifest in sorted(source.glob(f"*/{LANGUAGE_MANIFEST}")):
        name = manifest.parent.name
        before = earlier / name if earlier else None
        for pattern in (LANGUAGE_MANIFEST, "*.npz"):
            copy_files(manifest.parent, target / name, before, pattern)


def copy_index(source: Path, target: Path, earlier: Path | None = None) -> Manifest | None:
    """Copy one generation of an index that is being written to; returns it, None without an index.

    Raises
    ------
    IndexInMotionError
        If files vanished at every try.
    """
    target.mkdir(parents=True, exist_ok=True)
    manifest = None
    for _ in range(TRIES):
        manifest = load_manifest(source)
        if manifest is None:
            return None
        raw = (source / MANIFEST_NAME).read_bytes()
        if load_manifest(source) != manifest:
            continue
        if _copy_generation(source, target, manifest, _of_same_index(earlier, manifest)):
            (target / MANIFEST_NAME).write_bytes(raw)
            _leave_only(target, manifest.file_names())
            return manifest
    raise IndexInMotionError(f"the index in {source} changed at every one of {TRIES} tries")


def folder_size(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def sync_folders(folder: Path) -> None:
    """Make the names in a folder and below it durable."""
    for path in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_same(source: Path, earlier: Path) -> bool:
    try:
        now, then = source.stat(), earlier.stat()
    except FileNotFoundError:
        return False
    return (now.st_size, now.st_mtime_ns) == (then.st_size, then.st_mtime_ns)


def _of_same_index(earlier: Path | None, manifest: Manifest) -> Path | None:
    """Return the earlier copy if it is of this index: another one's files may have equal names."""
    known = load_manifest(earlier) if earlier is not None else None
    return earlier if known is not None and known.identity == manifest.identity else None


def _copy_generation(source: Path, target: Path, manifest: Manifest, earlier: Path | None) -> bool:
    """Copy what a manifest names; False when a file that it needs has vanished meanwhile."""
    lexicon = manifest.lexicon
    damaged = {entry.name for entry in manifest.segments if entry.damage}
    optional = {lexicon.stems_name, *damaged}
    for name in sorted(manifest.file_names() - {MANIFEST_NAME, lexicon.log_name}):
        if (target / name).exists() and name != lexicon.stems_name:
            continue
        (target / name).unlink(missing_ok=True)
        try:
            copy_file(source / name, target / name, earlier / name if earlier else None)
        except FileNotFoundError:
            if name not in optional:
                return False
    return _copy_start(source / lexicon.log_name, target / lexicon.log_name, lexicon.log_bytes)


def _copy_start(source: Path, target: Path, n_bytes: int) -> bool:
    """Copy as much of the lexicon's log as the generation knows; it goes on growing."""
    try:
        with source.open("rb") as file:
            data = file.read(n_bytes)
    except FileNotFoundError:
        data = b""
    target.write_bytes(data)
    return len(data) == n_bytes


def _leave_only(folder: Path, names: set[str]) -> None:
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()
