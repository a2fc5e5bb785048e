"""Container files: named arrays in one file, read back through a memory map without copying.

Input → output: ``write_container(path, magic, arrays)`` → one file; ``Container.open(path, magic)``
→ arrays that point into the map. The byte layout is in FORMAT.md beside this module.
"""

import mmap
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from search.engine.index.errors import DamagedFileError

Array = npt.NDArray[Any]

FORMAT_VERSION = 2
ALIGNMENT = 64  # one cache line; also enough for any SIMD load
HEADER = struct.Struct("<8sHHI")  # magic, version, reserved, reserved
ENTRY = struct.Struct("<24s4sIQQQ")  # name, dtype, reserved, count, offset, checksum
TRAILER = struct.Struct("<QIIQ8s")  # directory offset, entries, reserved, checksum, magic
CHECKED_BYTES = 1 << 18  # sections up to this size are checked on opening: 30 us each at most
DTYPES = frozenset({"<u1", "<u2", "<u4", "<u8", "<i4", "<i8"})


def write_container(path: Path, magic: bytes, arrays: Mapping[str, Array]) -> int:
    """Write arrays to a file, durably, and put it in place by one rename.

    Parameters
    ----------
    path : Path
        Final name; a file ``<name>.tmp`` beside it is used on the way.
    magic : bytes of length 8
        Says what the file is.
    arrays : mapping of str to one-dimensional ndarray
        Names up to 24 ASCII characters; little-endian integers of 1 to 8 bytes.

    Returns
    -------
    int
        Size of the file in bytes.

    Notes
    -----
    The data reaches the disk (fsync) before the rename, so a file under its final name is whole.
    The folder itself is synced by whoever publishes the file (see ``snapshot``).
    """
    temporary = path.with_name(path.name + ".tmp")
    try:
        size = _write(temporary, magic, arrays)
    except OSError:
        temporary.unlink(missing_ok=True)  # it would hold the disk that has become full
        raise
    temporary.replace(path)
    return size


def _write(path: Path, magic: bytes, arrays: Mapping[str, Array]) -> int:
    """Write header, arrays, directory and trailer, and have them reach the disk."""
    with path.open("wb") as file:
        file.write(HEADER.pack(magic, FORMAT_VERSION, 0, 0))
        entries = []
        for name, array in arrays.items():
            file.write(b"\0" * (-file.tell() % ALIGNMENT))
            data = little_endian(array)
            view = as_bytes(data)
            checksum = xxhash.xxh64_intdigest(view)
            dtype = data.dtype.newbyteorder("<").str.replace("|", "<").encode()
            entries.append(
                ENTRY.pack(name.encode("ascii"), dtype, 0, data.size, file.tell(), checksum)
            )
            file.write(view)
        directory_offset = file.tell()
        directory = b"".join(entries)
        file.write(directory)
        checksum = xxhash.xxh64_intdigest(directory)
        file.write(TRAILER.pack(directory_offset, len(entries), 0, checksum, magic[::-1]))
        size = file.tell()
        file.flush()
        os.fsync(file.fileno())
    return size


def little_endian(array: Array) -> Array:
    """Return the array contiguous and in little-endian order (a copy only where needed)."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def as_bytes(array: Array) -> memoryview:
    """Return the bytes of a contiguous array, without copying."""
    return array.view(np.uint8).data


class Container:
    """An open container file; arrays are views of the memory map and must not be written to."""

    def __init__(
        self, name: str, version: int, arrays: dict[str, Array], checksums: dict[str, int]
    ) -> None:
        self.name = name
        self.version = version
        self.arrays = arrays
        self._checksums = checksums

    @classmethod
    def open(cls, path: Path, magic: bytes) -> "Container":
        """Map a file and check its frame and its small sections (the large ones: ``verify``).

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        DamagedFileError
            If it is cut short, altered in its frame, of another kind or of a newer version.
        """
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < HEADER.size + TRAILER.size:
                raise DamagedFileError(path.name, f"only {size} bytes long")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        directory = _checked_directory(path.name, data, magic)
        arrays: dict[str, Array] = {}
        checksums: dict[str, int] = {}
        for raw_name, raw_dtype, _, count, offset, checksum in ENTRY.iter_unpack(directory):
            name = raw_name.rstrip(b"\0").decode("ascii")
            dtype = raw_dtype.rstrip(b"\0").decode("ascii")
            if dtype not in DTYPES:
                raise DamagedFileError(path.name, f"section {name} has the unknown type {dtype}")
            if offset + count * int(dtype[2]) > size:
                raise DamagedFileError(path.name, f"section {name} reaches past the end")
            array = np.frombuffer(data, dtype=dtype, count=count, offset=offset)
            if array.nbytes <= CHECKED_BYTES:
                _check_section(path.name, name, array, checksum)
            arrays[name], checksums[name] = array, checksum
        return cls(path.name, HEADER.unpack_from(data, 0)[1], arrays, checksums)

    def __getitem__(self, name: str) -> Array:
        try:
            return self.arrays[name]
        except KeyError:
            raise DamagedFileError(self.name, f"section {name} is missing") from None

    def verify(self) -> None:
        """Read every byte and compare checksums.

        Raises
        ------
        DamagedFileError
            Naming the first section whose bytes have changed.
        """
        for name, array in self.arrays.items():
            _check_section(self.name, name, array, self._checksums[name])


def _check_section(file_name: str, name: str, array: Array, checksum: int) -> None:
    if xxhash.xxh64_intdigest(as_bytes(array)) != checksum:
        raise DamagedFileError(file_name, f"section {name} has changed bytes")


def _checked_directory(name: str, data: mmap.mmap, magic: bytes) -> bytes:
    """Return the directory's bytes after checking header, trailer and checksum."""
    found, version, _, _ = HEADER.unpack_from(data, 0)
    if found != magic:
        raise DamagedFileError(name, f"starts with {found!r}, expected {magic!r}")
    if version > FORMAT_VERSION:
        raise DamagedFileError(name, f"version {version} is newer than {FORMAT_VERSION}")
    offset, count, _, checksum, end = TRAILER.unpack_from(data, len(data) - TRAILER.size)
    if end != magic[::-1]:
        raise DamagedFileError(name, "cut short: the closing mark is missing")
    directory = data[offset : offset + count * ENTRY.size]
    if len(directory) != count * ENTRY.size or xxhash.xxh64_intdigest(directory) != checksum:
        raise DamagedFileError(name, "the directory of sections has changed bytes")
    return directory
