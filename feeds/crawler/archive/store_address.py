"""Where an object store is, and what is said where it cannot be used.

Without the client itself, which only processes of an archive with a store load (8 MB).
"""

from dataclasses import dataclass
from urllib.parse import urlsplit


class StoreAwayError(OSError):
    """Raised where the store does not answer, or refuses us; an object that is missing is none."""


class StoreAddressError(ValueError):
    """Raised for an address of a store that is none; its sentence is shown by checks."""


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Where a store is, and as whom we come; without keys those of the machine's role are used."""

    url: str  # s3://bucket/prefix
    endpoint: str = ""  # of a server that is not Amazon's: http://minio.example:9000
    region: str = ""
    key_id: str = ""
    secret_key: str = ""

    def __repr__(self) -> str:
        return f"StoreAddress({self.url!r}, {self.endpoint!r})"  # no keys: it may stand in a log


def bucket_and_prefix(url: str, setting: str = "ARCHIVE_URL") -> tuple[str, str]:
    """Split `s3://bucket/prefix`; the prefix may be empty. `setting` is named in what is said.

    Raises
    ------
    StoreAddressError
        For anything else, with a sentence.
    """
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.hostname or parts.query or parts.fragment or parts.port:
        raise StoreAddressError(f"{setting} must look like s3://bucket or s3://bucket/prefix.")
    if parts.username or parts.password:
        raise StoreAddressError(
            f"Keys do not belong into {setting}: set ARCHIVE_KEY_ID and ARCHIVE_SECRET_KEY."
        )
    return parts.hostname, parts.path.strip("/")
