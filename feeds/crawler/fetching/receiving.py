"""Reading one answer: headers as they came, the body kept raw and decoded at the same time.

The reader stops at the caps, at the first bytes of a binary file, and notes why a body is not whole
(the words of WARC-Truncated), because even half a body goes into the archive.
"""

import asyncio

import aiohttp

from feeds.crawler.fetching.decoding import BodyDecoder
from feeds.crawler.fetching.exchange import REDIRECTS, FetchRequest, FetchStoppedError
from feeds.crawler.fetching.media_types import SNIFF_BYTES, is_packed_sitemap, type_refusal
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import Headers, header

# Where a redirect leads stands in its header; its body is only for the archive.
_MAX_REDIRECT_BODY_BYTES = 65_536


class ReceivedBody:
    """The body of one answer while it arrives."""

    def __init__(self, response: aiohttp.ClientResponse, max_ratio: int) -> None:
        self._response = response
        self._max_ratio = max_ratio
        self._decoder: BodyDecoder | None = None
        self.headers: Headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in response.raw_headers
        )
        self.chunks: list[bytes] = []
        # Holds until the end is seen: a connection that breaks leaves it standing.
        self.truncated = "disconnect"

    @property
    def body(self) -> bytes:
        return self._decoder.body if self._decoder else b""

    async def read(self, request: FetchRequest) -> None:
        is_redirect = self._response.status in REDIRECTS
        max_bytes = _MAX_REDIRECT_BODY_BYTES if is_redirect else request.max_bytes
        encoding = header(self.headers, "content-encoding") or ""
        try:
            self._decoder = BodyDecoder(encoding, max_bytes, self._max_ratio)
            await self._read_chunks(self._decoder, request.url)
            self._decoder.finish()
        except FetchStoppedError:
            # Where a redirect leads is known without its body.
            if not is_redirect:
                raise
        except asyncio.CancelledError:
            self.truncated = "time"
            raise

    async def _read_chunks(self, decoder: BodyDecoder, url: str) -> None:
        content = self._response.content
        is_sniffed = False
        while chunk := await content.readany():
            self.chunks.append(chunk)
            self.truncated = "length"
            decoder.feed(chunk)
            self.truncated = "disconnect"
            if not is_sniffed and decoder.start(SNIFF_BYTES):
                is_sniffed = True
                if not is_packed_sitemap(url, decoder.start(SNIFF_BYTES)):
                    self._refuse_binary(decoder.start(SNIFF_BYTES))
        self.truncated = ""

    def _refuse_binary(self, start: bytes) -> None:
        """Stop the download of an image or a video after its first bytes."""
        if not 200 <= self._response.status < 300:
            return
        message = type_refusal(header(self.headers, "content-type") or "", start)
        if message:
            self.truncated = "length"
            raise FetchStoppedError(Outcome.UNEXPECTED_TYPE, message)
