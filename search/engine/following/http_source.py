"""The index of another machine, asked for by HTTP: its web process hands files out by parts.

Every answer is bounded in bytes and in time, redirects are not followed, and the token goes to the
machine that was named alone.
"""

import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlencode, urlsplit

from search.engine.following.follower import MovedOnError, SourceError
from search.engine.following.listing import MAX_LISTING_BYTES, ListedFile, Listing

LISTING_PATH = "/index-files/"
_SILENCE_SECONDS = 20.0  # without a byte
_ANSWER_SECONDS = 120.0  # a part of 4 MB by a line of 0.3 Mbit/s
_READ_BYTES = 1 << 16
_OK, _UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 200, 401, 403, 404


class HttpSource:
    """An index behind another machine's web pages.

    Parameters
    ----------
    address : str
        ``https://corpus.example.org``, or ``http://…`` inside a network of one's own.
    token : str
        The INDEX_TOKEN of that machine.
    """

    def __init__(self, address: str, token: str) -> None:
        parts = urlsplit(address)
        self._name = address
        self._host, self._port = parts.hostname or "", parts.port
        self._is_secure = parts.scheme == "https"
        self._path = parts.path.rstrip("/") + LISTING_PATH
        self._token = token

    def listing(self) -> Listing:
        """Ask for the newest listing; raises SourceError, ListingError."""
        status, data = self._ask(self._path, MAX_LISTING_BYTES)
        if status != _OK:
            raise SourceError(self._refusal(status))
        return Listing.of_bytes(data)

    def read(self, file: ListedFile, offset: int, length: int) -> bytes:
        """Ask for bytes of a file; raises MovedOnError where it is gone, SourceError."""
        wanted = {"from": offset, "length": length, "digest": file.digest}
        status, data = self._ask(f"{self._path}{file.name}?{urlencode(wanted)}", length)
        if status == _NOT_FOUND:
            raise MovedOnError(f"{file.name} is gone.")
        if status != _OK:
            raise SourceError(self._refusal(status))
        return data

    def _refusal(self, status: int) -> str:
        if status in {_UNAUTHORIZED, _FORBIDDEN}:
            return f"{self._name} does not take this machine's INDEX_TOKEN: set the same on both."
        return f"{self._name} answers with {status}."

    def _ask(self, path: str, most_bytes: int) -> tuple[int, bytes]:
        """Get an answer; nothing of a body that is longer than may be is believed."""
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        connection = kind(self._host, self._port, timeout=_SILENCE_SECONDS)
        until = time.monotonic() + _ANSWER_SECONDS
        parts, n_bytes = [], 0
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
            answer = connection.getresponse()
            while data := answer.read1(_READ_BYTES):
                parts.append(data)
                n_bytes += len(data)
                if n_bytes > most_bytes and answer.status == _OK:
                    raise SourceError(f"{self._name} sent more than was asked for.")
                if time.monotonic() > until or n_bytes > MAX_LISTING_BYTES:
                    raise SourceError(f"{self._name} is too slow.")
        except (OSError, HTTPException, ValueError) as error:
            raise SourceError(f"{self._name} does not answer: {error}.") from error
        finally:
            connection.close()
        return answer.status, b"".join(parts)
