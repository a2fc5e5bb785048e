"""Decoding of a body while it arrives: gzip and deflate, stopped at a size and at a ratio.

Chunks from the wire → decoded bytes. A bomb is noticed after the cap, not after its gigabyte:
zlib is given the room that is left (`max_length`) and never more. RFC 9110, 8.4 (content codings),
RFC 1952 (gzip, several members), RFC 1950 and RFC 1951 (deflate, with and without its wrapper).
"""

import zlib

from feeds.crawler.fetching.exchange import MAX_RATIO, RATIO_FREE_BYTES, FetchStoppedError
from feeds.crawler.outcomes import Outcome
from presentation.wording.figures import counted

_GZIP_NAMES = frozenset({"gzip", "x-gzip"})
_GZIP_WBITS = 16 + zlib.MAX_WBITS  # zlib's way of saying gzip
_GZIP_MAGIC = b"\x1f\x8b\x08"  # RFC 1952, with deflate as its method
# A body wrapped more often than this is an attack.
_MAX_CODINGS = 2
# Taken at once, so that a bomb is seen before it has unpacked much, and by a layer: what stands
# behind the end of a member is copied for each member, which takes 20 bytes.
_PIECE_BYTES = 256 * 1024
_LAYER_BYTES = 8 * 1024
# So many bytes tell what begins: the magic of gzip, the header of zlib.
_START_BYTES = 2


class _Inflater:
    """One layer of gzip or deflate; `is_complete` between and after gzip's members."""

    def __init__(self, coding: str) -> None:
        self._is_gzip = coding in _GZIP_NAMES
        self._engine: zlib._Decompress | None = None
        self._waiting = b""
        self._is_over = False
        self.is_complete = False

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode a chunk into at most `room` + 1 bytes; the one more shows that it was too much."""
        out = bytearray()
        for start in range(0, len(data), _LAYER_BYTES):
            self._feed_piece(data[start : start + _LAYER_BYTES], room, out)
        return bytes(out)

    def _feed_piece(self, data: bytes, room: int, out: bytearray) -> None:
        data = self._waiting + data
        self._waiting = b""
        while data and not self._is_over and len(out) <= room:
            if self._engine is None:
                if len(data) < _START_BYTES:
                    self._waiting = data
                    break
                self._begin(data)
                continue
            out += self._inflate(data, room + 1 - len(out))
            if self._engine.eof:
                data = self._engine.unused_data
                self._engine, self.is_complete = None, True
            else:
                data = self._engine.unconsumed_tail

    def _begin(self, start: bytes) -> None:
        """Set up for what begins here; rubbish behind the end is ignored, as browsers do."""
        if self.is_complete and not (self._is_gzip and start.startswith(_GZIP_MAGIC[:2])):
            self._is_over = True
            return
        self.is_complete = False
        wbits = _GZIP_WBITS if self._is_gzip else zlib.MAX_WBITS
        if not self._is_gzip and not _has_zlib_header(start):
            wbits = -zlib.MAX_WBITS  # some servers mean raw deflate when they say deflate
        self._engine = zlib.decompressobj(wbits)

    def _inflate(self, data: bytes, limit: int) -> bytes:
        if self._engine is None:
            raise ValueError("nothing has begun")
        try:
            return self._engine.decompress(data, limit)
        except zlib.error as error:
            raise _bad(f"The body is not the encoding it claims: {error}.") from error


def _has_zlib_header(start: bytes) -> bool:
    """Whether two bytes are the header of RFC 1950: method 8, and a multiple of 31."""
    return start[0] & 0x0F == zlib.DEFLATED and (start[0] << 8 | start[1]) % 31 == 0


class BodyDecoder:
    """Decodes one body chunk by chunk.

    Parameters
    ----------
    content_encoding : str
        Value of Content-Encoding; empty and `identity` mean none.
    max_bytes : int
        Cap of the decoded size, and of the size on the wire.
    max_ratio : int
        Decoded bytes for each byte on the wire, looked at from 1 MB on.

    Raises
    ------
    FetchStoppedError
        `BAD_ENCODING` on an encoding that was not asked for, broken data, or the ratio.
        `TOO_LARGE` beyond the cap; `body` keeps what was decoded until then.
    """

    def __init__(self, content_encoding: str, max_bytes: int, max_ratio: int = MAX_RATIO) -> None:
        self.max_bytes = max_bytes
        self.max_ratio = max_ratio
        self.n_raw = 0
        self._decoded = bytearray()
        names = [name.strip().lower() for name in content_encoding.split(",")]
        codings = [name for name in names if name not in {"", "identity", "none", "utf-8"}]
        unknown = [name for name in codings if name not in _GZIP_NAMES | {"deflate"}]
        if unknown:
            raise _bad(f"The body is encoded as {unknown[0]}, which was not asked for.")
        if len(codings) > _MAX_CODINGS:
            raise _bad("The body is encoded more than twice.")
        self._layers = [_Inflater(name) for name in reversed(codings)]
        self._n_between = 0  # bytes that one layer gave to the next
        self._may_be_gzip = not codings

    @property
    def body(self) -> bytes:
        return bytes(self._decoded)

    def start(self, n_bytes: int) -> bytes:
        """Return the first decoded bytes."""
        return bytes(self._decoded[:n_bytes])

    def feed(self, chunk: bytes) -> None:
        """Take a chunk from the wire."""
        if self._may_be_gzip and self.n_raw == 0 and chunk.startswith(_GZIP_MAGIC):
            # Compressed without saying so; no text document begins with these bytes.
            self._layers = [_Inflater("gzip")]
        self.n_raw += len(chunk)
        if self.n_raw > self.max_bytes:
            self._take(chunk)
            raise self._too_large()
        self._take(chunk)

    def finish(self) -> None:
        """Say that the wire has ended.

        Raises
        ------
        FetchStoppedError
            When the compressed data has not ended with it: half a document.
        """
        if self.n_raw and any(not layer.is_complete for layer in self._layers):
            raise _bad("The compressed body ends early.")

    def _take(self, chunk: bytes) -> None:
        for start in range(0, len(chunk), _PIECE_BYTES):
            data = chunk[start : start + _PIECE_BYTES]
            room = self.max_bytes - len(self._decoded)
            for layer in self._layers[:-1]:
                data = layer.feed(data, self.max_bytes - self._n_between)
                self._n_between += len(data)
                if self._n_between > self.max_bytes:
                    raise self._too_large()
            for layer in self._layers[-1:]:
                data = layer.feed(data, room)
            self._decoded += data[:room]
            if len(data) > room:
                raise self._too_large()
            self._check_ratio()

    def _check_ratio(self) -> None:
        n_decoded = len(self._decoded)
        if n_decoded > RATIO_FREE_BYTES and n_decoded > self.n_raw * self.max_ratio:
            ratio = n_decoded // max(self.n_raw, 1)
            raise _bad(f"The body unpacks to {ratio} times its size.")

    def _too_large(self) -> FetchStoppedError:
        message = f"The body is larger than {counted(self.max_bytes, 'byte')}."
        return FetchStoppedError(Outcome.TOO_LARGE, message)


def _bad(message: str) -> FetchStoppedError:
    return FetchStoppedError(Outcome.BAD_ENCODING, message)
