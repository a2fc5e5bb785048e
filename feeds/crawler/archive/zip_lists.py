"""Zips of strangers: a path → bytes for `zipfile`, with their list of files bounded.

The list stands at the end and is read in one piece; each of its entries, of 46 bytes and a name,
becomes an object of some 700 (APPNOTE.TXT, 4.3.12).
"""

import io
import zipfile

# As 100,000 files with names of 150 characters have.
MAX_LIST_BYTES = 20_000_000


class ZipBytes(io.FileIO):
    """A zip as it lies there, closed when nothing refers to it.

    Raises
    ------
    BadZipFile
        By `read`, where the list is longer than `MAX_LIST_BYTES`.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_LIST_BYTES:
            raise zipfile.BadZipFile(f"its list of files is longer than {MAX_LIST_BYTES:,} bytes")
        return super().read(-1 if size is None else size) or b""

    def __del__(self) -> None:
        self.close()
