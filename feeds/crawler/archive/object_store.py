"""An object store: whole files of the archive or of the index under their names, read by ranges.

Any server that speaks S3's protocol, through obstore (Rust's `object_store`): a request that fails
is tried again there, and an upload carries its SHA-256, which the server checks. A store that does
not answer is left alone for a while, so that a batch of pages waits for it once.
"""

import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import obstore
from obstore.exceptions import BaseError, GenericError, NotFoundError
from obstore.store import S3Store

from feeds.crawler.archive.store_address import StoreAddress, StoreAwayError, bucket_and_prefix

_TIMEOUT = timedelta(seconds=20)  # of a request, its answer included
_CONNECT_TIMEOUT = timedelta(seconds=5)
_MAX_RETRIES = 2
_RETRY_FOR = timedelta(seconds=20)
# As long is nothing asked of a store that did not answer: a batch of pages waits for it once.
_PAUSE_SECONDS = 10.0
# The smallest parts that S3 takes: within the time of a request by a line of 2 Mbit/s.
_PART_BYTES = 5 * 1024 * 1024
_BEHIND_THE_END = "416 Range Not Satisfiable"
_MAX_SAID = 300  # characters of what the client says of a failure
_DEFAULT_REGION = "us-east-1"  # what servers other than Amazon's call theirs


class ObjectStore:
    """Files in an object store.

    Parameters
    ----------
    address
        Where it is. Nothing is asked of it yet.

    Notes
    -----
    Its threads do not survive a fork: a process that was forked after its parent had used a store
    would wait for ever, so it is refused at once.
    """

    _user: ClassVar[int] = 0  # the process whose threads serve all stores

    def __init__(self, address: StoreAddress) -> None:
        bucket, prefix = bucket_and_prefix(address.url)
        self._name = address.url
        self._away_until = 0.0
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            endpoint=address.endpoint or None,
            region=address.region or _DEFAULT_REGION,
            access_key_id=address.key_id or None,
            secret_access_key=address.secret_key or None,
            virtual_hosted_style_request=False,  # servers of one's own have no name a bucket
            checksum_algorithm="SHA256",
            client_options={
                "allow_http": address.endpoint.startswith("http://"),
                "timeout": _TIMEOUT,
                "connect_timeout": _CONNECT_TIMEOUT,
            },
            retry_config={"max_retries": _MAX_RETRIES, "retry_timeout": _RETRY_FOR},
        )

    def read(self, filename: str, offset: int, length: int) -> bytes:
        """Read bytes of a file by one request; fewer, or none, where the file ends before.

        Raises FileNotFoundError, or StoreAwayError.
        """
        with self._asking(filename):
            try:
                return bytes(obstore.get_range(self._store, filename, start=offset, length=length))
            except GenericError as error:
                if _BEHIND_THE_END in str(error):
                    return b""
                raise

    def size(self, filename: str) -> int:
        """Ask for a file's size in bytes; raises FileNotFoundError, or StoreAwayError."""
        with self._asking(filename):
            return int(obstore.head(self._store, filename)["size"])

    def put(self, path: Path, filename: str) -> None:
        """Store a file under a name, whole or not at all, in the place of an earlier one.

        Raises StoreAwayError, or OSError where the file cannot be read.
        """
        with path.open("rb") as file, self._asking(filename):
            obstore.put(self._store, filename, file, chunk_size=_PART_BYTES, max_concurrency=1)

    def put_bytes(self, data: bytes, filename: str) -> None:
        """Store bytes under a name, whole or not at all, in the place of earlier ones.

        Raises StoreAwayError.
        """
        with self._asking(filename):
            obstore.put(self._store, filename, data, use_multipart=False)

    def names(self) -> set[str]:
        """Ask for the names of all files; raises StoreAwayError."""
        with self._asking("the list"):
            return {str(row["path"]) for rows in obstore.list(self._store) for row in rows}

    def remove(self, filenames: Collection[str]) -> None:
        """Remove files; those that are gone already are none. Raises StoreAwayError."""
        if not filenames:
            return
        with self._asking("the files"):
            obstore.delete(self._store, sorted(filenames))

    def fetch(self, filename: str, path: Path) -> None:
        """Write a file of the store to a place on the disk, part by part.

        Raises FileNotFoundError, StoreAwayError, or OSError of the disk.
        """
        with path.open("wb") as file:
            while part := self.read(filename, file.tell(), _PART_BYTES):
                file.write(part)

    @contextmanager
    def _asking(self, filename: str) -> Iterator[None]:
        if time.monotonic() < self._away_until:
            raise StoreAwayError(f"The store {self._name} did not answer a moment ago.")
        if ObjectStore._user not in {0, os.getpid()}:
            raise StoreAwayError("The store was used before this process was forked.")
        ObjectStore._user = os.getpid()
        try:
            yield
        except (NotFoundError, FileNotFoundError) as error:
            raise FileNotFoundError(f"{filename} is not in the store {self._name}.") from error
        except BaseError as error:
            self._away_until = time.monotonic() + _PAUSE_SECONDS
            said = " ".join(str(error).partition("Debug source")[0].split())[:_MAX_SAID].rstrip(".")
            raise StoreAwayError(f"The store {self._name} cannot be used: {said}.") from error
