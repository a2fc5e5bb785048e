"""Erasing from the archive: records give way to tombstones of the same length, in place.

File and places → the same file, in which each of these gzip members holds a record that says only
that something was erased. Every other record keeps its offset, so rows and `revisit` records go on
finding it, and a process that appends to the file notices nothing: it writes behind what is there.

What is left of a record's room is the member's comment, which no reader of records sees (RFC 1952,
FCOMMENT). Overwriting the same places again changes nothing, so whoever was killed begins anew.
"""

import os
import struct
import uuid
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.warc import FILE_SUFFIX, WARC_VERSION, warc_date
from feeds.crawler.archive.warc_reading import walk

if TYPE_CHECKING:
    from feeds.crawler.archive.object_store import ObjectStore

TOMBSTONE_URL = "urn:broadsheet:erased"
_LAST_URL = f"{TOMBSTONE_URL}:last"  # of the record that ends those of a fetch
_ERASED_FIELD = b"erased: yes\r\n"
# RFC 1952: magic, deflate, a comment follows; no time, best compression, unknown system.
_HEADER = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x02\xff"
_RAW = -zlib.MAX_WBITS  # zlib's way of saying deflate without a header
_LAST_KINDS = frozenset({"metadata", "warcinfo"})  # what ends the records of a fetch


class ErasingError(Exception):
    """Raised where a record cannot be overwritten; its sentence is shown on the job."""


@dataclass(frozen=True, slots=True)
class Place:
    """One gzip member of a file; `is_last` for that which ends the records of a fetch."""

    filename: str
    offset: int
    length: int
    is_last: bool = False


def records_of_fetch(path: Path, offset: int, start: int = 0) -> list[Place]:
    """Find all records that were written with an answer: hops, requests, metadata.

    Parameters
    ----------
    path : Path
        A file of ours.
    offset : int
        Where the answer's record begins.
    start : int
        Where any record of an earlier fetch begins, so that less is read; 0 reads from the start.

    Returns
    -------
    list of Place
        Empty where no record begins at the offset.
    """
    group: list[Place] = []
    for record in walk(path, start):
        if not record.kind:  # damage: whose it is and what was beside it nobody can tell
            if any(place.offset == offset for place in group) or record.offset == offset:
                return [*group, Place(path.name, record.offset, record.length, is_last=True)]
            group = []
            continue
        is_last = record.kind in _LAST_KINDS and record.url != TOMBSTONE_URL
        group.append(Place(path.name, record.offset, record.length, is_last))
        if not is_last:
            continue
        if any(place.offset == offset for place in group):
            return group
        group = []
        if record.offset > offset:
            return []
    return group if any(place.offset == offset for place in group) else []


def overwrite(archive: Archive, places: Iterable[Place], now: datetime) -> set[str]:
    """Put tombstones in some places, durably, in the store too; returns the files' names.

    Raises
    ------
    ErasingError
        For what is no place in a file of ours, or has no room for a tombstone.
    OSError
        Where a file is in neither place, or a disk or the store fails.
    """
    done = set()
    for filename, own in _by_file(places):
        with archive.whole(filename) as path:
            _overwrite_all(path, own, now)
            if archive.store is not None and _is_stored(archive.store, filename):
                archive.store.put(path, filename)
        done.add(filename)
    return done


def _is_stored(store: "ObjectStore", filename: str) -> bool:
    """Whether the store has a file: one that it gets later has its tombstones by then."""
    try:
        store.size(filename)
    except FileNotFoundError:
        return False
    return True


def _overwrite_all(path: Path, places: list[Place], now: datetime) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        for place in places:
            _overwrite(descriptor, place, now)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _by_file(places: Iterable[Place]) -> Iterator[tuple[str, list[Place]]]:
    by_name: dict[str, list[Place]] = {}
    for place in places:
        by_name.setdefault(place.filename, []).append(place)
    for name, own in sorted(by_name.items()):
        if Path(name).name != name or not name.endswith(FILE_SUFFIX):
            raise ErasingError(f"“{name[:100]}” is not the name of an archive file.")
        yield name, own


def _overwrite(descriptor: int, place: Place, now: datetime) -> None:
    if place.offset + place.length > os.fstat(descriptor).st_size:
        raise ErasingError(f"{place.filename} ends before byte {place.offset + place.length}.")
    member = tombstone(place.length, now, is_last=place.is_last)
    view = memoryview(member)
    at = place.offset
    while view:
        n_written = os.pwrite(descriptor, view, at)
        view, at = view[n_written:], at + n_written


def tombstone(length: int, now: datetime, *, is_last: bool = False) -> bytes:
    """Make a gzip member of just so many bytes that says that something was erased.

    Raises
    ------
    ErasingError
        Below some 220 bytes; the smallest records of ours have 250.
    """
    lines: Sequence[tuple[str, str]] = (
        ("WARC-Type", "metadata"),
        ("WARC-Record-ID", f"<urn:uuid:{uuid.uuid4()}>"),
        ("WARC-Date", warc_date(now)),
        ("WARC-Target-URI", _LAST_URL if is_last else TOMBSTONE_URL),
        ("Content-Type", "application/warc-fields"),
        ("Content-Length", str(len(_ERASED_FIELD))),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in lines).encode()
    record = WARC_VERSION + head + b"\r\n" + _ERASED_FIELD + b"\r\n\r\n"
    engine = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _RAW)
    packed = engine.compress(record) + engine.flush()
    trailer = struct.pack("<II", zlib.crc32(record), len(record))
    room = length - len(_HEADER) - len(packed) - len(trailer) - 1
    if room < 0:
        raise ErasingError(f"A record of {length} bytes has no room for a tombstone.")
    return _HEADER + b" " * room + b"\0" + packed + trailer
