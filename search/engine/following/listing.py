"""The listing of an index: its manifest, and of each file of that generation the size and digest.

Input → output: the folder of an index → its listing → bytes → the listing again, checked. Nothing
that comes from another machine is believed: a name that is none of the index's own, or a size that
is no number, ends the reading.

The digest of a container is the checksum of its directory, which holds those of all sections: so a
listing costs one read at the end of each file, whatever its size. That of the lexicon's log, which
grows, is the checksum of the bytes that the generation knows; it also has those of its parts, by
which a store keeps it.
"""

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import xxhash

from search.engine.index.codec import TRAILER
from search.engine.index.errors import CorpusIndexError
from search.engine.index.manifest import (
    MANIFEST_NAME,
    MANIFEST_VERSION,
    Manifest,
    load_manifest,
    manifest_of,
)

LISTING_VERSION = 1
# Of an index of 100 million texts in months and days: some thousand files, 200 bytes each.
MAX_LISTING_BYTES = 32 << 20
MAX_FILE_BYTES = 1 << 42
MAX_LOG_BYTES = 1 << 30  # it is read into memory; a new base is due long before
LOG_SUFFIX = ".log"
LOG_PART_BYTES = 1 << 20
_NAME = re.compile(r"\d{8}\.(?:segment|removals)|lexicon-\d{6}\.(?:base|log)", re.ASCII)
_OBJECT_NAME = re.compile(rf"(?:{_NAME.pattern})-(?:\d+-)?[0-9a-f]{{16}}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{16}", re.ASCII)
_IDENTITY = re.compile(r"[0-9a-f]{16}", re.ASCII)
# Merges take files away while they are listed; each try begins with the newest manifest.
_TRIES = 20


class ListingError(CorpusIndexError):
    """Raised for a listing that is none, or that cannot be made; its sentence is shown."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One file of a generation: ``n_bytes`` of it count, ``digest`` is 16 hex digits.

    ``parts`` are the digests of each MiB of a log, the last one cut short.
    """

    name: str
    n_bytes: int
    digest: str
    parts: tuple[str, ...] = ()

    @property
    def object_name(self) -> str:
        """A name under which no other bytes will ever be stored."""
        return f"{self.name}-{self.digest}"

    @property
    def object_names(self) -> tuple[str, ...]:
        """The same of the pieces by which a store keeps the file: parts of a log, else itself."""
        if not self.parts:
            return (self.object_name,)
        return tuple(f"{self.name}-{number}-{part}" for number, part in enumerate(self.parts))


@dataclass(frozen=True, slots=True)
class Listing:
    """A generation and its files; segments that are damaged at the source have none."""

    manifest: Manifest
    files: tuple[ListedFile, ...]

    @property
    def n_bytes(self) -> int:
        """Bytes of all files."""
        return sum(file.n_bytes for file in self.files)

    def to_bytes(self) -> bytes:
        """Return the listing as it travels."""
        plain = {
            "listing": LISTING_VERSION,
            "manifest": {"version": MANIFEST_VERSION, **asdict(self.manifest)},
            "files": [asdict(file) for file in self.files],
        }
        return json.dumps(plain, separators=(",", ":")).encode()

    @classmethod
    def of_bytes(cls, data: bytes) -> "Listing":
        """Read what another machine says.

        Raises
        ------
        ListingError
            If it is no listing, or one that this program cannot follow.
        """
        try:
            plain = json.loads(data)
            if plain["listing"] > LISTING_VERSION:
                raise ListingError("The source is a newer version of Broadsheet: upgrade this one.")
            manifest = _checked(manifest_of(plain["manifest"]))
            files = tuple(_file(**row) for row in plain["files"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ListingError(
                f"The source's answer is no listing of an index: {error}."
            ) from error
        names = [file.name for file in files]
        if len(set(names)) != len(names) or set(names) != wanted_names(manifest):
            raise ListingError("The source's listing does not name the files of its manifest.")
        return cls(manifest, files)


def wanted_names(manifest: Manifest) -> set[str]:
    """Name the files that a follower needs of a generation; it works stems out by itself."""
    damaged = [entry for entry in manifest.segments if entry.damage]
    left_out = {entry.name for entry in damaged} | {entry.removals for entry in damaged}
    lexicon = manifest.lexicon
    names = manifest.file_names() - {MANIFEST_NAME, lexicon.stems_name} - left_out
    return names if lexicon.log_bytes else names - {lexicon.log_name}


def list_index(folder: Path) -> Listing:
    """List the current generation of an index that may be written to meanwhile.

    Raises
    ------
    ListingError
        If there is no index, or a file of it is missing.
    DamagedFileError
        If its manifest cannot be read.
    """
    missing = ""
    for _ in range(_TRIES):
        manifest = load_manifest(folder)
        if manifest is None:
            raise ListingError("There is no index yet.")
        try:
            names = sorted(wanted_names(manifest))
            return Listing(manifest, tuple(_listed(folder, name, manifest) for name in names))
        except FileNotFoundError as error:
            missing = Path(str(error.filename)).name
    raise ListingError(f"{missing} is missing from the index.")


def digest_of(path: Path, n_bytes: int) -> str:
    """Return the digest of the first bytes of a file, empty if it has another size than is listed.

    Raises
    ------
    FileNotFoundError
    """
    size = path.stat().st_size
    if path.suffix == LOG_SUFFIX:
        if size < n_bytes:
            return ""
        with path.open("rb") as file:
            return log_digest(file.read(n_bytes))
    if size != n_bytes or size < TRAILER.size:
        return ""
    with path.open("rb") as file:
        file.seek(-TRAILER.size, 2)
        return f"{TRAILER.unpack(file.read(TRAILER.size))[3]:016x}"


def read_listed(folder: Path, name: str, digest: str, span: tuple[int, int]) -> bytes:
    """Read bytes of a file that was listed; span: offset and how many, fewer where it ends.

    Raises
    ------
    FileNotFoundError
        If it is gone, or never was such a file. Of a log, which grows, the reader compares digests.
    """
    if not is_file_name(name):
        raise FileNotFoundError(name)
    path, (offset, length) = folder / name, span
    if path.suffix != LOG_SUFFIX and digest_of(path, path.stat().st_size) != digest:
        raise FileNotFoundError(name)
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(length)


def log_digest(data: bytes) -> str:
    """Return the digest of bytes of the lexicon's log."""
    return f"{xxhash.xxh64_intdigest(data):016x}"


def is_file_name(name: str) -> bool:
    """Whether a name is that of a file which a listing may hold; no path ever is."""
    return _NAME.fullmatch(name) is not None


def is_object_name(name: str) -> bool:
    """Whether a name is one by which a store keeps a file, or a part of one."""
    return _OBJECT_NAME.fullmatch(name) is not None


def _listed(folder: Path, name: str, manifest: Manifest) -> ListedFile:
    path, lexicon = folder / name, manifest.lexicon
    if name != lexicon.log_name:
        n_bytes = path.stat().st_size
        return ListedFile(name, n_bytes, digest_of(path, n_bytes))
    with path.open("rb") as file:
        data = file.read(lexicon.log_bytes)
    parts = (
        log_digest(data[at : at + LOG_PART_BYTES]) for at in range(0, len(data), LOG_PART_BYTES)
    )
    return ListedFile(name, lexicon.log_bytes, log_digest(data), tuple(parts))


def _file(name: str, n_bytes: int, digest: str, parts: list[str]) -> ListedFile:
    if not is_file_name(name) or not _DIGEST.fullmatch(digest):
        raise ValueError(f"{name!r:.60} is no file of an index")
    most = MAX_LOG_BYTES if name.endswith(LOG_SUFFIX) else MAX_FILE_BYTES
    if type(n_bytes) is not int or not 0 < n_bytes <= most:
        raise ValueError(f"{name} has {n_bytes!r:.30} bytes")
    n_parts = -(-n_bytes // LOG_PART_BYTES) if name.endswith(LOG_SUFFIX) else 0
    if len(parts) != n_parts or not all(_DIGEST.fullmatch(part) for part in parts):
        raise ValueError(f"{name} has other parts than its size says")
    return ListedFile(name, n_bytes, digest, tuple(parts))


def _checked(manifest: Manifest) -> Manifest:
    """Return a manifest of which every name and number is one."""
    lexicon = manifest.lexicon
    numbers = [
        manifest.generation, manifest.next_file, manifest.history_from, manifest.withdrawal,
        lexicon.epoch, lexicon.log_bytes, lexicon.log_origin, lexicon.n_fadings,
        *asdict(lexicon.size).values(),
        *(number for span in manifest.erased for number in span),
        *(n for entry in manifest.segments for n in (entry.level, entry.kind, entry.n_tokens,
                                                     entry.n_documents)),
    ]  # fmt: skip
    days = [day for entry in manifest.segments for day in (entry.first_day, entry.last_day)]
    if any(type(number) is not int for number in [*numbers, *days]) or min(numbers) < 0:
        raise ValueError("a number of the manifest is none")
    if not _IDENTITY.fullmatch(manifest.identity):
        raise ValueError("its index has no identity")
    for entry in manifest.segments:
        if not (entry.name.endswith(".segment") and is_file_name(entry.name)):
            raise ValueError(f"{entry.name!r:.60} is no segment")
        if entry.removals and not (
            entry.removals.endswith(".removals") and is_file_name(entry.removals)
        ):
            raise ValueError(f"{entry.removals!r:.60} are no removals")
    said = tuple(replace(entry, damage=str(entry.damage)[:200]) for entry in manifest.segments)
    return replace(manifest, segments=said, holds_erased_words=manifest.holds_erased_words is True)
