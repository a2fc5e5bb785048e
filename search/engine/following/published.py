"""An index in an object store: written there after each generation, and followed from there.

Files lie under names that hold their digests and are never written twice; the listing is replaced
last, by one request. What the listing does not name is removed at once, so what was erased does not
stay in the store; who is just reading it finds it gone and begins with the new listing.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from search.engine.following.follower import MovedOnError, SourceError
from search.engine.following.listing import (
    LOG_PART_BYTES,
    MAX_LISTING_BYTES,
    ListedFile,
    Listing,
    is_object_name,
    list_index,
)

LISTING_NAME = "listing.json"
_TRIES = 20  # a merge may take files away while they are stored


class Store(Protocol):
    """Whole files under names, as of `feeds.crawler.archive.object_store`."""

    def read(self, filename: str, offset: int, length: int) -> bytes: ...
    def put(self, path: Path, filename: str) -> None: ...
    def put_bytes(self, data: bytes, filename: str) -> None: ...
    def names(self) -> set[str]: ...
    def remove(self, filenames: Collection[str]) -> None: ...


class StoreSource:
    """An index that another machine publishes in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def listing(self) -> Listing:
        """Read the newest listing; raises SourceError, ListingError."""
        try:
            data = self._store.read(LISTING_NAME, 0, MAX_LISTING_BYTES)
        except FileNotFoundError as error:
            raise SourceError("No index has been published in the store.") from error
        except OSError as error:
            raise SourceError(str(error)) from error
        return Listing.of_bytes(data)

    def read(self, file: ListedFile, offset: int, length: int) -> bytes:
        """Read bytes of a file; raises MovedOnError where it is gone, SourceError."""
        try:
            if not file.parts:
                return self._store.read(file.object_name, offset, length)
            return self._read_parts(file, offset, length)
        except FileNotFoundError as error:
            raise MovedOnError(f"{file.name} is gone.") from error
        except OSError as error:
            raise SourceError(str(error)) from error

    def _read_parts(self, file: ListedFile, offset: int, length: int) -> bytes:
        data = b""
        while len(data) < length:
            number, start = divmod(offset + len(data), LOG_PART_BYTES)
            wanted = min(LOG_PART_BYTES - start, length - len(data))
            part = self._store.read(file.object_names[number], start, wanted)
            data += part
            if len(part) < wanted:
                break
        return data


class Publisher:
    """Brings a store to the generation of an index; one for each store."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._published = b""

    def publish(self) -> Listing | None:
        """Store what is new; returns the listing, None where nothing had changed.

        Raises
        ------
        ListingError, DamagedFileError
            If there is no index, or it cannot be listed.
        OSError
            If the store is away; what was stored by then stays.
        """
        for _ in range(_TRIES):
            listing = list_index(self._folder)
            data = listing.to_bytes()
            if data == self._published:
                return None
            try:
                self._store_listed(listing, data)
            except FileNotFoundError:
                continue
            self._published = data
            return listing
        raise OSError("The index changed at every try to publish it.")

    def _store_listed(self, listing: Listing, data: bytes) -> None:
        stored = self._store.names()
        named = {LISTING_NAME}
        for file in listing.files:
            for number, name in enumerate(file.object_names):
                named.add(name)
                if name in stored:
                    continue
                if file.parts:
                    self._store.put_bytes(self._part(file, number), name)
                else:
                    self._store.put(self._folder / file.name, name)
        self._store.put_bytes(data, LISTING_NAME)
        # Whatever else lies there is none of ours.
        self._store.remove({name for name in stored - named if is_object_name(name)})

    def _part(self, file: ListedFile, number: int) -> bytes:
        start = number * LOG_PART_BYTES
        with (self._folder / file.name).open("rb") as log:
            log.seek(start)
            return log.read(min(LOG_PART_BYTES, file.n_bytes - start))
