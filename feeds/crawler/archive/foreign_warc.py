"""WARC files that others wrote: bytes → records, with whatever is wrong with them.

WARC 0.18 to 1.1 (ISO 28500), plain or gzip, one member for each record as the format asks or one
for all. A record that is cut off, damaged or of another length than it says is one finding, and the
reader goes on with the next that begins. Memory is that of one record of `MAX_BLOCK_BYTES`.
"""

import base64
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from feeds.crawler.fetching.exchange import MAX_PAGE_BYTES

# A page at its cap, and the heads in front of it.
MAX_BLOCK_BYTES = MAX_PAGE_BYTES + 1_000_000
_MAX_HEAD_BYTES = 64 * 1024  # Heritrix cuts its own at 64 kB
_GZIP_WBITS = 16 + zlib.MAX_WBITS  # zlib's way of saying gzip
_GZIP_MAGIC = b"\x1f\x8b\x08"  # RFC 1952, with deflate as its method
_READ_BYTES = 256 * 1024
# Of what may be a member its head and the first bytes of a record; a name in the head is a path.
_PROBE_BYTES = 4096
# As many digits as any offset of a file has; more are no number to Python from 4,300 on.
_MAX_LENGTH_DIGITS = 19
_START = b"WARC/"
_LINE_START = b"\nWARC/"
_BLANK = b"\r\n"
_CUT_OFF = "cut off at the end of the file"


class Seekable(Protocol):
    """What is used of a file: it may lie inside another one."""

    def seek(self, offset: int, /) -> int: ...

    def read(self, n_bytes: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where to begin again: offset of a gzip member or a plain record, and records to pass over."""

    offset: int = 0
    n_passed: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """The bytes of a file in which one record stands by itself."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """One record, or one finding where `problem` has words.

    `next_place` is behind it. The block is empty where it was larger than any page may be. There is
    no `span` where a member holds others too.
    """

    next_place: Place
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    block: bytes = field(default=b"", repr=False)
    problem: str = ""
    is_too_large: bool = False
    span: Span | None = None

    @property
    def kind(self) -> str:
        """WARC-Type: response, request, metadata and so on."""
        return self.headers.get("warc-type", "")

    @property
    def url(self) -> str:
        """Give WARC-Target-URI; some writers put it in angle brackets."""
        return self.headers.get("warc-target-uri", "").strip("<>")


def records(file: Seekable, start: Place = Place()) -> Iterator[ForeignRecord]:
    """Read the records of a file in order.

    Parameters
    ----------
    file : Seekable
        Open for reading.
    start : Place
        `next_place` of an earlier record, to go on behind it.

    Yields
    ------
    ForeignRecord
        Sound ones and findings; nothing is raised for what the file holds.

    Raises
    ------
    OSError
        When the file cannot be read.
    """
    file.seek(start.offset)
    beginning = file.read(_READ_BYTES)
    # Also where the first bytes are damaged: what of the two comes first.
    is_plain = _START in beginning.partition(_GZIP_MAGIC)[0]
    found = (_of_plain if is_plain else _of_members)(file, start.offset)
    for record in found:
        if record.next_place > start:
            yield record


def _of_plain(file: Seekable, offset: int) -> Iterator[ForeignRecord]:
    file.seek(offset)
    splitter = _Splitter(offset)
    begin = offset
    for item in _split(file, splitter):
        span = Span(begin, item.end - begin)
        yield replace(_placed(item, Place(item.end)), span=None if item.problem else span)
        begin = item.end


def _split(file: Seekable, splitter: "_Splitter") -> Iterator["_Item"]:
    while data := file.read(_READ_BYTES):
        yield from splitter.feed(data)
    yield from splitter.end()


def _of_members(file: Seekable, offset: int) -> Iterator[ForeignRecord]:
    """Read members one after the other; behind one that is damaged the next that begins."""
    while True:
        file.seek(offset)
        if not file.read(1):
            return
        member = _Member(file, offset)
        held: ForeignRecord | None = None  # until it is known where it ends
        for n_records, item in enumerate(member.items(), start=1):
            if held is not None:
                yield held
            held = _placed(item, Place(offset, n_records))
        following = member.end
        if held is not None and held.next_place.n_passed == 1 and following and not held.problem:
            yield replace(held, span=Span(offset, following - offset))
        elif held is not None:
            yield held
        if following is None:
            following = _next_member(file, offset + 1)
        # Passing over a member is a step forward, also where it held nothing.
        offset = following


class _Member:
    """One gzip member: its records; `end` is where the next begins, None where that is unknown."""

    def __init__(self, file: Seekable, offset: int) -> None:
        self._file = file
        self._offset = offset
        self.end: int | None = None

    def items(self) -> Iterator["_Item"]:
        self._file.seek(self._offset)
        engine = zlib.decompressobj(_GZIP_WBITS)
        splitter = _Splitter(0)
        n_read, waiting = 0, b""
        while not engine.eof:
            if not waiting:
                waiting = self._file.read(_READ_BYTES)
                n_read += len(waiting)
                if not waiting:
                    self.end = _next_member(self._file, self._offset + 1)
                    is_last = self.end == self._offset + n_read
                    # One bit of its flags makes up to 64 kB that follow a field of its head.
                    yield _Item(problem=_CUT_OFF if is_last else "damaged: it does not end")
                    return
            try:
                data = engine.decompress(waiting, _READ_BYTES)
            except zlib.error:
                yield _Item(problem=self._why_not())
                return
            waiting = engine.unconsumed_tail
            yield from splitter.feed(data)
            if splitter.is_passing:  # inflating what nobody takes may take for ever
                yield from splitter.end()
                return
        yield from splitter.end()
        self.end = self._offset + n_read - len(engine.unused_data)

    def _why_not(self) -> str:
        self._file.seek(self._offset)
        if self._file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC:
            return "damaged: it cannot be decompressed"
        return "neither a WARC record nor gzip begins here"


@dataclass(frozen=True, slots=True)
class _Item:
    """A record before it has a place; `end` is where it ends in the bytes that were split."""

    headers: Mapping[str, str] = field(default_factory=dict)
    block: bytes = b""
    problem: str = ""
    is_too_large: bool = False
    end: int = 0


def _placed(item: _Item, place: Place) -> ForeignRecord:
    return ForeignRecord(place, item.headers, item.block, item.problem, item.is_too_large)


class _Splitter:
    """Cuts a stream into records: head, block of the length that it says, two blank lines.

    A record is given once the blank lines behind it were seen, which shows that its length is true.
    """

    def __init__(self, offset: int) -> None:
        self._waiting = bytearray()
        self._offset = offset  # of what waits
        self._is_lost = False
        self._headers: dict[str, str] | None = None
        self._length = 0
        self._n_passed = 0  # bytes of a block that is too large to be kept

    @property
    def is_passing(self) -> bool:
        """Whether a block is gone through that is too large to be kept."""
        return self._headers is not None and self._length > MAX_BLOCK_BYTES

    def feed(self, data: bytes) -> Iterator[_Item]:
        """Give the records that end in what came by now."""
        self._waiting += data
        while (item := self._step()) is not None:
            if item is not _NOTHING:
                yield item

    def end(self) -> Iterator[_Item]:
        """Give what is left when nothing more comes: the last record, or that it was cut off."""
        if self._headers is not None and self.is_passing:
            yield _Item(self._headers, is_too_large=True, end=self._offset + len(self._waiting))
        elif self._headers is not None:
            rest = bytes(self._waiting[self._length :])
            if len(self._waiting) >= self._length and not rest.strip(_BLANK):
                yield self._item(self._length + len(rest))
            else:
                said = f"{self._length} bytes are said to be there, {len(self._waiting)} are"
                yield _Item(self._headers, problem=said, end=self._offset + len(self._waiting))
        elif self._waiting.strip(_BLANK) and not self._is_lost:
            yield _Item(problem="no record begins here", end=self._offset + len(self._waiting))
        self._waiting.clear()

    def _step(self) -> _Item | None:
        """Go one step: a record, `_NOTHING` where there may be more, None where more must come."""
        if self._is_lost:
            return self._look_for_start()
        if self._headers is None:
            return self._read_head()
        if self.is_passing:
            return self._pass_block()
        if len(self._waiting) < self._length + 2 * len(_BLANK):
            return None
        behind = self._length + 2 * len(_BLANK)
        if self._waiting[self._length : behind] != 2 * _BLANK:
            problem = "its length is not the one that it says"
            item = _Item(self._headers, problem=problem, end=self._offset + self._length)
            self._headers, self._is_lost = None, True
            return item
        return self._item(behind)

    def _item(self, behind: int) -> _Item:
        headers, block = self._headers or {}, bytes(self._waiting[: self._length])
        self._drop(behind)
        self._headers = None
        problem = "" if _is_digest_true(headers, block) else "damaged: its digest is another"
        return _Item(headers, block, problem, end=self._offset)

    def _read_head(self) -> _Item | None:
        n_blank = len(self._waiting) - len(self._waiting.lstrip(_BLANK))
        self._drop(n_blank)
        if len(self._waiting) < len(_START):
            return None
        if not self._waiting.startswith(_START):
            self._is_lost = True
            return _Item(problem="no record begins here", end=self._offset)
        end, width = _end_of_head(self._waiting)
        if end < 0:
            if len(self._waiting) <= _MAX_HEAD_BYTES:
                return None
            self._drop(len(_START))
            self._is_lost = True
            return _Item(problem="its head does not end", end=self._offset)
        headers = _parsed_head(bytes(self._waiting[:end]))
        length = headers.get("content-length", "")
        is_number = length.isascii() and length.isdigit() and len(length) <= _MAX_LENGTH_DIGITS
        if not is_number:
            self._drop(end)
            self._is_lost = True
            return _Item(headers, problem="it says no length", end=self._offset)
        self._drop(end + width)
        self._headers, self._length, self._n_passed = headers, int(length), 0
        return _NOTHING

    def _pass_block(self) -> _Item | None:
        left = self._length - self._n_passed
        n_here = min(left, len(self._waiting))
        self._drop(n_here)
        self._n_passed += n_here
        if self._n_passed < self._length:
            return None
        item = _Item(self._headers or {}, is_too_large=True, end=self._offset)
        self._headers = None
        return item

    def _look_for_start(self) -> _Item | None:
        """Drop what belongs to nothing, up to a line that begins a record."""
        found = self._waiting.find(_LINE_START)
        if found < 0:
            self._drop(max(len(self._waiting) - len(_LINE_START) + 1, 0))
            return None
        self._drop(found + 1)
        self._is_lost = False
        return _NOTHING

    def _drop(self, n_bytes: int) -> None:
        del self._waiting[:n_bytes]
        self._offset += n_bytes


_NOTHING = _Item()


def _end_of_head(waiting: bytearray) -> tuple[int, int]:
    """Give the end of a head and the width of the blank line behind; -1 where it does not end."""
    proper, bare = waiting.find(b"\r\n\r\n"), waiting.find(b"\n\n")
    if proper >= 0 and (bare < 0 or proper < bare):
        return proper, 4
    return bare, 2


def _parsed_head(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    name = ""
    for line in head.decode("utf-8", "replace").splitlines()[1:]:
        if line[:1] in {" ", "\t"} and name:  # a folded line
            headers[name] += f" {line.strip()}"
            continue
        name, _, value = line.partition(":")
        name = name.strip().lower()
        headers.setdefault(name, value.strip())
    return headers


def _is_digest_true(headers: Mapping[str, str], block: bytes) -> bool:
    """Whether the block has the digest that it says; other digests than SHA-1 are not looked at."""
    kind, _, said = headers.get("warc-block-digest", "").partition(":")
    if kind.lower() != "sha1" or not said:
        return True
    digest = hashlib.sha1(block, usedforsecurity=False)
    return said.upper() == base64.b32encode(digest.digest()).decode() or (
        said.lower() == digest.hexdigest()
    )


def _next_member(file: Seekable, start: int) -> int:
    """Find the next place where a record begins; the end of the file where there is none."""
    position = start
    while True:
        file.seek(position)
        chunk = file.read(_READ_BYTES)
        if not chunk:
            return position
        found = chunk.find(_GZIP_MAGIC)
        while found >= 0:
            if _begins_record(file, position + found):
                return position + found
            found = chunk.find(_GZIP_MAGIC, found + 1)
        # The magic may lie across the border of two pieces.
        position += max(len(chunk) - len(_GZIP_MAGIC) + 1, 1)


def _begins_record(file: Seekable, offset: int) -> bool:
    """Whether what is packed at an offset begins as a record does."""
    file.seek(offset)
    try:
        start = zlib.decompressobj(_GZIP_WBITS).decompress(file.read(_PROBE_BYTES), 64)
    except zlib.error:
        return False
    return start.lstrip(_BLANK).startswith(_START)
